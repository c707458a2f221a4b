package shop

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"math/rand/v2"
	"strings"
	"sync"

	"golang.org/x/text/encoding/simplifiedchinese"
)

//go:embed templates/*.html
var templateFiles embed.FS

// theme is how a shop looks and what its addresses are.
type theme struct {
	name, host, shop string
	gb               bool // the pages are in GB18030, and say GB2312
	perPage          int  // products of a page of a list
	css              int  // rules of inline style

	file        string // of the templates; default name
	departments int    // how many of them; default all
	products    int    // of each; default all
	views       map[string]string
	rendering   map[string]string // by layer, see Shop.Rendering

	product func(p *Product) string
	href    func(p *Product, place string) string // a link to it, from a place in a page
	list    func(c *category, page int) string
	article func(id int) string // nil for none
	image   func(p *Product) string

	once  sync.Once
	pages *template.Template
	style template.CSS
	err   error
}

var themes = []*theme{
	{
		// Tables, <font> and labels, like the shop software of 2009 that is still in use.
		name: "classic", host: "laopu", shop: "老铺百货", gb: true, perPage: 20,
		product: func(p *Product) string { return fmt.Sprintf("/goods.php?id=%d", p.ID) },
		list: func(c *category, page int) string {
			if page == 1 {
				return fmt.Sprintf("/category.php?id=%d", c.Number)
			}
			return fmt.Sprintf("/category.php?id=%d&page=%d", c.Number, page)
		},
		article: func(id int) string { return fmt.Sprintf("/article.php?id=%d", id) },
		image:   func(p *Product) string { return fmt.Sprintf("/images/goods/%d.jpg", p.ID) },
	},
	{
		// Cards with itemprop, JSON-LD on the pages of products.
		name: "cards", host: "yuntai", shop: "云台商城", perPage: 24, css: 300,
		product: func(p *Product) string { return fmt.Sprintf("/product/p%d/", p.ID) },
		href: func(p *Product, place string) string {
			if place == "list" {
				return fmt.Sprintf("/product/p%d/", p.ID)
			}
			return fmt.Sprintf("/product/p%d/?utm_source=%s&utm_medium=onsite", p.ID, place)
		},
		list: func(c *category, page int) string {
			if page == 1 {
				return "/category/" + c.Slug + "/"
			}
			return fmt.Sprintf("/category/%s/page/%d/", c.Slug, page)
		},
		article: func(id int) string { return fmt.Sprintf("/help/%d/", id) },
		image:   func(p *Product) string { return fmt.Sprintf("/img/p/%d.jpg", p.ID) },
	},
	{
		// Elements without a meaning, classes that a build has named, prices in pieces.
		name: "soup", host: "jixuan", shop: "极选", perPage: 30, css: 500,
		product: func(p *Product) string { return fmt.Sprintf("/item/%d.html", p.ID) },
		href: func(p *Product, place string) string {
			return fmt.Sprintf("/item/%d.html?spm=a1z.%s.%x", p.ID, place, hash(p.SKU+place)&0xffffff)
		},
		list: func(c *category, page int) string {
			if page == 1 {
				return "/c/" + c.Slug
			}
			return fmt.Sprintf("/c/%s?p=%d", c.Slug, page)
		},
		article: func(id int) string { return fmt.Sprintf("/help/%d", id) },
		image:   imagePath,
	},
	{
		// Labels in rows, numbers of products in classes, like the largest shops.
		name: "mall", host: "wanjia", shop: "万家商城", perPage: 30,
		product: func(p *Product) string { return fmt.Sprintf("/%d.html", p.ID) },
		list: func(c *category, page int) string {
			return fmt.Sprintf("/list-%d-%d.html", 9980+c.Number, page)
		},
		article: func(id int) string { return fmt.Sprintf("/help/%d.html", id) },
		image:   func(p *Product) string { return fmt.Sprintf("/img/n1/%d.jpg", p.ID) },
	},
}

// load parses the templates.
func (t *theme) load() error {
	t.once.Do(func() {
		t.pages, t.err = template.New(t.name).Funcs(t.funcs()).ParseFS(templateFiles, "templates/"+cmp.Or(t.file, t.name)+".html")
		t.style = styles(t.css)
	})
	if t.err != nil {
		return fmt.Errorf("parse theme: %w", t.err)
	}
	return nil
}

// sum is an amount with its currency.
type sum struct {
	Sign, Text string
	Fen        int64
}

func (t *theme) funcs() template.FuncMap {
	return template.FuncMap{
		"amount": Amount,
		"comma":  comma,
		"whole":  func(fen int64) string { return thousands(fen / 100) },
		"cents": func(fen int64) string {
			if fen%100 == 0 {
				return ""
			}
			return strings.TrimRight(fmt.Sprintf(".%02d", fen%100), "0")
		},
		"money": func(p *Product, fen int64) sum { return sum{p.Sign(), comma(fen), fen} },
		"yuan": func(p *Product, fen int64) string {
			if p.Currency == "USD" {
				return "US$" + Amount(fen)
			}
			return "￥" + Amount(fen) + "元"
		},
		"minus":   func(a, b int64) int64 { return a - b },
		"twelfth": func(fen int64) int64 { return (fen + 11) / 12 },
		"dear":    func(p *Product) bool { return p.Price >= 500_00 },
		"odd":     func(i int) bool { return i%2 == 1 },
		"mod":     func(i, n int) int { return i % n },
		"views":   func(p *Product) int { return 3*p.Sales + p.ID%89 },
		"city":    func(p *Product) string { return cities[p.ID%len(cities)] },
		"value":   func(p Param) string { return p.Value },
		"sold":    roughly,
		"image":   t.image,
		"list":    t.list,
		"href": func(p *Product, place string) string {
			if t.href == nil {
				return t.product(p)
			}
			return t.href(p, place)
		},
	}
}

// roughly writes a number as shops do: 3200+, 1.2万+.
func roughly(n int) string {
	switch {
	case n >= 10_000:
		return fmt.Sprintf("%d.%d万+", n/10_000, n%10_000/1000)
	case n >= 1000:
		return fmt.Sprintf("%d+", n/100*100)
	}
	return fmt.Sprint(n)
}

// styles makes rules of a style sheet, for the size of pages.
func styles(n int) template.CSS {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	var b strings.Builder
	properties := []string{"margin", "padding", "font-size", "line-height", "width", "border-radius", "top", "gap"}
	for i := range n {
		fmt.Fprintf(&b, ".u%d-%x{%s:%dpx;%s:%dpx;color:#%06x}", i, rng.IntN(1<<20), properties[i%8], rng.IntN(64), properties[(i+3)%8], rng.IntN(400), rng.IntN(1<<24))
	}
	return template.CSS(b.String())
}

// encode writes a text in the character set of the theme.
func (t *theme) encode(utf8 []byte) ([]byte, error) {
	if !t.gb {
		return utf8, nil
	}
	return simplifiedchinese.GB18030.NewEncoder().Bytes(utf8)
}
