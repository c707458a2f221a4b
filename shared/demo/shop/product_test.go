package shop

import "testing"

func TestCatalogue(t *testing.T) {
	names, skus := map[string]bool{}, map[string]bool{}
	var sale, ranged, unpriced, out int
	all := shared()
	for _, p := range all {
		names[p.Name], skus[p.SKU] = true, true
		switch {
		case p.Price == 0:
			unpriced++
		case p.Sale():
			sale++
		case p.Most > 0:
			ranged++
		}
		if p.Stock == 0 {
			out++
		}
		if p.Price < 0 || p.Sale() && (p.Was <= p.Price || p.Market <= p.Was) || p.Most > 0 && p.Most <= p.Price || p.Price > 0 && p.Market <= p.Price || p.Member >= p.Price && p.Member > 0 {
			t.Errorf("prices of %+v are out of order", p)
		}
	}
	if len(all) != 540 || len(names) != 540 || len(skus) != 540 {
		t.Errorf("%d products, %d names, %d SKUs, want 540 of each", len(all), len(names), len(skus))
	}
	if sale < 100 || ranged < 30 || unpriced < 5 || out < 20 {
		t.Errorf("%d on sale, %d with a range, %d without a price, %d out of stock: too few", sale, ranged, unpriced, out)
	}
}
