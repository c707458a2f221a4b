package local_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"sluice/shared/local"
)

// Where no browser is installed, a crawl that needs one says what to do, and does not
// begin.
func TestNoBrowserInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	s := specOf(t, semanticYAML+"render: auto\n")
	_, err := local.Open(t.Context(), s)
	if !errors.Is(err, local.ErrBrowser) || !strings.Contains(err.Error(), "chromium") || !strings.Contains(err.Error(), "--browser none") {
		t.Errorf("error %v, want ErrBrowser with advice", err)
	}
	if _, err := os.Stat(s.Dir); err == nil {
		t.Error("the folder was made")
	}
	none, ifAny := s, s
	none.Browser, ifAny.BrowserIfAny, ifAny.Dir = local.NoBrowser, true, s.Dir+"2"
	for _, s := range []local.Spec{none, ifAny} {
		c := open(t, s)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
