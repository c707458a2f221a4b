package browse

import (
	"sync"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/step"
	"sluice/shared/web/render"
)

// Browsers starts the browsers of a worker for many crawls: one for each User-Agent, which
// has the contact of the crawls. They run as long as the process.
type Browsers struct {
	Path    string // of the program; "": the first found
	MaxHTML int    // bytes of a page's mark-up; 0: as many as package render takes

	mu      sync.Mutex
	running map[string]*render.Browser
}

// Check fails if the program is missing.
func (b *Browsers) Check() error {
	_, err := render.Find(b.Path)
	return err
}

// Browse returns the browser of a crawl with the manners m, as visitor has them.
func (b *Browsers) Browse(m plan.Manners, visitor *plan.Visitor) (step.Browser, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.running[visitor.UserAgent]; r != nil {
		return Browser{r}, nil
	}
	o := Options(m, visitor, b.Path)
	o.MaxHTML, o.NoSandbox = b.MaxHTML, true // the function is the sandbox
	r, err := render.New(o)
	if err != nil {
		return nil, err
	}
	if b.running == nil {
		b.running = map[string]*render.Browser{}
	}
	b.running[visitor.UserAgent] = r
	return Browser{r}, nil
}
