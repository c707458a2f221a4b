package eval

import (
	"bytes"
	"testing"
)

// After a rich start the published rules keep the threshold where it is, ours are
// back at once.
func TestStepChange(t *testing.T) {
	s := NewStepChange()
	for i, step := range s.Steps {
		if step.Ours == nil || *step.Ours > 30 {
			t.Errorf("step %d: %+v", i, step)
		}
		t.Logf("%+v", step)
	}
	if down := s.Steps[1]; down.Published != nil && *down.Published < *down.Ours+20 {
		t.Errorf("after a rich start: %d intervals by the published rules, %d by ours", *down.Published, *down.Ours)
	}
	var picture bytes.Buffer
	if err := s.Figure().SVG(&picture); err != nil || !bytes.Contains(picture.Bytes(), []byte("as published")) {
		t.Errorf("%v\n%.200s", err, picture.Bytes())
	}
}
