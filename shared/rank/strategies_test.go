package rank

import (
	"strings"
	"testing"
)

// Of equal links no strategy drops one with a structure vote, nor moves it back. No drop
// on a relevant page is final.
func TestStrategies(t *testing.T) {
	settings := Settings{Weights: Weights{Alpha: 0.25, Beta: 0.5, Lambda: 0.125}, Threshold: 0.5}
	for _, name := range append(Names(), "") {
		s, err := New(name, settings)
		if err != nil {
			t.Fatal(err)
		}
		for _, anchor := range []float64{0, 0.5, 0.8, 1} {
			for variant := range 24 {
				l := Link{
					Parts: Parts{Description: 1, Anchor: anchor}, Depth: 3, Parent: float64(variant % 3),
					Relevant: variant/3%2 == 1, Listed: variant/6%2 == 1, Topical: variant/12 == 1,
				}
				without := s.Judge(l)
				l.Structure = true
				with := s.Judge(l)
				if without.Drop == "" && with.Drop != "" || without.Drop == "" && with.Compare(without.Order) > 0 {
					t.Errorf("%s: %+v without the vote, %+v with it", name, without, with)
				}
				if l.Relevant && (without.Final || with.Final) {
					t.Errorf("%s: on a relevant page %+v, and %+v with the vote", name, without, with)
				}
			}
		}
	}
	if _, err := New("no-such", settings); err == nil || !strings.Contains(err.Error(), "adaptive, best-first, breadth-first, hybrid, neighborhood, pagerank, semantic, shark-search") {
		t.Errorf("New of no strategy = %v", err)
	}
}

func TestDefaults(t *testing.T) {
	settings := Settings{Weights: Weights{Alpha: 0.25, Beta: 0.5, Lambda: 0.125}, Threshold: 0.5}
	if s, _ := New("", settings); s != (Semantic{settings.Weights, 0.5}) {
		t.Errorf("the default is %+v", s)
	}
	if s, _ := New(NameBestFirst, settings); s != (BestFirst{settings.Weights, 0.5, DefaultTunnel}) {
		t.Errorf("best-first is %+v", s)
	}
}

func TestBreadthFirst(t *testing.T) {
	near, far := BreadthFirst{}.Judge(Link{Depth: 1}), BreadthFirst{}.Judge(Link{Parts: Parts{Anchor: 1}, Depth: 2, Topical: true})
	if near.Compare(far.Order) >= 0 || near.Drop != "" || far.Drop != "" {
		t.Errorf("near %+v, far %+v", near, far)
	}
}
