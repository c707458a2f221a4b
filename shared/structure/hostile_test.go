package structure

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"sluice/shared/short"
	"sluice/shared/web/page"
)

// The work on any page is bounded, and its lists have records.
func TestHostilePages(t *testing.T) {
	short.Skip(t, "large pages, and one goroutine for each")
	t.Parallel()
	base := &url.URL{Scheme: "https", Host: "board.test"}
	deep := strings.Repeat("<div class=a><ul><li>", 160)
	for name, page := range map[string]string{
		"deep":             deep + "x", // below the limit of package page
		"deep beside deep": strings.Repeat(deep+"<a href=/x>x</a>"+strings.Repeat("</li></ul></div>", 160), 60),
		"equal siblings":   "<ul>" + strings.Repeat("<li><a href=/a>one of very many</a>", 100_000),
		"different siblings": "<ul>" + generated(100_000, func(i int) string {
			return fmt.Sprintf("<li class=%c%d><a href=/%d>x</a>%s", 'a'+i%26, i%7, i, strings.Repeat("<b><i>y</i></b>", i%5))
		}),
		"different shapes": "<div>" + generated(20_000, func(i int) string {
			var b strings.Builder
			b.WriteString("<div>")
			for k := range 15 {
				fmt.Fprintf(&b, "<%c>x</%[1]c>", []rune("pqabiu")[(i>>k)%2+2*(k%2)])
			}
			return b.String() + "</div>"
		}),
		"kinds of three": "<div>" + generated(30_000, func(i int) string {
			c := 'a' + rune(i/3%26)
			return fmt.Sprintf("<%c%[1]c%d><a href=/%[2]d>text</a></%[1]c%[1]c%[2]d>", c, i/3)
		}),
		"alternating":   "<dl>" + strings.Repeat("<dt><a href=/a>head</a><dd>text<dd>more", 30_000),
		"nested tables": strings.Repeat("<table><tr><td>1<td><a href=/a>two</a><tr><td>", 100) + strings.Repeat("<tr><td>x<td>y", 20_000),
		"headings in headings": "<div id=list>" + strings.Repeat("<div><a href=/user/ann>ann</a> 10:30", 5) +
			strings.Repeat("<div class=x><h2><span>", 100) + strings.Repeat("1 a ago ", 100_000),
		"10 MB of text": "<p>" + strings.Repeat("text of no end ", 700_000),
		"10 MB of tags": strings.Repeat("<div><a href=/a>t</a><p>x</div>", 330_000),
	} {
		t.Run(name, func(t *testing.T) {
			root := parse(t, page)
			for _, l := range Analyze(root, nil).Lists {
				l.Posts(base)
				if len(l.Records) == 0 || l.RecordXPath == "" {
					t.Errorf("a list of %d records at %q", len(l.Records), l.RecordXPath)
				}
			}
		})
	}
}

// Pages with elements nested without end are refused before anything is compared; those at the
// limit are among the pages above.
func TestNestedPages(t *testing.T) {
	t.Parallel()
	for _, one := range []string{"<div><ul><li><a href=/a>a record</a>", "<table><tr><td>one<td><a href=/a>two</a>", "<span>x", "<div><p>a line</p>"} {
		if _, err := page.TreeOf([]byte(strings.Repeat(one, 20_000)), "text/html"); err == nil {
			t.Errorf("20,000 nested %s are no error", one)
		}
	}
}

func generated(n int, one func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(one(i))
	}
	return b.String()
}
