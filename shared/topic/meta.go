package topic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sluice/shared/text/segment"
)

// Meta describes the sources of a compiled topic. Its JSON is part of the
// artifact; digests are those of the files' content, "" without a file.
type Meta struct {
	Version     int                 `json:"version"` // formatVersion
	Language    string              `json:"language"`
	Segmenter   segment.Fingerprint `json:"segmenter"`
	Similarity  Blend               `json:"similarity"`
	Vectors     string              `json:"vectors,omitempty"` // digest
	HowNet      string              `json:"hownet,omitempty"`  // digest
	Weights     string              `json:"weights,omitempty"` // digest
	MeanWeight  float64             `json:"mean_weight"`       // w_d of words without a weight (METHOD A6)
	Calibration *Calibration        `json:"calibration,omitempty"`
}

// Blend holds the constants of word similarity (METHOD A5), each 0 to 1.
type Blend struct {
	Th1   float64 `json:"th1"`
	Th2   float64 `json:"th2"`
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`
}

// Calibration records what the thresholds were computed from: unlabelled texts
// on the topic and others, or texts known to be off topic.
type Calibration struct {
	Samples  int            `json:"samples"`           // texts; 0: the thresholds are Fallback's
	Fallback float64        `json:"fallback"`          // relevance of 16 words with one topic word of mean weight; the unit of the thresholds
	Clamped  []string       `json:"clamped,omitempty"` // thresholds on which the samples were no guide
	Spread   []Distribution `json:"spread"`            // of c(d) over the vocabulary, and of Rel
}

// Distribution is how a value spreads.
type Distribution struct {
	Of        string     `json:"of"` // "word" for c(d); "description", "anchor", "body" for Rel; "background …" for off-topic texts
	Count     int        `json:"count"`
	Mean      float64    `json:"mean"`
	Threshold float64    `json:"threshold"`
	Reaching  float64    `json:"reaching"` // share of the values that reach the threshold and are not 0
	Quantiles []Quantile `json:"quantiles"`
}

// Quantile is the least value that a share of all values does not exceed.
type Quantile struct {
	Share float64 `json:"share"` // 0 to 1
	Value float64 `json:"value"`
}

// Spread returns the distribution of values, with the quantiles of 50, 75, 90,
// 95, 99 and 99.9 %. It sorts the values.
func Spread(of string, values []float64, threshold float64) Distribution {
	slices.Sort(values)
	d := Distribution{Of: of, Count: len(values), Threshold: threshold}
	if len(values) == 0 {
		return d
	}
	reaching := 0
	for _, v := range values {
		d.Mean += v / float64(len(values))
		if v >= threshold && v != 0 {
			reaching++
		}
	}
	d.Reaching = float64(reaching) / float64(len(values))
	for _, share := range []float64{0.5, 0.75, 0.9, 0.95, 0.99, 0.999} {
		rank := int(math.Ceil(share * float64(len(values))))
		d.Quantiles = append(d.Quantiles, Quantile{share, values[max(rank, 1)-1]})
	}
	return d
}

// compare names the differences from this program's segmenter.
func compare(compiled, running segment.Fingerprint) error {
	var differ []string
	for _, part := range []struct{ name, compiled, running string }{
		{"dictionary", compiled.Dictionary, running.Dictionary},
		{"stop words", compiled.StopWords, running.StopWords},
		{"parts of speech", compiled.PartsOfSpeech, running.PartsOfSpeech},
		{"conversion", compiled.Conversion, running.Conversion},
		{"rules", compiled.Rules, running.Rules},
	} {
		if part.compiled != part.running {
			differ = append(differ, fmt.Sprintf("%s (%s, here %s)",
				part.name, cmp.Or(clip(part.compiled), "none"), cmp.Or(part.running, "none")))
		}
	}
	if len(differ) == 0 {
		return nil
	}
	return fmt.Errorf("%w (other: %s)", ErrSegmenter, strings.Join(differ, ", "))
}
