package wordpairs

import (
	"runtime"
	"sync"

	"sluice/shared/topic/compile"
)

// Accuracy is the share of the drawn pairs that are judged right: synonyms if
// Sim is above 0, and no others.
type Accuracy struct {
	Th1      float64 `json:"th1"`
	Th2      float64 `json:"th2"`
	Share    float64 `json:"accuracy"` // of all pairs, 0 to 1
	Synonyms float64 `json:"synonyms"` // share of the synonyms that are recognised
	Others   float64 `json:"others"`   // share of the other pairs that are taken for synonyms
}

// Judge decides every pair by Sim.
func Judge(pairs []Drawn, s *compile.Similarity) Accuracy {
	var synonyms, found, wrong int
	for _, p := range pairs {
		taken := s.Sim(p.A, p.B) > 0
		switch {
		case p.Synonym:
			synonyms++
			if taken {
				found++
			}
		case taken:
			wrong++
		}
	}
	others := len(pairs) - synonyms
	return Accuracy{
		Th1: s.Th1, Th2: s.Th2,
		Share:    share(found+others-wrong, len(pairs)),
		Synonyms: share(found, synonyms),
		Others:   share(wrong, others),
	}
}

func share(part, whole int) float64 {
	return float64(part) / float64(max(whole, 1))
}

// Thresholds are those of the table, for Th1 and for Th2.
func Thresholds() []float64 {
	return []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}
}

// Table5 judges the pairs at each of the Thresholds for Th1 (a row) and for Th2
// (a column); α and β are those of s.
func Table5(pairs []Drawn, s *compile.Similarity) [][]Accuracy {
	rows := make([][]Accuracy, len(Thresholds()))
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, th1 := range Thresholds() {
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			for _, th2 := range Thresholds() {
				at := *s
				at.Th1, at.Th2 = th1, th2
				rows[i] = append(rows[i], Judge(pairs, &at))
			}
		})
	}
	wait.Wait()
	return rows
}
