package local_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"sluice/shared/local"
)

// A crawl through a proxy with a password does not go on without one: the folder does not
// keep it, and without it the hosts would see where the crawl comes from.
func TestResumeWithoutSecretProxy(t *testing.T) {
	t.Parallel()
	const home = "http://a.demo.test/"
	web := serve(t, map[string]string{home: "<title>股市</title>" + text(home) + "<a href=/2>银行</a>", home + "2": "<title>股市</title>" + text(home+"2")})
	s := spec(t, home)
	s.Proxies, s.MaxPages, s.Contact = web.proxy(t), 1, "a@example.com"
	s.Proxies[0].User = url.UserPassword("me", "SECRET")
	run(t, s)

	for _, next := range []local.Spec{{Resume: true}, {Refresh: true}} {
		next.Dir, next.Delay, next.Log, next.MaxPages, next.Version = s.Dir, -1, s.Log, 100, "1"
		if _, err := local.Open(t.Context(), next); !errors.Is(err, local.ErrProxy) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("without the proxy: %v, want %v", err, local.ErrProxy)
		}
	}
	next := local.Spec{Dir: s.Dir, Resume: true, Proxies: s.Proxies, Delay: -1, Log: s.Log, Version: "1"}
	next.MaxPages = 100
	if sum := run(t, next); sum.Kept != 2 {
		t.Errorf("kept %d, want 2 pages", sum.Kept)
	}
	for name, data := range files(t, s.Dir) {
		if strings.Contains(data, "SECRET") {
			t.Errorf("%s has the password", name)
		}
	}
}
