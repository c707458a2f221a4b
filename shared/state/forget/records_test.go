package forget

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

var at = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// doc is a line of the corpus.
func doc(t *testing.T, d corpus.Document) string {
	t.Helper()
	line, err := d.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func reject(t *testing.T, r corpus.Reject) string {
	t.Helper()
	line, err := r.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// meet meets records until the set has stopped to grow.
func meet(t *testing.T, s *Set, lines ...string) {
	t.Helper()
	for grown := true; grown; {
		grown = false
		for _, line := range lines {
			more, err := s.Meet([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			grown = grown || more
		}
	}
}

// edited returns what an edit leaves of lines.
func edited(t *testing.T, edit Edit, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	changed, err := CopyLines(&out, strings.NewReader(strings.Join(lines, "")), edit)
	if err != nil {
		t.Fatal(err)
	}
	if changed != (out.String() != strings.Join(lines, "")) {
		t.Errorf("changed is %v", changed)
	}
	return out.String()
}

func TestDocuments(t *testing.T) {
	const gone = "http://x.cn/gone"
	page := func(url, final string) corpus.Document {
		return corpus.Document{URL: url, FinalURL: final, Text: "正文"}
	}
	stays := page("http://x.cn/stays", "http://x.cn/stays")
	child := page("http://x.cn/child", "http://x.cn/child")
	child.Path = corpus.Path{Seed: "http://x.cn/", Parent: "https://x.cn/gone", Anchor: "锚", Depth: 2}
	orphan := child
	orphan.Path.Parent, orphan.Path.Anchor = "", ""
	repeats := page("http://x.cn/repeats", "http://x.cn/repeats")
	repeats.DuplicateOf = corpus.DocumentID(gone, 1)
	alone := repeats
	alone.DuplicateOf = ""
	lines := []string{
		doc(t, stays), doc(t, page(gone, gone)), doc(t, child), doc(t, repeats), doc(t, page("http://y.cn/short", gone)),
	}
	s := NewSet(parse(t, gone))
	meet(t, s, lines...)
	if diff := cmp.Diff(doc(t, stays)+doc(t, orphan)+doc(t, alone), edited(t, s.Document, lines...)); diff != "" {
		t.Errorf("the corpus (-want +got):\n%s", diff)
	}
	if got := s.Tally(0).Documents; got != 2 {
		t.Errorf("%d documents went, want 2", got)
	}
	if !s.Has("http://y.cn/short") || s.Has("http://x.cn/child") {
		t.Error("what led to the page, and nothing else, belongs to it")
	}
	s.EndCount()
	edited(t, s.Document, lines...)
	if got := s.Tally(0).Documents; got != 2 {
		t.Errorf("%d documents went, counted again after the set was counted", got)
	}
}

// By whichever of its URLs a page is named, all of them go, however long the
// chain and in whichever order it is met.
func TestSamePage(t *testing.T) {
	for _, target := range []string{"http://a.cn/", "http://b.cn/", "http://c.cn/", "http://d.cn/"} {
		s := NewSet(parse(t, target))
		meet(t, s,
			doc(t, corpus.Document{URL: "http://c.cn/", FinalURL: "http://d.cn/"}),
			reject(t, corpus.Reject{URL: "http://b.cn/", FinalURL: "http://c.cn/", Rule: "http_500"}),
			reject(t, corpus.Reject{URL: "http://a.cn/", FinalURL: "http://b.cn/", Rule: "http_500"}),
			reject(t, corpus.Reject{URL: "http://e.cn/", FinalURL: "http://f.cn/", Rule: "http_500"}),
		)
		for _, url := range []string{"http://a.cn/", "http://b.cn/", "http://c.cn/", "http://d.cn/"} {
			if !s.Has(url) {
				t.Errorf("with %s %s stays", target, url)
			}
		}
		if s.Has("http://e.cn/") {
			t.Errorf("with %s another page goes", target)
		}
	}
	// What redirects to a page goes with it; the page stays where the redirect goes.
	trace := []byte(`{"link":{"url":"http://a.cn/x"},"target":"/y"}`)
	to, from := NewSet(parse(t, "http://a.cn/y")), NewSet(parse(t, "http://a.cn/x"))
	if !to.MeetTrace(trace) || !to.Has("http://a.cn/x") || to.MeetTrace(trace) {
		t.Error("what redirects to the page stays")
	}
	if from.MeetTrace(trace) || from.Has("http://a.cn/y") {
		t.Error("the page goes with a redirect to it")
	}
}

func TestRejects(t *testing.T) {
	child := corpus.Reject{URL: "http://y.cn/a", FinalURL: "http://y.cn/a", Rule: "body", Parent: "http://x.cn/", Anchor: "锚"}
	orphan := child
	orphan.Parent, orphan.Anchor = "", ""
	lines := []string{
		reject(t, child),
		reject(t, corpus.Reject{URL: "http://www.x.cn/a", FinalURL: "http://www.x.cn/a", Rule: "body", OffTopic: &corpus.OffTopic{Text: "正文"}}),
		reject(t, corpus.Reject{URL: "http://z.cn/a", FinalURL: "http://z.cn/a", Rule: "redirect_scope", Detail: "http://x.cn/b"}),
		reject(t, corpus.Reject{URL: "warc/1#9", Rule: corpus.RuleDamaged}),
		reject(t, corpus.Reject{URL: "http://x.cn/never-fetched", Rule: "robots"}),
	}
	s := NewSet(parse(t, "nobody.cn", "*.x.cn"))
	meet(t, s, lines...)
	if diff := cmp.Diff(reject(t, orphan)+lines[3], edited(t, s.Reject, lines...)); diff != "" {
		t.Errorf("the rejects (-want +got):\n%s", diff)
	}
	if s.Tally(1).Rejects != 3 || !s.Tally(0).Empty() {
		t.Errorf("tallies %+v and %+v", s.Tally(0), s.Tally(1))
	}
	if diff := cmp.Diff([]string{"http://www.x.cn/a", "http://x.cn/never-fetched", "http://z.cn/a"}, s.Gone()); diff != "" {
		t.Errorf("URLs that went (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"http://y.cn/a"}, s.Orphans()); diff != "" {
		t.Errorf("URLs found on them (-want +got):\n%s", diff)
	}
}

func TestLinesThatAreNone(t *testing.T) {
	s := NewSet(parse(t, "x.cn"))
	for _, edit := range []Edit{s.Document, s.Reject} {
		_, err := CopyLines(new(bytes.Buffer), strings.NewReader("{}\n\n{\"url\""), edit)
		if err == nil || !strings.Contains(err.Error(), "line 3") {
			t.Errorf("error %v does not name the line", err)
		}
	}
	if _, err := s.Meet([]byte("[]")); err == nil {
		t.Error("a list passes for a record")
	}
}

// exchange is that of a page with a trace, and the offset of its response.
func exchange(data []byte, link frontier.Link, enc *corpus.Encoder, outlinks ...string) ([]byte, int64) {
	trace, err := json.Marshal(map[string]any{"link": link, "title": "题" + link.URL})
	if err != nil {
		panic(err)
	}
	offset := int64(len(data))
	data, _ = corpus.AppendExchange(data, &corpus.Exchange{
		URL: link.URL, Date: at, RequestHead: []byte("GET / HTTP/1.1\r\n\r\n"), ResponseHead: []byte("HTTP/1.1 200 OK\r\n\r\n"),
		Body: []byte(strings.Repeat("正文 of "+link.URL+"\n", 3)), Shown: []byte("<p>shown of " + link.URL), Metadata: trace,
		Outlinks: outlinks,
	}, enc)
	return data, offset
}

func decision(t *testing.T, url, parent string) []byte {
	t.Helper()
	line, err := json.Marshal(&ledger.Decision{Link: frontier.Link{URL: url, Parent: parent, Anchor: "锚 " + url}, Rule: "priority"})
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// segment is what an AWS crawl leaves: exchanges, rejects and decisions.
func segment(t *testing.T) (data []byte, offsets map[string]int64) {
	t.Helper()
	enc := new(corpus.Encoder)
	offsets = map[string]int64{}
	data = corpus.AppendInfo(nil, &corpus.Info{Filename: "s.warc.gz", Date: at}, enc)
	for _, l := range []frontier.Link{
		{URL: "http://x.cn/stays", Parent: "http://x.cn/"},
		{URL: "http://x.cn/gone", Parent: "http://x.cn/"},
		{URL: "http://y.cn/child", Parent: "http://x.cn/gone", Anchor: "secret anchor", Seed: "http://x.cn/"},
		{URL: "http://x.cn/last", Parent: "http://x.cn/"},
	} {
		data, offsets[l.URL] = exchange(data, l, enc, "http://x.cn/gone", "http://z.cn/kept", "http://x.cn/gone")
	}
	var err error
	for _, url := range []string{"http://x.cn/gone", "http://x.cn/refused"} {
		r := &corpus.Reject{URL: url, FinalURL: url, Rule: "body", Date: corpus.Date{Time: at}, Parent: "http://x.cn/gone", Anchor: "secret anchor", Outlinks: []string{"http://x.cn/gone"}}
		if data, _, err = corpus.AppendReject(data, r, enc); err != nil {
			t.Fatal(err)
		}
	}
	lines := [][]byte{decision(t, "http://x.cn/gone", "http://x.cn/"), decision(t, "http://z.cn/found", "http://x.cn/gone")}
	for i := range 200 {
		lines = append(lines, decision(t, fmt.Sprintf("http://z.cn/%d", i*i*7919), "http://x.cn/"))
	}
	data, _ = corpus.AppendDecisions(data, lines, at, enc)
	return data, offsets
}

// Of a segment goes all that is about the page; every other record stays where
// it is, byte by byte unless it named the page.
func TestArchive(t *testing.T) {
	data, offsets := segment(t)
	s := NewSet(parse(t, "http://x.cn/gone"))
	patches, damaged, err := s.Archive(bytes.NewReader(data))
	if err != nil || len(damaged) > 0 {
		t.Fatal(damaged, err)
	}
	var out bytes.Buffer
	if err := Apply(&out, bytes.NewReader(data), patches, at); err != nil {
		t.Fatal(err)
	}
	if out.Len() != len(data) {
		t.Fatalf("the segment has %d bytes, had %d", out.Len(), len(data))
	}
	found := map[string]int64{}
	decisions, links := 0, 0
	for rec, err := range corpus.ReadWARC(bytes.NewReader(out.Bytes())) {
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range []string{"x.cn/gone", "secret anchor"} {
			if bytes.Contains(rec.Block, []byte(trace)) || strings.Contains(fmt.Sprint(rec.Header), trace) {
				t.Errorf("record at byte %d, %s of %s, has %q", rec.Offset, rec.Type, rec.TargetURI, trace)
			}
		}
		if rec.Type == "response" {
			found[rec.TargetURI] = rec.Offset
			if end := rec.Offset + rec.Length; !bytes.Equal(out.Bytes()[rec.Offset:end], data[rec.Offset:end]) {
				t.Errorf("the response of %s has changed", rec.TargetURI)
			}
		}
		decisions += len(rec.Decisions())
		links += len(rec.Outlinks())
	}
	delete(offsets, "http://x.cn/gone")
	if diff := cmp.Diff(offsets, found); diff != "" {
		t.Errorf("responses (-want +got):\n%s", diff)
	}
	if links != len(offsets) {
		t.Errorf("%d outlinks are left, want 1 of each page", links)
	}
	if decisions != 201 {
		t.Errorf("%d decisions are left, want 201", decisions)
	}
	if got := s.Tally(0); got.Records != 7 || got.Links != 8 || got.Bytes == 0 {
		t.Errorf("tally %+v, want 7 records and 8 links", got)
	}
	if patches, _, err := s.Archive(bytes.NewReader(out.Bytes())); err != nil || len(patches) > 0 {
		t.Errorf("done again, %d records change, error %v", len(patches), err)
	}
}

// A reject goes with its exchange; that of another page keeps its own, and the place.
func TestArchiveReject(t *testing.T) {
	enc := new(corpus.Encoder)
	var data []byte
	rejectPage := func(url string) {
		t.Helper()
		x := &corpus.Exchange{
			URL: url, Date: at, RequestHead: []byte("GET / HTTP/1.1\r\n\r\n"), ResponseHead: []byte("HTTP/1.1 200 OK\r\n\r\n"), Body: []byte("b"),
			Metadata: []byte(`{"link":{"url":"` + url + `"}}`), Outlinks: []string{"http://z.cn/"},
		}
		r := &corpus.Reject{URL: url, FinalURL: url, Rule: "body", Date: corpus.Date{Time: at}, Parent: "http://x.cn/gone", Anchor: "secret anchor", Exchange: x}
		var err error
		if data, _, err = corpus.AppendReject(data, r, enc); err != nil {
			t.Fatal(err)
		}
	}
	rejectPage("http://x.cn/gone")
	stays := int64(len(data))
	rejectPage("http://y.cn/stays")
	s := NewSet(parse(t, "http://x.cn/gone"))
	patches, _, err := s.Archive(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Apply(&out, bytes.NewReader(data), patches, at); err != nil {
		t.Fatal(err)
	}
	var id string
	rejects := 0
	for rec, err := range corpus.ReadWARC(bytes.NewReader(out.Bytes())) {
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(rec.Block, []byte("x.cn/gone")) || rec.TargetURI == "http://x.cn/gone" {
			t.Errorf("a %s at byte %d names the page", rec.Type, rec.Offset)
		}
		if rec.Type == "response" {
			if id = rec.ID; rec.Offset != stays {
				t.Errorf("a response at byte %d, want %d", rec.Offset, stays)
			}
		}
		if r, err := rec.Reject(); err != nil || r != nil && (rec.ConcurrentTo != id || r.URL != "http://y.cn/stays") {
			t.Errorf("reject %+v of %s, response %s, %v", r, rec.ConcurrentTo, id, err)
		} else if r != nil {
			rejects++
		}
	}
	if got := s.Tally(0); got.Records != 5 || rejects != 1 {
		t.Errorf("tally %+v, %d rejects; want 5 records gone, 1 reject left", got, rejects)
	}
}

// A place that cannot be read, and a record that is no member, are reported.
func TestArchiveDamaged(t *testing.T) {
	data, offsets := segment(t)
	copy(data[offsets["http://x.cn/last"]+40:], "damage damage damage")
	s := NewSet(parse(t, "http://x.cn/gone"))
	patches, damaged, err := s.Archive(bytes.NewReader(data))
	if err != nil || len(damaged) != 1 || len(patches) == 0 {
		t.Errorf("%d patches, damaged %v, error %v", len(patches), damaged, err)
	}
	plain := "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://x.cn/gone\r\nContent-Length: 1\r\n\r\na\r\n\r\n"
	patches, damaged, err = s.Archive(strings.NewReader(plain))
	if err != nil || len(damaged) != 1 || len(patches) != 0 {
		t.Errorf("plain: %d patches, damaged %v, error %v", len(patches), damaged, err)
	}
}

// An archive that cannot be read to its end is an error, not damage: nothing of it
// may be replaced.
func TestArchiveUnreadable(t *testing.T) {
	data, _ := segment(t)
	cause := errors.New("disk")
	r := io.MultiReader(bytes.NewReader(data[:len(data)/2]), iotest.ErrReader(cause))
	patches, damaged, err := NewSet(parse(t, "x.cn")).Archive(r)
	if !errors.Is(err, cause) || patches != nil || damaged != nil {
		t.Errorf("%d patches, damaged %v, error %v", len(patches), damaged, err)
	}
}

// A decision counts with its line break, as it is stored; what is no decision stays.
func TestDecisions(t *testing.T) {
	lines := [][]byte{decision(t, "http://x.cn/gone", ""), []byte("{"), decision(t, "http://x.cn/kept", "")}
	data, _ := corpus.AppendDecisions(nil, lines, at, new(corpus.Encoder))
	s := NewSet(parse(t, "http://x.cn/gone"))
	patches, damaged, err := s.Archive(bytes.NewReader(data))
	if err != nil || damaged != nil || len(patches) != 1 {
		t.Fatalf("%d patches, damaged %v, error %v", len(patches), damaged, err)
	}
	if got, want := string(patches[0].block), "{\n"+string(lines[2])+"\n"; got != want {
		t.Errorf("%q is left, want %q", got, want)
	}
	if want := (Tally{Links: 1, Bytes: int64(len(lines[0])) + 1}); *s.Tally(0) != want {
		t.Errorf("tally %+v, want %+v", *s.Tally(0), want)
	}
}

// What cannot be read says nothing, and stays as it is.
func TestDamagedTrace(t *testing.T) {
	s := NewSet(parse(t, "http://a.cn/x"))
	for _, block := range []string{"", "{", `{"link":[]}`, `{"link":{"url":"http://b.cn/","parent":"http://a.cn/x"`} {
		if s.MeetTrace([]byte(block)) {
			t.Errorf("%q has the set grow", block)
		}
		if out, changed := s.Trace([]byte(block)); changed || string(out) != block {
			t.Errorf("%q became %q, %v", block, out, changed)
		}
		if url, target := TraceURL([]byte(block)), TraceTarget([]byte(block)); url != "" || target != "" {
			t.Errorf("%q is about %q, which redirects to %q", block, url, target)
		}
	}
}

// A trace loses what it says of a page that goes, and nothing else.
func TestTrace(t *testing.T) {
	s := NewSet(parse(t, "http://a.cn/x"))
	for _, tc := range []struct {
		name, block, want string
		changed           bool
	}{
		{"no parent", `{"link":{"url":"http://b.cn/"},"more":1}`, `{"link":{"url":"http://b.cn/"},"more":1}`, false},
		{"another parent", `{"link":{"url":"http://b.cn/","parent":"http://a.cn/y","anchor":"锚"}}`, `{"link":{"url":"http://b.cn/","parent":"http://a.cn/y","anchor":"锚"}}`, false},
		{"its parent", `{"link":{"url":"http://b.cn/","parent":"http://a.cn/x","anchor":"锚"},"more":1}`, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, changed := s.Trace([]byte(tc.block))
			if changed != tc.changed {
				t.Errorf("changed is %v, want %v", changed, tc.changed)
			}
			if !tc.changed && string(out) != tc.want {
				t.Errorf("the trace became %s", out)
			}
			if tc.changed {
				var got struct {
					Link frontier.Link
					More int
				}
				if err := json.Unmarshal(out, &got); err != nil || got.More != 1 || got.Link.URL != "http://b.cn/" || got.Link.Parent != "" || got.Link.Anchor != "" {
					t.Errorf("the trace became %s (%v)", out, err)
				}
			}
		})
	}
}
