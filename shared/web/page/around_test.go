package page

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// contexts returns the context of each link of a page, by URL.
func contexts(t *testing.T, text string) map[string]string {
	t.Helper()
	_, p, err := ReadContexts([]byte(text), "text/html; charset=utf-8", mustURL(t, "http://a.test/"))
	if err != nil {
		t.Fatalf("ReadContexts: %v", err)
	}
	got := map[string]string{}
	for _, l := range p.Links {
		got[strings.TrimPrefix(l.URL.String(), "http://a.test/")] = l.Context
	}
	return got
}

func TestContexts(t *testing.T) {
	got := contexts(t, `<title>名</title><p>央行 <script>no()</script>宣布<a href=/1>降息</a><a href=/2><img alt=图></a>之后</p>
		<div>股市<a href=/1>央行降息</a>上涨 <template>无<a href=/no>无</a></template></div><a href=/3>更多</a>`)
	for url, want := range map[string]string{
		"1": "央行 宣布 降息 之后 股市 上涨 更多", // of the longer anchor
		"2": "央行 宣布 降息 之后 股市 央行降息 上涨 更多",
		"3": "央行 宣布 降息 之后 股市 央行降息 上涨",
	} {
		if got[url] != want {
			t.Errorf("context of %s = %q, want %q", url, got[url], want)
		}
	}

	long := strings.Repeat("前", 3*maxAround) + "<a href=/>本</a>" + strings.Repeat("后", 3*maxAround)
	want := strings.Repeat("前", maxAround) + " " + strings.Repeat("后", maxAround-1) // and a space
	if got := contexts(t, long)[""]; got != want {
		t.Errorf("context of %d runes = %q, want %q", utf8.RuneCountInString(got), got, want)
	}

	huge := strings.Repeat("字", maxVisible) + "<a href=/>本</a>后"
	if got := contexts(t, huge)[""]; got != strings.Repeat("字", maxAround) {
		t.Errorf("context behind the limit = %q", got)
	}
	for _, l := range parse(t, "央行<a href=/>降息</a>").Links {
		if l.Context != "" {
			t.Errorf("Parse took the context %q", l.Context)
		}
	}
}
