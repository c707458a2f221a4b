package seeding

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestParse(t *testing.T) {
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "http://a.test/%d\n", i)
		}
		return b.String()
	}
	const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.test/</loc></url><url><loc>/b</loc></url></urlset>`
	for _, tc := range []struct {
		name, data string
		want       int
		bad        int
		err        error
	}{
		{"lines that --seed refuses", "http://u:p@a.test/\nhttp://a.test/ 首页\nwww.a.test\nhttp://b.test/\n", 1, 3, nil},
		{"a list with notes", "\xef\xbb\xbfhttp://a.test/\n# a note\n\n  http://b.test/ \nhttp://a.test\n", 2, 0, nil},
		{"packed", packed(t, "http://a.test/\n"), 1, 0, nil},
		{"a sitemap, of which one URL is relative", sitemap, 1, 0, nil},
		{"a sitemap that breaks off", strings.TrimSuffix(sitemap, "</loc></url></urlset>"), 1, 0, nil},
		{"nothing", "", 0, 0, errNoURL},
		{"notes", "see below\n", 0, 1, errNoURL},
		{"too many", many(maxSeeds + 1), 0, 0, errTooMany},
		{"as large as it may be", packed(t, "http://a.test/\n"+strings.Repeat(" ", maxText-len("http://a.test/\n"))), 1, 0, nil},
		{"too large", packed(t, "http://a.test/\n"+strings.Repeat(" ", maxText-len("http://a.test/\n")+1)), 0, 0, errTooLarge},
		{"cut off", packed(t, "http://a.test/\n")[:20], 0, 0, io.ErrUnexpectedEOF},
	} {
		t.Run(tc.name, func(t *testing.T) {
			seeds, bad, err := parse([]byte(tc.data))
			if len(seeds) != tc.want || bad.Lines != tc.bad || !errors.Is(err, tc.err) {
				t.Errorf("%d seeds, %d bad lines, %v; want %d, %d, %v", len(seeds), bad.Lines, err, tc.want, tc.bad, tc.err)
			}
			for _, l := range seeds {
				if !strings.HasPrefix(l.URL, "http://a.test/") && l.URL != "http://b.test/" {
					t.Errorf("%s is a seed", l.URL)
				}
			}
		})
	}
}

func TestParseDamaged(t *testing.T) {
	seeds, _, err := parse([]byte(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><lo`))
	if len(seeds) > 0 {
		t.Errorf("seeds %v", seeds)
	}
	wantRule(t, err, "bad_source", "read source")
}

// A crawl notes the lines of an object that are no URLs, until the object is corrected.
func TestObjectWithBadLines(t *testing.T) {
	const key = "seeds/there/list.txt"
	s, stack := seeder(t, ledger.Absent)
	create(t, stack, job.Job{ID: "there", State: job.Running, Seeds: []string{"http://a.demo.test/"}})
	for _, tc := range []struct {
		data string
		want job.BadSeeds
	}{
		{"http://b.demo.test/\n# a note\nwww.c.demo.test\nfile:///etc/passwd\n", job.BadSeeds{Lines: 2, First: "line 3: \"www.c.demo.test\": "}},
		{"http://b.demo.test/\nhttp://c.demo.test/\n", job.BadSeeds{}},
	} {
		stack.objects[key] = tc.data
		if err := s.Object(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		j, err := stack.jobs.Get(t.Context(), "there")
		if err != nil {
			t.Fatal(err)
		}
		if got := j.BadSeeds[key]; got.Lines != tc.want.Lines || !strings.HasPrefix(got.First, tc.want.First) {
			t.Errorf("%q: noted %+v, want %+v", tc.data, got, tc.want)
		}
	}
}

func TestObject(t *testing.T) {
	for _, tc := range []struct {
		name, key, data string
		rule, why       string
		crawl           string
		added           int
	}{
		{name: "a folder's marker", key: "seeds/t/"},
		{name: "seeds of a crawl", key: "seeds/there/list.txt", data: "http://b.demo.test/\nhttp://c.demo.test/\n", crawl: "there", added: 2},
		{name: "a crawl of the topic's name", key: "seeds/t/list.txt", data: "http://b.demo.test/\n", crawl: "t", added: 1},
		{name: "a message", key: "seeds/any/start.json", data: ` {"v":1,"crawl":"new","topic":"topics/seeds.topic"}`, crawl: "new", added: 1},
		{name: "elsewhere", key: "other/t/list.txt", rule: "bad_key", why: "seeds/CRAWL/NAME"},
		{name: "no crawl", key: "seeds/list.txt", rule: "bad_key", why: "seeds/CRAWL/NAME"},
		{name: "a bad crawl", key: "seeds/a b/list.txt", rule: "bad_key", why: "a b"},
		{name: "not there", key: "seeds/t/none.txt", rule: "no_object"},
		{name: "no URL in it", key: "seeds/t/list.txt", data: "see below", rule: "bad_seeds", why: "no URL"},
		{name: "no such topic", key: "seeds/none/list.txt", data: "http://b.demo.test/\n", rule: "no_topic"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, stack := seeder(t, ledger.Absent)
			create(t, stack, job.Job{ID: "there", State: job.Running, Seeds: []string{"http://a.demo.test/"}})
			if tc.data != "" {
				stack.objects[tc.key] = tc.data
			}
			wantRule(t, s.Object(t.Context(), tc.key), tc.rule, tc.why)
			if len(stack.added) != tc.added || len(stack.sent) != tc.added {
				t.Errorf("links %v, tasks %v, want %d", stack.added, stack.sent, tc.added)
			}
			if tc.crawl != "" {
				if _, err := stack.jobs.Get(t.Context(), tc.crawl); err != nil {
					t.Error(err)
				}
			}
		})
	}
}
