package cost

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
)

// handRates are round: 1 GB, a page busy for 1 s, 20 s for a task of up to 5
// pages, 10 hosts an invocation.
const handRates = `{
	"as_of": "2026-11", "source": "by hand",
	"memory_gb": 1, "busy_seconds": 1, "window_seconds": 20, "batch_hosts": 10, "busy_hosts": 1, "task_pages": 5,
	"render": {"memory_gb": 4, "busy_seconds": 2, "batch_hosts": 2, "requests": 1},
	"page": {"dynamodb.write_units": 2}, "relevant_page": {"s3.get": 1}, "history_pages": 200, "history_page": {"dynamodb.write_units": 1}, "archived_page": {"s3.gb_months": 0.5}, "link": {"dynamodb.read_units": 0.5},
	"delivery": {"sqs.requests": 1}, "invocation": {"lambda.requests": 1, "s3.put": 1},
	"host": {"dynamodb.read_units": 1}, "minute": {"events.invocations": 1},
	"weak_page": {"s3.put": 2}, "weak_host": {"s3.put": 3}}`

func byHand(t *testing.T) *Rates {
	t.Helper()
	rates, err := readRates([]byte(handRates))
	if err != nil {
		t.Fatal(err)
	}
	return rates
}

func TestForecast(t *testing.T) {
	for _, test := range []struct {
		name                    string
		plan                    Plan
		rendering               string
		deliveries, invocations float64
		elapsed                 time.Duration
		usage                   Usage
		weak                    Usage // what is more if weak links are followed
	}{
		{
			// 100 pages of each host at 2 s; a task is 5 pages; 10 tasks side by side:
			// 2 s of 1 GB serve 10 pages
			name:       "many hosts",
			plan:       Plan{Pages: 2000, Hosts: 20, Delay: time.Second, Links: 30, Relevant: 0.25, Archived: 0.75},
			deliveries: 400, invocations: 40, elapsed: 200 * time.Second,
			usage: Usage{
				LambdaDuration: 400, DynamoWriteUnits: 2*2000 + 200*(1+math.Log(500.0/200)), S3Get: 500, DynamoReadUnits: 0.5*60_000 + 20,
				SQSRequests: 400, LambdaRequests: 40, S3Put: 40, EventsInvocations: 4, S3Storage: 750,
			},
		},
		{
			// 10 relevant pages are fewer than the history's index has
			name:       "a short crawl",
			plan:       Plan{Pages: 20, Hosts: 20, Relevant: 0.5},
			deliveries: 20, invocations: 2, elapsed: time.Second,
			usage: Usage{
				LambdaDuration: 2, DynamoWriteUnits: 2*20 + 10, S3Get: 10, DynamoReadUnits: 20,
				SQSRequests: 20, LambdaRequests: 2, S3Put: 2, EventsInvocations: 1,
			},
		},
		{
			// no other page shares the wait
			name:       "one host",
			plan:       Plan{Pages: 100, Hosts: 1, Delay: time.Second},
			deliveries: 20, invocations: 20, elapsed: 200 * time.Second,
			usage: Usage{
				LambdaDuration: 200, DynamoWriteUnits: 200, DynamoReadUnits: 1,
				SQSRequests: 20, LambdaRequests: 20, S3Put: 20, EventsInvocations: 4,
			},
		},
		{
			// half of the pages at 4 s of 4 GB: they have two requests
			name:       "rendered",
			plan:       Plan{Pages: 100, Hosts: 1, Delay: time.Second, Rendered: 0.5},
			rendering:  "2s each in a function of 4 GB, and 1 more requests to the host",
			deliveries: 20, invocations: 20, elapsed: 300 * time.Second,
			usage: Usage{
				LambdaDuration: 50*2 + 50*4*4, DynamoWriteUnits: 200, DynamoReadUnits: 1,
				SQSRequests: 20, LambdaRequests: 20, S3Put: 20, EventsInvocations: 5,
			},
		},
		{
			// two side by side
			name:       "all rendered",
			plan:       Plan{Pages: 2000, Hosts: 20, Delay: time.Second, Rendered: 1},
			rendering:  "2s each in a function of 4 GB, and 1 more requests to the host",
			deliveries: 400, invocations: 200, elapsed: 400 * time.Second,
			usage: Usage{
				LambdaDuration: 2000 * 4 * 4 / 2, DynamoWriteUnits: 2 * 2000, DynamoReadUnits: 20,
				SQSRequests: 400, LambdaRequests: 200, S3Put: 200, EventsInvocations: 7,
			},
		},
		{
			// 10 s a page: 2 fit into the window
			name:       "slow hosts",
			plan:       Plan{Pages: 40, Hosts: 4, Delay: 9 * time.Second},
			deliveries: 20, invocations: 5, elapsed: 100 * time.Second,
			usage: Usage{
				LambdaDuration: 40 * 10 / 4, DynamoWriteUnits: 80, DynamoReadUnits: 4,
				SQSRequests: 20, LambdaRequests: 5, S3Put: 5, EventsInvocations: 2,
			},
		},
		{
			name:       "delay beyond the window",
			plan:       Plan{Pages: 2, Hosts: 1, Delay: 59 * time.Second},
			deliveries: 2, invocations: 2, elapsed: 2 * time.Minute,
			usage: Usage{
				LambdaDuration: 120, DynamoWriteUnits: 4, DynamoReadUnits: 1,
				SQSRequests: 2, LambdaRequests: 2, S3Put: 2, EventsInvocations: 2,
			},
		},
		{
			// no more hosts than pages, and their tasks are of one page
			name:       "more hosts than pages",
			plan:       Plan{Pages: 20, Hosts: 1_000_000, Delay: time.Second},
			deliveries: 20, invocations: 2, elapsed: 2 * time.Second,
			usage: Usage{
				LambdaDuration: 4, DynamoWriteUnits: 40, DynamoReadUnits: 20,
				SQSRequests: 20, LambdaRequests: 2, S3Put: 2, EventsInvocations: 1,
			},
			weak: Usage{S3Put: 2*20 + 3*20},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.plan.DropsWeak = test.weak == nil; !test.plan.DropsWeak {
				test.usage.Add(test.weak)
			}
			got, err := byHand(t).Forecast(test.plan, reference(t))
			if err != nil {
				t.Fatal(err)
			}
			for item, n := range got.Usage { // what was asked for 0 times
				if n == 0 {
					delete(got.Usage, item)
				}
			}
			want := Estimate{
				Source: "by hand", Rendering: test.rendering, Deliveries: test.deliveries, Invocations: test.invocations,
				Elapsed: test.elapsed, Usage: test.usage,
			}
			bill := got.Bill
			got.Bill = Bill{}
			if diff := cmp.Diff(want, got, near); diff != "" {
				t.Errorf("Forecast (-want +got):\n%s", diff)
			}
			if total := reference(t).Of(test.usage).Total; math.Abs(total-bill.Total) > 1e-12 {
				t.Errorf("bill is %v, want %v", bill.Total, total)
			}
		})
	}
}

func TestNaive(t *testing.T) {
	got, err := byHand(t).Naive(Plan{Pages: 1_000_000, Hosts: 5, Delay: time.Second, Links: 30}, reference(t))
	if err != nil {
		t.Fatal(err)
	}
	want := Usage{SQSRequests: 32e6, DynamoWriteUnits: 31e6, S3Put: 2e6, LambdaRequests: 1e6, LambdaDuration: 1e6}
	if diff := cmp.Diff(want, got.Usage); diff != "" {
		t.Errorf("Usage (-want +got):\n%s", diff)
	}
	dollars := 32*0.40 + 31*0.625 + 2000*0.005 + 0.20 + 13.3334
	if math.Abs(got.Bill.Total-dollars) > 1e-9 {
		t.Errorf("bill is %v, want %v", got.Bill.Total, dollars)
	}
}

func TestForecastRefuses(t *testing.T) {
	rates, prices := byHand(t), reference(t)
	good := Plan{Pages: 1, Hosts: 1}
	for _, test := range []struct {
		name   string
		change func(*Plan)
		want   []string
	}{
		{"no pages", func(p *Plan) { p.Pages = 0 }, []string{"pages are 0"}},
		{"all at once", func(p *Plan) { p.Hosts, p.Delay = -1, -1 }, []string{"hosts are -1", "delay is -1ns"}},
		{"too long a delay", func(p *Plan) { p.Delay = 25 * time.Hour }, []string{"delay is 25h"}},
		{"too many", func(p *Plan) { p.Pages = math.MaxInt }, []string{"to 1e+09"}},
		{"links", func(p *Plan) { p.Links = math.NaN() }, []string{"links of a page are NaN"}},
		{"share", func(p *Plan) { p.Relevant = 1.01 }, []string{"relevant share is 1.01"}},
		{"rendered", func(p *Plan) { p.Rendered = math.NaN() }, []string{"rendered share is NaN"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := good
			test.change(&plan)
			_, err := rates.Forecast(plan, prices)
			fixture.Says(t, err, test.want)
			_, err = rates.Naive(plan, prices)
			fixture.Says(t, err, test.want)
		})
	}
}

func TestForecastOfAges(t *testing.T) {
	got, err := byHand(t).Forecast(Plan{Pages: 1e9, Hosts: 1, Delay: 24 * time.Hour}, reference(t))
	if err != nil {
		t.Fatal(err)
	}
	if got.Elapsed != math.MaxInt64 {
		t.Errorf("Elapsed = %v, want the longest there is", got.Elapsed)
	}
}

func TestCurrentRates(t *testing.T) {
	rates, err := CurrentRates()
	if err != nil {
		t.Fatal(err)
	}
	prices := reference(t)
	for _, test := range []struct {
		name string
		plan Plan
	}{
		{"few hosts", Plan{Pages: 1_000_000, Hosts: 16, Links: 30, Relevant: 0.3, Archived: 1}},
		{"1000 hosts", Plan{Pages: 1_000_000, Hosts: 1000, Delay: time.Second, Links: 30, Relevant: 0.3, Archived: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			ours, err := rates.Forecast(test.plan, prices)
			if err != nil {
				t.Fatal(err)
			}
			naive, err := rates.Naive(test.plan, prices)
			if err != nil {
				t.Fatal(err)
			}
			if ours.Bill.Total > 8 || ours.Bill.Unpriced != nil {
				t.Errorf("a million pages cost %v (unpriced %v), want at most 8", ours.Bill.Total, ours.Bill.Unpriced)
			}
			if naive.Bill.Total < 4*ours.Bill.Total {
				t.Errorf("the naive design costs %v, ours %v", naive.Bill.Total, ours.Bill.Total)
			}
		})
	}
	one, err := rates.Forecast(Plan{Pages: 100_000, Hosts: 1, Delay: time.Second, Links: 30}, prices)
	if err != nil {
		t.Fatal(err)
	}
	if each := one.Deliveries / 100_000; each >= 0.2 {
		t.Errorf("one host: %v deliveries a URL, want less than 0.2", each)
	}
}

// What docs/results.md has of counted crawls is forecast within 15 %.
func TestForecastOfMeasured(t *testing.T) {
	rates, err := CurrentRates()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name       string
		plan       Plan
		none, slow float64 // measured dollars a million pages, without a delay and with 1 s
	}{
		{"few hosts, semantic", Plan{Pages: 2500, Hosts: 16, Links: 29.4, Relevant: 0.73, DropsWeak: true}, 3.85, 5.14},
		{"many hosts, semantic", Plan{Pages: 2500, Hosts: 910, Links: 29.9, Relevant: 0.74, DropsWeak: true}, 5.87, 5.99},
		{"few hosts, hybrid", Plan{Pages: 2500, Hosts: 16, Links: 30.0, Relevant: 0.57}, 5.11, 6.49},
		{"many hosts, hybrid", Plan{Pages: 2592, Hosts: 693, Links: 25.0, Relevant: 0.42}, 8.30, 8.43},
	} {
		for delay, measured := range map[time.Duration]float64{0: test.none, time.Second: test.slow} {
			t.Run(fmt.Sprintf("%s, %v", test.name, delay), func(t *testing.T) {
				test.plan.Delay, test.plan.Archived = delay, 1
				e, err := rates.Forecast(test.plan, reference(t))
				if err != nil {
					t.Fatal(err)
				}
				got := e.Bill.PerMillion(test.plan.Pages).Total
				t.Logf("forecast %.2f, measured %.2f", got, measured)
				if math.Abs(got/measured-1) > 0.15 {
					t.Errorf("a million pages are forecast to cost %.2f, measured are %.2f", got, measured)
				}
			})
		}
	}
}

func TestReadRatesRefuses(t *testing.T) {
	for _, test := range []struct {
		name, old, new string
		want           []string
	}{
		{"unknown item", `"s3.put"`, `"s3.puts"`, []string{`unknown key "s3.puts" in invocation`}},
		{"operations are no rates", `"s3.put"`, `"s3.PutObject.requests"`, []string{"unknown key"}},
		{"negative", `"lambda.requests": 1`, `"lambda.requests": -1`, []string{`invocation: "lambda.requests" must be a number from 0`, `, not -1`}},
		{"missing", `"source": "by hand",`, ``, []string{`key "source" is missing`}},
		{"twice", `"source"`, `"source": "a", "source"`, []string{`source is repeated`}},
		{"rendering", `"memory_gb": 4`, `"memory_mb": 4`, []string{`unknown key "memory_mb" in render`, `render: key "memory_gb" is missing`}},
		{"busy for nothing", `"busy_seconds": 1`, `"busy_seconds": 0`, []string{"busy_seconds must be a number from 0.001 to 900, not 0"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(handRates, test.old, test.new, 1)
			if text == handRates {
				t.Fatalf("%q is not in the rates", test.old)
			}
			_, err := readRates([]byte(text))
			fixture.Says(t, err, test.want)
		})
	}
}
