package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"sluice/shared/crawl/browse"
	"sluice/shared/crawl/step"
	"sluice/shared/local/filecorpus"
	"sluice/shared/web/render"
)

// NoBrowser is the Browser of a Spec whose crawl renders no page, whatever its topic says.
const NoBrowser = "none"

// openBrowser prepares the browser of a crawl that has pages rendered. Where something
// answers in place of the network, it answers as a browser would show it.
func (c *Crawl) openBrowser(ctx context.Context, planned *step.Plan) error {
	switch {
	case planned.Render == "":
		return nil
	case c.spec.Transport != nil:
		planned.Render = ""
		return nil
	case c.spec.Browser == NoBrowser:
		planned.Render = ""
		c.spec.Log.WarnContext(ctx, "pages are not rendered: there is to be no browser")
		return nil
	}
	seeds, err := c.spec.seeds()
	if err != nil {
		return err
	}
	opts := browse.Options(c.spec.manners(seeds), c.visitor, c.spec.Browser)
	if opts.Folder, c.browserFiles, err = makeBrowserFolder(); err != nil {
		return fmt.Errorf("make a folder for the browser: %w", err)
	}
	b, err := render.New(opts)
	if errors.Is(err, render.ErrNoBrowser) {
		if c.spec.BrowserIfAny {
			planned.Render = ""
			c.spec.Log.WarnContext(ctx, "no page is rendered: no browser is installed; what scripts build is not seen")
			return nil
		}
		err = errors.New("none is installed (Debian's package is chromium-headless-shell)")
	}
	if err != nil {
		return fmt.Errorf("%w, but the topic file says render: %s: %w: install one, name one with --browser PATH, or have no page rendered with --browser none", ErrBrowser, planned.Render, err)
	}
	c.browser = browse.Browser{Browser: b}
	return nil
}

// browserFolder begins the names of folders for what browsers write.
const browserFolder = "sluice-browser-"

// heldFolder is a folder with its lock. Close removes it.
type heldFolder struct {
	dir  string
	lock io.Closer
}

// Close implements io.Closer. Processes that end may still write.
func (h *heldFolder) Close() error {
	err := os.RemoveAll(h.dir)
	for range 5 {
		if err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
		err = os.RemoveAll(h.dir)
	}
	return errors.Join(err, h.lock.Close())
}

// makeBrowserFolder makes a temporary folder, and removes those of processes that were
// killed: a process holds the lock of its folder while it lives.
func makeBrowserFolder() (string, io.Closer, error) {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), browserFolder+"*"))
	if err != nil {
		return "", nil, err
	}
	for _, dir := range left {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		if lock, err := filecorpus.Lock(dir); err == nil { // else somebody uses it, or it is another user's
			_ = (&heldFolder{dir, lock}).Close() // the next start tries again
		}
	}
	for range 5 { // another start may take the new folder for one that was left, and remove it
		dir, err := os.MkdirTemp("", browserFolder)
		if err != nil {
			return "", nil, err
		}
		lock, err := filecorpus.Lock(dir)
		if err != nil {
			continue
		}
		if busy, err := filecorpus.Busy(dir); err == nil && busy {
			return dir, &heldFolder{dir, lock}, nil
		}
		_ = lock.Close() // of a file that is gone
	}
	return "", nil, errors.New("others remove it")
}
