package cost

import (
	"maps"
	"slices"
)

// million is the number of pages that bills are compared at.
const million = 1e6

// Line is one item of a bill.
type Line struct {
	Item   Item
	Count  float64
	Amount float64 // money, in the bill's currency
}

// ServiceAmount is what one service costs.
type ServiceAmount struct {
	Service string
	Amount  float64
}

// Bill is what a usage costs.
type Bill struct {
	AsOf     string // of the prices
	Region   string
	Currency string
	Lines    []Line // by item
	Total    float64
	Unpriced []Item // used, but without a price: missing from Total
}

// Of returns the bill of a usage. Items of the table of operations are free:
// they are billed under the items of their service. The free tier is not
// deducted.
func (p *Prices) Of(used Usage) Bill {
	bill := Bill{AsOf: p.AsOf, Region: p.Region, Currency: p.Currency}
	for _, item := range slices.Sorted(maps.Keys(used)) {
		if _, _, ok := item.operation(); ok {
			continue
		}
		price, ok := p.Items[item]
		if !ok {
			bill.Unpriced = append(bill.Unpriced, item)
			continue
		}
		amount := used[item] / price.Per * price.Price
		bill.Lines = append(bill.Lines, Line{item, used[item], amount})
		bill.Total += amount
	}
	return bill
}

// Services returns the amount of each service, by name. They add up to Total.
func (b Bill) Services() []ServiceAmount {
	var services []ServiceAmount
	for _, line := range b.Lines {
		name := line.Item.Service()
		if last := len(services) - 1; last < 0 || services[last].Service != name {
			services = append(services, ServiceAmount{Service: name})
		}
		services[len(services)-1].Amount += line.Amount
	}
	return services
}

// PerMillion returns the bill of a million pages if pages cost b, with counts
// and amounts in proportion. It is empty for no pages.
func (b Bill) PerMillion(pages int) Bill {
	scaled := b
	scaled.Lines, scaled.Total = nil, 0
	if pages <= 0 {
		return scaled
	}
	factor := million / float64(pages)
	for _, line := range b.Lines {
		scaled.Lines = append(scaled.Lines, Line{line.Item, line.Count * factor, line.Amount * factor})
	}
	scaled.Total = b.Total * factor
	return scaled
}
