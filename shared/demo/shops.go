package demo

import (
	"fmt"
	"net/url"
	"slices"

	"sluice/shared/demo/shop"
)

// openShops adds the hosts of package shop. No other page leads to them, and their pages
// are not in Pages: they are for crawls of a site, not of a topic.
func (w *Web) openShops() error {
	all, err := shop.All(Domain)
	if err != nil {
		return fmt.Errorf("open shops: %w", err)
	}
	layered, err := shop.Layered(Domain)
	if err != nil {
		return fmt.Errorf("open shops: %w", err)
	}
	w.shops, w.layered = all, layered
	for _, s := range slices.Concat(all, layered) {
		w.sites[s.Host] = &site{
			host: s.Host, name: s.Name, charset: "utf-8", views: w.order[0].views,
			disallow: []string{"/cart/", "/flow.php", "/user.php", "/search"},
			lazy: func(u *url.URL) (response, bool) {
				p := s.Serve(u)
				return response{status: p.Status, mime: p.Type, body: p.Body}, true
			},
		}
	}
	return nil
}

// Shops returns the shops of the web: one in four themes.
func (w *Web) Shops() []*shop.Shop { return w.shops }

// Layered returns the shops that need a browser for some of their layers.
func (w *Web) Layered() []*shop.Shop { return w.layered }
