package sitefields_test

import (
	"testing"

	"sluice/shared/eval/sitefields"
)

// The published error rate of the price is 3.01 % at best (METHOD C7). A price of a product
// that has none counts as an error, too.
func TestShops(t *testing.T) {
	sites, err := sitefields.Carried(10)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sitefields.Judge(sites)
	if err != nil {
		t.Fatal(err)
	}
	bars := map[string]map[string]float64{ // by site and field, what was measured
		"shop-classic": {"price": 0.0301, "list_price": 0, "name": 0, "brand": 0, "sku": 0, "stock": 0, "sales": 0, "reviews": 0, "image": 0},
		"shop-cards":   {"price": 0.0301, "list_price": 0, "name": 0, "brand": 0, "sku": 0, "stock": 0.017, "reviews": 0, "image": 0},
		"shop-soup":    {"price": 0.0301, "name": 0, "brand": 0, "sku": 0, "stock": 0, "sales": 0, "reviews": 0, "image": 0},
		"shop-mall":    {"price": 0.0301, "name": 0, "brand": 0, "sku": 0, "stock": 0, "reviews": 0, "image": 0},
	}
	checked := 0
	for _, row := range r.Rows {
		bar, judged := bars[row.Site][row.Field]
		rate := float64(row.Wanted-row.Right+row.Extra) / 540
		t.Logf("%s %s: %.4f of 540, %+v", row.Site, row.Field, rate, row.Tally)
		if !judged {
			continue
		}
		if checked++; row.Wanted < 500 && row.Field != "list_price" || rate > bar {
			t.Errorf("%s: the error rate of %s is %.4f of %d, want at most %.4f", row.Site, row.Field, rate, row.Wanted, bar)
		}
	}
	if checked != 32 {
		t.Errorf("%d error rates were checked, want 32", checked)
	}
}

// The extractors that analysis is compared with are right about all prices.
func TestCompare(t *testing.T) {
	sites, err := sitefields.Carried(10)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sites {
		sites[i].Pages = sites[i].Pages[:100]
	}
	courses, err := sitefields.Compare(sites, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(courses) != 8 {
		t.Fatalf("%d courses, want 8", len(courses))
	}
	for _, c := range courses {
		t.Logf("%s %s: ready after %v, %.0f pages a second; price %+v", c.Site, c.Method, c.Ready, c.Rate(), c.Price)
		if c.Method == sitefields.HandWritten && (c.Price.Right != c.Price.Wanted || c.Price.Extra > 0) || c.Ready <= 0 || c.Total() <= c.Ready {
			t.Errorf("course %s %s: %+v", c.Site, c.Method, c.Price)
		}
	}
}
