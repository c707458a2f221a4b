package assembly

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sluice/shared/console/cost"
)

// Charge books the function's usage since began, and the counts of its meter,
// to crawls by their share of the work. It adds Lambda's own requests, one to
// receive the batch and one to delete it. If no crawl had any work it books
// nothing, and the counts remain in the meter. An error with one crawl does not
// affect the others.
func (p *Parts) Charge(ctx context.Context, work map[string]int, began time.Time, memoryMB int) error {
	all := 0
	for _, n := range work {
		all += n
	}
	if all == 0 {
		return nil
	}
	used := p.Meter.Take()
	used[cost.LambdaRequests]++
	used[cost.LambdaDuration] += time.Since(began).Seconds() * float64(memoryMB) / 1024
	used[cost.SQSRequests] += 2
	var errs []error
	for crawl, n := range work {
		share := map[string]float64{}
		for item, v := range used {
			if priced(item) {
				share[string(item)] = v * float64(n) / float64(all)
			}
		}
		if err := p.Spend.Add(ctx, crawl, share); err != nil {
			errs = append(errs, fmt.Errorf("charge crawl %s: %w", crawl, err))
		}
	}
	return errors.Join(errs...)
}

// priced reports whether an item is one of the bill, not of the table by
// operation.
func priced(item cost.Item) bool { return strings.Count(string(item), ".") == 1 }

// prices are the public prices of what the stack uses.
func (p *Parts) prices() (*cost.Prices, error) {
	prices, err := cost.ReferencePrices()
	if err == nil && p.Resources.Provisioned {
		prices = prices.Provisioned()
	}
	return prices, err
}

// Dollars returns what a crawl has cost so far, at public prices.
func (p *Parts) Dollars(ctx context.Context, crawl string) (float64, error) {
	bill, err := p.Bill(ctx, crawl)
	if err != nil {
		return 0, err
	}
	return bill.Total, nil
}

// Bill returns what a crawl has cost so far, item by item.
func (p *Parts) Bill(ctx context.Context, crawl string) (*cost.Bill, error) {
	used, err := p.Spend.Of(ctx, crawl)
	if err != nil {
		return nil, fmt.Errorf("read spend of %s: %w", crawl, err)
	}
	prices, err := p.prices()
	if err != nil {
		return nil, err
	}
	usage := cost.Usage{}
	for name, v := range used {
		usage[cost.Item(name)] = v
	}
	bill := prices.Of(usage)
	return &bill, nil
}
