// Package shop is a department store of the demo web: 540 invented products, in four
// shops that show them as the software of real shops does. It uses no clock and no
// random numbers: the same URL always has the same bytes.
//
// Each shop has a home page, nine departments and one of sales, whose lists have several
// pages, and a page for each product. Products on sale are in two lists. What a product
// page says is known: see Shop.Truth.
package shop

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Shop is one host. It is safe for concurrent use.
type Shop struct {
	Host     string
	Name     string
	Theme    string // classic, cards, soup or mall; client or half
	Products []*Product

	theme      *theme
	categories []*category
	routes     map[string]func() Page
}

// category is a list of products.
type category struct {
	Slug, Name string
	Number     int
	Products   []*Product
}

// Page is an answer of a shop.
type Page struct {
	Status int
	Type   string // Content-Type
	Body   []byte
}

// shared is what all shops sell. Nobody changes it.
var shared = sync.OnceValue(catalogue)

// All returns the shops as hosts of a domain.
func All(domain string) ([]*Shop, error) { return open(themes, domain) }

func open(themes []*theme, domain string) ([]*Shop, error) {
	var shops []*Shop
	for _, t := range themes {
		if err := t.load(); err != nil {
			return nil, err
		}
		s := &Shop{Host: t.host + "." + domain, Name: t.shop, Theme: t.name, theme: t}
		s.sort()
		s.route()
		shops = append(shops, s)
	}
	return shops, nil
}

// sort takes its products of the catalogue, and sorts them into categories.
func (s *Shop) sort() {
	sale := &category{Slug: deals.slug, Name: deals.name, Number: len(departments) + 1}
	for i := range departments[:cmp.Or(s.theme.departments, len(departments))] {
		c := &category{Slug: departments[i].slug, Name: departments[i].name, Number: i + 1}
		c.Products = shared()[i*perDepartment:][:cmp.Or(s.theme.products, perDepartment)]
		s.categories = append(s.categories, c)
		s.Products = append(s.Products, c.Products...)
		for _, p := range c.Products {
			if p.Deal() {
				sale.Products = append(sale.Products, p)
			}
		}
	}
	if s.theme.article != nil {
		s.categories = append(s.categories, sale)
	}
}

// route lays out the pages.
func (s *Shop) route() {
	s.routes = map[string]func() Page{"/": s.home}
	for _, c := range s.categories {
		for n := range s.pages(c) {
			s.routes[s.theme.list(c, n+1)] = func() Page { return s.list(c, n+1) }
		}
		for i, p := range c.Products {
			if p.Slug() == c.Slug {
				s.routes[s.theme.product(p)] = func() Page { return s.detail(c, i) }
			}
		}
	}
	for i := range articles {
		if s.theme.article != nil {
			s.routes[s.theme.article(articles[i].ID)] = func() Page { return s.article(&articles[i]) }
		}
	}
}

// pages is the number of pages of a category.
func (s *Shop) pages(c *category) int {
	return (len(c.Products) + s.theme.perPage - 1) / s.theme.perPage
}

// URL returns the address of a path of the shop.
func (s *Shop) URL(path string) string { return "http://" + s.Host + path }

// ProductURL returns the canonical address of a product.
func (s *Shop) ProductURL(p *Product) string { return s.URL(s.theme.product(p)) }

// Lists returns the addresses of the first pages of all categories, the sale last.
func (s *Shop) Lists() []string {
	var lists []string
	for _, c := range s.categories {
		lists = append(lists, s.URL(s.theme.list(c, 1)))
	}
	return lists
}

// Pages is the number of pages, under one address each.
func (s *Shop) Pages() int { return len(s.routes) }

// Serve answers a GET. Parameters that the shop does not know are ignored: so links may
// carry where they were found.
func (s *Shop) Serve(u *url.URL) Page {
	if page := s.routes[pathOf(u)]; page != nil {
		return page()
	}
	if page, ok := s.answer(u); ok {
		return page
	}
	return Page{http.StatusNotFound, "text/html; charset=utf-8", []byte("<!doctype html><title>404</title><h1>页面不存在</h1><p><a href=/>返回首页</a></p>\n")}
}

// pathOf is the path and those of the parameters that tell pages apart.
func pathOf(u *url.URL) string {
	key, q := cmp.Or(u.Path, "/"), u.Query()
	number := "?p="
	if strings.HasSuffix(key, ".php") {
		key += "?id=" + q.Get("id")
		number = "&page="
	}
	if n := q.Get(strings.Trim(number, "?&=")); n != "" && n != "1" {
		key += number + n
	}
	return key
}
