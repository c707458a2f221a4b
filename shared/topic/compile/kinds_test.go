package compile

import (
	"fmt"
	"math"
	"testing"

	"sluice/shared/state/corpus"
)

func TestKindOf(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"http://a.test/people/lee/":                    "a.test/people/",
		"http://A.test/people/moss/Index.html":         "a.test/people/",
		"http://a.test/people/wu/wu.html":              "a.test/people/",
		"http://a.test/people/wu/cv.html":              "a.test/people/*",
		"http://b.test/people/wu/cv.html":              "b.test/people/*",
		"http://a.test/sport/2026/03-30/1.html?page=2": "a.test/sport/#/*",
		"http://a.test/sport/2025/11-02/7.html":        "a.test/sport/#/*",
		"http://a.test/1.html":                         "a.test*",
		"http://a.test":                                "a.test",
		"a.html":                                       "",
		"http://[::1":                                  "",
	} {
		if got := kindOf(id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

// The others of a kind count by how much more relevant they are than those of the site, and
// with ten that are as relevant as these.
func TestKinds(t *testing.T) {
	t.Parallel()
	k := kinds{map[string]total{}, map[string]total{}}
	k.add("a/on", "a", 0.8, 20)
	k.add("a/off", "a", 0.1, 60)
	k.add("a/off", "a", 0.2, 1)
	k.add("b", "b", 0.5, 30)
	k.add("c", "c", 0, 30)
	mean := (16 + 6.2) / 81
	for _, test := range []struct {
		name, kind, site string
		value, without   float64
		want             float64
	}{
		{"kind on the topic", "a/on", "a", 0, 0, (16 + 10*mean) / 30 / mean},
		{"without itself", "a/off", "a", 0.2, 1, (6 + 10*mean) / 70 / mean},
		{"alone", "b", "b", 0.5, 30, 1},
		{"of another site", "b", "b", 0, 0, 1},
		{"new kind", "a/new", "a", 0, 0, 1},
		{"new site", "d", "d", 0, 0, 1},
		{"no URL", "", "", 0, 0, 1},
		{"nothing on the topic", "c", "c", 0, 0, 1},
	} {
		if got := k.factor(test.kind, test.site, test.value, test.without); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// Of two pages with the same words, which were learned from or not, one is in a section on the
// topic and kept, the other in one off it.
func TestFeedbackByKind(t *testing.T) {
	t.Parallel()
	file, prose := feedbackTopic(t)
	s := &Samples{}
	var offset int64
	add := func(section, text string, fate Fate) corpus.Location {
		offset++
		url, at := fmt.Sprintf("http://www.demo.test/%s/2026/%d.html", section, offset), corpus.Location{File: "a", Offset: offset, Length: 1}
		words := prose.Words(fmt.Sprintf("%s第%d号", text, offset))
		s.Add(Sample{Body: words, Page: words, Fate: fate, Place: placeOf(url), Kind: kindOf(url), At: at})
		return at
	}
	for range 30 {
		add("money", "股市和银行公布利率，贷款和存款增加", Kept)
		add("city", "天气晴朗，气温上升，公园游客增加", PassedOver)
	}
	const both = "公布利率，贷款增加，公园游客，孩子回家"
	on, off := add("money", both, Disputed), add("city", both, Disputed)
	f, err := LearnFeedback(file, s, prose)
	if err != nil {
		t.Fatal(err)
	}
	inMoney, _ := f.ValueAt(on)
	inCity, _ := f.ValueAt(off)
	if inMoney < f.Threshold || inCity >= f.Threshold {
		t.Errorf("relevance %v and %v, threshold %v", inMoney, inCity, f.Threshold)
	}
	words := prose.Words(both)
	elsewhere := f.Value("http://www.demo.test/new/2026/1.html", words)
	if more, less := f.Value("http://www.demo.test/money/2026/1.html", words), f.Value("http://www.demo.test/city/2026/1.html", words); more <= elsewhere || less >= elsewhere {
		t.Errorf("relevance %v and %v, of a new kind %v", more, less, elsewhere)
	}
}
