package export

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"sluice/shared/state/corpus"
)

const hostile = "a|b`c`<script>alert(1)</script>[x](javascript:y)\n---\n# h\u202e*_~$\x00"

// No text of the web breaks the card.
func TestHostileCard(t *testing.T) {
	d := newDocument(1, 50)
	d.PII.Mobile = 3
	d.Topic, d.Language, d.Script, d.DatePublished = hostile, "zh: [", hostile, "9999-99-99"
	f := crawlOf(t, d)
	f.Crawl = &Crawl{
		Name: hostile, Topic: hostile, Fetched: 10, Kept: 1, HarvestRate: .1, Refreshes: 2, Refresh: []Count{{hostile, 7654}}, Rules: []Count{{hostile, 3}, {"noai", 2}},
		Parameters: []Parameter{{hostile, hostile + strings.Repeat("长", 500)}},
	}
	res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(HF), Tools{})
	text := tree(t, res.Out)[CardFile]
	front, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !ok {
		t.Fatal("no front matter")
	}
	var meta map[string]any
	if err := yaml.Unmarshal([]byte(front), &meta); err != nil {
		t.Fatal(err)
	}
	if meta["pretty_name"] != f.Crawl.Name || meta["license"] != "other" || meta["language"] != nil {
		t.Errorf("front matter: name %q, licence %q, language %q", meta["pretty_name"], meta["license"], meta["language"])
	}
	for _, bad := range []string{"<script", "](javascript", "\x00", "\u202e", "\n---\n", "\n# h"} {
		if strings.Contains(body, bad) {
			t.Errorf("the card holds %q", bad)
		}
	}
	for l := range strings.Lines(body) {
		if strings.HasPrefix(l, "| a") && strings.Count(l, "|")-strings.Count(l, `\|`) > 7 {
			t.Errorf("a cell has become several: %s", l)
		}
	}
	for _, want := range []string{"| noai | 2 |", "| host1.test | 1 |", "10.0 %", "refresh 2 is the last", "| 7,654 |", "fetched again counts again", "license: other", `| mobile\_number | 3 |`} {
		if !strings.Contains(text, want) {
			t.Errorf("the card lacks %q", want)
		}
	}
}

// The card names what was fetched and refused, where it was not counted by what
// the files say.
func TestCardCountsTheFiles(t *testing.T) {
	f := crawlOf(t, someDocuments(8)...) // two rejects
	res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{})
	text := tree(t, res.Out)[CardFile]
	for _, want := range []string{
		"| crawl | – | 10 | 8 | 80.0 % | 8 |", "| noai | 2 |", "| host0.test | 3 |", "| zh | 8 |", "| simp | 8 |",
		"| fetched, where that is known | 2026-11-21 | 2026-11-21 |", "| published, where a page says when | 2010-03-04 | 2017-03-04 |",
		"- n<1K", "path: data/train-*.jsonl.zst", "num_examples: 8",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the card lacks %q", want)
		}
	}
}

func TestPictures(t *testing.T) {
	s := newStats()
	for i := range 40 {
		d := newDocument(i, i)
		d.DatePublished = []string{"", "1999-01-01", "2026-05-05T00:00:00.000Z"}[i%3]
		s.add(d, 0)
	}
	list, err := pictures(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(quantities)+1 {
		t.Errorf("%d pictures", len(list))
	}
	for _, p := range list {
		if err := wellFormed(string(p.data)); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	names, counts := s.years()
	if names[0] != "before" || counts[0] != 13 || names[len(names)-1] != "2026" || counts[len(counts)-1] != 13 || len(names) != maxYears+1 {
		t.Errorf("years %q: %d", names, counts)
	}
}

func wellFormed(s string) error {
	for d := xml.NewDecoder(strings.NewReader(s)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// What is counted of two halves adds up to what is counted of all.
func TestStatsAddUp(t *testing.T) {
	whole, parts := newStats(), []*Stats{newStats(), newStats(), newStats()}
	for i := range 100 {
		d := newDocument(i, i)
		d.Relevance.Body = corpus.Real(float64(i) / 3)
		if i%7 == 0 {
			d.DuplicateOf, d.DatePublished = "x", "no date at all"
		}
		whole.add(d, int64(i))
		parts[i%2].add(d, int64(i))
	}
	sum := newStats()
	for _, p := range parts {
		sum.merge(p)
	}
	diff(t, mustJSON(t, whole), mustJSON(t, sum))
	if whole.Records != 100 || whole.Repeats != 15 || whole.Published.To != "2021-03-04" {
		t.Errorf("%+v", whole)
	}
}

// A tally of the whole web is bounded.
func TestTallyIsBounded(t *testing.T) {
	a := tally{}
	for i := range maxNames + 500 {
		a.add(number(int64(i)), 1)
	}
	a.add("0", 1)
	b := tally{"new": 2}
	a.merge(b)
	if len(a) != maxNames+1 || a[otherName] != 502 || a["0"] != 2 {
		t.Errorf("%d names, %d others", len(a), a[otherName])
	}
	if most := a.most(); most[0] != (Count{"0", 2}) || len(most) != maxNames {
		t.Errorf("%v …, %d in all", most[0], len(most))
	}
}

func TestSmallThings(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", 1234567: "1,234,567", -999: "-999"} {
		if got := number(n); got != want {
			t.Errorf("%d is %q", n, got)
		}
	}
	for n, want := range map[int64]string{0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 10_000: "10K<n<100K", 1e12: "100B<n<1T", 1e18: "100B<n<1T"} {
		if got := sizeCategory(n); got != want {
			t.Errorf("%d is %q", n, got)
		}
	}
	for n, want := range map[int64]string{0: "0 bytes", 1500: "1.5 kB", 2e6: "2.0 MB", 3e9: "3.0 GB"} {
		if got := size(n); got != want {
			t.Errorf("%d is %q", n, got)
		}
	}
	languages := slices.Sorted(maps.Keys(map[string]bool{"zh": isLanguage("zh"), "eng": isLanguage("eng")}))
	if !isLanguage("zh") || isLanguage("zh-TW") || isLanguage("") || isLanguage("ZH") || len(languages) != 2 {
		t.Error("codes of languages")
	}
}
