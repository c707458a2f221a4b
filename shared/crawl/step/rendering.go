package step

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"golang.org/x/net/html"

	"sluice/shared/crawl/reading"
	"sluice/shared/fault"
	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/topic"
	"sluice/shared/web/hosts"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Browser shows pages as their scripts build them (METHOD C2). It is safe for concurrent
// use.
type Browser interface {
	// Show returns the page that the browser makes of an answer. It waits for other
	// pages to end, as long as ctx allows. Errors are classified: Retryable ones may pass,
	// Permanent ones are the page's, Broken says that no browser can be started. With an
	// error it returns the requests that were sent, nil if the page was not begun.
	Show(ctx context.Context, a *Answer) (*Shown, error)
}

// Answer is a page as its server sent it.
type Answer struct {
	URL    string
	Header http.Header
	Body   []byte // without content coding

	// Allow decides on each request that the page sends. It may be called after Show
	// has returned.
	Allow func(address string) bool

	// More, unless nil, is asked whether the page, as it has settled, is a list that may
	// grow, and returns a regular expression for the text of the button that adds to it; ""
	// for no.
	More func(markup []byte) (button string)
}

// Shown is a page as a browser shows it.
type Shown struct {
	HTML     []byte         // UTF-8
	More     []byte         // the same with all that it adds to its list, nil if it adds nothing
	Requests map[string]int // that the page sent, by host
}

// Layers of a host by rendering.
const (
	Static  = "static"  // the server sends what readers see
	Dynamic = "dynamic" // scripts of the pages build it
	Unknown = "unknown" // too few pages were compared
)

// Rendering is how a page was rendered, and why.
type Rendering struct {
	Layer      string   `json:"layer,omitempty"`      // of its host; "" if all pages are rendered
	Kind       string   `json:"kind,omitempty"`       // Static or Dynamic; Unknown: the page was compared
	Similarity *float64 `json:"similarity,omitempty"` // of the page as fetched and as shown, if they were compared
	Fields     []string `json:"fields,omitempty"`     // of the plan's template that only scripts add
	More       bool     `json:"more,omitempty"`       // its list grew as it was asked to
	Shown      bool     `json:"shown"`                // it was read as the browser showed it
	Requests   int      `json:"requests,omitempty"`   // that the browser sent for it, to all hosts
	Error      string   `json:"error,omitempty"`      // why it was not shown
}

// maxRenderPause is the longest time that the requests of a page put off the next fetch
// from their host, unless one fetch puts it off for longer.
const maxRenderPause = time.Minute

// otherLease is the time for which another host is leased, to put off its next fetch.
const otherLease = 10 * time.Second

// One leaseSpare-th of a lease is left when a page has been shown, for its end.
const leaseSpare = 9

// markup is the page that is read, with its content type.
func (v *visit) markup(contentType string) ([]byte, string) {
	if v.shown != nil {
		return v.shown, page.TypeUTF8
	}
	return v.resp.Body, contentType
}

// show has the browser show a page of a layer that needs it, and one of a layer that is not
// known yet, to compare. If it fails, the link is tried later; in the end, and if the page
// itself is to blame, the page is read as it was fetched. later says that the link was set
// aside.
func (r *run) show(ctx context.Context, v *visit, contentType string) (later bool, err error) {
	note := &Rendering{}
	switch r.plan.Render {
	case topic.RenderAlways:
	case topic.RenderAuto:
		note.Layer = layerOf(v.url)
		note.Kind = r.layers().verdict(note.Layer)
	default:
		return false, nil
	}
	v.trace.Rendering = note
	if note.Kind == Static {
		return false, nil
	}
	return r.render(ctx, v, contentType)
}

// render is show for a page that a browser is to show.
func (r *run) render(ctx context.Context, v *visit, contentType string) (later bool, err error) {
	note, known := v.trace.Rendering, r.layers()
	if r.ports.Browser == nil {
		v.unseen, note.Error = true, "there is no browser"
		return false, nil
	}
	if rule := r.optedOut(v, contentType); rule != "" {
		note.Error = "the page opts out as it was fetched: " + rule
		return false, nil
	}
	shown, err := r.ask(ctx, v)
	asked := shown != nil
	if !asked {
		shown = &Shown{}
	}
	if err := r.countRequests(context.WithoutCancel(ctx), v, shown.Requests); err != nil {
		return false, err
	}
	switch f := fault.Of(err); {
	case err == nil:
	case ctx.Err() != nil:
		return false, ctx.Err()
	case !asked && errors.Is(err, context.DeadlineExceeded):
		r.setAside(v.link, backoff(v.link.Attempts)) // others were first
		return true, nil
	case f.Class == fault.Broken:
		return false, fmt.Errorf("show %s: %w", v.link.URL, err)
	case f.Class != fault.Permanent && v.link.Attempts+1 < r.opts.MaxAttempts:
		return true, r.tryLater(ctx, v, f, backoff(v.link.Attempts))
	default:
		note.Error = err.Error()
		if note.Kind == Unknown {
			known.count(note.Layer, staticPages) // as far as can be seen
		}
		return false, nil
	}
	v.shown, note.Shown, v.entry.Rendered = shown.HTML, true, true
	r.inTurn(func() {
		note.More = longer(shown)
		if note.Kind == Unknown {
			r.compare(v, contentType, note, known)
		}
	})
	if note.More {
		v.shown = shown.More
	}
	return false, nil
}

// optedOut returns the rule by which the page must not be kept as it was fetched, "" for
// none, and notes its directives: scripts that take them out of a page do not undo them.
func (r *run) optedOut(v *visit, contentType string) (rule string) {
	r.inTurn(func() {
		_, p, err := page.Read(v.resp.Body, contentType, v.url)
		if err != nil {
			return // the reading of the page will say so
		}
		v.directives = p.MetaRobots
		a := reading.Arrival{Page: p, Header: v.resp.Header, Site: v.robots.Site(v.link.URL)}
		rule, _ = a.Signals().Refusal(v.resp.Start)
	})
	return rule
}

// needsOther reports whether the page of a link is for a worker with a browser: before it is
// fetched, so that it is fetched once.
func (r *run) needsOther(v *visit) bool {
	if !r.opts.HandOver || r.ports.Browser != nil || r.plan.Render == "" || v.link.IsSource {
		return false
	}
	return r.plan.Render == topic.RenderAlways || r.layers().verdict(layerOf(v.url)) != Static
}

// layers are those of the host, which what is counted in them changes.
func (r *run) layers() layers {
	st := &r.lease.State
	if st.Layers == nil && r.plan.Render == topic.RenderAuto {
		st.Layers = map[string][2]int{}
	}
	return st.Layers
}

// ask has the browser show the page while the lease lasts.
func (r *run) ask(ctx context.Context, v *visit) (*Shown, error) {
	until := r.end.Add(r.opts.LeaseTime - r.opts.TaskTime - r.opts.LeaseTime/leaseSpare)
	ctx, cancel := context.WithTimeout(ctx, until.Sub(r.opts.Now()))
	defer cancel()
	return r.ports.Browser.Show(ctx, &Answer{
		URL: v.link.URL, Header: v.resp.Header, Body: v.resp.Body, Allow: r.allows(), More: r.asksForMore(v),
	})
}

// countRequests puts off the next fetch from the hosts of a page's requests: from its own
// as if each had been a fetch, as the page itself was.
func (r *run) countRequests(ctx context.Context, v *visit, requests map[string]int) error {
	pause, now := max(r.plan.delay(v.url), v.robots.CrawlDelay()), r.opts.Now()
	r.lease.Next = now.Add(pauseAfter(1+requests[v.url.Host()], pause))
	var errs []error
	for host, n := range requests {
		v.trace.Rendering.Requests += n
		if host != v.url.Host() {
			errs = append(errs, r.putOff(ctx, host, now.Add(pauseAfter(n, r.plan.hostDelay(host)))))
		}
	}
	return errors.Join(errs...)
}

// pauseAfter is the pause after some requests.
func pauseAfter(requests int, pause time.Duration) time.Duration {
	return max(pause, min(time.Duration(requests)*pause, maxRenderPause))
}

// putOff puts off the next fetch from another host of the crawl, which the browser sent
// requests to. While somebody fetches from it, it has its pause anyway.
func (r *run) putOff(ctx context.Context, host string, next time.Time) error {
	u, err := urlnorm.Parse("http://" + host + "/")
	if crawled := err == nil && r.plan.Scope.Contains(u); !crawled {
		return nil
	}
	lease, err := r.ports.Leases.Acquire(ctx, r.task.Crawl, u.Host(), r.grant.Owner, otherLease)
	var busy *hosts.BusyError
	switch {
	case errors.As(err, &busy):
		return nil
	case err != nil:
		return fmt.Errorf("acquire host %s: %w", host, err)
	}
	if next.After(lease.Next) {
		lease.Next = next
	}
	if err := r.ports.Leases.Release(ctx, r.task.Crawl, lease); err != nil {
		return fmt.Errorf("release host %s: %w", host, err)
	}
	return nil
}

// allows returns what robots.txt says of the requests of a page, where it is known.
func (r *run) allows() func(address string) bool {
	known := maps.Clone(r.robots)
	return func(address string) bool {
		u, err := urlnorm.Parse(address)
		if err != nil {
			return true // the browser refuses it
		}
		rules, ok := known[originOf(u)]
		return !ok || rules.Allowed(u.String())
	}
}

// compare counts whether a page is static, and has it read as it was fetched if so.
func (r *run) compare(v *visit, contentType string, note *Rendering, known layers) {
	fetched, err := page.TreeOf(v.resp.Body, contentType)
	if err == nil {
		var shown *html.Node
		if shown, err = page.Tree(v.shown); err == nil {
			similarity := structure.NewFingerprint(fetched).Similarity(structure.NewFingerprint(shown))
			note.Similarity = &similarity
			if t := r.plan.Template; t != nil && similarity >= structure.StaticSimilarity {
				note.Fields = field.Scripted(t, field.Page{Root: fetched}, field.Page{Root: shown})
			}
			if similarity < structure.StaticSimilarity || len(note.Fields) > 0 || note.More {
				known.count(note.Layer, dynamicPages)
				return
			}
		}
	}
	if err != nil {
		note.Error = fmt.Sprintf("compare: %v", err)
	}
	known.count(note.Layer, staticPages)
	v.shown, note.Shown = nil, false
}
