package local_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
	"sluice/shared/state/corpus"
	"sluice/shared/text/boilerplate"
)

// siteLines are under every article of bulletin; extraction takes them for
// text, as they are.
var siteLines = []string{
	"本报每天清晨为读者送上过去一天里最值得了解的事情，并由编辑部逐条核对其中的人名、地名与数字。",
	"读者若在文章里发现疏漏，可以写信告诉编辑部，编辑部会在三天之内答复来信并在原文下面注明更正。",
	"本报的历史文章全部保存在资料室，读者可以在开放时间前往查阅，也可以预约由工作人员代为查找。",
}

// bulletin is a site of articles that end alike, and of a page that has nothing
// but these endings.
func bulletin(t testing.TB) *site {
	t.Helper()
	var links strings.Builder
	pages := map[string]string{}
	var foot strings.Builder
	for _, s := range siteLines {
		fmt.Fprintf(&foot, "<p>%s</p>", s)
	}
	names := strings.Split("河流 山谷 码头 麦田 车站 灯塔 果园 桥梁 剧院 学堂 渔港 茶园", " ")
	for i, name := range names {
		path := fmt.Sprintf("/%d.html", i)
		fmt.Fprintf(&links, "<a href=%s>银行</a>", path)
		other := names[(i+5)%len(names)]
		pages[path] = fmt.Sprintf(`<title>银行与%s</title><article><p>银行在%s旁边开了一家新店，第一天来办事的人从早上排到了傍晚。</p>`+
			`<p>一位住在%s附近的老人说，过去要走很远的路，如今下楼就能把事情办完，省下不少时间。</p>`+
			`<p>店长介绍，今后还会在%s那边再开一家，并且把营业时间延长到晚上八点。</p>%s</article>`, name, name, name, other, &foot)
	}
	links.WriteString("<a href=/empty.html>银行</a>")
	pages["/empty.html"] = fmt.Sprintf("<title>银行</title><article>%s</article>", &foot)
	pages["/"] = "<title>股市</title>" + links.String()
	return serve(t, pages)
}

// documents reads the corpus in a folder, by path of the URL.
func documents(t testing.TB, dir string) map[string]*corpus.Document {
	t.Helper()
	all := map[string]*corpus.Document{}
	for _, d := range fixture.Lines[*corpus.Document](t, dir, "corpus", "*") {
		_, path, _ := strings.Cut(strings.TrimPrefix(d.FinalURL, "http://"), "/")
		if all["/"+path] != nil {
			t.Errorf("%s is there twice", d.FinalURL)
		}
		all["/"+path] = d
	}
	return all
}

// In the end no document has a line of the site's, not even the first ones; a page
// that had nothing else has no document; and the counts say so.
func TestBoilerplate(t *testing.T) {
	t.Parallel()
	web := bulletin(t)
	s := spec(t, web.URL+"/")
	s.Delay = 0
	sum := run(t, s)
	docs := documents(t, s.Dir)
	wantBulletin(t, docs)
	if sum.Kept != 12 || sum.RefusedLater != 1 || sum.Rules[boilerplate.Rule] != 1 || sum.Kept != int64(len(docs)) {
		t.Errorf("kept %d of %d documents, refused later %d, by rules %v", sum.Kept, len(docs), sum.RefusedLater, sum.Rules)
	}
	if n := lines(t, s.Dir, "rejects"); n != sum.Rejected {
		t.Errorf("%d rejects, the summary has %d", n, sum.Rejected)
	}
	x := explain(t, folder(t, s.Dir), web.URL+"/empty.html")
	if x.Kept || x.Fate != "rejected" || x.Rule != boilerplate.Rule {
		t.Errorf("explain says of the page of furniture: %s by %q, kept %v", x.Fate, x.Rule, x.Kept)
	}
}

func wantBulletin(t *testing.T, docs map[string]*corpus.Document) {
	t.Helper()
	if len(docs) != 12 {
		t.Errorf("%d documents, want 12", len(docs))
	}
	for path, d := range docs {
		if strings.Contains(d.Text, "本报") || strings.Count(d.Text, "\n") != 2 {
			t.Errorf("%s: text %q", path, d.Text)
		}
		if b := d.Boilerplate; b.Lines != 3 || b.Characters != 137 || len(b.Learned) != 16 {
			t.Errorf("%s: boilerplate %+v", path, b)
		}
		if d.Quality.Lines != 3 || d.WARC.Length == 0 || d.Path.Anchor != "银行" {
			t.Errorf("%s: quality is of %d lines, WARC %+v, path %+v", path, d.Quality.Lines, d.WARC, d.Path)
		}
	}
}

// The end of a crawl may be interrupted at any of its effects and begun again:
// the result is the same, and nothing is there twice.
func TestBoilerplateIsFinishedLater(t *testing.T) {
	t.Parallel()
	web := bulletin(t)
	s := spec(t, web.URL+"/")
	s.Delay, s.MaxPages = 0, 7
	first := run(t, s)
	if first.StopReason != "max_pages" {
		t.Fatalf("stopped by %s", first.StopReason)
	}
	s.Resume, s.MaxPages = true, 100
	second := run(t, s)
	docs := documents(t, s.Dir)
	wantBulletin(t, docs)
	if second.Kept != 12 || second.RefusedLater != 1 {
		t.Errorf("resumed: kept %d, refused later %d", second.Kept, second.RefusedLater)
	}

	// A kill between the reject and the file: the document is where it was.
	undo(t, s.Dir, docs)
	third := run(t, s)
	wantBulletin(t, documents(t, s.Dir))
	if third.Kept != 12 || third.RefusedLater != 1 || lines(t, s.Dir, "rejects") != third.Rejected {
		t.Errorf("again: kept %d, refused later %d, rejected %d of %d", third.Kept, third.RefusedLater, third.Rejected, lines(t, s.Dir, "rejects"))
	}
	if diff := cmp.Diff(docs, documents(t, s.Dir)); diff != "" {
		t.Errorf("documents are others than before (-want +got):\n%s", diff)
	}
}

// undo makes the last documents those of a crawl that knows nothing of its
// host, and puts one back that was refused.
func undo(t *testing.T, dir string, docs map[string]*corpus.Document) {
	t.Helper()
	var all []byte
	for path, d := range docs {
		old := *d
		if path != "/3.html" {
			old.Boilerplate, old.Text = corpus.Boilerplate{}, d.Text+"\n"+strings.Join(siteLines, "\n")
		}
		line, err := old.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, line...)
	}
	refused := exchange(t, dir, "/empty.html")
	line, err := refused.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "corpus", "00001.jsonl"), append(all, line...), 0o644); err != nil {
		t.Fatal(err)
	}
}

// exchange returns a document that leads to the exchange of a path.
func exchange(t *testing.T, dir, path string) *corpus.Document {
	t.Helper()
	const file = "warc/00001.warc.gz"
	f, err := os.Open(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for rec, err := range corpus.ReadWARC(f) {
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type == "response" && strings.HasSuffix(rec.TargetURI, path) {
			return &corpus.Document{
				FinalURL: rec.TargetURI, Text: strings.Join(siteLines, "\n"),
				WARC: corpus.Location{File: file, Offset: rec.Offset, Length: rec.Length},
			}
		}
	}
	t.Fatalf("no exchange of %s", path)
	return nil
}

// If no line recurs, no page is looked at again.
func TestNoBoilerplate(t *testing.T) {
	t.Parallel()
	s := spec(t, money(t).URL+"/")
	sum := run(t, s)
	if sum.RefusedLater != 0 {
		t.Errorf("refused later: %d", sum.RefusedLater)
	}
	for path, d := range documents(t, s.Dir) {
		if d.Boilerplate != (corpus.Boilerplate{}) {
			t.Errorf("%s: boilerplate %+v", path, d.Boilerplate)
		}
	}
}
