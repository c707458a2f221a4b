package shop

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// layered are small shops whose layers are rendered in different ways (METHOD C2).
var layered = []*theme{
	{
		name: "client", host: "fenceng", shop: "分层商店", file: "layers", perPage: 12, departments: 4, products: 24,
		views:     map[string]string{"list": "list-server", "detail": "detail-client"},
		rendering: map[string]string{"category": "static", "list": "static", "detail": "dynamic"},
		product:   itemPath, list: listPath, image: imagePath,
	},
	{
		name: "half", host: "banmu", shop: "半幕商店", file: "layers", perPage: 12, departments: 4, products: 24,
		views:     map[string]string{"list": "list-half", "detail": "detail-half"},
		rendering: map[string]string{"category": "static", "list": "dynamic", "detail": "dynamic"},
		product:   itemPath, list: listPath, image: imagePath,
	},
}

func itemPath(p *Product) string  { return fmt.Sprintf("/item/%d.html", p.ID) }
func imagePath(p *Product) string { return fmt.Sprintf("/img/%d_1.webp", p.ID) }

func listPath(c *category, page int) string {
	if page == 1 {
		return "/c/" + c.Slug
	}
	return fmt.Sprintf("/c/%s?p=%d", c.Slug, page)
}

// Layered returns shops that need a browser for some of their layers, as hosts of a domain:
// one whose home page is static, whose lists are rendered by the server, with scripts that
// change nothing, and whose products are rendered by scripts alone; and one whose lists and
// products have names in their mark-up and prices by scripts. They sell 96 products each.
func Layered(domain string) ([]*Shop, error) { return open(layered, domain) }

// Rendering is how a layer is rendered, static or dynamic; "" for shops without scripts.
func (s *Shop) Rendering(layer string) string { return s.theme.rendering[layer] }

// answer answers the scripts of a layered shop.
func (s *Shop) answer(u *url.URL) (Page, bool) {
	if s.theme.rendering == nil {
		return Page{}, false
	}
	switch u.Path {
	case "/api/item":
		if p := s.find(u.Query().Get("id")); p != nil {
			return data(map[string]any{
				"name": p.Name, "image": s.theme.image(p), "price": p.label(p.Price), "was": p.label(p.Was), "stock": p.left(), "text": p.Text(),
				"params": append([]Param{{"品牌", p.Brand}, {"货号", p.SKU}}, p.Params()...), "comments": p.Comments(),
			}), true
		}
	case "/api/prices":
		prices := map[string]string{}
		for id := range strings.SplitSeq(u.Query().Get("ids"), ",") {
			if p := s.find(id); p != nil {
				prices[id] = p.label(p.Price)
			}
		}
		return data(prices), true
	}
	return Page{}, false
}

func (s *Shop) find(id string) *Product {
	for _, p := range s.Products {
		if strconv.Itoa(p.ID) == id {
			return p
		}
	}
	return nil
}

// label is an amount as scripts show it, "" for none.
func (p *Product) label(fen int64) string {
	if fen == 0 {
		return ""
	}
	return p.Sign() + comma(fen)
}

// left is how many there are.
func (p *Product) left() string {
	if p.Stock == 0 {
		return "无货"
	}
	return fmt.Sprintf("%d 件", p.Stock)
}

func data(v any) Page {
	body, err := json.Marshal(v)
	if err != nil {
		return Page{http.StatusInternalServerError, "text/plain; charset=utf-8", []byte(err.Error())} // it never happens
	}
	return Page{http.StatusOK, "application/json", body}
}
