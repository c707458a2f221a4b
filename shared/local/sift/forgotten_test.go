package sift

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/local"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
)

func forgetIn(t testing.TB, dir string, names ...string) *local.Forgotten {
	t.Helper()
	targets, err := forget.ParseAll(names)
	if err != nil {
		t.Fatal(err)
	}
	out, err := local.Forget(t.Context(), dir, targets, forget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What was forgotten in a folder does not come back by another archive, in any
// spelling and of any kind; archives that are done stay as they are.
func TestForgotten(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	text := func(url, final string, n int) string {
		return object1(t, map[string]any{"url": url, "final_url": final, "text": article("银行", n), "title": "股市"})
	}
	june := write(t, dir, "june.jsonl", text("http://a.test/was", "http://a.test/is", 1)+text("http://a.test/2", "", 2)+text("http://b.test/", "", 3))
	if r := sifted(t, out, june); r.Total.Kept != 3 {
		t.Fatalf("%+v", r.Total)
	}
	if gone := forgetIn(t, out, "HTTPS://A.test:443/x/../was#top", "*.c.test"); !gone.Refused || gone.Targets[0].Documents != 1 {
		t.Errorf("gone: %+v", gone)
	}
	after := tree(t, out)
	for name, content := range after {
		if strings.Contains(content, "/is") || strings.Contains(content, "/was") && name != local.ForgottenFile {
			t.Errorf("%s tells what is forgotten", name)
		}
	}
	if again := sifted(t, out, june); !again.Inputs[0].Before {
		t.Error("an archive that was done is sifted again")
	}
	if diff := cmp.Diff(after, tree(t, out)); diff != "" {
		t.Errorf("sifting it again changed the folder:\n%s", diff)
	}

	july := write(t, dir, "july.jsonl", text("http://a.test/is", "", 1)+ // where it was found, now asked for
		text("http://A.TEST/./was", "http://a.test/elsewhere", 4)+
		text("https://deep.c.test/x", "", 5)+
		text("http://a.test/3", "", 6)+
		object1(t, map[string]any{"url": "http://c.test/", "text": "Not about it, and not in Chinese at all, so that it is refused anyway."}))
	august := write(t, dir, "august.warc.gz", gz(t,
		response("http://a.test/was", html("股市 银行", article("银行", 1))), response("http://a.test/4", html("股市 银行", article("银行", 7)))))
	wet := write(t, dir, "august.wet", conversion("http://www.c.test/", "股市 银行\n"+article("银行", 8)))
	r := sifted(t, out, july, august, wet)
	if r.Total.Kept != 2 || r.Total.Rules["forgotten"] != 6 {
		t.Errorf("kept %d, by rule %v", r.Total.Kept, r.Total.Rules)
	}
	want := []string{
		"http://a.test/is forgotten", "http://A.TEST/./was forgotten", "https://deep.c.test/x forgotten", "http://c.test/ forgotten",
	}
	if diff := cmp.Diff(want, rules(t, out, "july")); diff != "" {
		t.Errorf("rejects (-want +got):\n%s", diff)
	}
	for name, content := range tree(t, out) {
		for _, n := range []int{1, 4, 5, 8} {
			if line, _, _ := strings.Cut(article("银行", n), "。"); strings.Contains(content, line) {
				t.Errorf("%s holds the text of article %d", name, n)
			}
		}
		if strings.HasPrefix(name, corpus.RejectFolder) && (strings.Contains(content, "股市") || strings.Contains(content, "Not about it")) {
			t.Errorf("%s holds what the pages say", name)
		}
	}
}

// The log alone is enough, as older folders have it; one that cannot be read is
// an error, and nothing is sifted.
func TestForgottenLog(t *testing.T) {
	line := object1(t, map[string]any{"url": "http://a.test/1", "text": article("银行", 1)})
	for _, tt := range []struct {
		name, log string
		kept      int64
		wrong     bool
	}{
		{name: "another page", log: `{"at":"2026-11-21T00:00:00Z","target":"http://a.test/2","documents":1}`, kept: 1},
		{name: "the page", log: `{"target":"http://a.test/2"}` + "\n" + `{"target":"https://a.test/1"}` + "\n"},
		{name: "the host", log: `{"target":"a.test"}`},
		{name: "half a line", log: `{"target":"http://a.test/1"}` + "\n" + `{"target":"http://a.te`},
		{name: "half a line, ended", log: `{"target":"http://a.te` + "\n", wrong: true},
		{name: "no target", log: `{}`, wrong: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			out := filepath.Join(dir, "out")
			sifted(t, out, write(t, dir, "first.jsonl", articles(t, 5, 1)))
			write(t, out, local.ForgottenFile, tt.log)
			r, err := trySift(t, out, topicFile, write(t, dir, "in.jsonl", line))
			if (err != nil) != tt.wrong {
				t.Fatalf("error %v", err)
			}
			if err == nil && r.Total.Kept != tt.kept {
				t.Errorf("%d kept, want %d", r.Total.Kept, tt.kept)
			}
		})
	}
}

// A page that stays says no more on which forgotten page it was found.
func TestForgottenParent(t *testing.T) {
	trace := `{"v":1,"link":{"url":"http://a.test/child","seed":"http://a.test/","parent":"http://a.test/gone","anchor":"秘密","depth":1}}`
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	sifted(t, out, write(t, dir, "first.jsonl", articles(t, 5, 1)))
	forgetIn(t, out, "http://a.test/gone")
	sifted(t, out, write(t, dir, "in.warc", response("http://a.test/child", html("股市 银行", article("银行", 1)))+
		record("metadata", "http://a.test/child", "application/json", trace, "WARC-Concurrent-To: <urn:uuid:http://a.test/child>")))
	docs := documents(t, out, "in")
	if len(docs) != 1 || docs[0].Path.Seed == "" || docs[0].Path.Parent != "" || docs[0].Path.Anchor != "" {
		t.Errorf("documents are %+v", docs)
	}
}
