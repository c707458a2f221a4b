package forget

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
)

// memory is a place in memory.
type memory struct {
	listing  Listing
	files    map[string]string
	same     [][2]string // URLs of one page, as the ledger knows them
	exports  []string    // nil: the place has none
	note     []byte
	log      string
	refusing error // of the first effect

	opened int
	did    []string // effects
}

type file struct{ *bytes.Reader }

func (file) Close() error { return nil }

func (m *memory) List(context.Context) (*Listing, error) { return &m.listing, nil }

func (m *memory) Open(_ context.Context, name string) (io.ReadSeekCloser, error) {
	m.opened++
	text, ok := m.files[name]
	if !ok {
		return nil, errors.New("no such file")
	}
	return file{bytes.NewReader([]byte(text))}, nil
}

func (m *memory) Replace(_ context.Context, name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	m.files[name] = b.String()
	return nil
}

func (m *memory) Meet(_ context.Context, s *Set) (grown bool, err error) {
	for _, urls := range m.same {
		grown = s.Same(urls[0], urls[1]) || grown
	}
	return grown, nil
}

func (m *memory) Survey(_ context.Context, p *Plan) error {
	p.Exports = slices.Clone(m.exports)
	return nil
}

func (m *memory) Effects(*Plan) (before, after []Effect) {
	refuse := func(context.Context) error { return m.refusing }
	remove := func(context.Context) error { m.exports = m.exports[:0]; return nil }
	return []Effect{{"refuse", refuse}}, []Effect{{"exports", remove}}
}

func (m *memory) Note(context.Context) ([]byte, error)         { return m.note, nil }
func (m *memory) SetNote(_ context.Context, note []byte) error { m.note = note; return nil }
func (m *memory) Mark(context.Context) (int64, error)          { return int64(len(m.log)), nil }
func (m *memory) Log(_ context.Context, mark int64, b []byte) error {
	m.log = m.log[:mark] + string(b)
	return nil
}

// run runs with some targets, and the effects of the place in order.
func (m *memory) run(t *testing.T, opts Options, targets ...string) (*Outcome, error) {
	t.Helper()
	opts.Now = func() time.Time { return at }
	effect := opts.Effect
	opts.Effect = func(name string) error {
		m.did = append(m.did, name)
		if effect != nil {
			return effect(name)
		}
		return nil
	}
	return Run(t.Context(), m, parse(t, targets...), opts)
}

// rejectsOnly is a place with one file of rejects.
func rejectsOnly(lines string) *memory {
	return &memory{listing: Listing{Rejects: []string{"rejects"}}, files: map[string]string{"rejects": lines}}
}

const (
	gone  = "http://x.cn/gone"
	moved = "http://u.cn/moved" // redirects to gone
	alias = "http://v.cn/alias" // of gone, says the ledger alone
)

// crawl is a place with files of each kind, half of which name the page that goes.
func crawl(t *testing.T) *memory {
	t.Helper()
	enc := new(corpus.Encoder)
	warc, _ := exchange(nil, frontier.Link{URL: gone}, enc)
	warc, _ = exchange(warc, frontier.Link{URL: "http://x.cn/child", Parent: gone}, enc, gone)
	redirect, _ := exchange(nil, frontier.Link{URL: gone, Origin: moved}, enc)
	other, _ := exchange(nil, frontier.Link{URL: "http://z.cn/other"}, enc)
	repeats := corpus.Document{URL: "http://z.cn/repeats", FinalURL: "http://z.cn/repeats", DuplicateOf: corpus.DocumentID(gone, 1)}
	page := func(url, parent string) string {
		return doc(t, corpus.Document{URL: url, FinalURL: url, Path: corpus.Path{Parent: parent}})
	}
	failed := func(url, parent string) string {
		return reject(t, corpus.Reject{URL: url, FinalURL: url, Rule: "body", Parent: parent})
	}
	return &memory{
		listing: Listing{
			Corpus: []string{"corpus/1", "corpus/2", "corpus/3"}, Rejects: []string{"rejects/1", "rejects/2"},
			Archives: []string{"warc/1", "warc/2", "warc/3"}, Uncleaned: []string{"warc/2", "warc/3"},
		},
		files: map[string]string{
			"corpus/1": page(gone, "") + page("http://x.cn/child", gone), "corpus/2": doc(t, repeats), "corpus/3": page("http://z.cn/other", ""),
			"rejects/1": failed("http://z.cn/none", ""), "rejects/2": failed(moved, "") + failed("http://y.cn/", alias),
			"warc/1": string(warc), "warc/2": string(redirect), "warc/3": string(other),
		},
		same:    [][2]string{{alias, gone}},
		exports: []string{"export/hf"},
	}
}

// A page goes from every file that names it, by whichever of its URLs; the others
// stay as they are. Archives change first, documents last.
func TestRun(t *testing.T) {
	m := crawl(t)
	before := maps.Clone(m.files)
	var progress []int
	out, err := m.run(t, Options{Progress: func(done, all int) {
		if progress = append(progress, all-done); done != len(progress) {
			t.Errorf("%d files are done after %d calls", done, len(progress))
		}
	}}, alias)
	if err != nil {
		t.Fatal(err)
	}
	changed := []string{"warc/1", "warc/2", "rejects/2", "corpus/1", "corpus/2"}
	want := []string{"note", "refuse", "file warc/1", "file warc/2", "file rejects/2", "file corpus/1", "file corpus/2", "exports", "log", "end"}
	if diff := cmp.Diff(want, m.did); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	slices.Sort(changed)
	slices.Sort(out.Files)
	if diff := cmp.Diff(changed, out.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for name, text := range m.files {
		if stays := !slices.Contains(changed, name); stays != (text == before[name]) {
			t.Errorf("%s stays: %t, is the same: %t", name, stays, !stays)
		}
		switch zipped := strings.HasPrefix(name, "warc/"); {
		case zipped && len(text) != len(before[name]):
			t.Errorf("%s has %d bytes, had %d", name, len(text), len(before[name]))
		case !zipped && (text == "" || strings.Contains(text, gone) || strings.Contains(text, moved) || strings.Contains(text, alias)):
			t.Errorf("%s has\n%s", name, text)
		}
	}
	if got := out.Targets[0]; got.Target != alias || got.Documents != 1 || got.Rejects != 1 || got.Records != 8 {
		t.Errorf("%+v went, want 1 document, 1 reject and 8 records", got)
	}
	if last := progress[len(progress)-1]; last != 0 || slices.Min(progress) < 0 {
		t.Errorf("files left to read: %d", progress)
	}
	if m.note != nil || strings.Count(m.log, "\n") != 1 || !strings.Contains(m.log, alias) {
		t.Errorf("note %q, log %q", m.note, m.log)
	}
	if !slices.Equal(out.Exports, []string{"export/hf"}) || len(m.exports) > 0 {
		t.Errorf("exports %q went, %q are left", out.Exports, m.exports)
	}
}

// Without options nothing is missing, and a dry run says the same as a run but
// changes nothing.
func TestDryRun(t *testing.T) {
	m := crawl(t)
	before := maps.Clone(m.files)
	dry, err := Run(t.Context(), m, parse(t, alias), Options{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, m.files); diff != "" || m.note != nil || m.log != "" || len(m.exports) != 1 {
		t.Errorf("a dry run changed the place:\n%s", diff)
	}
	out, err := m.run(t, Options{}, alias)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dry, out); diff != "" {
		t.Errorf("(-dry +run):\n%s", diff)
	}
}

// However far a call came, the next one ends it and logs what went by both, with
// what it was to remove itself.
func TestRunInterrupted(t *testing.T) {
	const other = "http://w.cn/other"
	whole := crawl(t)
	whole.log = "earlier\n"
	want, err := whole.run(t, Options{}, alias, other)
	if err != nil {
		t.Fatal(err)
	}
	crash := errors.New("crash")
	for n, name := range whole.did[1:] {
		t.Run(name, func(t *testing.T) {
			m := crawl(t)
			m.log = "earlier\n"
			_, err := m.run(t, Options{Effect: func(string) error {
				if len(m.did) == n+2 {
					return crash
				}
				return nil
			}}, alias)
			if !errors.Is(err, crash) || m.note == nil {
				t.Fatalf("error %v, note %s", err, m.note)
			}
			got, err := m.run(t, Options{}, alias, other)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the outcome (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(whole.files, m.files); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if m.log != whole.log || m.note != nil {
				t.Errorf("note %q, log\n%s want\n%s", m.note, m.log, whole.log)
			}
		})
	}
}

// A call that is canceled before it changes anything leaves no note; later it
// stops before the next effect.
func TestRunCanceled(t *testing.T) {
	for _, tt := range []struct {
		at   string
		did  int
		note bool
	}{{"note", 1, false}, {"refuse", 2, true}, {"file warc/1", 3, true}} {
		m := crawl(t)
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Run(ctx, m, parse(t, gone), Options{Effect: func(name string) error {
			if m.did = append(m.did, name); name == tt.at {
				cancel()
			}
			return nil
		}})
		cancel()
		if !errors.Is(err, context.Canceled) || len(m.did) != tt.did || (m.note != nil) != tt.note {
			t.Errorf("canceled at %s: error %v, effects %q, note %s", tt.at, err, m.did, m.note)
		}
	}
}

// Half a line at the end is that of a page which a crawl is about to store. All
// other damage ends the call before anything changes.
func TestRunTornLines(t *testing.T) {
	const whole, half = `{"url":"http://x.cn/gone","rule":"body"}` + "\n", `{"url":"http://x.cn/ha`
	for _, tt := range []struct {
		name, lines string
		open        bool
		left        string
		err         string
	}{
		{name: "half a line, open", lines: whole + half, open: true, left: half},
		{name: "a whole line without its end", lines: whole + strings.TrimSpace(whole), open: true},
		{name: "half a line, closed", lines: whole + half, err: "rejects: line 2: "},
		{name: "half a line in the middle", lines: half + "\n" + whole, open: true, err: "rejects: line 1: "},
	} {
		m := rejectsOnly(tt.lines)
		m.listing.Open = tt.open
		_, err := m.run(t, Options{}, gone)
		switch {
		case tt.err != "":
			if err == nil || !strings.HasPrefix(err.Error(), tt.err) || len(m.did) > 0 {
				t.Errorf("%s: error %v, effects %q", tt.name, err, m.did)
			}
		case err != nil || m.files["rejects"] != tt.left:
			t.Errorf("%s: %q is left, error %v", tt.name, m.files["rejects"], err)
		}
	}
}

// Places of an archive that cannot be read are listed; a file that cannot be read
// at all ends the call.
func TestRunDamaged(t *testing.T) {
	m := crawl(t)
	m.files["warc/2"] = "no archive"
	m.listing.Uncleaned = nil
	out, err := m.run(t, Options{}, gone)
	if err != nil || len(out.Damaged) != 1 || !strings.HasPrefix(out.Damaged[0], "warc/2: record at byte 0") {
		t.Errorf("damaged %q, error %v", out.Damaged, err)
	}
	for name := range m.files {
		m := crawl(t)
		delete(m.files, name)
		if _, err := m.run(t, Options{}, gone); err == nil || len(m.did) > 0 {
			t.Errorf("without %s: error %v, effects %q", name, err, m.did)
		}
	}
}

// A chain of redirects, the last one first, is followed by reading the file twice,
// and a third time to plan; the change reads it again.
func TestRunReadsFewTimes(t *testing.T) {
	const links = 300
	var lines strings.Builder
	for i := links; i > 0; i-- {
		fmt.Fprintf(&lines, `{"url":"http://a.test/%d","final_url":"http://a.test/%d","rule":"redirect_scope","detail":"http://a.test/%d"}`+"\n", i, i, i-1)
	}
	p := rejectsOnly(lines.String() + `{"url":"http://b.test/","final_url":"http://b.test/","rule":"no_text"}` + "\n")
	out, err := p.run(t, Options{}, "http://a.test/0")
	if err != nil {
		t.Fatal(err)
	}
	if n := out.Targets[0].Rejects; n != links || p.opened > 4 || strings.Count(p.files["rejects"], "\n") != 1 {
		t.Errorf("%d rejects went, the file was opened %d times; left:\n%s", n, p.opened, p.files["rejects"])
	}
}

// What a place refuses leaves no note; an error of another kind may have changed
// something, and does.
func TestRunRefused(t *testing.T) {
	cause := errors.New("it runs")
	p := &memory{refusing: Refusal{cause}}
	if _, err := p.run(t, Options{}, "http://a.test/0"); !errors.Is(err, cause) || p.note != nil {
		t.Errorf("error %v, note %s", err, p.note)
	}
	p.refusing = cause
	if _, err := p.run(t, Options{}, "http://a.test/1"); !errors.Is(err, cause) || p.note == nil {
		t.Errorf("error %v, note %s", err, p.note)
	}
	p.refusing = Refusal{cause}
	if _, err := p.run(t, Options{}, "http://a.test/0"); !errors.Is(err, cause) || p.note == nil {
		t.Errorf("of a call that ends another: error %v, note %s", err, p.note)
	}
}

// A note that no call has written is no reason to overwrite the log.
func TestRunDamagedNote(t *testing.T) {
	for _, note := range []string{
		"null", "{}", `{"targets":[{"target":"http://a.test/1"}]}`, `{"targets":[],"logged":3}`, `{"targets":[{"target":"http://a.test/1"}],"logged":-1}`,
		`{"targets":[{"target":"http://a.test/1"}],"logged":0,"pages":{"a.test/2":1}}`, `{"targets":[{"target":"http://a.test/1"}],"logged":0,"pages":{"a.test/2":-1}}`,
	} {
		p := &memory{note: []byte(note), log: "log\n"}
		if _, err := p.run(t, Options{}, "http://a.test/0"); !errors.Is(err, errNote) || p.log != "log\n" {
			t.Errorf("%s: error %v, log %q", note, err, p.log)
		}
	}
}
