package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProseLeavesCreditsOut(t *testing.T) {
	p, err := NewProse("zh", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, text, want string }{
		{"dateline", "新华社北京3月5日电（记者张伟 李娜）央行下调利率。", "央行下调利率。"},
		{"of several cities", "中新网上海、广州１５日电 股市上涨。", "股市上涨。"},
		{"of a paper", "晨报讯（记者 王芳）股市上涨。", "晨报讯 股市上涨。"},
		{"traditional", "中央社台北5日電 股市上涨。", "股市上涨。"},
		{"a date that is none", "截至3月5日收盘，股市上涨。", "截至3月5日收盘，股市上涨。"},
		{"electricity", "今年5月1日，电价上涨。", "今年5月1日，电价上涨。"},
		{"byline", "来源：证券时报\n责任编辑：赵敏\n股市上涨。[责任编辑：钱进]", "股市上涨。"},
		{"reporter", "本报记者 周涛 股市上涨。", "股市上涨。"},
		{"URL", "见http://www.example.com/a/b.html，或 news.example.cn 与 a.b@example.org。", "见，或 与 。"},
		{"no byline", "来源于市场的消息让投资者相信，编辑部的判断没有错，而作者也在文章里说过很多次同样的话，并且给出了他所依据的全部数据和图表。", "来源于市场的消息让投资者相信，编辑部的判断没有错，而作者也在文章里说过很多次同样的话，并且给出了他所依据的全部数据和图表。"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(p.segmenter.Words(test.want), p.Words(test.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestProseWritesWords(t *testing.T) {
	p, err := NewProse("en", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"The lectures of this course", "Two lectures: By Jane Doe", "a lecture", "LONDON (Reuters) - Courses"} {
		p.Words(text)
	}
	for form, want := range map[string]string{"lectur": "lectures", "cour": "course", "reuter": "reuter", "london": "london"} {
		if got := p.Written(form); got != want {
			t.Errorf("%s is written %s, want %s", form, got, want)
		}
	}
}

func BenchmarkProse(b *testing.B) {
	p, err := NewProse("zh", nil)
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("央行今天宣布下调利率0.25个百分点，多家银行表示将支持小微企业，市场对此反应积极，沪指上涨1.2%。3月5日收盘时，电力股领涨。\n", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		p.Words(text)
	}
}

func TestPlaces(t *testing.T) {
	for id, want := range map[string]string{
		"http://a.test/2024/news/x.html": "a.test/news", "https://a.test/x.html": "a.test",
		"http://a.test/2024-03/26/c_1.html": "a.test", "notes.txt": "", "file:1": "", "http://a.test": "a.test",
	} {
		if got := placeOf(id); got != want {
			t.Errorf("placeOf(%q) = %q, want %q", id, got, want)
		}
	}
	allowed := func(texts ...[2]string) (words []string) {
		p := newPlaces()
		for _, text := range texts {
			p.add(text[0], []string{text[1], "both"})
		}
		for word := range p.first {
			if p.allow(word) {
				words = append(words, word)
			}
		}
		slices.Sort(words)
		return words
	}
	for _, test := range []struct {
		name  string
		texts [][2]string
		want  []string
	}{
		{"one place", [][2]string{{"a.test", "x"}, {"a.test", "test"}}, []string{"both", "x"}},
		{"two sections", [][2]string{{"a.test/x", "x"}, {"a.test/y", "y"}}, []string{"both"}},
		{"no places", [][2]string{{"", "x"}, {"", "y"}}, []string{"both", "x", "y"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, allowed(test.texts...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Names are written with a capital, but for a rare address; other words are written
// small somewhere, and acronyms with more than one capital.
func TestProper(t *testing.T) {
	p, err := NewProse("en", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 19 {
		p.Words("Lecture Notes. Robert gives a lecture on VLSI in Austin, TX, in January; lectures are in Room B.")
	}
	p.Words("Assignments of robert")
	for form, want := range map[string]bool{
		"robert": true, "austin": true, "tx": true, "januari": true, "assign": true,
		"lectur": false, "vlsi": false, "give": false, "unknown": false,
	} {
		if got := p.Proper(form); got != want {
			t.Errorf("%s is a name: %v", form, got)
		}
	}
	chinese, err := NewProse("zh", nil)
	if err != nil {
		t.Fatal(err)
	}
	chinese.Words("Linux 内核")
	if chinese.Proper("linux") {
		t.Error("a word in a Chinese text is a name")
	}
}
