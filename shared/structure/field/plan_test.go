package field

import (
	"slices"
	"strings"
	"testing"

	"github.com/antchfx/htmlquery"
	"golang.org/x/net/html"

	"sluice/shared/structure"
)

const marked = `<html><body><div id=x class="a  b"><h1>One  <i>two</i></h1><p>Price: <b> 5 </b> rest<br>more</p></div>
<div class="b"><dl><dt> Brand
 </dt><dd>甲</dd><dt>Brand</dt><dd>乙</dd></dl></div>
<table><tr><th>Name</th><td>丙</td></tr><tr><th>Type: new</th><td><a href=/u>丁</a></td></tr></table><meta name=k content=v></body></html>`

// The plans of paths find what the library finds.
func TestPlans(t *testing.T) {
	root, err := html.Parse(strings.NewReader(marked))
	if err != nil {
		t.Fatal(err)
	}
	for _, xpath := range []string{
		"//*[@id='x']", "//*[@id='y']", "//h1", "//meta[@name='k']/@content", "//*[@id='x']/p[1]/text()[2]", "//*[@id='x']/p[1]/b[1]",
		"//div[contains(concat(' ',normalize-space(@class),' '),' b ')]", "//div[contains(concat(' ',normalize-space(@class),' '),' b ')]/dl[1]/dd[2]",
		"//dt[normalize-space(.)='Brand']/following-sibling::dd[1]", "//text()[normalize-space(.)='Brand']/ancestor::dl[1]/dd[2]",
		"//h1[normalize-space(.)='One two']", "//h1[normalize-space(.)='One']", "//h1[normalize-space(.)='One two three']",
		"//text()[starts-with(normalize-space(.),'Price:')]/ancestor::p[1]/b[1]", "//text()[starts-with(normalize-space(.),'Type')]/ancestor::tr[1]/td[1]/a[1]/@href",
		"//th[normalize-space(.)='Name']/ancestor::tr[1]/following-sibling::tr[1]/td[1]", "//table//tr[2]/td[1]", "/html[1]/body[1]/div[2]/dl[1]/dt[1]", "//p/text()[1]",
	} {
		p, ok := newPlan(xpath)
		if !ok {
			t.Errorf("%s is not taken apart", xpath)
			continue
		}
		anchors := []*html.Node{root}
		if p.anchor.kind != atRoot {
			anchors = newScanner([]*plan{p}).scan(root)[0]
		}
		var got []string
		for _, n := range anchors {
			if n = follow(n, p.steps); n != nil {
				text := raw(n)
				if p.attr != "" {
					text = structure.Attr(n, p.attr)
				}
				got = append(got, text)
			}
		}
		var want []string
		for _, n := range htmlquery.Find(root, xpath) {
			want = append(want, htmlquery.InnerText(n))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", xpath, got, want)
		}
	}
	for _, xpath := range []string{"", "//div[@id=\"x\"]", "//a | //b", "(//a)[1]", "//a/b", "//*", "count(//a)", "//p[text()='5']"} {
		if p, ok := newPlan(xpath); ok {
			t.Errorf("%q is taken apart to %+v", xpath, p)
		}
	}
}
