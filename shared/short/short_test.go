package short

import "testing"

func TestSample(t *testing.T) {
	every, of := 1, 100
	if testing.Short() {
		every, of = 7, 10
	}
	if got := Every(t, 7); got != every {
		t.Errorf("Every is %d, want %d", got, every)
	}
	if got := Of(t, 100, 10); got != of {
		t.Errorf("Of is %d, want %d", got, of)
	}
	ran := t.Run("Skip", func(t *testing.T) {
		Skip(t, "to show it")
		if testing.Short() {
			t.Error("Skip does not skip")
		}
	})
	if !ran {
		t.Error("Skip fails")
	}
}
