package wholecrawl_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/eval/metric"
	"sluice/shared/eval/wholecrawl"
)

// The web has eight pages, three of them wanted.
func TestCurve(t *testing.T) {
	const money, games = "http://money.portal.test/", "http://games.portal.test/"
	q := wholecrawl.Question{Web: newWeb(t), Label: "money"}
	number := func(n int) *int { return &n }
	near := cmp.Comparer(func(a, b metric.Number) bool { return math.Abs(float64(a-b)) < 1e-12 })
	for _, test := range []struct {
		name    string
		fetched []string
		want    wholecrawl.Curve
		after4  metric.Number // recall
	}{
		{"nothing", nil, wholecrawl.Curve{}, 0},
		{
			"two of three", []string{"http://www.portal.test/", money, money + "1.html", games + "2.html", money + "3.html"},
			wholecrawl.Curve{Fetched: 5, Recall: 2.0 / 3, To50: number(5), Area: (6.0/8 + 4.0/8) / 3, Found: []int{3, 5}}, 1.0 / 3,
		},
		{
			"all, at once", []string{money + "1.html", money + "2.html", money + "3.html", money},
			wholecrawl.Curve{Fetched: 4, Recall: 1, To50: number(2), To80: number(3), To90: number(3), Area: (1 + 7.0/8 + 6.0/8) / 3, Found: []int{1, 2, 3}}, 1,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := q.Curve(&wholecrawl.Outcome{Fetched: test.fetched})
			if diff := cmp.Diff(test.want, got, near); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if at := got.RecallAt(4, q.Wanted()); math.Abs(float64(at-test.after4)) > 1e-12 {
				t.Errorf("recall after 4 pages is %v, want %v", at, test.after4)
			}
		})
	}
}

// The oracle goes straight for what it has a link to, and sees no further.
func TestOracle(t *testing.T) {
	web := newWeb(t)
	const money, games = "http://money.portal.test/", "http://games.portal.test/"
	q := wholecrawl.Question{Web: web, Label: "money"}
	got := q.Oracle(wholecrawl.ReadLinks(web), []string{"http://www.portal.test/", "http://unknown.test/"}, 0).Fetched
	want := []string{
		"http://www.portal.test/", money, money + "1.html", money + "2.html", money + "3.html",
		games, games + "1.html", games + "2.html",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fetched (-want +got):\n%s", diff)
	}
	if got := q.Oracle(wholecrawl.ReadLinks(web), web.Seeds, 3).Fetched; !slices.Equal(got, want[:3]) {
		t.Errorf("fetched %v of at most three", got)
	}
}
