package sections

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/rank/urlshape"
)

// newWeb has a portal with a host per section, a site with a directory per
// section, and a page that belongs to nothing.
func newWeb(t *testing.T) *frozenweb.Web {
	t.Helper()
	var b strings.Builder
	line := func(url, label, kind string) {
		fmt.Fprintf(&b, "{\"url\": %q, \"label\": %q, \"kind\": %q}\n", url, label, kind)
	}
	for i := range 60 {
		for _, label := range []string{"finance", "sports"} {
			line(fmt.Sprintf("http://%s.portal.test/20%02d/%d.html", label, i%20, i), label, "article")
			line(fmt.Sprintf("http://www.news.example/%s/%d.html", label, i), label, "article")
		}
	}
	line("http://www.portal.test/", "none", "home")
	line("http://finance.portal.test/list1.html", "finance", "list")
	web, err := frozenweb.Read(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return web
}

func newSet(t *testing.T, webs ...*frozenweb.Web) *Set {
	t.Helper()
	set, err := NewSet(webs...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestDraw(t *testing.T) {
	set := newSet(t, newWeb(t))
	for _, setting := range []Setting{SameHost, Siblings, Sections} {
		t.Run(setting.String(), func(t *testing.T) {
			pairs, err := set.draw(setting, 400, rand.New(rand.NewPCG(1, 0)))
			if err != nil {
				t.Fatal(err)
			}
			same := 0
			for _, p := range pairs {
				if p.same {
					same++
				}
				host, domain, label := p.x.host == p.y.host, p.x.domain == p.y.domain, p.x.label == p.y.label
				wrong := p.x.url == p.y.url || strings.Contains(p.x.url, "list")
				switch {
				case setting == Sections && p.same:
					wrong = wrong || !host || !label
				case setting == Sections:
					wrong = wrong || label
				case !p.same:
					wrong = wrong || domain
				case setting == Siblings:
					wrong = wrong || host || !domain
				default:
					wrong = wrong || !host
				}
				if wrong {
					t.Fatalf("%s and %s are drawn as same = %v", p.x.url, p.y.url, p.same)
				}
			}
			if len(pairs) != 400 || same != 200 {
				t.Errorf("%d pairs, %d the same; want 400, 200", len(pairs), same)
			}
		})
	}
}

func TestTable(t *testing.T) {
	set := newSet(t, newWeb(t))
	opts := Options{Pairs: 100, Redraws: 3, Seed: 7}
	rows, err := Table(set, set, opts)
	if err != nil {
		t.Fatal(err)
	}
	// In so tidy a web the shipped constants make no mistake; the simple rule
	// does, where the portal has years for directories.
	for _, row := range rows {
		if row.Shipped != (Share{1, 1, 1}) || len(row.Cuts) != len(grid()) {
			t.Errorf("%s: accuracy %+v at %d thresholds", row.Setting, row.Shipped, len(row.Cuts))
		}
		if row.Simple.Mean > 0.9 || row.Simple.Low > row.Simple.Mean || row.Simple.High < row.Simple.Mean {
			t.Errorf("%s: the simple rule has %+v", row.Setting, row.Simple)
		}
	}
	again, err := Table(set, set, opts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rows, again); diff != "" {
		t.Errorf("another table for the same seed (-first +second):\n%s", diff)
	}
}

func TestVotes(t *testing.T) {
	v, err := Votes(newWeb(t), urlshape.DefaultParams(urlshape.FormPath), 1)
	if err != nil {
		t.Fatal(err)
	}
	// A topic on two sites has no section with a majority of its own, so about
	// half of the samples lean to a site; none leans to another topic's pages.
	if v.Topics != 2 || v.On < 0.2 || v.Off > 0.02 {
		t.Errorf("votes are %+v", v)
	}
}

func TestRefuses(t *testing.T) {
	read := func(lines string) *frozenweb.Web {
		t.Helper()
		w, err := frozenweb.Read(strings.NewReader(lines))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	if _, err := NewSet(read(`{"url": "http://a.test/", "label": "none"}`)); err == nil {
		t.Error("a set without labels is no error")
	}
	one := newSet(t, read("{\"url\": \"http://a.test/\", \"label\": \"x\"}\n{\"url\": \"http://a.test/b\", \"label\": \"x\"}"))
	for setting, want := range map[Setting]string{
		SameHost: "two registrable domains", Siblings: "domain with two hosts", Sections: "two labels",
	} {
		if _, err := one.draw(setting, 10, rand.New(rand.NewPCG(1, 0))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want it to say %q", setting, err, want)
		}
	}
}
