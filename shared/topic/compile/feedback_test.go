package compile

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"sluice/shared/state/corpus"
	"sluice/shared/topic"
)

const feedbackYAML = `
name: money
words: [股市, 银行]
seeds: ["http://www.demo.test/"]
thresholds: {description: 0.3, priority: 0.45}
`

// crawled are texts as a crawl judged them: on the topic are those of the author's
// words, which have the words of the trade, and in one of two sections others; off it are
// texts about the weather.
func crawled(t *testing.T, words func(string) []string, on, off int) *Samples {
	t.Helper()
	s := &Samples{}
	for i := range on {
		text, section := fmt.Sprintf("股市和银行今天公布利率，贷款和存款增加，www.demo.test 第%d号", i), "money"
		if i%3 == 0 {
			text, section = text+"，请扫码订阅", "app"
		}
		s.Add(Sample{Body: words(text), Fate: Kept, Place: "www.demo.test/" + section})
	}
	for i := range off {
		s.Add(Sample{Body: words(fmt.Sprintf("天气晴朗，气温上升，公园游客增加，第%d天", i)), Fate: PassedOver, Times: 4, Place: "www.demo.test/city"})
	}
	for range 20 { // they teach nothing
		s.Add(Sample{Body: words("足球比赛结束"), Fate: Disputed, Place: "www.demo.test/sports"})
	}
	return s
}

func feedbackTopic(t *testing.T) (*topic.File, *Prose) {
	t.Helper()
	file, err := topic.Parse("topic.yaml", []byte(feedbackYAML))
	if err != nil {
		t.Fatal(err)
	}
	prose, err := NewProse("zh", nil)
	if err != nil {
		t.Fatal(err)
	}
	return file, prose
}

func feedbackOf(t *testing.T, on, off int) (*Feedback, *Prose, error) {
	t.Helper()
	file, prose := feedbackTopic(t)
	f, err := LearnFeedback(file, crawled(t, prose.Words, on, off), prose)
	return f, prose, err
}

// A text with words of the trade is on the topic without any word of the author;
// one with a single word of the author, and nothing of the trade, is not.
func TestFeedback(t *testing.T) {
	t.Parallel()
	f, prose, err := feedbackOf(t, 30, 30)
	if err != nil {
		t.Fatal(err)
	}
	if f.On != 30 || f.Off != 120 {
		t.Errorf("learned from %d texts on the topic and %d off it", f.On, f.Off)
	}
	for text, want := range map[string]bool{
		"利率公布以后，贷款和存款增加":               true,
		"股市和银行公布利率":                    true,
		"气温上升，公园里的游客路过一家银行，天气晴朗，孩子们高兴": false,
		"天气晴朗，气温上升":                    false,
		"":                             false,
	} {
		v := f.Value("", prose.Words(text))
		if !(0 <= v && v <= 1) || (v >= f.Threshold) != want {
			t.Errorf("%s: relevance %v, threshold %v", text, v, f.Threshold)
		}
	}
	var learned []string
	for _, c := range f.Learned {
		learned = append(learned, c.Word)
		if c.Weight <= 0 || c.Relevant < leastTexts || !c.Related {
			t.Errorf("learned %+v", c)
		}
	}
	all := strings.Join(learned, " ")
	for _, word := range []string{"利率", "贷款", "订阅"} { // the last is of one section
		if !strings.Contains(all, word) {
			t.Errorf("learned are %s, not %s", all, word)
		}
	}
	for _, never := range []string{"demo", "test", "股市", "天气", "足球", "增加"} {
		if strings.Contains(all, never) {
			t.Errorf("learned is %s", never)
		}
	}
	var squares float64
	for _, w := range f.weights {
		squares += w * w
	}
	if math.Abs(squares-1) > 1e-9 {
		t.Errorf("the vector has length %v", math.Sqrt(squares))
	}
}

// Texts that stand for four count as four.
func TestFeedbackNeedsTexts(t *testing.T) {
	t.Parallel()
	for _, n := range [][2]int{{9, 30}, {30, 2}, {0, 0}} {
		if f, _, err := feedbackOf(t, n[0], n[1]); !errors.Is(err, ErrFewTexts) {
			t.Errorf("%d texts on the topic, %d off it: %v, %v", n[0], n[1], f, err)
		}
	}
}

// Words are learned from main texts, and a page is judged by all that it shows: of two
// with the same main text the one with the words of the trade around it is worth more.
func TestFeedbackByWholePages(t *testing.T) {
	t.Parallel()
	file, prose := feedbackTopic(t)
	s, at := crawled(t, prose.Words, 30, 30), func(n int64) corpus.Location { return corpus.Location{File: "a", Offset: n, Length: 1} }
	for i, around := range []string{"利率 贷款 存款 首页", "天气 气温 首页"} {
		s.Add(Sample{Body: prose.Words("公园今天开门"), Page: prose.All("公园今天开门 " + around), Fate: Disputed, At: at(int64(i))})
	}
	f, err := LearnFeedback(file, s, prose)
	if err != nil {
		t.Fatal(err)
	}
	trade, known := f.ValueAt(at(0))
	weather, _ := f.ValueAt(at(1))
	if _, other := f.ValueAt(at(2)); !known || other || trade < f.Threshold || weather >= f.Threshold {
		t.Errorf("values %v (known: %v) and %v, threshold %v", trade, known, weather, f.Threshold)
	}
	if got := f.Value("", prose.All("公园今天开门 利率 贷款 存款 首页")); got != trade {
		t.Errorf("value %v, of the same words %v", trade, got)
	}
}

// The threshold is .7 of Otsu's cut and .8 of the mean below it.
func TestFeedbackThreshold(t *testing.T) {
	t.Parallel()
	f, prose, err := feedbackOf(t, 30, 30)
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	s := crawled(t, prose.Words, 30, 30)
	for i := range s.texts {
		for range s.texts[i].times {
			values = append(values, f.Value("", s.spelled(s.texts[i].body)))
		}
	}
	cut, _ := otsu(values)
	sum, n := 0.0, 0.0
	for _, v := range values {
		if v < cut {
			sum, n = sum+v, n+1
		}
	}
	if want := .7*cut + .8*sum/n; math.Abs(f.Threshold-want) > 1e-9 {
		t.Errorf("threshold %v, want %v", f.Threshold, want)
	}
}

// A site that writes of the topic in fewer of its words has a lower threshold; one that
// does not write of it has that of all.
func TestFeedbackThresholdOfSites(t *testing.T) {
	t.Parallel()
	file, prose := feedbackTopic(t)
	s := crawled(t, prose.Words, 60, 60)
	add := func(n int, host, text string, fate Fate) {
		for i := range n {
			s.Add(Sample{Body: prose.Words(fmt.Sprintf("%s第%d号", text, i)), Fate: fate, Place: host})
		}
	}
	add(20, "a.other.test", "公布利率，贷款增加，老人在湖边散步回家", Disputed)
	add(100, "b.other.test", "老人在湖边下棋，孩子放风筝，晚饭以后散步回家休息", Disputed)
	add(20, "quiet.test", "利率也谈，老人在湖边读书写字，孩子放风筝骑车，晚饭以后散步回家休息，夜里看星星听音乐", Disputed)
	add(100, "quiet.test", "老人在湖边下棋，孩子放风筝，晚饭以后散步回家休息", Disputed)
	f, err := LearnFeedback(file, s, prose)
	if err != nil {
		t.Fatal(err)
	}
	other, quiet := f.ThresholdOf("http://c.other.test/a/1.html"), f.ThresholdOf("http://quiet.test/1.html")
	if other >= f.Threshold || quiet != f.Threshold || f.ThresholdOf("http://new.test/") != f.Threshold {
		t.Errorf("threshold %v, of a site with the topic %v, without %v", f.Threshold, other, quiet)
	}
}
