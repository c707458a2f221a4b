package demo

import (
	"slices"
	"strings"
	"testing"
)

// money are words that any finance topic has, in both scripts.
var money = []string{"股市", "股票", "银行", "基金", "证券", "央行", "利率", "债券", "财经", "銀行", "證券", "債券", "財經"}

func countMoney(s string) int {
	n := 0
	for _, word := range money {
		n += strings.Count(s, word)
	}
	return n
}

func TestArticles(t *testing.T) {
	w := New()
	titles, bodies := map[string]string{}, map[string]string{}
	for _, s := range w.order {
		for _, a := range s.articles {
			at := s.url(a.path())
			if other, ok := titles[a.title]; ok {
				t.Errorf("%s and %s have the title %q", at, other, a.title)
			}
			if other, ok := bodies[strings.Join(a.body, "\n")]; ok {
				t.Errorf("%s and %s have the same body", at, other)
			}
			titles[a.title], bodies[strings.Join(a.body, "\n")] = at, at
			if n := len(a.body); n < 3 || n > 8 {
				t.Errorf("%s has %d paragraphs, want 3 to 8", at, n)
			}
			if all := a.title + a.desc + strings.Join(a.keys, "") + strings.Join(a.body, ""); strings.ContainsAny(all, "{}|") {
				t.Errorf("%s has an unfilled slot", at)
			}
			inTitle, inAll := countMoney(a.title), countMoney(a.title+a.desc+strings.Join(a.keys, ""))
			switch {
			case a.section.topic && (inTitle < 1 || inAll < 4):
				t.Errorf("%s %q speaks of money %d times, %d in the title: want 4 and 1", at, a.title, inAll, inTitle)
			case a.bridge && (inTitle != 1 || inAll > 2):
				t.Errorf("bridge %s %q speaks of money %d times, %d in the title: want 1 and at most 2", at, a.title, inAll, inTitle)
			case !a.section.topic && !a.bridge && inAll > 0:
				t.Errorf("%s %q speaks of money", at, a.title)
			}
		}
	}
}

func TestSameStoryDiffers(t *testing.T) {
	subjects, err := loadSubjects()
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range subjects {
		a, b := s.compose(0), s.compose(len(s.stories))
		shared := 0
		for _, p := range a.body {
			if slices.Contains(b.body, p) {
				shared++
			}
		}
		if shared*2 > len(a.body) {
			t.Errorf("%s: two articles of one story share %d of %d paragraphs", name, shared, len(a.body))
		}
	}
}

const minimal = "[slots]\nx = a | b\nn = 1-3\n[story]\ntitle: {x}\ndesc: {x2}\nkeys: k\np: {n}\n"

func TestParseSubjectErrors(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"unknown section":    {"[tales]", "line 1: unknown section"},
		"field before any":   {"title: x", "line 1: field"},
		"no colon":           {"[story]\ntitle", "line 2: want"},
		"empty field":        {"[story]\ntitle: ", "line 2: want"},
		"field twice":        {"[story]\ntitle: a\ntitle: b", "line 3: unknown or repeated"},
		"story without text": {"[story]\ntitle: a\ndesc: b\nkeys: c", "incomplete"},
		"slot without value": {"[slots]\nx = a | | b", "line 2: slot x"},
		"slot without equal": {"[slots]\nx", "line 2: want"},
		"unknown slot":       {minimal + "p: {y}", "no slot for {y}"},
		"too few values":     {minimal + "p: {x3}", "no slot for {x3}"},
		"open brace":         {minimal + "p: {x", "bad slot"},
		"title in common":    {minimal + "[common]\ntitle: x", "no place"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := parseSubject("test", strings.NewReader(tt.in), nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestSlots(t *testing.T) {
	s, err := parseSubject("test", strings.NewReader("[slots]\nx = a | b\nn = 7-7\nd = 0.5-0.5\n"+
		"[story]\ntitle: {x}{x2}{x}\ndesc: {n} {n2}\nkeys: k, l\np: {d}\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := s.compose(1)
	if got.title != "aba" && got.title != "bab" {
		t.Errorf("title = %q: {x} must keep its value, {x2} differ from it", got.title)
	}
	if got.desc != "7 7" || got.body[0] != "0.5" || !slices.Equal(got.keys, []string{"k", "l"}) {
		t.Errorf("text = %+v", got)
	}
	if s.compose(0).title == got.title {
		t.Error("the next article of the story has the same title")
	}
}

func FuzzParseSubject(f *testing.F) {
	f.Add(minimal)
	f.Add(minimal + "[bridge]\ntitle: a\ndesc: b\nkeys: c\np: d\n[common]\np: e {n9}\n")
	f.Add("[slots]\nn = 9.9-0.1\n# x\n[story]\ntitle: {n}\ndesc: {n}\nkeys: ,\np: {n2}")
	f.Add("[slots]\n{ = a\n")
	f.Fuzz(func(t *testing.T, in string) {
		s, err := parseSubject("fuzz", strings.NewReader(in), nil)
		if err != nil || len(s.stories) == 0 {
			return
		}
		for i := range 2 * len(s.stories) {
			if got := s.compose(i); len(got.body) == 0 {
				t.Errorf("article %d has no body", i)
			}
		}
	})
}
