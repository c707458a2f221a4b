package operator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/console"
	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/reading"
	"sluice/shared/crawl/step"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// documentLine is a line as clean writes it.
func documentLine(t *testing.T, url, seed, segment string) string {
	t.Helper()
	d := &corpus.Document{URL: url, FinalURL: url, Text: "文\n", Path: corpus.Path{Seed: seed}, WARC: corpus.Location{File: segment, Offset: 3, Length: 4}}
	b, err := d.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func rejectLine(t *testing.T, url, parent string) string {
	t.Helper()
	return rejectBy(t, url, parent, reading.RuleNoText)
}

func rejectBy(t *testing.T, url, parent, rule string) string {
	t.Helper()
	b, err := (&corpus.Reject{URL: url, FinalURL: url, Parent: parent, Rule: rule}).AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// kept is the end of a page whose exchange is in a segment.
func kept(url, segment string) ledger.End {
	return ledger.End{URL: url, Entry: &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Segment: segment}}
}

func rejected(url, segment string) ledger.End {
	return ledger.End{URL: url, Entry: &ledger.Entry{Verdict: ledger.Rejected, Fetched: true, Segment: segment}}
}

// exported returns the files of an export and their content.
func exported(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (s *testStack) export(t *testing.T, dir string, opts ExportOptions) *Exported {
	t.Helper()
	out, err := s.Export(t.Context(), "c", dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// newCorpus creates a stack with a crawl of two segments. Page a was fetched
// twice, and the second segment counts.
func newCorpus(t *testing.T) *testStack {
	t.Helper()
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	const seed = "http://a.test/"
	s.End(t, "c", kept("http://a.test/a", "raw/c/2.warc.gz"), kept("http://a.test/b", "raw/c/1.warc.gz"), rejected("http://a.test/r", "raw/c/1.warc.gz"))
	s.PutObject(t, "raw/c/1.warc.gz", "first")
	s.PutObject(t, "raw/c/2.warc.gz", "second")
	s.PutObject(t, "raw/other/1.warc.gz", "other")
	s.PutObject(t, "corpus/c/1.jsonl", documentLine(t, "http://a.test/a", seed, "raw/c/1.warc.gz")+documentLine(t, "http://a.test/b", seed, "raw/c/1.warc.gz")+documentLine(t, "http://a.test/lost", seed, "raw/c/1.warc.gz"))
	s.PutObject(t, "corpus/c/2.jsonl", documentLine(t, "http://a.test/a", seed, "raw/c/2.warc.gz"))
	s.PutObject(t, "corpus/other/1.jsonl", documentLine(t, "http://o.test/", seed, "raw/other/1.warc.gz"))
	s.PutObject(t, "rejects/c/1.jsonl", rejectLine(t, "http://a.test/r", "p")+rejectLine(t, "http://a.test/a", "p"))
	return s
}

func TestExport(t *testing.T) {
	s := newCorpus(t)
	dir := filepath.Join(t.TempDir(), "new", "dir")
	const seed = "http://a.test/"
	want := map[string]string{
		"export.json":     `{"stack":"` + s.Name + `","bucket":"` + s.Name + `","crawl":"c"}` + "\n",
		"warc/1.warc.gz":  "first",
		"warc/2.warc.gz":  "second",
		"corpus/1.jsonl":  documentLine(t, "http://a.test/b", seed, "warc/1.warc.gz"),
		"corpus/2.jsonl":  documentLine(t, "http://a.test/a", seed, "warc/2.warc.gz"),
		"rejects/1.jsonl": rejectLine(t, "http://a.test/r", "p"),
	}
	calls := 0
	out := s.export(t, dir, ExportOptions{Progress: func(done, all int) {
		if calls++; done != calls || all != 5 {
			t.Errorf("progress %d of %d at call %d", done, all, calls)
		}
	}})
	if diff := cmp.Diff(want, exported(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if out.Files != 5 || out.Copied != 5 || out.Documents != 2 || out.Kept != 2 || out.Missing != 0 || len(out.Segments) != 0 || calls != 5 {
		t.Errorf("Exported is %+v", out)
	}

	// A second export keeps complete files and copies incomplete ones.
	if err := os.WriteFile(filepath.Join(dir, "warc", "1.warc.gz"), []byte("fir"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "warc", "9.warc.gz.part"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "corpus", "2.jsonl")); err != nil {
		t.Fatal(err)
	}
	if out = s.export(t, dir, ExportOptions{}); out.Files != 5 || out.Copied != 2 || out.Documents != 2 {
		t.Errorf("the second time: %+v", out)
	}
	want["warc/9.warc.gz.part"] = "x" // of no segment
	if diff := cmp.Diff(want, exported(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}

	// A segment that is cleaned again has another time.
	time.Sleep(time.Second)
	s.PutObject(t, "corpus/c/1.jsonl", documentLine(t, "http://a.test/b", "http://new.test/", "raw/c/1.warc.gz"))
	if out = s.export(t, dir, ExportOptions{}); out.Copied != 1 || !strings.Contains(exported(t, dir)["corpus/1.jsonl"], "http://new.test/") {
		t.Errorf("after another cleaning: %+v", out)
	}
}

func TestExportNoWARC(t *testing.T) {
	s := newCorpus(t)
	dir := t.TempDir()
	out := s.export(t, dir, ExportOptions{NoWARC: true})
	if files := exported(t, dir); out.Files != 3 || len(files) != 4 || files["warc/1.warc.gz"] != "" {
		t.Errorf("Exported is %+v, files %v", out, files)
	}
}

// A segment is reported as to be cleaned again until that begins.
func TestExportAgain(t *testing.T) {
	s := newCorpus(t)
	lessons := s.Parts.Lessons
	for _, segment := range []string{"1.warc.gz", "2.warc.gz"} {
		if mine, _, err := lessons.Claim(t.Context(), "c", segment, "2.warc.gz"); err != nil || !mine {
			t.Fatalf("Claim = %v, %v", mine, err)
		}
	}
	if _, err := lessons.Begin(t.Context(), "c", "2.warc.gz"); err != nil {
		t.Fatal(err)
	}
	out := s.export(t, t.TempDir(), ExportOptions{})
	if diff := cmp.Diff([]string{"raw/c/1.warc.gz"}, out.Again); diff != "" || out.Documents != 2 {
		t.Errorf("to be cleaned again (-want +got):\n%s", diff)
	}
}

// So is one that is not cleaned since the second look decided about its pages.
func TestExportUndone(t *testing.T) {
	s := newCorpus(t)
	l := clean.Look{Number: 7, Segments: map[string]clean.Decisions{"1.warc.gz": {3: {Accepted: true}}}}
	for _, tt := range []struct {
		at   time.Duration
		want []string
	}{{time.Minute, []string{"raw/c/1.warc.gz"}}, {-time.Minute, []string{}}} {
		l.At = time.Now().Add(tt.at)
		data, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		s.PutObject(t, clean.LookKey("c"), string(data))
		if out := s.export(t, t.TempDir(), ExportOptions{}); !slices.Equal(out.Again, tt.want) {
			t.Errorf("decided %v from now, to be cleaned again are %v, want %v", tt.at, out.Again, tt.want)
		}
	}
}

// Segments that are not cleaned yet are reported.
func TestExportMissing(t *testing.T) {
	s := newCorpus(t)
	s.PutObject(t, "raw/c/3.warc.gz", "third")
	s.End(t, "c", kept("http://a.test/3", "raw/c/3.warc.gz"), kept("http://a.test/4", "raw/c/3.warc.gz"))
	dir := t.TempDir()
	out := s.export(t, dir, ExportOptions{})
	if out.Missing != 2 || out.Kept != 4 || !slices.Equal(out.Segments, []string{"raw/c/3.warc.gz"}) {
		t.Errorf("Exported is %+v", out)
	}
	// Clean rejects one of them as not a document.
	s.PutObject(t, "rejects/c/3.jsonl", rejectLine(t, "http://a.test/3", "p"))
	s.PutObject(t, "corpus/c/3.jsonl", documentLine(t, "http://a.test/4", "http://a.test/", "raw/c/3.warc.gz"))
	if out = s.export(t, dir, ExportOptions{}); out.Missing != 0 || out.Documents != 3 || out.Copied != 2 {
		t.Errorf("Exported is %+v", out)
	}
}

// Pages refused by a topic or by a fault of ours are lost.
func TestExportLost(t *testing.T) {
	s := newCorpus(t)
	s.PutObject(t, "raw/c/3.warc.gz", "third")
	s.End(t, "c", kept("http://a.test/3", "raw/c/3.warc.gz"))
	s.PutObject(t, "corpus/c/cc.jsonl", documentLine(t, "http://f.test/", "", "raw/c/cc.warc.gz"))
	for rule, missing := range map[string]int64{
		reading.RuleDescription: 1, reading.RuleLanguage: 1, reading.RuleBody: 1, reading.RulePanic: 1,
		reading.RuleNoText: 0, reading.RuleMediaOnly: 0, step.RuleNoIndex: 0,
	} {
		s.PutObject(t, "rejects/c/3.jsonl", rejectBy(t, "http://a.test/3", "p", rule))
		if out := s.export(t, t.TempDir(), ExportOptions{}); out.Missing != missing || out.Documents != 3 || len(out.Segments) != 0 {
			t.Errorf("%s: Exported is %+v", rule, out)
		}
	}
}

// A page fetched again after its first segment had been copied is in two files,
// which must not hide a missing page.
func TestExportTwice(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	const url, seed = "http://a.test/a", "http://a.test/"
	s.End(t, "c", kept(url, "raw/c/1.warc.gz"))
	s.PutObject(t, "corpus/c/1.jsonl", documentLine(t, url, seed, "raw/c/1.warc.gz"))
	dir := t.TempDir()
	s.export(t, dir, ExportOptions{})
	s.End(t, "c", kept("http://a.test/c", "raw/c/2.warc.gz"))
	second := filepath.Join(dir, "corpus", "0.jsonl") // as if copied when the ledger had it there
	s.PutObject(t, "corpus/c/0.jsonl", "")
	s.export(t, dir, ExportOptions{})
	info, err := os.Stat(second)
	if err != nil {
		t.Fatal(err)
	}
	line := []byte(documentLine(t, url, seed, "warc/0.warc.gz"))
	if err := errors.Join(os.WriteFile(second, line, 0o600), os.Chtimes(second, time.Time{}, info.ModTime())); err != nil {
		t.Fatal(err)
	}
	out := s.export(t, dir, ExportOptions{})
	if out.Missing != 1 || out.Documents != 2 || out.Kept != 2 {
		t.Errorf("Exported is %+v", out)
	}
}

// Pages of foreign archives have no ends; unreadable places have no URL.
func TestExportForeign(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	s.PutObject(t, "raw/c/cc.warc.gz", "x")
	damaged, err := (&corpus.Reject{URL: "raw/c/cc.warc.gz#9", Rule: "warc_damaged"}).AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.PutObject(t, "corpus/c/cc.jsonl", documentLine(t, "http://f.test/", "", "raw/c/cc.warc.gz"))
	s.PutObject(t, "rejects/c/cc.jsonl", string(damaged)+rejectLine(t, "http://f.test/x", ""))
	dir := t.TempDir()
	s.export(t, dir, ExportOptions{})
	files := exported(t, dir)
	if strings.Count(files["corpus/cc.jsonl"], "\n") != 1 || strings.Count(files["rejects/cc.jsonl"], "\n") != 2 {
		t.Errorf("files: %v", files)
	}
}

// Names of objects are untrusted.
func TestExportStaysInFolder(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	for _, key := range []string{"raw/c/../../evil", "raw/c/deep/er.warc.gz", `raw/c/..\evil`, "raw/c/.hidden", "raw/c/C:evil", "raw/c/x.part", "corpus/c/notes.txt"} {
		s.PutObject(t, key, "evil")
	}
	s.PutObject(t, "raw/c/good.warc.gz", "good")
	dir := t.TempDir()
	out := s.export(t, filepath.Join(dir, "in"), ExportOptions{})
	if files := exported(t, dir); out.Files != 1 || len(files) != 2 || files["in/warc/good.warc.gz"] != "good" {
		t.Errorf("files: %v", files)
	}
}

func TestExportRefuses(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	s.Create(t, job.Message{Crawl: "d"})
	dir := t.TempDir()
	write := func(name string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
		return strings.SplitN(name, "/", 2)[0]
	}
	s.export(t, filepath.Join(dir, "c"), ExportOptions{})
	for name, into := range map[string]string{
		"another export": "c", "a local crawl": write("local/state.db"), "a file": write("file"),
		"another corpus": write("other/corpus/00001.jsonl"), "no label": write("odd/export.json"),
	} {
		if _, err := s.Export(t.Context(), "d", filepath.Join(dir, into), ExportOptions{}); !errors.Is(err, ErrRequest) {
			t.Errorf("into a folder of %s: %v", name, err)
		}
	}
	if _, err := s.Export(t.Context(), "none", filepath.Join(dir, "none"), ExportOptions{}); !errors.Is(err, job.ErrUnknown) {
		t.Errorf("no crawl: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder was made for no crawl")
	}
}

func TestEachChunk(t *testing.T) {
	t.Parallel()
	var all []string
	chunks := 0
	text := strings.Repeat("{}\r\n", linesAtOnce) + "\n \n[1]"
	err := eachChunk(strings.NewReader(text), func(lines [][]byte) error {
		chunks++
		for _, l := range lines {
			all = append(all, string(l))
		}
		return nil
	})
	if err != nil || chunks != 2 || len(all) != linesAtOnce+1 || all[0] != "{}\n" || all[linesAtOnce] != "[1]\n" {
		t.Errorf("%d chunks, %d lines, %v", chunks, len(all), err)
	}
	broken := errors.New("broken")
	if err := eachChunk(bytes.NewReader([]byte("a\n")), func([][]byte) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// The keys of an explanation without findings.
func TestExplanationKeys(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(&console.Explanation{URL: "u", Fate: "kept"})
	if err != nil || string(b) != `{"url":"u","fate":"kept","fetched":false,"kept":false,"dropped":false}` {
		t.Errorf("%s, %v", b, err)
	}
}
