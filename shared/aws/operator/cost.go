package operator

import (
	"cmp"
	"context"
	"fmt"

	"sluice/shared/aws/stack"
	"sluice/shared/console/cost"
	"sluice/shared/rank"
	"sluice/shared/state/corpus"
	"sluice/shared/web/urlnorm"
)

// Cost is the counted usage of a crawl at public prices. It leaves out storage,
// alarms and the free tier.
type Cost struct {
	Stack string `json:"stack"`
	Crawl string `json:"crawl"`
	Pages int64  `json:"pages"` // fetched
	Bill
	MaxCost    float64 `json:"max_cost,omitempty"`
	PerMillion float64 `json:"dollars_per_million_pages"` // 0 without pages
}

// Bill is an amount of money and its parts.
type Bill struct {
	Dollars  float64       `json:"dollars"`
	AsOf     string        `json:"prices_as_of"`
	Region   string        `json:"prices_region"`
	Services []ServiceCost `json:"services"`
	Items    []ItemCost    `json:"items"`
	Unpriced []string      `json:"unpriced"` // used, but without a known price
}

// ServiceCost is what one service costs.
type ServiceCost struct {
	Service string  `json:"service"`
	Dollars float64 `json:"dollars"`
}

// ItemCost is one line of a bill.
type ItemCost struct {
	Item    string  `json:"item"`
	Count   float64 `json:"count"`
	Dollars float64 `json:"dollars"`
}

func newBill(b *cost.Bill) Bill {
	out := Bill{
		Dollars: b.Total, AsOf: b.AsOf, Region: b.Region,
		Services: []ServiceCost{}, Items: []ItemCost{}, Unpriced: []string{},
	}
	for _, s := range b.Services() {
		out.Services = append(out.Services, ServiceCost{s.Service, s.Amount})
	}
	for _, l := range b.Lines {
		out.Items = append(out.Items, ItemCost{string(l.Item), l.Count, l.Amount})
	}
	for _, item := range b.Unpriced {
		out.Unpriced = append(out.Unpriced, string(item))
	}
	return out
}

// Cost returns what a crawl has cost so far.
func (o *Operator) Cost(ctx context.Context, id string) (*Cost, error) {
	j, err := o.parts.Jobs.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	totals, err := o.parts.Store.Ledger().Totals(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read totals of %s: %w", id, err)
	}
	b, err := o.parts.Bill(ctx, id)
	if err != nil {
		return nil, err
	}
	return &Cost{
		Stack: o.parts.Resources.Stack, Crawl: id, Pages: totals.Fetched, Bill: newBill(b),
		MaxCost: j.MaxCost, PerMillion: b.PerMillion(int(totals.Fetched)).Total,
	}, nil
}

// Assumptions of a forecast about pages, as measured on news portals.
const (
	PlannedLinks    = 30
	PlannedRelevant = 0.3
)

// Forecast is the expected cost of a crawl.
type Forecast struct {
	Pages    int     `json:"pages"`
	Hosts    int     `json:"hosts"`
	DelayS   float64 `json:"delay_s"`
	Strategy string  `json:"strategy"`

	// Rendered is the share of the pages that a browser shows, Relevant of those on the topic.
	Rendered float64 `json:"rendered"`
	Relevant float64 `json:"relevant"`
	Links    float64 `json:"links_per_page"`
	Archived float64 `json:"archived"` // share of the pages whose responses are archived
	Capacity string  `json:"capacity"` // how DynamoDB is paid for: "on-demand" or "provisioned"
	Bill
	PerMillion  float64 `json:"dollars_per_million_pages"`
	Naive       float64 `json:"naive_dollars"` // with a message and a write for each link, two objects for each page
	ElapsedS    float64 `json:"elapsed_s"`     // lower bound
	Deliveries  float64 `json:"deliveries"`
	Invocations float64 `json:"invocations"`
	Rates       string  `json:"rates"`               // where the rates come from
	Rendering   string  `json:"rendering,omitempty"` // what is assumed of a rendered page
}

// ArchivedShare is the share of the pages whose responses an archive has, if so large a share
// is relevant: "kept" has few less than "relevant", with pages that the end judges again.
func ArchivedShare(archive string, relevant float64) float64 {
	if archive == corpus.ArchiveAll {
		return 1
	}
	return relevant
}

// NewForecast forecasts the cost of a plan by a strategy, one of rank.Names, on a stack with that
// capacity, stack.OnDemand or stack.Provisioned. It makes no requests. The error lists all numbers out of range and wraps
// ErrRequest.
func NewForecast(plan cost.Plan, strategy, capacity string) (*Forecast, error) {
	if _, err := rank.New(strategy, rank.Settings{}); err != nil {
		return nil, requestError{err}
	}
	strategy = cmp.Or(strategy, rank.NameSemantic) // which a crawl without any goes by, such as one of a site
	plan.DropsWeak = rank.DropsWeak(strategy)
	prices, err := cost.ReferencePrices()
	if err != nil {
		return nil, err
	}
	switch capacity {
	case stack.Provisioned:
		prices = prices.Provisioned()
	case stack.OnDemand:
	default:
		return nil, requestError{fmt.Errorf("capacity is %q: it must be %s or %s", capacity, stack.OnDemand, stack.Provisioned)}
	}
	rates, err := cost.CurrentRates()
	if err != nil {
		return nil, err
	}
	e, err := rates.Forecast(plan, prices)
	if err != nil {
		return nil, requestError{err}
	}
	naive, err := rates.Naive(plan, prices)
	if err != nil {
		return nil, requestError{err}
	}
	return &Forecast{
		Pages: plan.Pages, Hosts: plan.Hosts, DelayS: plan.Delay.Seconds(), Strategy: strategy, Rendered: plan.Rendered, Relevant: plan.Relevant, Links: plan.Links, Archived: plan.Archived,
		Capacity: capacity, Bill: newBill(&e.Bill), PerMillion: e.Bill.PerMillion(plan.Pages).Total, Naive: naive.Bill.Total, ElapsedS: e.Elapsed.Seconds(),
		Deliveries: e.Deliveries, Invocations: e.Invocations, Rates: e.Source, Rendering: e.Rendering,
	}, nil
}

// hostsOf counts the hosts of canonical URLs.
func hostsOf(urls []string) int {
	hosts := map[string]bool{}
	for _, raw := range urls {
		if u, err := urlnorm.Parse(raw); err == nil {
			hosts[u.Host()] = true
		}
	}
	return len(hosts)
}
