package local_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/dataset/export"
	"sluice/shared/fixture"
	"sluice/shared/local"
	"sluice/shared/local/filecorpus"
	"sluice/shared/short"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
	"sluice/shared/web/urlnorm"
)

// secrets are what nothing may say any more once the page /there is forgotten.
var secrets = []string{"/there", "/moved", "秘密的标题", "秘密的正文"}

// secretive is a web with a page of secrets, which a redirect leads to and on
// which another was found; the page that links to them is off topic, so that
// it is no document.
func secretive(t testing.TB) *site {
	t.Helper()
	return serve(t, map[string]string{
		"/":           `<title>晴朗的天气预报</title>$TEXT<a href=/on>银行</a><a href=/moved>银行</a><a href=/late>银行</a>`,
		"/on":         `<title>银行</title>$TEXT`,
		"/moved":      "301 /there",
		"/there":      `<title>股市 秘密的标题</title>$TEXT<p>秘密的正文：关于股市和银行，没有人应当再读到它。</p><a href=/found>银行</a><a href=/let-go>秘密的正文</a>`,
		"/found":      `<title>银行</title>$TEXT`,
		"/late":       `<title>股市</title>$TEXT`,
		"/robots.txt": "User-agent: *\nAllow: /\n",
	})
}

func targets(t testing.TB, texts ...string) []forget.Target {
	t.Helper()
	list, err := forget.ParseAll(texts)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func forgetIn(t testing.TB, dir string, opts forget.Options, texts ...string) *local.Forgotten {
	t.Helper()
	out, err := local.Forget(t.Context(), dir, targets(t, texts...), opts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// files reads a folder.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// records returns what a folder's archives hold, unpacked, by file and offset.
func records(t testing.TB, dir string) map[string]*corpus.Record {
	t.Helper()
	all := map[string]*corpus.Record{}
	for name, data := range files(t, filepath.Join(dir, "warc")) {
		for rec, err := range corpus.ReadWARC(strings.NewReader(data)) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all[fmt.Sprintf("warc/%s %d %d", name, rec.Offset, rec.Length)] = rec
		}
	}
	return all
}

// checkPlaces checks that each document leads to its exchange.
func checkPlaces(t testing.TB, dir string) (documents int) {
	t.Helper()
	archived := records(t, dir)
	for _, lines := range files(t, filepath.Join(dir, "corpus")) {
		for line := range strings.Lines(lines) {
			var d corpus.Document
			if err := json.Unmarshal([]byte(line), &d); err != nil {
				t.Fatal(err)
			}
			documents++
			rec := archived[fmt.Sprintf("%s %d %d", d.WARC.File, d.WARC.Offset, d.WARC.Length)]
			if rec == nil || rec.Type != "response" || rec.TargetURI != d.FinalURL {
				t.Errorf("%s: its record is %+v", d.FinalURL, rec)
			}
		}
	}
	return documents
}

// checkGone checks that no byte of a folder, packed or not, tells a secret.
func checkGone(t testing.TB, dir string, secrets ...string) {
	t.Helper()
	for name, data := range files(t, dir) {
		for _, s := range secrets {
			if strings.Contains(data, s) && name != local.ForgottenFile {
				t.Errorf("%s holds %q", name, s)
			}
		}
	}
	for place, rec := range records(t, dir) {
		block := rec.Block
		if rec.Type == "response" { // what other pages say stays
			block = linked.ReplaceAll(block, nil)
		}
		for _, s := range secrets {
			if bytes.Contains(block, []byte(s)) || strings.Contains(rec.TargetURI, s) {
				t.Errorf("%s, a %s of %s, holds %q", place, rec.Type, rec.TargetURI, s)
			}
		}
	}
}

var linked = regexp.MustCompile(`href=[^>]*`)

// A page goes from everything that the folder holds, and does not come back;
// what stays is found where it was.
func TestForgetURL(t *testing.T) {
	t.Parallel()
	web := secretive(t)
	s := spec(t, web.URL+"/")
	whole := run(t, s)
	if whole.Kept != 4 {
		t.Fatalf("%d pages are kept, want 4: %v %v", whole.Kept, whole.Rules, web.asked)
	}

	before := files(t, s.Dir)
	dry := forgetIn(t, s.Dir, forget.Options{DryRun: true}, web.URL+"/x/../there#top")
	if diff := cmp.Diff(before, files(t, s.Dir)); diff != "" {
		t.Errorf("a dry run changes something: %s", diff)
	}
	done := forgetIn(t, s.Dir, forget.Options{}, web.URL+"/x/../there#top")
	dry.DryRun = false
	if diff := cmp.Diff(dry, done); diff != "" {
		t.Errorf("what would go, and what went (-want +got):\n%s", diff)
	}
	if got := done.Targets[0]; got.Documents != 1 || got.Records != 3 || got.Entries != 2 || got.Links != 0 || !done.Refused {
		t.Errorf("gone: %+v", done)
	}
	checkGone(t, s.Dir, secrets...)
	if n := checkPlaces(t, s.Dir); n != 3 {
		t.Errorf("%d documents are left, want 3", n)
	}

	f := folder(t, s.Dir)
	for _, at := range []string{"/there", "/moved"} {
		if x := explain(t, f, web.URL+at); x.Fate != "forgotten" || x.Link != nil || x.Trace != nil || x.Kept {
			t.Errorf("%s is explained as %+v", at, x)
		}
	}
	if x := explain(t, f, web.URL+"/found"); x.Fate != "kept" || x.Link.Parent != "" || x.Link.Anchor != "" {
		t.Errorf("what was found there is explained as %+v", x.Link)
	}
	st, err := f.Status(t.Context())
	if err != nil || st.Kept != 3 || st.Forgotten != 2 || st.Fetched != whole.Fetched-2 {
		t.Errorf("status %+v, error %v; want 3 kept, 2 forgotten, %d fetched", st, err, whole.Fetched-2)
	}

	s.Resume = true
	if sum := run(t, s); sum.Kept != 3 || web.requests("/there") != 1 || web.requests("/moved") != 1 {
		t.Errorf("the crawl went on: %d kept, asked for %v", sum.Kept, web.asked)
	}
	if again := forgetIn(t, s.Dir, forget.Options{}, web.URL+"/there"); !again.Targets[0].Empty() || len(again.Files) > 0 {
		t.Errorf("done again, more went: %+v", again)
	}
}

// A resumed crawl follows no link to what is forgotten, and records none.
func TestForgottenLinks(t *testing.T) {
	t.Parallel()
	web := serve(t, map[string]string{
		"/":      `<title>股市</title>$TEXT<a href=/next>银行</a>`,
		"/next":  `<title>股市</title>$TEXT<a href=/there>银行</a><a href=/there?a rel=nofollow>银行</a><a href=/again>银行</a>`,
		"/again": "301 /there",
		"/there": `<title>股市</title>$TEXT`,
	})
	s := spec(t, web.URL+"/")
	s.MaxPages = 1
	run(t, s)
	out := forgetIn(t, s.Dir, forget.Options{}, web.URL+"/there", web.URL+"/there?a")
	if !out.Targets[0].Empty() {
		t.Errorf("gone: %+v", out.Targets)
	}
	s.Resume, s.MaxPages = true, 100
	sum := run(t, s)
	if sum.Kept != 2 || web.requests("/there") > 0 || web.requests("/again") != 1 {
		t.Errorf("%d kept, asked for: %v", sum.Kept, web.asked)
	}
	if sum.Drops["forgotten"] != 2 || sum.Forgotten != 1 {
		t.Errorf("skipped: %v, forgotten %d; want 2 links and a redirect", sum.Drops, sum.Forgotten)
	}
	state := files(t, s.Dir)[local.StateFile]
	if strings.Contains(state, "/there") {
		t.Error("the state names what is forgotten")
	}
}

// A page that was rejected goes with its exchange.
func TestForgetReject(t *testing.T) {
	t.Parallel()
	web := serve(t, map[string]string{"/": `<title>股市</title>$TEXT<a href=/geheim>银行</a>`, "/geheim": `<title>天气</title>$TEXT`})
	s := spec(t, web.URL+"/")
	run(t, s)
	for _, r := range fixture.Lines[*corpus.Reject](t, s.Dir, "rejects", "*") {
		if r.WARC.Length == 0 {
			t.Fatalf("reject of %s leads to %+v", r.URL, r.WARC)
		}
	}
	done := forgetIn(t, s.Dir, forget.Options{}, web.URL+"/geheim")
	if got := done.Targets[0]; got.Rejects != 1 || got.Records != 3 || got.Documents != 0 {
		t.Errorf("gone: %+v", got)
	}
	checkGone(t, s.Dir, "geheim")
	if n := checkPlaces(t, s.Dir); n != 1 {
		t.Errorf("%d documents are left", n)
	}
}

// A host goes with all its pages, what is known of it, and what waits there.
func TestForgetHost(t *testing.T) {
	t.Parallel()
	web := serve(t, map[string]string{
		"http://a.cn/":           `<title>晴朗的天气预报</title>$TEXT<a href=http://gone.b.cn/>银行</a><a href=http://b.cn/stays>银行</a>`,
		"http://gone.b.cn/":      `<title>股市</title>$TEXT<a href=/1>银行</a><a href=/2>银行</a><a href=/3>银行</a><a href=/4>天气</a><a href=http://a.cn/child>银行</a>`,
		"http://gone.b.cn/1":     `<title>天气</title>$TEXT`,
		"http://gone.b.cn/2":     `<title>股市</title>$TEXT`,
		"http://b.cn/stays":      `<title>股市</title>$TEXT`,
		"http://a.cn/child":      `<title>股市</title>$TEXT`,
		"http://a.cn/robots.txt": "User-agent: *\nAllow: /\n",
	})
	s := specOf(t, strings.Replace(topicYAML, "SCOPE", "any", 1), "http://a.cn/")
	s.Proxies, s.Delay, s.Contact = web.proxy(t), 0, "https://example.org/bot"
	s.MaxPages = 5
	run(t, s)
	out := forgetIn(t, s.Dir, forget.Options{}, "gone.b.cn")
	if out.Targets[0].Documents == 0 || out.Targets[0].Entries == 0 {
		t.Fatalf("gone: %+v", out.Targets[0])
	}
	checkPlaces(t, s.Dir)
	checkGone(t, s.Dir, "gone.b.cn")
	s.Resume, s.MaxPages = true, 100
	asked := web.total()
	sum := run(t, s)
	for at := range web.asked {
		if strings.Contains(at, "gone.b.cn/3") {
			t.Errorf("%s was asked for", at)
		}
	}
	if web.total() < asked || sum.StopReason != "frontier_empty" {
		t.Errorf("the crawl ended by %s", sum.StopReason)
	}
	checkGone(t, s.Dir, "gone.b.cn")
}

// A call that is interrupted before any of its effects, and repeated, ends like
// an uninterrupted one.
func TestForgetKilled(t *testing.T) {
	t.Parallel()
	web := secretive(t)
	s := spec(t, web.URL+"/")
	s.MaxPages = 6
	run(t, s)
	whole := copyOf(t, s.Dir)
	var effects []string
	forgetWith := func(dir string, f func(string) error) error {
		_, err := local.Forget(t.Context(), dir, targets(t, web.URL+"/there"), local.OnEffect(f))
		return err
	}
	err := forgetWith(whole, func(name string) error {
		effects = append(effects, name)
		return nil
	})
	if err != nil || len(effects) < 6 {
		t.Fatalf("effects %v, error %v", effects, err)
	}
	want := files(t, whole)
	killed := errors.New("killed")
	every := short.Every(t, 5)
	for i := 0; i < len(effects); i += every {
		effect := effects[i]
		t.Run(fmt.Sprintf("before %s", effect), func(t *testing.T) {
			dir := copyOf(t, s.Dir)
			n := 0
			err := forgetWith(dir, func(string) error {
				if n++; n == i+1 {
					return killed
				}
				return nil
			})
			if !errors.Is(err, killed) {
				t.Fatalf("error %v", err)
			}
			checkPlacesLeft(t, dir)
			if err := forgetWith(dir, func(string) error { return nil }); err != nil {
				t.Fatal(err)
			}
			checkGone(t, dir, "秘密的标题", "秘密的正文：", "/moved")
			checkPlaces(t, dir)
			got := files(t, dir)
			for name := range want {
				if strings.HasPrefix(name, "corpus/") || strings.HasPrefix(name, "rejects/") {
					if diff := cmp.Diff(want[name], got[name]); diff != "" {
						t.Errorf("%s (-want +got):\n%s", name, diff)
					}
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d files, want %d", len(got), len(want))
			}
			if diff := cmp.Diff(logLines(t, whole), logLines(t, dir)); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
			r := s
			r.Dir, r.Resume, r.Seeds = dir, true, nil
			asked := web.requests("/there")
			run(t, r)
			if web.requests("/there") != asked {
				t.Error("what is forgotten was asked for again")
			}
		})
	}
}

// logLines reads the log of a folder, without its times.
func logLines(t *testing.T, dir string) (lines []local.Forgotten) {
	t.Helper()
	for line := range strings.Lines(files(t, dir)[local.ForgottenFile]) {
		var l struct {
			At             time.Time
			Files, Exports []string
			forget.Done
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.At.IsZero() {
			t.Fatalf("line %q: %v", line, err)
		}
		lines = append(lines, local.Forgotten{Outcome: forget.Outcome{Targets: []forget.Done{l.Done}, Files: l.Files, Exports: l.Exports}})
	}
	return lines
}

// The next call, for any pages, completes one that was interrupted; the
// log has what went by both, once.
func TestForgetEndsWhatWasBegun(t *testing.T) {
	t.Parallel()
	web := secretive(t)
	s := spec(t, web.URL+"/")
	run(t, s)
	whole := copyOf(t, s.Dir)
	forgetIn(t, whole, forget.Options{}, web.URL+"/there")
	forgetIn(t, whole, forget.Options{}, web.URL+"/late")

	killed := errors.New("killed")
	_, err := local.Forget(t.Context(), s.Dir, targets(t, web.URL+"/there"), local.OnEffect(func(name string) error {
		if name == "store" {
			return killed
		}
		return nil
	}))
	if !errors.Is(err, killed) {
		t.Fatal(err)
	}
	dry := forgetIn(t, s.Dir, forget.Options{DryRun: true}, web.URL+"/late")
	done := forgetIn(t, s.Dir, forget.Options{}, web.URL+"/late", web.URL+"/late")
	dry.DryRun = false
	if diff := cmp.Diff(dry, done); diff != "" {
		t.Errorf("what would go, and what went (-want +got):\n%s", diff)
	}
	checkGone(t, s.Dir, append(secrets, "/late")...)
	want, got := logLines(t, whole), logLines(t, s.Dir)
	if len(want) != 2 || len(got) != 2 {
		t.Fatalf("%d lines of %d", len(got), len(want))
	}
	for i := range want {
		w, g := want[i].Targets[0], got[i].Targets[0]
		if w.Target != g.Target || w.Documents != g.Documents || w.Records != g.Records || w.Entries != g.Entries {
			t.Errorf("went %+v, want %+v", g, w)
		}
	}
}

// checkPlacesLeft checks the documents after an interrupted call: each that
// stays leads to its exchange, and a crawl can continue.
func checkPlacesLeft(t *testing.T, dir string) {
	t.Helper()
	c, err := filecorpus.Open(dir, filecorpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	archived := records(t, dir)
	for line := range strings.Lines(files(t, dir)["corpus/00001.jsonl"]) {
		var d corpus.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		if rec := archived[fmt.Sprintf("%s %d %d", d.WARC.File, d.WARC.Offset, d.WARC.Length)]; rec == nil && !strings.HasSuffix(d.FinalURL, "/there") {
			t.Errorf("%s has lost its record", d.FinalURL)
		}
	}
}

func copyOf(t testing.TB, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// A copy of a corpus, or what was sifted, is a folder without a crawl.
func TestForgetInCopy(t *testing.T) {
	t.Parallel()
	web := secretive(t)
	s := spec(t, web.URL+"/")
	run(t, s)
	dir := copyOf(t, s.Dir)
	for _, name := range []string{local.StateFile, local.TopicFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	label := `{"stack":"sluice","bucket":"b","crawl":"money"}`
	part := filepath.Join(dir, "corpus", "00002.jsonl.part")
	gathered := filepath.Join(dir, local.RecordsFolder+".part", "list")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "export.json"), []byte(label), 0o644), os.WriteFile(part, []byte("秘密的标题"), 0o644),
		os.MkdirAll(gathered, 0o755), os.WriteFile(filepath.Join(gathered, "00001.jsonl"), []byte("秘密的标题"), 0o644)); err != nil {
		t.Fatal(err)
	}
	old, err := os.Stat(filepath.Join(dir, "corpus", "00001.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	out := forgetIn(t, dir, forget.Options{}, web.URL+"/moved")
	if out.Refused || out.Stack != "sluice" || out.Crawl != "money" || out.Targets[0].Documents != 1 {
		t.Errorf("gone: %+v", out)
	}
	// The page that links to it says so in its archive; it is another one.
	checkGone(t, dir, "秘密的标题", "正文：")
	checkPlaces(t, dir)
	if now, err := os.Stat(filepath.Join(dir, "corpus", "00001.jsonl")); err != nil || !now.ModTime().Equal(old.ModTime()) {
		t.Errorf("the file changed its time, by which a copy counts as current: %v, %v", now, err)
	}
}

// Every call is logged, target by target, and an export that held the page goes.
func TestForgetLogAndExports(t *testing.T) {
	t.Parallel()
	web := secretive(t)
	s := spec(t, web.URL+"/")
	run(t, s)
	set := filepath.Join(s.Dir, "export", "jsonl")
	for _, name := range []string{"data/train-0.jsonl.zst", "manifest.json", "README.md", "mine.txt"} {
		path := filepath.Join(set, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("秘密的正文"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if out := forgetIn(t, s.Dir, forget.Options{}, "nobody.cn"); len(out.Exports) > 0 {
		t.Errorf("exports %v were removed for nothing", out.Exports)
	}
	out := forgetIn(t, s.Dir, forget.Options{}, web.URL+"/there", "nobody.cn")
	if diff := cmp.Diff([]string{"export/jsonl"}, out.Exports); diff != "" {
		t.Errorf("exports (-want +got):\n%s", diff)
	}
	left, err := os.ReadDir(set)
	if err != nil || len(left) != 1 || left[0].Name() != "mine.txt" {
		t.Errorf("left in the export's folder: %v, error %v", left, err)
	}
	var logged []string
	for line := range strings.Lines(files(t, s.Dir)[local.ForgottenFile]) {
		var l struct {
			At, Target string
			Documents  int
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.At == "" {
			t.Errorf("line %q: %v", line, err)
		}
		logged = append(logged, fmt.Sprintf("%s %d", l.Target, l.Documents))
	}
	if diff := cmp.Diff([]string{"nobody.cn 0", web.URL + "/there 1", "nobody.cn 0"}, logged); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

// Sifted pages are refused, by every URL that they had, before anything is
// removed, and the log has what an interrupted call removed.
func TestForgetInSift(t *testing.T) {
	t.Parallel()
	d := &corpus.Document{URL: "http://a.test/was", FinalURL: "http://a.test/is", Text: "秘密的正文"}
	line, err := d.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	killed := errors.New("killed")
	for _, at := range []string{"note", "refuse", "file corpus/a.jsonl", "log", "end", ""} {
		t.Run("before "+at, func(t *testing.T) {
			dir := t.TempDir()
			err := errors.Join(os.Mkdir(filepath.Join(dir, "corpus"), 0o755), os.Mkdir(filepath.Join(dir, "warc"), 0o755), os.WriteFile(filepath.Join(dir, local.SiftFile), []byte("{}"), 0o644),
				os.WriteFile(filepath.Join(dir, "corpus", "a.jsonl"), line, 0o644))
			if err != nil {
				t.Fatal(err)
			}
			_, err = local.Forget(t.Context(), dir, targets(t, "https://a.test/was"), local.OnEffect(func(name string) error {
				if name == at {
					return killed
				}
				return nil
			}))
			if at != "" && !errors.Is(err, killed) {
				t.Fatal(err)
			}
			list, err := local.ReadForgotten(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, raw := range []string{d.URL, d.FinalURL} {
				u, err := urlnorm.Parse(raw)
				if err != nil {
					t.Fatal(err)
				}
				if kept := files(t, dir)["corpus/a.jsonl"] != ""; !kept && !list.Contains(u) {
					t.Errorf("%s is gone, and may come back", raw)
				}
			}
			if out := forgetIn(t, dir, forget.Options{}, "https://a.test/was"); !out.Refused {
				t.Errorf("gone: %+v", out)
			}
			checkGone(t, dir, "秘密的正文", "/is", "/was")
			var documents int64
			for _, l := range logLines(t, dir) {
				documents += l.Targets[0].Documents
			}
			if documents != 1 {
				t.Errorf("the log has %d documents, want 1", documents)
			}
		})
	}
}

// An export goes wherever it lies in the folder, whole or half removed; what is
// none, or none of this folder, stays.
func TestForgetExportsElsewhere(t *testing.T) {
	t.Parallel()
	web := secretive(t)
	s := spec(t, web.URL+"/")
	run(t, s)
	other := filepath.Join(s.Dir, "mine", "other")
	foreign := map[string]string{
		"mine/manifest.json":       `{"name":"app","folders":[{"path":"/nowhere"}]}`,
		"mine/notes/data/text.txt": "no dataset",
		"mine/notes/manifest.json": `{"v":1,"folders":[{"path":"../../../elsewhere"}]}`,
		"broken/manifest.json":     `[`,
	}
	for name, text := range foreign {
		path := filepath.Join(s.Dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := export.Run(t.Context(), []*export.Folder{{Dir: s.Dir}}, other, export.Options{Format: export.JSONL}, export.Tools{}); err != nil {
		t.Fatal(err)
	}
	plan := filepath.Join(s.Dir, "half", ".export", "plan.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(plan), 0o755), os.WriteFile(plan, []byte(`{"folders":[{"path":".."}]}`), 0o644)); err != nil {
		t.Fatal(err)
	}

	killed := errors.New("killed")
	_, err := local.Forget(t.Context(), s.Dir, targets(t, web.URL+"/there"), local.OnEffect(func(name string) error {
		if name == "export mine/other" {
			if err := os.Remove(filepath.Join(other, export.ManifestFile)); err != nil { // as a kill within it would leave it
				t.Error(err)
			}
			return killed
		}
		return nil
	}))
	if !errors.Is(err, killed) {
		t.Fatal(err)
	}
	out := forgetIn(t, s.Dir, forget.Options{}, web.URL+"/there")
	if diff := cmp.Diff([]string{"half", "mine/other"}, out.Exports); diff != "" {
		t.Errorf("exports (-want +got):\n%s", diff)
	}
	left := files(t, s.Dir)
	for name, text := range foreign {
		if left[name] != text {
			t.Errorf("%s is %q", name, left[name])
		}
	}
	for name := range left {
		if strings.HasPrefix(name, "mine/other/") || strings.HasPrefix(name, "half/") {
			t.Errorf("%s is left", name)
		}
	}
	checkGone(t, s.Dir, secrets...)
}

func TestForgetRefuses(t *testing.T) {
	t.Parallel()
	web := secretive(t)
	s := spec(t, web.URL+"/")
	c := open(t, s)
	_, err := local.Forget(t.Context(), s.Dir, targets(t, "a.cn"), forget.Options{})
	if !errors.Is(err, filecorpus.ErrBusy) {
		t.Errorf("in a folder in use: %v, want ErrBusy", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if _, err := local.Forget(t.Context(), dir, targets(t, "a.cn"), forget.Options{}); !errors.Is(err, local.ErrNoCrawl) {
			t.Errorf("in %s: %v, want ErrNoCrawl", dir, err)
		}
	}
}
