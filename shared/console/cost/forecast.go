package cost

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Bounds of a plan.
const (
	maxPlanCount = 1e9
	maxPlanDelay = 24 * time.Hour
)

// Plan is a crawl that has not run.
type Plan struct {
	Pages    int           // that will be fetched, at least 1
	Hosts    int           // that they are on, at least 1
	Delay    time.Duration // between fetches of a host, up to a day
	Links    float64       // of a page, on average
	Relevant float64       // share of the pages that are relevant, from 0 to 1
	Rendered float64       // share of the pages that a browser shows, from 0 to 1
	Archived float64       // share of the pages whose responses are archived, from 0 to 1

	DropsWeak bool // weak links are not followed, see rank.DropsWeak
}

// check reports all that is wrong with a plan.
func (p Plan) check() error {
	var problems []error
	demand := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	demand(p.Pages >= 1 && p.Pages <= maxPlanCount, "pages are %d: they must be from 1 to %g", p.Pages, float64(maxPlanCount))
	demand(p.Hosts >= 1 && p.Hosts <= maxPlanCount, "hosts are %d: they must be from 1 to %g", p.Hosts, float64(maxPlanCount))
	demand(p.Delay >= 0 && p.Delay <= maxPlanDelay, "delay is %v: it must be from 0 to %v", p.Delay, maxPlanDelay)
	demand(p.Links >= 0 && p.Links <= 1e6, "links of a page are %v: they must be from 0 to 1e+06", p.Links)
	demand(p.Relevant >= 0 && p.Relevant <= 1, "relevant share is %v: it must be from 0 to 1", p.Relevant)
	demand(p.Rendered >= 0 && p.Rendered <= 1, "rendered share is %v: it must be from 0 to 1", p.Rendered)
	demand(p.Archived >= 0 && p.Archived <= 1, "archived share is %v: it must be from 0 to 1", p.Archived)
	return errors.Join(problems...)
}

// Estimate is the expected usage and cost of a plan.
type Estimate struct {
	Source      string        // of the rates: Estimated, or the run they were counted in
	Rendering   string        // what is assumed of a rendered page; "" without any
	Deliveries  float64       // of host tasks
	Invocations float64       // of the crawl function
	Elapsed     time.Duration // lower bound for any concurrency: the pages of a host are fetched in sequence
	Usage       Usage
	Bill        Bill // with the first month of storage, without alarms and dashboard
}

// Forecast estimates the cost of a plan. With H hosts (no more than pages),
// delay d and the rates' busy time b of a page,
//
//   - a delivery fetches v pages of its host: as many as fit into an invocation's
//     window at d+b each, at most those of a task and of the host, at least 1;
//   - an invocation has s such deliveries side by side, which take turns, so that it
//     waits about d for a page of each of them: GB-seconds of a page = memory in GB ·
//     (d+b) / s, where s is the rates' share of H that has pages left, from 1 to 10;
//   - a rendered page is the render function's, with rates of its own and d for each of
//     its requests, too;
//   - the crawl lasts at least (pages/H)·(d+b);
//
// and the rates have the other usage of a page, a relevant page, an archived one, a
// link, a delivery, an invocation, a host and a minute, and what weak links cost.
func (r *Rates) Forecast(plan Plan, prices *Prices) (Estimate, error) {
	if err := plan.check(); err != nil {
		return Estimate{}, fmt.Errorf("forecast crawl: %w", err)
	}
	pages := float64(plan.Pages)
	hosts := math.Min(float64(plan.Hosts), pages)
	ofHost := math.Ceil(pages / hosts)
	busy := math.Max(1, hosts*r.busyHosts)
	side := math.Min(float64(r.batchHosts), busy)
	step := (plan.Delay + r.busy).Seconds()
	rendered := pages * plan.Rendered
	shownSide := math.Min(float64(r.render.batchHosts), busy)
	shownStep := (plan.Delay*time.Duration(1+r.render.requests) + r.render.busy).Seconds()
	meanStep := step + plan.Rendered*(shownStep-step)
	visit := max(1, min(math.Floor(r.window.Seconds()/step), float64(r.taskPages), ofHost))

	e := Estimate{
		Source:      r.Source,
		Deliveries:  math.Ceil(pages / visit),
		Invocations: math.Ceil((pages-rendered)/(visit*side) + rendered/(visit*shownSide)),
		Elapsed:     seconds(ofHost * meanStep),
		Usage:       Usage{LambdaDuration: (pages-rendered)*r.memoryGB*step/side + rendered*r.render.memoryGB*shownStep/shownSide},
	}
	if rendered > 0 {
		e.Rendering = fmt.Sprintf("%v each in a function of %g GB, and %d more requests to the host", r.render.busy, r.render.memoryGB, r.render.requests)
	}
	e.Usage.addTimes(pages, r.page)
	e.Usage.addTimes(pages*plan.Relevant, r.relevant)
	e.Usage.addTimes(r.inHistory(pages*plan.Relevant), r.indexed)
	e.Usage.addTimes(pages*plan.Archived, r.archived)
	e.Usage.addTimes(pages*plan.Links, r.link)
	e.Usage.addTimes(e.Deliveries, r.delivery)
	e.Usage.addTimes(e.Invocations, r.invocation)
	e.Usage.addTimes(hosts, r.host)
	if !plan.DropsWeak {
		e.Usage.addTimes(pages, r.weakPage)
		e.Usage.addTimes(hosts, r.weakHost)
	}
	e.Usage.addTimes(math.Ceil(ofHost*meanStep/60), r.minute)
	e.Bill = prices.Of(e.Usage)
	return e, nil
}

// inHistory is how many of the relevant pages get into the index of the history: all up to
// a number of them, then one of n as many in n.
func (r *Rates) inHistory(relevant float64) float64 {
	most := float64(r.history)
	return min(relevant, most) + most*math.Log(max(relevant, most)/most)
}

// Naive returns what the plan would cost in the design that comes to mind
// first: for every link a message and a conditional write; for every page an
// invocation that does not wait, with its receive and delete, a write of its
// state and two objects. It leaves the delay to others: the real figure is
// higher.
func (r *Rates) Naive(plan Plan, prices *Prices) (Estimate, error) {
	if err := plan.check(); err != nil {
		return Estimate{}, fmt.Errorf("forecast naive crawl: %w", err)
	}
	pages := float64(plan.Pages)
	links := pages * plan.Links
	usage := Usage{
		SQSRequests:      links + 2*pages,
		DynamoWriteUnits: links + pages,
		S3Put:            2 * pages,
		LambdaRequests:   pages,
		LambdaDuration:   pages * ((1-plan.Rendered)*r.memoryGB*r.busy.Seconds() + plan.Rendered*r.render.memoryGB*r.render.busy.Seconds()),
	}
	return Estimate{
		Source:      r.Source,
		Deliveries:  pages,
		Invocations: pages,
		Usage:       usage,
		Bill:        prices.Of(usage),
	}, nil
}

// seconds returns the time of s seconds, or the longest there is.
func seconds(s float64) time.Duration {
	if s >= math.MaxInt64/float64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(s * float64(time.Second))
}
