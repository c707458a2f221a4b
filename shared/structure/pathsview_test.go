package structure

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/antchfx/htmlquery"

	"sluice/shared/web/fetch"
	"sluice/shared/web/render"
)

// evaluate writes the texts of the elements at each path into the document's title.
const evaluate = `<script>addEventListener('load', () => {
	const texts = path => {
		const r = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
		return Array.from({length: r.snapshotLength}, (_, i) => r.snapshotItem(i).textContent.replace(/\s+/g, ''));
	};
	document.title = JSON.stringify(%s.map(texts));
})</script>`

// A browser selects the same regions and records.
func TestPathsInView(t *testing.T) {
	path := os.Getenv("SLUICE_BROWSER")
	if path == "" {
		t.Skip("SLUICE_BROWSER names no browser: run make test-browser")
	}
	var served string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, served)
	}))
	defer s.Close()
	guard, err := fetch.NewGuard(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	browser, err := render.New(render.Options{Path: path, Guard: guard})
	if err != nil {
		t.Fatal(err)
	}
	defer browser.Close()
	checked := 0
	for _, tt := range pages {
		page := whole(tt.page)
		paths, want := []string{}, [][]string{}
		for _, l := range Analyze(parse(t, page), nil).Lists {
			var records []string
			for _, r := range l.Records {
				records = append(records, letters(r[0]))
			}
			paths, want = append(paths, l.XPath, l.RecordXPath), append(want, []string{letters(l.Region)}, records)
		}
		if len(paths) == 0 {
			continue
		}
		list, err := json.Marshal(paths)
		if err != nil {
			t.Fatal(err)
		}
		served = page + fmt.Sprintf(evaluate, list)
		shown, err := browser.Render(t.Context(), s.URL)
		if err != nil {
			t.Fatal(err)
		}
		title := htmlquery.FindOne(parse(t, string(shown.HTML)), "//title")
		var got [][]string
		if title == nil || json.Unmarshal([]byte(htmlquery.InnerText(title)), &got) != nil || len(got) != len(want) {
			t.Fatalf("%s: the browser shows %.300s", tt.name, shown.HTML)
		}
		for i := range want {
			checked++
			if !slices.Equal(got[i], want[i]) {
				t.Errorf("%s: %s selects %d elements (%s), want %d", tt.name, paths[i], len(got[i]), strings.Join(got[i], "|"), len(want[i]))
			}
		}
	}
	if checked == 0 {
		t.Error("no path was checked")
	}
	t.Logf("%d paths", checked)
}
