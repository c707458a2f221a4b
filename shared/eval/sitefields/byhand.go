package sitefields

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

// byHand are extractors for the shops of the demo web as a person writes them, who has seen
// the mark-up: CSS selectors for each field, the first that leads to something counts.
// After @ stands an attribute. They are what analysis is compared with (METHOD C7).
var byHand = map[string]map[string][]string{
	"shop-classic": {
		"name":       {"#FORMBUY > div"},
		"price":      {"#FORMBUY li > font.shop", "#SHOPPRICE"},
		"list_price": {"#FORMBUY font.market"},
		"brand":      {"#FORMBUY a[href^='brand.php']"},
		"sku":        {"#FORMBUY dd:contains('商品货号')"},
		"stock":      {"#FORMBUY dd:contains('商品库存')"},
		"sales":      {"#FORMBUY dd:contains('累计销量')"},
		"reviews":    {"#FORMBUY a[href='#ECS_COMMENT']"},
		"image":      {"#zoom1 img@src"},
	},
	"shop-cards": {
		"name":       {"h1.product_title"},
		"price":      {".summary p.price ins", ".summary p.price"},
		"list_price": {".summary p.price del"},
		"brand":      {".brand_in a"},
		"sku":        {".product_meta .sku"},
		"stock":      {".summary p.stock"},
		"reviews":    {".reviews-title"},
		"image":      {".product-gallery img@src"},
	},
	"shop-soup": {
		"name":       {"h1"},
		"price":      {".sc-cOifOu"},
		"list_price": {".sc-bBjSGg"},
		"brand":      {".sc-bnXvFD:nth-child(1) .sc-gFaPwZ"},
		"sku":        {".sc-bnXvFD:nth-child(2) .sc-gFaPwZ"},
		"stock":      {".sc-gXfVKN:nth-child(2) span:nth-child(2)"},
		"sales":      {".sc-lcepkR span:nth-child(1)"},
		"reviews":    {".sc-lcepkR span:nth-child(2)"},
		"image":      {".sc-iWadT img@src"},
	},
	"shop-mall": {
		"name":       {".sku-name"},
		"price":      {".J-summary-price .p-price"},
		"list_price": {"#page_origin_price"},
		"brand":      {"#parameter-brand a"},
		"sku":        {".parameter2 li:contains('商品编号')"},
		"stock":      {".store-prompt strong"},
		"reviews":    {".comment-count .count"},
		"image":      {"#spec-img@src"},
	},
}

// hand is a compiled extractor of byHand.
type hand []handField

type handField struct {
	field *template.Field
	ways  []way
}

type way struct {
	cascadia.Selector
	attr string
}

func newHand(s *Site) (hand, error) {
	var h hand
	for i := range s.Template.Fields {
		f := handField{field: &s.Template.Fields[i]}
		for _, text := range byHand[s.Name][f.field.Name] {
			css, attr, _ := strings.Cut(text, "@")
			selector, err := cascadia.Compile(css)
			if err != nil {
				return nil, err
			}
			f.ways = append(f.ways, way{selector, attr})
		}
		if f.ways != nil {
			h = append(h, f)
		}
	}
	return h, nil
}

// read returns the fields of a page. Values are cleaned as those of the analysis are.
func (h hand) read(p field.Page) map[string]field.Value {
	values := map[string]field.Value{}
	for i := range h {
		for _, w := range h[i].ways {
			n := w.MatchFirst(p.Root)
			if n == nil {
				continue
			}
			if v, ok := field.Clean(h[i].field, w.text(n), p.Base); ok {
				values[h[i].field.Name] = v
			}
			break
		}
	}
	return values
}

func (w *way) text(n *html.Node) string {
	if w.attr != "" {
		for _, a := range n.Attr {
			if a.Key == w.attr {
				return a.Val
			}
		}
		return ""
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
