package step

import "context"

// Analyses has hosts analysed by others.
type Analyses interface {
	// Ask asks for the analysis of a host, of which the crawl has kept pages. That may
	// be repeated.
	Ask(ctx context.Context, crawl, host string) error
}

// askAnalysis asks for the analysis of the host with the first pages that are kept of it. If that
// fails, the next task of the host asks: the crawl does not depend on it.
func (r *run) askAnalysis(ctx context.Context) {
	if r.plan.Template == nil || r.ports.Analyses == nil || r.lease.State.Asked || r.out.Kept == 0 {
		return
	}
	if err := r.ports.Analyses.Ask(ctx, r.task.Crawl, r.task.Host); err != nil {
		r.opts.Log.WarnContext(ctx, "analysis is not asked for", "crawl", r.task.Crawl, "host", r.task.Host, "err", err)
		return
	}
	r.lease.State.Asked = true
}
