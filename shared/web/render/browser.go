// Package render loads pages in a headless browser, for layers of a site that a
// plain fetch does not show (METHOD C2).
//
// All pages share one browser process. Each has its own browser context, so that no
// cookie or cache passes from one to another, and reaches the network only through
// its own proxy in this process. The proxy holds the address guard, counts requests
// by host and ends a page that receives too much.
package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/chromedp/chromedp"

	"sluice/shared/fault"
	"sluice/shared/web/fetch"
)

// ErrNoBrowser reports that no browser was found.
var ErrNoBrowser = errors.New("no browser found: install Debian's package chromium-headless-shell, or name a browser")

// names are the commands of browsers that are looked for, in this order.
var names = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}

// Find returns the path of a browser: that named, else the first installed. The
// error is ErrNoBrowser if there is none.
func Find(named string) (string, error) {
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("find browser: %w", err)
		}
		return path, nil
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

// maxTemp is the length of a path below which a browser can have its socket: those of
// sockets have at most 104 bytes, the browser adds 46.
const maxTemp = 56

// closeWithin is the time that a browser has to close.
const closeWithin = 2 * time.Second

// Options configure a browser. Zero values mean the defaults.
type Options struct {
	Path      string        // of the program, see Find
	UserAgent string        // default that of package fetch
	Guard     *fetch.Guard  // default: no exceptions
	Proxies   fetch.Proxies // for all requests; default none
	Pages     int           // loaded at a time; default 2
	Folder    string        // for what the browser writes; default: one of the system's for temporary files
	NoSandbox bool          // where the system has none for processes of its own, as in a container; root has none anyway

	// Allow, if set, refuses further URLs by an error: of pages and of all that they ask for.
	Allow func(address string) error

	Timeout     time.Duration // of a page, from its first request to its text; default 20 s
	Settle      time.Duration // of the page's own clock, in which its scripts may change it; default 5 s
	MaxRequests int           // of a page, its frames and scripts; default 200
	MaxBytes    int64         // received for a page; default 32 MiB
	MaxHTML     int           // bytes of a page's mark-up; default 16 MiB
	MaxMemory   int64         // resident bytes of the process of a page; default 512 MiB
}

func (o Options) withDefaults() Options {
	o.UserAgent = cmp.Or(o.UserAgent, fetch.Product)
	if o.Guard == nil {
		o.Guard, _ = fetch.NewGuard() // can only fail on exceptions
	}
	orDefault(&o.Pages, 2)
	orDefault(&o.Timeout, 20*time.Second)
	orDefault(&o.Settle, 5*time.Second)
	orDefault(&o.MaxRequests, 200)
	orDefault(&o.MaxBytes, 32<<20)
	orDefault(&o.MaxHTML, 16<<20)
	orDefault(&o.MaxMemory, 512<<20)
	return o
}

// check says why nothing may be sent to a URL, nil if it may.
func (o *Options) check(address string) error {
	if err := o.Guard.CheckURL(address); err != nil || o.Allow == nil {
		return err
	}
	return o.Allow(address)
}

func orDefault[T ~int | ~int64](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

// Browser is a running browser. It is safe for concurrent use, and started again
// when it was lost.
type Browser struct {
	options Options
	places  chan struct{} // for pages

	mu     sync.Mutex
	ctx    context.Context // of the running browser; nil if there is none
	cancel context.CancelFunc
	closed bool
}

// New returns a browser, which starts with its first page. It fails if the program
// is not there.
func New(o Options) (*Browser, error) {
	path, err := Find(o.Path)
	if err != nil {
		return nil, err
	}
	o.Path = path
	o = o.withDefaults()
	return &Browser{options: o, places: make(chan struct{}, o.Pages)}, nil
}

// Close ends the browser and the pages that it loads.
func (b *Browser) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.end()
}

func (b *Browser) end() {
	if b.cancel != nil {
		b.cancel()
	}
	b.ctx, b.cancel = nil, nil
}

// running returns the context of the browser, which it starts if need be.
func (b *Browser) running() (context.Context, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return nil, fault.New(fault.Broken, "browser", errors.New("the browser is closed"))
	case b.ctx != nil && !lost(b.ctx):
		return b.ctx, nil
	}
	b.end()
	flags, profile := b.flags(), ""
	if b.options.Folder != "" {
		var err error
		if profile, err = os.MkdirTemp(b.options.Folder, "profile-"); err != nil {
			return nil, fault.New(fault.Broken, "browser", fmt.Errorf("make a folder for the browser: %w", err))
		}
		flags = append(flags, chromedp.UserDataDir(profile))
		if len(b.options.Folder) <= maxTemp {
			flags = append(flags, chromedp.Env("TMPDIR="+b.options.Folder))
		}
	}
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), flags...)
	ctx, endBrowser := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	cancel := func() {
		if chromedp.FromContext(ctx).Browser != nil { // else Cancel takes what endBrowser waits for
			closing, done := context.WithTimeout(ctx, closeWithin)
			_ = chromedp.Cancel(closing) // so that it removes its folders; it is killed below otherwise
			done()
		}
		endBrowser()
		endAllocator()
		if profile != "" {
			_ = os.RemoveAll(profile) // else it goes with the folder
		}
	}
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		return nil, fault.New(fault.Broken, "browser", fmt.Errorf("start %s: %w", b.options.Path, err))
	}
	b.ctx, b.cancel = ctx, cancel
	go b.watch(ctx)
	return ctx, nil
}

// lost reports whether the process of a browser has ended.
func lost(ctx context.Context) bool {
	if ctx.Err() != nil {
		return true
	}
	select {
	case <-chromedp.FromContext(ctx).Browser.LostConnection:
		return true
	default:
		return false
	}
}

// flags are those of the command line. Each page has a proxy of its own; what does not
// belong to a page has none that answers, and no name is ever resolved.
func (b *Browser) flags() []chromedp.ExecAllocatorOption {
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(b.options.Path),
		chromedp.UserAgent(b.options.UserAgent),
		chromedp.DisableGPU,
		chromedp.ProxyServer("http://127.0.0.1:1"),
		chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("dns-prefetch-disable", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("force-webrtc-ip-handling-policy", "disable_non_proxied_udp"),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("no-pings", true),
		chromedp.Flag("block-new-web-contents", true),
		chromedp.Flag("disable-popup-blocking", false),
		chromedp.Flag("disable-site-isolation-trials", true), // requests of frames are seen with those of their page
		chromedp.Flag("disable-features", "Translate,IsolateOrigins,site-per-process"),
		chromedp.Flag("blink-settings", "imagesEnabled=false"),
	)
	if os.Getuid() != 0 && !b.options.NoSandbox {
		flags = append(flags, chromedp.Flag("no-sandbox", false))
	}
	return flags
}
