package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator/operatortest"
	"sluice/shared/demo"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/fixture"
	"sluice/shared/local"
	"sluice/shared/state/job"
	"sluice/topics"
)

// A crawl on a stack becomes the same web as one in a folder.
func TestStackExportWeb(t *testing.T) {
	s := operatortest.New(t)
	srv := httptest.NewServer(demo.New())
	t.Cleanup(srv.Close)
	dir := t.TempDir()
	out, web, there := filepath.Join(dir, "out"), filepath.Join(dir, "here.web"), filepath.Join(dir, "there.web")
	topic := filepath.Join(dir, "finance.yaml")
	if err := os.WriteFile(topic, topics.Finance, 0o600); err != nil {
		t.Fatal(err)
	}
	sluice(t, cli.ExitDone, "", "crawl", "--topic", topic, "--proxy", srv.URL, "--seed", "http://www.caijing.demo.test/", "--delay", "0s", "--max-pages", "30", "--out", out)
	sluice(t, cli.ExitDone, "", "export", out, "--format", "web", "--out", web)

	move(t, s, out)
	sluice(t, cli.ExitUsage, "", "export", "--stack", s.Name, "other", "--format", "web", "--out", there)
	said, _ := sluice(t, cli.ExitDone, "", "export", "--stack", s.Name, "c", "--format", "web", "--out", there)
	wantSaid(t, said, "there.web: ", "next  sluice eval strategies --web ")
	left, err := filepath.Glob(filepath.Join(dir, ".web-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	if diff := cmp.Diff(pagesOf(t, web), pagesOf(t, there)); diff != "" {
		t.Errorf("pages (-folder +stack):\n%s", diff)
	}
}

// move puts a crawl of a folder on a stack.
func move(t *testing.T, s *operatortest.Stack, dir string) {
	t.Helper()
	s.PutObject(t, "topics/finance.yaml", string(topics.Finance))
	s.Create(t, job.Message{Crawl: "c", Topic: "topics/finance.yaml", Seeds: []string{"http://www.caijing.demo.test/"}})
	for from, to := range map[string]string{"warc": "raw", "corpus": "corpus", "rejects": "rejects"} {
		for name, data := range fixture.Files(t, dir, from, "*") {
			if from != "warc" {
				data = bytes.ReplaceAll(data, []byte(`"warc":{"file":"warc/`), []byte(`"warc":{"file":"raw/c/`))
			}
			s.PutObject(t, to+"/c/"+filepath.Base(name), string(data))
		}
	}
	folder, err := local.OpenFolder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	for ends, err := range folder.Ends(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range ends {
			e := *ends[i].Entry
			if e.Segment != "" {
				e.Segment = "raw/c/" + filepath.Base(e.Segment)
			}
			ends[i].Entry = &e
		}
		s.End(t, "c", ends...)
	}
}

// pagesOf are the pages of a frozen web, by URL.
func pagesOf(t *testing.T, path string) map[string]frozenweb.Page {
	t.Helper()
	web, err := frozenweb.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]frozenweb.Page{}
	for _, p := range web.Pages {
		pages[p.URL] = p
	}
	if len(pages) < 20 {
		t.Errorf("%s has %d pages", path, len(pages))
	}
	return pages
}
