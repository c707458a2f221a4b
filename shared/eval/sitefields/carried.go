package sitefields

import (
	"net/url"
	"strconv"

	"sluice/shared/demo/shop"
	"sluice/shared/structure/template"
)

// Carried returns the shops of the demo web: the pages of their products, of which sample
// are analysed, and what they show.
func Carried(sample int) ([]Site, error) {
	shops, err := shop.All("demo.test")
	if err != nil {
		return nil, err
	}
	t, err := template.Load("shop")
	if err != nil {
		return nil, err
	}
	var sites []Site
	for _, s := range shops {
		site := Site{Name: "shop-" + s.Theme, Template: t, Sample: sample, Truth: map[string]map[string][]string{}}
		for _, p := range s.Products {
			name := strconv.Itoa(p.ID)
			u, err := url.Parse(s.ProductURL(p))
			if err != nil {
				return nil, err
			}
			served := s.Serve(u)
			site.Pages = append(site.Pages, Page{Name: name, Raw: served.Body, Type: served.Type, URL: u})
			for field, values := range s.Truth(p) {
				if site.Truth[field] == nil {
					site.Truth[field] = map[string][]string{}
				}
				site.Truth[field][name] = values
			}
		}
		sites = append(sites, site)
	}
	return sites, nil
}
