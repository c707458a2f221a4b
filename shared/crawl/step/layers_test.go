package step

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sluice/shared/web/urlnorm"
)

func TestLayerOf(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test":                           "/",
		"http://a.test/product/12345.html":        "/product/#.html",
		"http://a.test/2024-03/26/c_10118.htm":    "/#-#/#/c_#.htm",
		"http://a.test/list.php?cat=3&page=2":     "/list.php?cat&page",
		"http://a.test/news/":                     "/news/",
		"http://a.test/a/the-long-title-of-a-day": "/a/~",
	} {
		u, err := urlnorm.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		if got := layerOf(u); got != want {
			t.Errorf("layer of %s is %q, want %q", url, got, want)
		}
	}
}

func TestVerdict(t *testing.T) {
	l := layers{
		"/a/#": {2, 1}, "/b/#": {0, 2}, "/c/#": {1, 1},
		"/shelf/pears": {1, 0}, "/shelf/plums": {2, 0}, "/shelf/figs": {1, 0},
		"/mixed/x": {1, 0}, "/mixed/y": {0, 1}, "/mixed/z": {1, 0},
		"/one": {1, 0}, "/two": {1, 0}, "/three": {1, 0},
	}
	for i := range manyKin {
		l["/item/"+strings.Repeat("a", i+1)] = [2]int{i / 7, 1}
	}
	for name, want := range map[string]string{
		"/a/#": Static, "/b/#": Dynamic, "/c/#": Unknown, "/d/#": Unknown,
		"/shelf/nuts": Static, "/shelf/nuts?p": Unknown, "/shelf/nuts.html": Unknown, "/shelf/#": Unknown, "/shelf/pears": Unknown,
		"/mixed/other": Unknown, "/four": Unknown, "/item/other": Dynamic, "/item/other/#": Unknown,
	} {
		if got := l.verdict(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// Layers without number take no more room than others, and are decided by those that
// are known.
func TestLayersAreBounded(t *testing.T) {
	l := layers{}
	for i := range 100_000 {
		name := fmt.Sprintf("/%x/%d", i*i, i)
		if l.verdict(name) == Unknown {
			l.count(name, dynamicPages)
		}
	}
	data, err := json.Marshal(l)
	if err != nil || len(data) > maxLayersSize {
		t.Errorf("%d bytes, limit %d, error %v", len(data), maxLayersSize, err)
	}
	if got := l.verdict("/new/#"); got != Dynamic {
		t.Errorf("a layer for which there is no room is %s", got)
	}
}
