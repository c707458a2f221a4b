// Package sitetest is the conformance suite of site.Store.
package sitetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/structure/site"
)

// Run checks what the contract of site.Store promises. Each store that open returns is
// empty; a second one by the same name shares its contents.
func Run(t *testing.T, open func(t *testing.T, name string) site.Store) {
	layer := func(path string) *site.Layer {
		return &site.Layer{Template: "shop", Fields: map[string]site.Field{"name": {XPath: path}}}
	}
	found := func(host string, layers map[string]*site.Layer) *site.Site {
		return &site.Site{Host: host, Layers: layers}
	}
	update := func(t *testing.T, s site.Store, one *site.Site) *site.Site {
		t.Helper()
		now, err := s.Update(t.Context(), one)
		if err != nil {
			t.Fatal(err)
		}
		return now
	}

	t.Run("unknown", func(t *testing.T) {
		s := open(t, "unknown")
		if _, err := s.Site(t.Context(), "www.example.com"); !errors.Is(err, site.ErrUnknown) {
			t.Errorf("an unknown site: %v, want ErrUnknown", err)
		}
		for _, host := range []string{"", "../etc", "a/b", `a\b`, ".hidden"} {
			if _, err := s.Site(t.Context(), host); err == nil || errors.Is(err, site.ErrUnknown) {
				t.Errorf("host %q: %v, want an error about its name", host, err)
			}
			if _, err := s.Update(t.Context(), found(host, nil)); err == nil {
				t.Errorf("host %q was kept", host)
			}
		}
	})

	t.Run("kept", func(t *testing.T) {
		s := open(t, "kept")
		first := update(t, s, found("www.example.com:8080", map[string]*site.Layer{"detail": layer("//h1")}))
		if first.Version != 1 {
			t.Errorf("version %d, want 1", first.Version)
		}
		got, err := open(t, "kept").Site(t.Context(), "WWW.example.com:8080")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("read again (-kept +read)\n%s", diff)
		}
		if same := update(t, s, found("www.example.com:8080", map[string]*site.Layer{"detail": layer("//h1")})); same.Version != 1 {
			t.Errorf("nothing new is version %d, want 1", same.Version)
		}
		if next := update(t, s, found("www.example.com:8080", map[string]*site.Layer{"list": layer("./b")})); next.Version != 2 || len(next.Layers) != 2 {
			t.Errorf("version %d with %d layers, want 2 with 2", next.Version, len(next.Layers))
		}
	})

	t.Run("at one time", func(t *testing.T) {
		const writers = 6
		var wg sync.WaitGroup
		for i := range writers {
			s := open(t, "at one time")
			wg.Go(func() {
				if _, err := s.Update(t.Context(), found("www.example.com", map[string]*site.Layer{fmt.Sprint("layer-", i): layer("//h1")})); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		got, err := open(t, "at one time").Site(t.Context(), "www.example.com")
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Layers) != writers || got.Version != writers {
			t.Errorf("%d layers in version %d, want %d of each: an update was lost", len(got.Layers), got.Version, writers)
		}
	})
}
