package e2e_test

import (
	"bytes"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/simplifiedchinese"

	"sluice/e2e/programs"
)

// A crawl of the news web for finance requests nothing twice and nothing that
// robots.txt forbids, and its documents match the pages.
func TestNewsCorpus(t *testing.T) {
	long(t)
	web := serve(t, "-robots", "www.portal.test=/v/", "-latency", "2ms")
	out := filepath.Join(t.TempDir(), "out")
	sum := sluice(t, crawlArgs(topicFinance, out, web, newsSeeds(t))...).summary(t, exitDone)

	docs := corpus(t, out)
	if sum.StopReason != "harvest_rate" || sum.Kept < 60 || sum.DeadLetters != 0 {
		t.Errorf("stop reason %q, %d kept, %d dead; want harvest_rate, 60 at least, none", sum.StopReason, sum.Kept, sum.DeadLetters)
	}
	if sum.Kept != len(docs) || sum.Rejected != len(rejects(t, out)) {
		t.Errorf("summary counts %d kept and %d rejected, the files %d and %d", sum.Kept, sum.Rejected, len(docs), len(rejects(t, out)))
	}
	a := web.account(t)
	t.Logf("%d requests", a.Requests)
	if a.Repeated != 0 || a.Denied != 0 || a.Requests != sum.Fetched {
		t.Errorf("server saw %d requests, %d repeated, %d denied by robots.txt; crawler says %d", a.Requests, a.Repeated, a.Denied, sum.Fetched)
	}
	for _, h := range web.pages(t) {
		if !strings.Contains(h.Agent, contact) {
			t.Fatalf("User-Agent %q names no contact", h.Agent)
		}
	}
	pages := newsPages(t, func(f frozen) bool { _, ok := docs[f.URL]; return ok })
	t.Run("archive", func(t *testing.T) { checkArchive(t, out, docs, pages) })
	t.Run("charset", func(t *testing.T) { checkCharset(t, docs, pages) })
	t.Run("other reader", func(t *testing.T) { checkByOthers(t, out) })
}

// Every document's location leads to the bytes that the server sent.
func checkArchive(t *testing.T, out string, docs map[string]document, pages map[string]frozen) {
	for u, d := range docs {
		if page, ok := pages[u]; !ok {
			t.Errorf("%s is in the corpus and not in the web", u)
		} else if !bytes.Equal(archived(t, out, d), page.body()) {
			t.Errorf("%s: the archived body is not what the server sent", u)
		}
	}
}

// masks stand for personal data.
var masks = regexp.MustCompile(`<[A-Z_]+>`)

// Titles and texts are those of the page, decoded without our own code.
func checkCharset(t *testing.T, docs map[string]document, pages map[string]frozen) {
	gb18030 := 0
	for _, u := range slices.Sorted(maps.Keys(docs)) {
		d, text := docs[u], pages[u].body()
		if !utf8.Valid(text) {
			var err error
			if text, err = simplifiedchinese.GB18030.NewDecoder().Bytes(text); err != nil {
				t.Fatalf("decode frozen page %s: %v", u, err)
			}
		}
		if parsed, err := url.Parse(u); err == nil && strings.HasSuffix(parsed.Hostname(), ".portal.test") {
			gb18030++
			if d.Charset != "gb18030" {
				t.Errorf("%s was read as %s", u, d.Charset)
			}
		}
		said := letters(visible(text))
		for _, s := range append(strings.Split(d.Text, "\n"), d.Title) {
			switch {
			case !utf8.ValidString(s) || strings.ContainsRune(s, utf8.RuneError):
				t.Errorf("%s: broken characters in %q", u, s)
			case slices.ContainsFunc(masks.Split(s, -1), func(part string) bool { return !strings.Contains(said, letters(part)) }):
				t.Errorf("%s: the page does not say %q", u, s)
			}
		}
	}
	if gb18030 < 30 {
		t.Errorf("%d documents of the GB18030 hosts, want 30 at least", gb18030)
	}
}

// visible is the text of a page, title included.
func visible(page []byte) string {
	var b strings.Builder
	for z := html.NewTokenizer(bytes.NewReader(page)); z.Next() != html.ErrorToken; {
		if tok := z.Token(); tok.Type == html.TextToken {
			b.WriteString(tok.Data)
		}
	}
	return b.String()
}

// letters removes white space and invisible characters.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, s)
}

// checkByOthers validates the output with a foreign WARC reader: that of the
// environment "readers", which CI creates if it is missing, or an installed
// one.
func checkByOthers(t *testing.T, out string) {
	infra := filepath.Join("..", "infra")
	python, err := filepath.Abs(filepath.Join("..", ".venv", "readers", "bin", "python"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CI") == "true" {
		if b, err := exec.CommandContext(t.Context(), filepath.Join(infra, "venv"), "readers").CombinedOutput(); err != nil {
			t.Fatalf("make the environment of the readers: %v\n%s", err, b)
		}
	} else if !programs.Exist(python) {
		python = "python3"
		if exec.CommandContext(t.Context(), python, "-c", "import warcio").Run() != nil {
			t.Skip("no WARC reader: infra/venv readers installs one")
		}
	}
	b, err := exec.CommandContext(t.Context(), python, filepath.Join(infra, "warccheck", "check.py"), out).CombinedOutput()
	if err != nil {
		t.Errorf("check.py: %v\n%s", err, b)
	}
	t.Logf("check.py: %s", b)
}
