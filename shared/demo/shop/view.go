package shop

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"slices"
)

// view is the data of the templates.
type view struct {
	Shop       *Shop
	Title      string
	Canonical  string
	Style      template.CSS
	Categories []*category
	Help       []article
	Top        []*Product // that sell best
	Recent     []*Product // that were looked at before

	Blocks  []block // of the home page
	Article *article

	Category     *category
	Products     []*Product
	Prev, Next   string
	Last         string
	Numbers      []number
	First, Final int // of the products on the page

	Product *Product
	Related []*Product
	Graph   any // JSON-LD
	State   any // that scripts begin with
}

type block struct {
	Category *category
	Products []*Product
}

// number is a link to a page of a list.
type number struct {
	N    int
	URL  string
	Here bool
}

// article is a page about the shop.
type article struct {
	ID           int
	Title, Short string
	Body         []string
}

var articles = []article{
	{1, "配送方式与运费", "全国发货", []string{
		"我们与四家快递公司合作，江浙沪地区一般次日送达，其他地区三到五天，偏远地区以快递公司的答复为准。",
		"运费按重量和距离计算，首重一公斤 6 至 12 元，续重每公斤 2 元；满额订单由本店承担，生鲜与大家电除外。"}},
	{2, "退换货政策", "七天无理由", []string{
		"自签收之日起七天内，商品完好、不影响二次销售的，可以申请无理由退货，退款在收到商品后四十八小时内原路返回。",
		"定制、生鲜、贴身衣物和已经拆封的软件不适用。质量问题请拍照联系客服，来回运费由本店承担。"}},
	{3, "支付方式", "货到付款", []string{
		"支持银行卡、第三方支付和货到付款。货到付款需要加收 5 元手续费，签收时请当面验货再付款。",
		"发票随商品寄出，电子发票在订单完成后发送到您预留的邮箱。"}},
	{4, "联系我们", "在线客服", []string{
		"客服时间为每天九点到二十一点，节假日照常。您也可以写信到仓库地址，请注明订单号码和联系方式。",
		"批发和团购请联系商务部，一百件以上另有优惠。"}},
}

// view returns what every page shows, with other products than that at index i.
func (s *Shop) view(title, canonical string, i int) view {
	v := view{Shop: s, Title: title, Canonical: s.URL(canonical), Style: s.theme.style, Categories: s.categories, Help: articles}
	for k := range 8 {
		if p := s.Products[(i+37*k+11)%len(s.Products)]; p.Price > 0 && p != s.Products[i] {
			v.Top = append(v.Top, p)
		}
	}
	for k := range i % 5 {
		if p := s.Products[(i*7+101*k+53)%len(s.Products)]; p.Price > 0 && p != s.Products[i] {
			v.Recent = append(v.Recent, p)
		}
	}
	return v
}

func (s *Shop) home() Page {
	v := s.view(s.Name+"：正品百货，放心选购", "/", 0)
	for _, c := range s.categories {
		b := block{Category: c}
		for _, p := range c.Products[:12] {
			if p.Price > 0 && len(b.Products) < 8 {
				b.Products = append(b.Products, p)
			}
		}
		v.Blocks = append(v.Blocks, b)
	}
	v.State = map[string]any{"page": "/", "props": map[string]any{"ab": "b"}}
	return s.render("home", &v)
}

func (s *Shop) list(c *category, n int) Page {
	path := s.theme.list(c, n)
	v := s.view(c.Name, path, 17*c.Number+n)
	first := (n - 1) * s.theme.perPage
	final := min(n*s.theme.perPage, len(c.Products))
	v.Category, v.Products, v.First, v.Final = c, c.Products[first:final], first+1, final
	for k := range s.pages(c) {
		v.Numbers = append(v.Numbers, number{k + 1, s.theme.list(c, k+1), k+1 == n})
	}
	if n > 1 {
		v.Prev = v.Numbers[n-2].URL
	}
	if n < len(v.Numbers) {
		v.Next, v.Last = v.Numbers[n].URL, v.Numbers[len(v.Numbers)-1].URL
	}
	var items []map[string]any
	for _, p := range v.Products {
		items = append(items, p.state())
	}
	v.State = map[string]any{"page": path, "props": map[string]any{"items": items, "total": len(c.Products)}}
	return s.render("list", &v)
}

// detail is the page of the product at index i of its category.
func (s *Shop) detail(c *category, i int) Page {
	p := c.Products[i]
	v := s.view(p.Name, s.theme.product(p), slices.Index(s.Products, p))
	v.Product, v.Category = p, c
	for k := range 6 {
		if other := c.Products[(i+5*k+1)%len(c.Products)]; other.Price > 0 && other != p {
			v.Related = append(v.Related, other)
		}
	}
	v.Graph = s.graph(p, v.Category)
	v.State = map[string]any{"page": "/item/[id]", "props": map[string]any{"item": p.state(), "text": p.Text(), "params": p.Params()}, "buildId": "uXyJ2"}
	return s.render("detail", &v)
}

func (s *Shop) article(a *article) Page {
	v := s.view(a.Title, s.theme.article(a.ID), a.ID)
	v.Article = a
	v.State = map[string]any{"page": "/help/[id]"}
	return s.render("article", &v)
}

// state is a product as scripts have it, in fen.
func (p *Product) state() map[string]any {
	return map[string]any{"itemId": p.ID, "skuCode": p.SKU, "t": p.Name, "p": p.Price, "op": p.Was, "mp": p.Member, "q": p.Stock, "s": p.Sales, "b": p.Brand}
}

// graph is what the shop says of a product in JSON-LD. Products without a price have no
// offer, as such software leaves them out.
func (s *Shop) graph(p *Product, c *category) any {
	type thing = map[string]any
	product := thing{
		"@type": "Product", "@id": s.ProductURL(p) + "#product", "name": p.Name, "sku": p.SKU, "url": s.ProductURL(p),
		"description": p.Text()[0], "image": s.URL(s.theme.image(p)), "brand": thing{"@type": "Brand", "name": p.Brand},
	}
	seller := thing{"@type": "Organization", "name": s.Name}
	switch {
	case p.Most > 0:
		product["offers"] = []thing{{"@type": "AggregateOffer", "lowPrice": Amount(p.Price), "highPrice": Amount(p.Most), "offerCount": 2, "priceCurrency": p.Currency, "availability": p.availability(), "seller": seller}}
	case p.Price > 0:
		product["offers"] = []thing{{"@type": "Offer", "price": Amount(p.Price), "priceCurrency": p.Currency, "priceValidUntil": "2027-12-31", "availability": p.availability(), "seller": seller}}
	}
	if p.Reviews > 0 {
		product["aggregateRating"] = thing{"@type": "AggregateRating", "ratingValue": fmt.Sprintf("4.%d", p.ID%10), "reviewCount": p.Reviews}
	}
	crumbs := thing{"@type": "BreadcrumbList", "itemListElement": []thing{
		{"@type": "ListItem", "position": 1, "item": thing{"name": "首页", "@id": s.URL("/")}},
		{"@type": "ListItem", "position": 2, "item": thing{"name": c.Name, "@id": s.URL(s.theme.list(c, 1))}},
		{"@type": "ListItem", "position": 3, "item": thing{"name": p.Name, "@id": s.ProductURL(p)}},
	}}
	return thing{"@context": "https://schema.org/", "@graph": []thing{crumbs, product}}
}

// availability is whether there are any left, in the words of schema.org.
func (p *Product) availability() string {
	if p.Stock == 0 {
		return "https://schema.org/OutOfStock"
	}
	return "https://schema.org/InStock"
}

// render fills in a template and encodes the page.
func (s *Shop) render(name string, v *view) Page {
	var b bytes.Buffer
	charset := "utf-8"
	if s.theme.gb {
		charset = "gb2312"
	}
	err := s.theme.pages.ExecuteTemplate(&b, cmp.Or(s.theme.views[name], name), v)
	if err == nil {
		var body []byte
		if body, err = s.theme.encode(b.Bytes()); err == nil {
			return Page{http.StatusOK, "text/html; charset=" + charset, body}
		}
	}
	// It never happens: the tests visit every page.
	return Page{http.StatusInternalServerError, "text/plain; charset=utf-8", []byte(err.Error() + "\n")}
}
