package records

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
	"sluice/shared/web/page"
)

// shopReader reads names and, in the layer of details, as many other fields as are named.
func shopReader(t *testing.T, fields ...string) *Reader {
	t.Helper()
	shop, err := template.Load("shop")
	if err != nil {
		t.Fatal(err)
	}
	detail := map[string]site.Field{"name": {XPath: "//h1"}}
	for _, name := range fields {
		detail[name] = site.Field{XPath: "//*[@class='" + name + "']"}
	}
	known := &site.Site{Host: "shop.test", Version: 1, Layers: map[string]*site.Layer{
		structure.ListLayer:   {Template: "shop", Record: "//ul/li", Fields: map[string]site.Field{"name": {XPath: ".//a"}}},
		structure.DetailLayer: {Template: "shop", Fields: detail},
	}}
	r, err := site.NewReaderOf(known, shop)
	if err != nil {
		t.Fatal(err)
	}
	return &Reader{template: shop, site: known, reader: r}
}

func arrival(t *testing.T, url, markup string, priority float64) *reading.Arrival {
	t.Helper()
	u := parse(t, url)
	text, p, err := page.Read([]byte(markup), "text/html; charset=utf-8", u)
	if err != nil {
		t.Fatal(err)
	}
	return &reading.Arrival{Link: frontier.Link{URL: url, Priority: priority}, URL: u, Text: text, Page: p}
}

func TestItemsOfDetails(t *testing.T) {
	t.Parallel()
	const list, detail = structure.ListLayer, structure.DetailLayer
	four := []string{"price", "brand", "sku"}
	for name, tt := range map[string]struct {
		fields       []string
		markup       string
		layer, looks string
		priority     float64
		want         string // URL of the record
	}{
		"a product":                      {four, "<h1>Pear</h1><b class=price>$1</b><i class=brand>X</i><i class=sku>7</i>", detail, detail, 1, "http://shop.test/a"},
		"more than half of the fields":   {four, "<h1>Pear</h1><b class=price>$1</b><i class=brand>X</i>", detail, detail, 1, "http://shop.test/a"},
		"half of the fields":             {four, "<h1>About us</h1><i class=brand>X</i>", detail, detail, 1, ""},
		"a short list":                   {four, "<h1>Pears</h1><b class=price>$1</b><i class=brand>X</i>", list, detail, 1, ""},
		"the last page of a list":        {four, "<h1>Pears</h1><b class=price>$1</b><i class=brand>X</i>", list, list, reading.PagePriority, ""},
		"a product that looks so":        {four, "<h1>Pear</h1><b class=price>$1</b><i class=brand>X</i>", list, list, 3, "http://shop.test/a"},
		"only names, from a list":        {nil, "<h1>Pear</h1>", detail, detail, reading.RecordPriority, "http://shop.test/a"},
		"only names, from anywhere":      {nil, "<h1>About us</h1>", detail, detail, 1, ""},
		"called by another address":      {nil, "<link rel=canonical href=/b><h1>Pear</h1>", detail, detail, 3, "http://shop.test/b"},
		"called by that of the home":     {nil, "<link rel=canonical href=/><h1>Pear</h1>", detail, detail, 3, "http://shop.test/a"},
		"called by that of another site": {nil, "<link rel=canonical href=http://other.test/b><h1>Pear</h1>", detail, detail, 3, "http://shop.test/a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, i := range shopReader(t, tt.fields...).Items(arrival(t, "http://shop.test/a", tt.markup, tt.priority), tt.layer, tt.looks, corpus.Location{}) {
				got += i.URL
			}
			if got != tt.want {
				t.Errorf("record %q, want %q", got, tt.want)
			}
		})
	}
}

// A page that looks like details and is like a list of the site, but for its records, is one;
// not so where a list led to it, or where it has much text of its own.
func TestItemsOfShortLists(t *testing.T) {
	t.Parallel()
	const item, menu = "<li><a href=/p/%s>Pear %s</a> sweet, sent today", "<nav>Home Help</nav><h1>%s</h1><b class=price>$1</b><i class=brand>X</i><ul>"
	page := func(name, items string) string { return fmt.Sprintf(menu, name) + items + "</ul>" }
	whole := page("Pears", fmt.Sprintf(item+item+item, "1", "1", "2", "2", "3", "3"))
	r := shopReader(t, "price", "brand")
	r.list = modelOf(r.site, []field.Page{pageOf(arrival(t, "http://shop.test/a", whole, 1))})
	few := fmt.Sprintf(item, "9", "9")
	for name, tt := range map[string]struct {
		markup   string
		priority float64
		want     string // layer and URL of the record
	}{
		"a list of one":     {page("Plums", few), 1, "list http://shop.test/p/9"},
		"a list led to it":  {page("Plums", few), reading.RecordPriority, "detail http://shop.test/x"},
		"text of its own":   {page("A plum from the old garden behind the house of the family", few), 1, "detail http://shop.test/x"},
		"no record of that": {page("Plums", ""), 1, "detail http://shop.test/x"},
	} {
		got := ""
		for _, i := range r.Items(arrival(t, "http://shop.test/x", tt.markup, tt.priority), structure.DetailLayer, structure.DetailLayer, corpus.Location{}) {
			got += i.Layer + " " + i.URL
		}
		if got != tt.want {
			t.Errorf("%s: record %q, want %q", name, got, tt.want)
		}
	}
}

func TestSeen(t *testing.T) {
	t.Parallel()
	shop, err := template.Load("shop")
	if err != nil {
		t.Fatal(err)
	}
	var survey Survey
	for _, d := range []struct{ url, title string }{
		{"http://shop.test/item.php?id=1", "Pear"}, {"http://shop.test/item.php?id=3", "Fig"},
		{"http://shop.test/p/1?from=list", "Pear"}, {"http://shop.test/p/1", "Pear"},
	} {
		survey.Add(parse(t, d.url), &corpus.Document{Layer: structure.DetailLayer, Title: d.title})
	}
	type record struct{ url, name, price string }
	for name, tt := range map[string]struct {
		pages [][]record
		want  []string // URL and price of those that are new
	}{
		"equal products at two addresses": {[][]record{{{"http://shop.test/p/1", "Pear", "$1"}}, {{"http://shop.test/p/2", "Pear", "$1"}}}, []string{"http://shop.test/p/1 $1", "http://shop.test/p/2 $1"}},
		"told apart by a parameter":       {[][]record{{{"http://shop.test/item.php?id=1", "Pear", "$1"}}, {{"http://shop.test/item.php?id=2", "Pear", "$1"}}}, []string{"http://shop.test/item.php?id=1 $1", "http://shop.test/item.php?id=2 $1"}},
		"a parameter says where from":     {[][]record{{{"http://shop.test/p/1?from=list", "Pear", "$1"}}, {{"http://shop.test/p/1", "Pear", "$1"}}}, []string{"http://shop.test/p/1?from=list $1"}},
		"one product on two pages":        {[][]record{{{"http://shop.test/p/1", "Pear", "$1"}}, {{"http://shop.test/p/1", "Pear", "$2"}}}, []string{"http://shop.test/p/1 $1"}},
		"one product twice on a page":     {[][]record{{{"http://shop.test/p/1", "Pear", "$1"}, {"http://shop.test/p/1", "Pear", "$2"}}}, []string{"http://shop.test/p/1 $1"}},
		"a name cut short": {
			[][]record{{{"http://shop.test/p/1", "Pears of the nor…", "$2"}, {"http://shop.test/p/1", "Pears of the northern orchard", "$1"}, {"http://shop.test/p/2", "Pears of the nor…", "$3"}}},
			[]string{"http://shop.test/p/1 $1", "http://shop.test/p/2 $3"},
		},
		"a name that goes on": {
			[][]record{{{"http://shop.test/buy", "Pear", "$1"}, {"http://shop.test/buy", "Pear, red", "$2"}}}, []string{"http://shop.test/buy $1", "http://shop.test/buy $2"},
		},
		"records that lead nowhere": {[][]record{{{"", "Pear", "$1"}, {"", "Pear", "$2"}, {"", "Fig", "$1"}}, {{"", "Pear", "$1"}}}, []string{" $1", " $2", " $1"}},
		"records that lead to one page": {
			[][]record{{{"http://shop.test/buy", "Pear", "$1"}, {"http://shop.test/buy", "Pear", "$2"}, {"http://shop.test/buy", "Fig", "$1"}}},
			[]string{"http://shop.test/buy $1", "http://shop.test/buy $2", "http://shop.test/buy $1"},
		},
		"and have no names": {
			[][]record{{{"http://shop.test/buy", "", "$1"}, {"http://shop.test/buy", "", "$2"}}}, []string{"http://shop.test/buy $1", "http://shop.test/buy $2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := Seen{}
			var got []string
			for _, records := range tt.pages {
				var items []*corpus.Item
				for _, r := range records {
					i := &corpus.Item{Site: "shop.test", Layer: structure.ListLayer, URL: r.url, Fields: make(corpus.Fields, len(shop.Fields))}
					for n := range shop.Fields {
						i.Fields[n].Name = shop.Fields[n].Name
						switch {
						case shop.Fields[n].Heading && r.name != "":
							i.Fields[n].Value = r.name
						case shop.Fields[n].Name == "price":
							i.Fields[n].Value = r.price
						}
					}
					items = append(items, i)
				}
				for _, i := range seen.New(items, shop, survey.Plain) {
					got = append(got, fmt.Sprint(i.URL, " ", priceOf(i)))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func priceOf(i *corpus.Item) any {
	for _, f := range i.Fields {
		if f.Name == "price" {
			return f.Value
		}
	}
	return nil
}
