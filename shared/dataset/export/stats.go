package export

import (
	"cmp"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"sluice/shared/state/corpus"
)

// Stats are the card's figures about the records. Those of two shards add up.
type Stats struct {
	Records    int64 `json:"records"`
	Characters int64 `json:"characters"`
	Repeats    int64 `json:"repeats"` // records with a duplicate_of

	Hosts      tally        `json:"hosts"`
	Languages  tally        `json:"languages"`
	Scripts    tally        `json:"scripts"`
	Topics     tally        `json:"topics"` // with their versions
	Personal   tally        `json:"personal"`
	Fetched    dates        `json:"fetched"`
	Published  dates        `json:"published"`
	Years      tally        `json:"years"` // of publication
	Histograms []*histogram `json:"histograms"`
}

// tally counts by name.
type tally map[string]int64

// maxNames bounds a tally: further names are counted together, as otherName.
const (
	maxNames  = 200_000
	otherName = "\x00other"
)

func (t tally) add(name string, n int64) {
	if _, known := t[name]; !known && len(t) >= maxNames {
		name = otherName
	}
	t[name] += n
}

func (t tally) merge(o tally) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		t.add(name, o[name])
	}
}

// most lists the counts, most first, without those of no name and of others.
func (t tally) most() []Count {
	list := []Count{}
	for name, n := range t {
		if name != otherName {
			list = append(list, Count{name, n})
		}
	}
	slices.SortFunc(list, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
	return list
}

// dates are the first and the last of some days, as in 2026-11-21; "" for none.
type dates struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func (d *dates) add(day string) {
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return
	}
	if d.From == "" || day < d.From {
		d.From = day
	}
	d.To = max(d.To, day)
}

func newStats() *Stats {
	return &Stats{
		Hosts: tally{}, Languages: tally{}, Scripts: tally{}, Topics: tally{}, Personal: tally{}, Years: tally{},
		Histograms: newHistograms(),
	}
}

// add counts a record with this many characters of text.
func (s *Stats) add(d *corpus.Document, characters int64) {
	s.Records++
	s.Characters += characters
	if d.DuplicateOf != "" {
		s.Repeats++
	}
	s.Hosts.add(hostOf(d), 1)
	s.Languages.add(d.Language, 1)
	s.Scripts.add(d.Script, 1)
	s.Topics.add(strings.TrimSpace(d.Topic+" "+d.TopicVersion), 1)
	addPersonal(s.Personal, d)
	if !d.DateFetched.IsZero() {
		s.Fetched.add(d.DateFetched.UTC().Format(time.DateOnly))
	}
	if day := d.DatePublished; len(day) >= len(time.DateOnly) {
		s.Published.add(day[:len(time.DateOnly)])
		if _, err := time.Parse(time.DateOnly, day[:len(time.DateOnly)]); err == nil {
			s.Years.add(day[:4], 1)
		}
	}
	for i, q := range quantities {
		s.Histograms[i].add(q.of(d))
	}
}

func (s *Stats) merge(o *Stats) {
	s.Records += o.Records
	s.Characters += o.Characters
	s.Repeats += o.Repeats
	for _, t := range [][2]tally{
		{s.Hosts, o.Hosts},
		{s.Languages, o.Languages},
		{s.Scripts, o.Scripts},
		{s.Topics, o.Topics},
		{s.Personal, o.Personal},
		{s.Years, o.Years},
	} {
		t[0].merge(t[1])
	}
	for _, d := range [][2]*dates{{&s.Fetched, &o.Fetched}, {&s.Published, &o.Published}} {
		d[0].add(d[1].From)
		d[0].add(d[1].To)
	}
	for i, h := range s.Histograms {
		if i < len(o.Histograms) {
			h.merge(o.Histograms[i])
		}
	}
}

// hostOf is the host of a document.
func hostOf(d *corpus.Document) string {
	if u, err := url.Parse(d.FinalURL); err == nil && u.Hostname() != "" {
		return u.Hostname()
	}
	return d.Site
}

// addPersonal adds the counts of personal data of a record, by the names of its
// JSON.
func addPersonal(t tally, d *corpus.Document) {
	counts := reflect.ValueOf(d.PII)
	for _, kind := range reflect.VisibleFields(counts.Type()) {
		t.add(kind.Tag.Get("json"), counts.FieldByIndex(kind.Index).Int())
	}
}
