package shop

import (
	"fmt"
	"strconv"
)

// Truth returns what the page of a product shows, by the fields of the template "shop".
// A field has one value, or one of several that are as good, or none where the page has
// none. Amounts are those that everybody pays, of a range the lowest.
func (s *Shop) Truth(p *Product) map[string][]string {
	truth := map[string][]string{
		"name": {p.Name}, "brand": {p.Brand}, "sku": {p.SKU}, "image": {s.URL(s.theme.image(p))},
		"price": nil, "list_price": nil, "stock": nil, "sales": nil, "reviews": {strconv.Itoa(p.Reviews)},
	}
	if p.Price > 0 {
		truth["price"] = []string{Amount(p.Price) + " " + p.Currency}
	}
	if p.Sale() {
		truth["list_price"] = []string{Amount(p.Was) + " " + p.Currency}
	}
	switch s.Theme {
	case "classic":
		truth["sales"] = []string{strconv.Itoa(p.Sales)}
		if p.Price > 0 {
			truth["list_price"] = append(truth["list_price"], Amount(p.Market)+" "+p.Currency)
		}
		truth["stock"] = []string{"暂时缺货"}
		if p.Stock > 0 {
			truth["stock"] = []string{fmt.Sprintf("%d 件", p.Stock)}
		}
	case "cards":
		truth["stock"] = []string{"缺货"}
		if p.Stock > 0 {
			truth["stock"] = []string{fmt.Sprintf("库存 %d 件", p.Stock), fmt.Sprintf("%d 件", p.Stock)}
		}
		if p.Price > 0 {
			truth["stock"] = append(truth["stock"], p.availability())
		}
	case "soup", "mall":
		truth["reviews"] = []string{roughly(p.Reviews)}
		if s.Theme == "soup" {
			truth["sales"] = []string{roughly(p.Sales)}
		}
		truth["stock"] = []string{"无货"}
		if p.Stock > 0 {
			truth["stock"] = []string{"有货"}
		}
	}
	return truth
}
