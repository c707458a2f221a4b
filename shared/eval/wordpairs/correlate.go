package wordpairs

import (
	"sluice/shared/eval/metric"
	"sluice/shared/topic/compile"
)

// Agreement is how well a similarity agrees with people's scores, by Pearson's
// and Spearman's coefficient; null in JSON if it is the same for all pairs.
type Agreement struct {
	Pearson  metric.Number `json:"pearson"`
	Spearman metric.Number `json:"spearman"`
}

// Row is a line of the table: the agreement over all pairs of a file. Pairs that
// a source does not cover are there with similarity 0 (METHOD A5).
type Row struct {
	File     string    `json:"file,omitempty"`
	Pairs    int       `json:"pairs"`
	HowNet   int       `json:"simh_pairs"`          // of which HowNet covers both words
	Vectors  int       `json:"simd_pairs"`          // of which both words have a vector
	Composed int       `json:"simd_composed_pairs"` // with at least one vector composed from parts
	SimH     Agreement `json:"simh"`
	SimD     Agreement `json:"simd"` // of the cosine as it is, below 0 too
	Sim      Agreement `json:"sim"`  // of algorithm 1, thresholds and all
}

// Correlate compares similarities with people's scores.
func Correlate(pairs []Pair, s *compile.Similarity) Row {
	row := Row{Pairs: len(pairs)}
	var people, simH, simD, sim []float64
	for _, p := range pairs {
		var h, d float64
		var covered bool
		if s.HowNet != nil {
			if h, covered = s.HowNet.Similarity(p.A, p.B); covered {
				row.HowNet++
			}
		}
		if s.Vectors != nil {
			if d, covered = s.Vectors.Cosine(p.A, p.B); covered {
				row.Vectors++
				if !s.Vectors.Has(p.A) || !s.Vectors.Has(p.B) {
					row.Composed++
				}
			}
		}
		people = append(people, p.Score)
		simH, simD, sim = append(simH, h), append(simD, d), append(sim, s.Sim(p.A, p.B))
	}
	row.SimH, row.SimD, row.Sim = agreement(simH, people), agreement(simD, people), agreement(sim, people)
	return row
}

func agreement(x, y []float64) Agreement {
	return Agreement{metric.Number(metric.Pearson(x, y)), metric.Number(metric.Spearman(x, y))}
}
