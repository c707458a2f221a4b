package crawlcmd

import (
	"bytes"
	"strings"
	"testing"

	"sluice/cmd/sluice/cli"
	"sluice/shared/console"
	"sluice/shared/state/job"
)

// A crawl that found next to nothing says what to do about links of low value.
func TestStarved(t *testing.T) {
	t.Parallel()
	weak := map[string]int64{"priority": 3, "anchor": 2, "scope": 7}
	for _, test := range []struct {
		name   string
		kept   int64
		reason string
		drops  map[string]int64
		want   bool
	}{
		{"starved", 0, "frontier_empty", weak, true},
		{"found little", 4, "frontier_empty", weak, true},
		{"found something", 5, "frontier_empty", weak, false},
		{"not at its end", 0, "interrupted", weak, false},
		{"nothing weak", 0, "frontier_empty", map[string]int64{"scope": 7}, false},
	} {
		var page bytes.Buffer
		s := &console.Summary{StopReason: test.reason, Drops: test.drops}
		s.Kept = test.kept
		summaryPage(&page, s)
		if got := strings.Contains(page.String(), `skipped for a low value: 5 links. With "strategy: hybrid"`); got != test.want {
			t.Errorf("%s: advice %t\n%s", test.name, got, page.String())
		}
	}
}

// A crawl that followed all links and found next to nothing names what it met, and its
// ending has the figures.
func TestAdvice(t *testing.T) {
	t.Parallel()
	s := &console.Summary{
		Crawl: "money", StopReason: "harvest_rate", Barren: &job.Harvest{Read: 512, Kept: 3},
		Rules: map[string]int64{"description_threshold": 480, "body_threshold": 20, "http_404": 900, "http_401": 2, "robots": 1},
		Drops: map[string]int64{"tunnel": 1, "scope": 30},
	}
	s.Kept = 3
	want := []string{
		"money: the last pages brought too few documents: of 512 that were read 3 were kept\n",
		"\nOnly 3 documents kept. What may help a new crawl:\n" +
			"  480 pages had too few words of the topic in title and description: a lower thresholds.description\n" +
			"  20 pages had too few in the main text: a lower thresholds.body\n" +
			"  2 pages wanted a password: name the host in the file of --auth, as http://HOST if it has no https\n" +
			"  1 page forbidden by robots.txt: other sites\n" +
			"  1 link too far behind the last page on the topic: a larger tunnel\n" +
			"  30 links to other sites: a wider scope\n" +
			"  seeds nearer to the topic than a home page\n" +
			"  sluice topic from-pages URL… makes a topic",
	}
	for _, part := range want {
		var page bytes.Buffer
		if summaryPage(&page, s); !strings.Contains(page.String(), part) {
			t.Errorf("%q is missing in\n%s", part, page.String())
		}
	}
	for name, change := range map[string]func(s *console.Summary){
		"enough kept":      func(s *console.Summary) { s.Kept = 5 },
		"a budget ends it": func(s *console.Summary) { s.StopReason = "max_pages" },
		"a refresh":        func(s *console.Summary) { s.Generation = 2 },
	} {
		other, page := *s, bytes.Buffer{}
		change(&other)
		if summaryPage(&page, &other); strings.Contains(page.String(), "What may help") {
			t.Errorf("%s: advice\n%s", name, page.String())
		}
	}
}

// Advice is about what a crawl met: nearer seeds help where pages are off the topic.
func TestAdviceOnOtherRules(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rules map[string]int64
		want  string
	}{
		{nil, "  seeds nearer to the topic than a home page\n"},
		{map[string]int64{"http_403": 2, "http_404": 1}, "  3 pages answered with an error: other seeds\n"},
		{
			map[string]int64{"quality_digits": 2, "quality_code": 1, "http_404": 5},
			"  3 pages broke a rule of quality: switch it off in the topic file if it is wrong for them\n",
		},
	} {
		s := &console.Summary{Crawl: "money", StopReason: "frontier_empty", Rules: test.rules}
		var page bytes.Buffer
		summaryPage(&page, s)
		_, advice, _ := strings.Cut(page.String(), "What may help a new crawl:\n")
		if got, _, _ := strings.Cut(advice, "\n\n"); got+"\n" != test.want && got != test.want {
			t.Errorf("%v: advice\n%s", test.rules, got)
		}
	}
}

// A crawl that brought nothing new says so with its figures.
func TestSaturated(t *testing.T) {
	t.Parallel()
	s := &console.Summary{
		Crawl: "money", StopReason: "coverage",
		Saturated: &job.Growth{Harvest: job.Harvest{Read: 1000, Kept: 240}, Documents: 1, Words: 12},
	}
	var page bytes.Buffer
	const want = "money: the last documents say nearly nothing new: of 1000 pages read 240 were kept, with 1 new document and 12 new words\n"
	if summaryPage(&page, s); !strings.Contains(page.String(), want) {
		t.Errorf("%q is missing in\n%s", want, page.String())
	}
}

// The exit code tells a crawl that came to its end from one that can go on, and from one that
// reached nothing.
func TestFailure(t *testing.T) {
	t.Parallel()
	for reason, code := range map[string]int{
		"frontier_empty": cli.ExitDone, "max_pages": cli.ExitDone, "max_duration": cli.ExitDone, "harvest_rate": cli.ExitDone, "coverage": cli.ExitDone,
		"interrupted": cli.ExitStopped, "outage": cli.ExitStopped, "hosts_down": cli.ExitStopped, "unreachable": cli.ExitFailed,
	} {
		s := &console.Summary{StopReason: reason}
		s.Reason = "dns: no such host"
		err := failure(s)
		if got := cli.ExitCode(err); got != code {
			t.Errorf("%s: exit code %d, want %d", reason, got, code)
		}
		if cli.Why[reason] == "" {
			t.Errorf("%s is not put into words", reason)
		}
		if reason == "unreachable" && !strings.Contains(err.Error(), s.Reason) {
			t.Errorf("error %v, want the cause in it", err)
		}
	}
}
