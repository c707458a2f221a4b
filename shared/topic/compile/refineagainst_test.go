package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// bodiesOf counts the words of pages of themes.
func bodiesOf(pages ...Sample) *Counts {
	c := &Counts{Documents: len(pages), In: make(map[string]int)}
	for _, page := range pages {
		for _, word := range page.Body {
			c.In[word]++
		}
	}
	return c
}

func TestRefineAgainst(t *testing.T) {
	w := newTexter(1)
	var on, off []Sample
	for i := range 200 {
		on, off = append(on, w.page(0)), append(off, w.page(1+i%(themes-1)))
	}
	domain, background := bodiesOf(on...), bodiesOf(off...)
	var candidates []string
	for i := range 20 {
		candidates = append(candidates, themeWord(0, i), generalWord(i), fmt.Sprintf("never%c", 'a'+i))
	}
	file := topicOf(t, candidates...)

	r, err := RefineAgainst(file, domain, background, RefineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Kept) < 20 || len(r.Kept) > 22 || len(r.Cut) != 60-len(r.Kept) || len(r.Added) != 20 {
		t.Errorf("kept %d, cut %d, added %d", len(r.Kept), len(r.Cut), len(r.Added))
	}
	for _, c := range r.Cut {
		if strings.HasPrefix(c.Word, "never") != (c.Reason == "no text of the domain has it") {
			t.Errorf("%+v", c)
		}
	}

	few, err := RefineAgainst(file, domain, background, RefineOptions{Max: 7, Add: -1})
	if err != nil {
		t.Fatal(err)
	}
	if len(few.Kept) != 7 || len(few.Cut) != 53 || len(few.Added) != 0 {
		t.Errorf("kept %d, cut %d, added %d", len(few.Kept), len(few.Cut), len(few.Added))
	}
	weakest := slices.MinFunc(few.Kept, func(a, b Candidate) int { return -better(a, b) })
	for _, c := range few.Cut {
		if c.Reason == "not among the best 7" && better(c, weakest) < 0 {
			t.Errorf("%+v was cut, %+v kept", c, weakest)
		}
	}

	if _, err := RefineAgainst(file, bodiesOf(on[:9]...), background, RefineOptions{}); err == nil || !strings.Contains(err.Error(), "domain corpus has 9 texts") {
		t.Errorf("small domain: %v", err)
	}
	if _, err := RefineAgainst(file, domain, &Counts{}, RefineOptions{}); err == nil || !strings.Contains(err.Error(), "background corpus has 0 texts") {
		t.Errorf("no background: %v", err)
	}
}
