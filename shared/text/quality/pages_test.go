package quality

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/shared/evaldata"
	"sluice/shared/text/body"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// TestNewsPages holds the default rules to the 222 news pages of DAnIEL: at
// most 1 % of the articles may be rejected, as extracted and as the reference
// has them. Pages that were saved in another charset than they name are counted
// apart: nothing of them can be read.
func TestNewsPages(t *testing.T) {
	dir := evaldata.Path(t, "data/html/daniel_zh")
	pages, err := os.ReadDir(filepath.Join(dir, "html"))
	if err != nil {
		t.Fatal(err)
	}
	rules := Default("zh")
	var extracted, references, unreadable int
	for _, entry := range pages {
		name := entry.Name()
		switch all := rules.Failures(measure(extract(t, filepath.Join(dir, "html", name)))); {
		case len(all) == 0:
		case breaks(all, "quality_han"):
			unreadable++
		default:
			extracted++
			t.Logf("extracted: %v %s", all, name)
		}
		reference := strings.NewReplacer("<p>", "", "</p>", "").Replace(read(t, filepath.Join(dir, "reference", name)))
		if all := rules.Failures(measure(reference)); len(all) > 0 {
			references++
			t.Logf("reference: %v %s", all, name)
		}
	}
	if most := len(pages) / 100; len(pages) == 0 || extracted > most || references > most || unreadable > most {
		t.Errorf("of %d pages %d extracted texts and %d references rejected, %d unreadable: want at most %d each",
			len(pages), extracted, references, unreadable, most)
	}
}

func breaks(all []Failure, rule string) bool {
	for _, f := range all {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// extract returns the main text of a page.
func extract(t *testing.T, path string) string {
	t.Helper()
	base, err := urlnorm.Parse("https://www.example.com/news/1.html")
	if err != nil {
		t.Fatal(err)
	}
	text, charset := page.Decode([]byte(read(t, path)), "text/html")
	hint, err := page.Parse(text, charset, base)
	if err != nil {
		t.Fatal(err)
	}
	b, err := body.Extract(text, base.String(), hint, body.Options{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return b.Text
}
