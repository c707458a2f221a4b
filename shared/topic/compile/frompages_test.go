package compile

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/topic/textfile"
)

// chinesePages are articles: words of general use with words of one theme.
func chinesePages(n int, theme []string) []textfile.Document {
	general := strings.Fields("中国 城市 时间 问题 工作 发展 社会 情况 活动 地区 人民 生活 政府 国家 学习 文化 教育 历史 科学 技术 环境 自然 世界 今天 明天 朋友 家庭 孩子 天气 道路")
	random := rand.New(rand.NewPCG(uint64(len(theme[0])), 5))
	pages := make([]textfile.Document, n)
	for i := range pages {
		var text strings.Builder
		for sentence := range 6 {
			for range 5 {
				text.WriteString(general[random.IntN(len(general))] + "的")
			}
			text.WriteString(theme[(i+sentence)%len(theme)] + "，" + theme[random.IntN(len(theme))] + "。\n")
		}
		pages[i] = textfile.Document{ID: fmt.Sprintf("http://www.a.test/%d.html#top", i), Title: theme[i%len(theme)] + "报道", Text: text.String()}
	}
	return pages
}

func stream(pages []textfile.Document, last error) iter.Seq2[textfile.Document, error] {
	return func(yield func(textfile.Document, error) bool) {
		for _, page := range pages {
			if !yield(page, nil) {
				return
			}
		}
		if last != nil {
			yield(textfile.Document{}, last)
		}
	}
}

func finance() []string {
	return strings.Fields("股票 基金 银行 利率 证券 债券 期货 汇率 通胀 股市 贷款 投资者")
}

func sports() []string {
	return strings.Fields("足球 篮球 球队 球员 教练 联赛 冠军 比赛 进球 裁判 决赛 奥运会")
}

func TestFromPages(t *testing.T) {
	pages := append(chinesePages(20, finance()),
		textfile.Document{ID: "notes.txt", Title: "Notes", Text: strings.Repeat("This is about the markets and what they have done to the banks of the country. ", 5)})
	pages[0].ID = "pages/0.html"
	pages[1].ID = "https://user:secret@b.test/x"
	d, err := FromPages(context.Background(), "money", pages, PagesOptions{Background: stream(chinesePages(50, sports()), nil)})
	if err != nil {
		t.Fatal(err)
	}
	if d.Language != "zh" || d.Pages != 20 || d.Foreign != 1 || d.Background != 50 {
		t.Errorf("language %s, %d pages, %d foreign, %d in the background", d.Language, d.Pages, d.Foreign, d.Background)
	}
	var words []string
	for _, c := range d.Words {
		words = append(words, c.Word)
	}
	for _, word := range finance() {
		if !strings.Contains(strings.Join(words[:len(finance())], " "), word) {
			t.Errorf("%s is not among the best words %v", word, words)
		}
	}
	for _, word := range sports() {
		if w, ok := d.Weights.Words[word]; !ok || w != 0 {
			t.Errorf("%s weighs %v", word, w)
		}
	}
	if d.File.Name != "money" || len(d.File.Words) != len(d.Words) || d.File.Words[0].Text != d.Words[0].Word || d.File.Words[0].Weight != d.Words[0].Weight {
		t.Errorf("the topic file is\n%s", d.YAML)
	}
	if diff := cmp.Diff([]string{"https://b.test/", "http://www.a.test/", "https://b.test/x", "http://www.a.test/2.html"}, d.File.Seeds[:4]); diff != "" {
		t.Errorf("seeds (-want +got):\n%s", diff)
	}

	again, err := FromPages(context.Background(), "money", pages, PagesOptions{Background: stream(chinesePages(50, sports()), nil)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(d.YAML), string(again.YAML)); diff != "" {
		t.Errorf("a second run differs:\n%s", diff)
	}
}

func TestFromPagesTakesTheBestWords(t *testing.T) {
	d, err := FromPages(context.Background(), "money", chinesePages(20, finance()),
		PagesOptions{Words: 5, Background: stream(chinesePages(50, sports()), nil)})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Words) != 5 || d.Weights.Words[d.Words[4].Word] == 0 {
		t.Errorf("words %+v", d.Words)
	}
}

// Without a background English words are judged by how common they are: those
// of every text do not mark the pages.
func TestFromPagesEnglish(t *testing.T) {
	var pages []textfile.Document
	for i := range 20 {
		pages = append(pages, textfile.Document{
			ID:   fmt.Sprintf("http://%c.test/%d", 'a'+i%2, i),
			Text: strings.Repeat("People of the world know that the syllabus and the homework are on time. ", 5),
		})
	}
	d, err := FromPages(context.Background(), "course", pages, PagesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	place := make(map[string]int)
	for i, c := range d.Words {
		place[c.Word] = len(d.Words) - i
	}
	if d.Language != "en" || d.Background != 0 || min(place["syllabus"], place["homework"]) <= max(place["people"], place["world"], place["time"]) {
		t.Errorf("language %s, background %d, words %+v", d.Language, d.Background, d.Words)
	}
}

func frenchPages() []textfile.Document {
	var pages []textfile.Document
	for i := range 3 {
		pages = append(pages, textfile.Document{ID: fmt.Sprint(i), Text: strings.Repeat("Le marché est ouvert tous les jours et les banques de la ville prêtent de l'argent. ", 5+i)})
	}
	return pages
}

func TestFromPagesErrors(t *testing.T) {
	broken := errors.New("broken stream")
	for _, test := range []struct {
		name, topic string
		pages       []textfile.Document
		options     PagesOptions
		want        string
	}{
		{"no pages", "a", nil, PagesOptions{}, "0 pages with text"},
		{"two pages", "a", chinesePages(2, finance()), PagesOptions{}, "2 pages with text, fewer than 3"},
		{"another language", "a", chinesePages(9, finance()), PagesOptions{Language: "en"}, "0 of 9 pages are in the language en"},
		{"no frequencies", "a", frenchPages(), PagesOptions{Language: "fr"}, "no word frequencies for the language fr: give a background"},
		{"small background", "a", chinesePages(9, finance()), PagesOptions{Background: stream(chinesePages(3, sports()), nil)}, "the background has 3 texts"},
		{"broken background", "a", chinesePages(9, finance()), PagesOptions{Background: stream(nil, broken)}, "broken stream"},
		{"background of the same", "a", chinesePages(9, finance()), PagesOptions{Background: stream(chinesePages(9, finance()), nil)}, "the background has 9 texts"},
		{"no word marks them", "a", chinesePages(10, finance()), PagesOptions{Background: stream(chinesePages(10, finance()), nil)}, "no word marks the pages"},
		{"bad name", "My Topic", chinesePages(9, finance()), PagesOptions{Background: stream(chinesePages(20, sports()), nil)}, "name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := FromPages(context.Background(), test.topic, test.pages, test.options)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}
