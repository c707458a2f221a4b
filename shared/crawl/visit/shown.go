package visit

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"sluice/shared/crawl/browse"
	"sluice/shared/web/render"
	"sluice/shared/web/urlnorm"
)

// Browser starts the browser at a path, or the first found if that is "", with the
// manners of the visitor. Close it.
func (v *Visitor) Browser(path string) (*render.Browser, error) {
	return render.New(browse.Options(v.manners, v.client, path))
}

// Shown returns the mark-up of a page as the browser shows it. Every request counts
// for the delay of its host, up to longestPause.
func (v *Visitor) Shown(ctx context.Context, b *render.Browser, u urlnorm.URL) ([]byte, error) {
	pause, err := v.wait(ctx, u)
	if err != nil {
		return nil, err
	}
	p, err := b.Render(ctx, u.String())
	v.next[u.Host()] = time.Now().Add(pause)
	if err != nil {
		return nil, err
	}
	for host, n := range p.Requests {
		v.next[host] = time.Now().Add(min(time.Duration(n)*pause, longestPause))
	}
	if p.Status != http.StatusOK {
		return nil, fmt.Errorf("the browser is shown status %d", p.Status)
	}
	return p.HTML, nil
}
