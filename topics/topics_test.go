package topics_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/topic"
)

// maxArtifact is what a function has time to load.
const maxArtifact = 8 << 20

// Every topic file is there compiled, by this segmenter and from these words:
// where this fails, "make topics" makes them anew.
func TestCompiledTopicsAreCurrent(t *testing.T) {
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("Glob = %q, %v; want three topics", files, err)
	}
	for _, path := range files {
		t.Run(path, func(t *testing.T) {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := topic.Parse(path, source)
			if err != nil {
				t.Fatal(err)
			}
			artifact := strings.TrimSuffix(path, ".yaml") + ".topic"
			data, err := os.ReadFile(artifact)
			if err != nil {
				t.Fatal(err)
			}
			compiled, err := topic.Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			if len(data) > maxArtifact {
				t.Errorf("%s has %d bytes, more than %d", artifact, len(data), maxArtifact)
			}
			calibrated := *compiled.File
			if c := calibrated.Thresholds; c.Body <= 0 || c.Description <= 0 || c.Anchor <= 0 || c.Priority <= calibrated.Weights.Lambda {
				t.Errorf("thresholds are %+v, lambda %v", c, calibrated.Weights.Lambda)
			}
			if c := compiled.Meta.Calibration; c == nil || c.Samples < 1000 {
				t.Errorf("calibration is %+v", c)
			}
			if compiled.Meta.HowNet != "" || compiled.Meta.Vectors == "" || compiled.Lexicon.Len() < 50_000 {
				t.Errorf("made of HowNet %q, vectors %q, %d words", compiled.Meta.HowNet, compiled.Meta.Vectors, compiled.Lexicon.Len())
			}
			// What the author left open was measured; the rest must be his.
			calibrated.Thresholds, calibrated.Weights.Lambda, calibrated.MeanWeight = file.Thresholds, file.Weights.Lambda, file.MeanWeight
			calibrated.Words = slices.Clone(calibrated.Words)
			for i := range calibrated.Words {
				if word := &calibrated.Words[i]; !word.Given {
					word.Weight = file.MeanWeight
				}
			}
			calibrated.Implied = file.Implied
			if diff := cmp.Diff(file, &calibrated); diff != "" {
				t.Errorf("the topic file has changed since (-file +compiled):\n%s", diff)
			}
		})
	}
}
