package shop

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sluice/shared/web/page"
)

func shops(t *testing.T) []*Shop {
	t.Helper()
	all, err := All("demo.test")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// get returns a page of a shop as readers see its mark-up, decoded.
func get(t *testing.T, s *Shop, address string) (Page, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Serve(u)
	text, _ := page.Decode(p.Body, p.Type)
	return p, html.UnescapeString(string(text))
}

var hrefs = regexp.MustCompile(`<a [^>]*href="([^"#:]*)"`)

// From the first list, links lead to all pages, and lists to each product once, or twice
// if it is on sale.
func TestReach(t *testing.T) {
	for _, s := range shops(t) {
		start, _ := url.Parse(s.Lists()[0])
		seen := map[string]bool{pathOf(start): true}
		for next := []string{pathOf(start)}; len(next) > 0; next = next[1:] {
			_, text := get(t, s, s.URL(next[0]))
			for _, m := range hrefs.FindAllStringSubmatch(text, -1) {
				u, _ := start.Parse(m[1])
				if key := pathOf(u); s.routes[key] != nil && !seen[key] {
					seen[key] = true
					if !s.sells(key) {
						next = append(next, key)
					}
				}
			}
		}
		if len(seen) != s.Pages() {
			t.Errorf("%s: links lead to %d of %d pages", s.Host, len(seen), s.Pages())
		}
	}
}

func (s *Shop) sells(path string) bool {
	return slices.ContainsFunc(s.Products, func(p *Product) bool { return s.theme.product(p) == path })
}

// A page says what its truth is, and says it again under a tracking parameter.
func TestTruth(t *testing.T) {
	for _, s := range shops(t) {
		size := 0
		for _, p := range s.Products {
			got, text := get(t, s, s.ProductURL(p))
			size += len(got.Body)
			for field, values := range s.Truth(p) {
				shown := len(values) == 0
				for _, v := range values {
					number, _, _ := strings.Cut(v, " ")
					shown = shown || strings.Contains(text, v) || field == "image" || strings.HasSuffix(field, "price") && has(text, number)
				}
				if !shown {
					t.Errorf("%s does not say that %s is %q", s.ProductURL(p), field, values)
				}
			}
			if p.ID%20 > 0 {
				continue
			}
			tracked := s.ProductURL(p) + "?utm_source=x"
			if s.Theme == "classic" {
				tracked = s.ProductURL(p) + "&utm_source=x"
			}
			if again, _ := get(t, s, tracked); !bytes.Equal(got.Body, again.Body) {
				t.Errorf("%s is another page", tracked)
			}
		}
		t.Logf("%s: %d bytes a product", s.Host, size/len(s.Products))
	}
}

// has reports whether a text has an amount, whole and decimals apart or together.
func has(text, amount string) bool {
	whole, cents, _ := strings.Cut(amount, ".")
	n := int64(0)
	for _, d := range whole {
		n = 10*n + int64(d-'0')
	}
	return strings.Contains(text, amount) || strings.Contains(text, thousands(n)+"."+cents) || strings.Contains(text, ">"+thousands(n)+"<")
}

// The scripts of layered shops get what their pages lack.
func TestLayered(t *testing.T) {
	all, err := Layered("demo.test")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		p := s.Products[30]
		price := p.label(p.Price)
		_, page := get(t, s, s.ProductURL(p))
		_, item := get(t, s, s.URL(fmt.Sprintf("/api/item?id=%d", p.ID)))
		_, prices := get(t, s, s.URL(fmt.Sprintf("/api/prices?ids=%d,%d", p.ID, p.ID+1)))
		if len(s.Products) != 96 || price == "" || strings.Contains(page, price) || !strings.Contains(item, price) || !strings.Contains(prices, price) {
			t.Errorf("%s: the price %q of %d products is on its page, or not in %s and %s", s.Host, price, len(s.Products), item, prices)
		}
		for path := range s.routes {
			if got, _ := get(t, s, s.URL(path)); got.Status != 200 {
				t.Errorf("%s: status %d, %s", path, got.Status, got.Body)
			}
		}
		if got, _ := get(t, s, s.URL("/api/item?id=1")); got.Status != 404 {
			t.Errorf("%s: status %d for a product that it does not have", s.Host, got.Status)
		}
	}
}
