package demo

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// answer is a response that has been read.
type answer struct {
	url    *url.URL // that was asked for
	code   int
	header http.Header
	body   []byte
}

// get asks the web for an absolute URL, as a proxy client would.
func get(t testing.TB, w *Web, url string) answer {
	t.Helper()
	rec := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	w.ServeHTTP(rec, r)
	return answer{url: r.URL, code: rec.Code, header: rec.Header(), body: rec.Body.Bytes()}
}

func (a answer) isHTML() bool { return strings.HasPrefix(a.header.Get("Content-Type"), "text/html") }

// text is the body in the charset that it declares, gb2312 read as GB18030.
func (a answer) text(t testing.TB) string {
	t.Helper()
	e, name, _ := charset.DetermineEncoding(a.body, a.header.Get("Content-Type"))
	if name == "gbk" {
		e = simplifiedchinese.GB18030
	}
	text, err := e.NewDecoder().Bytes(a.body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (a answer) parse(t testing.TB) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(a.text(t)))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// links returns where the answer leads: the target of a redirect, the anchors
// of a page without scripts and fragments.
func (a answer) links(t testing.TB) []anchor {
	t.Helper()
	if a.code/100 == 3 {
		return []anchor{a.resolve(t, a.header.Get("Location"), "")}
	}
	if !a.isHTML() {
		return nil
	}
	var out []anchor
	for n := range a.parse(t).Descendants() {
		if n.Type != html.ElementNode || n.Data != "a" {
			continue
		}
		for _, at := range n.Attr {
			if at.Key == "href" && !strings.HasPrefix(at.Val, "javascript:") && at.Val != "#" {
				out = append(out, a.resolve(t, at.Val, textOf(n)))
			}
		}
	}
	return out
}

func (a answer) resolve(t testing.TB, ref, text string) anchor {
	t.Helper()
	to, err := a.url.Parse(ref)
	if err != nil {
		t.Fatalf("%s leads to %q: %v", a.url, ref, err)
	}
	return anchor{url: to.String(), text: text}
}

type anchor struct{ url, text string }

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// walk fetches everything that links lead to from the seeds, of the endless
// parts only the beginning, and hands each answer to visit.
func walk(t testing.TB, w *Web, visit func(url string, a answer)) {
	t.Helper()
	seen := map[string]bool{}
	for queue := w.Seeds(); len(queue) > 0; queue = queue[1:] {
		at := canonical(queue[0])
		if seen[at] || strings.Contains(at, "?year=2026") {
			continue
		}
		seen[at] = true
		a := get(t, w, at)
		visit(at, a)
		for _, l := range a.links(t) {
			queue = append(queue, l.url)
		}
	}
}

// canonical drops tracking parameters and session ids.
func canonical(u string) string {
	for _, param := range []string{"?utm_source=", "&utm_source=", "?PHPSESSID="} {
		u, _, _ = strings.Cut(u, param)
	}
	return u
}
