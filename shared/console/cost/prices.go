package cost

import (
	_ "embed" // the public prices
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sluice/shared/schema"
)

//go:embed prices.json
var publicPrices []byte

// ReferenceRegion is the region whose prices the public list always has.
const ReferenceRegion = "us-east-1"

// Bounds of a price, so that no bill overflows.
const (
	maxPrice = 1e6
	maxPer   = 1e15
)

// Price is the price of an amount of an item.
type Price struct {
	Price   float64 // in the region's currency, for Per units
	Per     float64
	Unit    string // the counted unit, in words
	Source  string // where the price is published
	Checked string // how it was verified
}

// Prices are the prices of one region: list prices beyond the free tier, in the
// first tier of volume.
type Prices struct {
	AsOf     string // year and month
	Region   string
	Currency string // three letters
	Items    map[Item]Price
}

// inUse is the share of provisioned units that autoscaling aims to have in use: the
// TargetValue of template.yaml.
const inUse = 0.7

// Provisioned returns the prices of a stack with provisioned capacity that follows the
// load: a unit that is used costs a second of 1/0.7 provisioned ones. What is provisioned
// while nothing runs, and before autoscaling follows, is not in it.
func (p *Prices) Provisioned() *Prices {
	q := *p
	q.Items = maps.Clone(p.Items)
	for unit, hours := range map[Item]Item{DynamoWriteUnits: DynamoWriteHours, DynamoReadUnits: DynamoReadHours} {
		price := p.Items[hours]
		price.Per *= time.Hour.Seconds() * inUse
		price.Unit = p.Items[unit].Unit + ", of provisioned capacity"
		q.Items[unit] = price
	}
	return &q
}

// List is a file of prices.
type List struct {
	AsOf    string // year and month
	regions map[string]*Prices
}

// PublicPrices returns the list this program was built with.
func PublicPrices() (*List, error) { return ReadPrices(publicPrices) }

// ReferencePrices returns the prices of ReferenceRegion.
func ReferencePrices() (*Prices, error) {
	list, err := PublicPrices()
	if err != nil {
		return nil, err
	}
	return list.Region(ReferenceRegion)
}

// ReadPrices reads a list of prices as JSON:
//
//	{"as_of": "2026-11", "regions": {"us-east-1": {"currency": "USD", "prices": {
//	  "sqs.requests": {"price": 0.4, "per": 1000000, "unit": "…", "source": "…", "checked": "…"}, …}}}}
//
// Every region has a price for every item, 0 if it is free. The error lists all
// problems: unknown, missing and repeated keys, numbers out of range, prices
// without a source.
func ReadPrices(text []byte) (*List, error) {
	var r reader
	list := &List{regions: map[string]*Prices{}}
	err := r.file(text, map[string]schema.Read{
		"as_of": r.month(&list.AsOf, "as_of"),
		"regions": {From: func(v schema.Value) {
			regions, ok := r.Fields(v, "regions")
			if ok && len(regions) == 0 {
				r.Fail(v.Place(), "regions has no region")
			}
			for _, f := range regions {
				prices := &Prices{Region: f.Key, Items: map[Item]Price{}}
				r.region(prices, fmt.Sprintf("region %q", schema.Clip(f.Key))).From(f.Value)
				list.regions[f.Key] = prices
			}
		}},
	})
	if err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	for _, prices := range list.regions {
		prices.AsOf = list.AsOf
	}
	return list, nil
}

func (r *reader) region(p *Prices, place string) schema.Read {
	items := make(map[string]schema.Read)
	for _, item := range priced() {
		items[string(item)] = schema.Read{From: func(v schema.Value) {
			var price Price
			r.price(&price, fmt.Sprintf("%s: price %q", place, item)).From(v)
			p.Items[item] = price
		}}
	}
	return r.object(place, map[string]schema.Read{
		"currency": r.Text(&p.Currency, place+": currency", func(c string) error {
			if len(c) != 3 || strings.Trim(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
				return fmt.Errorf("%s: currency is %.40q: it must be three capital letters", place, c)
			}
			return nil
		}),
		"prices": r.object(place+": prices", items),
	})
}

func (r *reader) price(p *Price, place string) schema.Read {
	return r.object(place, map[string]schema.Read{
		"price":   r.Number(&p.Price, place+": price", schema.Bounds{Most: maxPrice}),
		"per":     r.Number(&p.Per, place+": per", schema.Bounds{Least: 1, Most: maxPer}),
		"unit":    r.text(&p.Unit, place+": unit"),
		"source":  r.text(&p.Source, place+": source"),
		"checked": r.text(&p.Checked, place+": checked"),
	})
}

// month reads a year and month.
func (r *reader) month(target *string, place string) schema.Read {
	return r.Text(target, place, func(value string) error {
		if _, err := time.Parse("2006-01", value); err != nil {
			return fmt.Errorf("%s is %.40q: it must be a year and month as in 2026-11", place, value)
		}
		return nil
	})
}

// Regions returns the names of the regions with prices, sorted.
func (l *List) Regions() []string { return slices.Sorted(maps.Keys(l.regions)) }

// Region returns the prices of a region. Prices differ between regions: one that
// the list does not have is an error, never a guess.
func (l *List) Region(name string) (*Prices, error) {
	if prices, ok := l.regions[name]; ok {
		return prices, nil
	}
	return nil, fmt.Errorf("find prices: none of region %.60q in the list of %s: it has %s",
		name, l.AsOf, strings.Join(l.Regions(), ", "))
}
