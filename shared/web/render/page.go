package render

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	cdpfetch "github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"sluice/shared/fault"
)

// Page is a page as a reader of the browser sees it.
type Page struct {
	URL    string // of the document shown: that asked for, or where redirects led
	Status int
	Header http.Header
	HTML   []byte // mark-up of the document, UTF-8
	More   []byte // the same after it was asked for more of its list, nil if it has not grown

	Requests map[string]int // sent, by host: all of them count for the host's delay
	Refused  int            // requests that were not sent: pictures, fonts, video, and those above the limit
	Settled  bool           // the page's scripts had come to rest; else it is what time allowed
}

// Document is a page to show.
type Document struct {
	URL string

	// Header and Body are the answer of its server, if it was fetched before: the
	// browser takes it in place of asking again. Body has no content coding. Without a
	// Header the browser asks.
	Header http.Header
	Body   []byte

	// Allow, if set, decides on each further request of the page.
	Allow func(address string) bool

	// More, if set, is asked whether the page, as it has settled, is a list that may grow. It
	// returns a regular expression of JavaScript that matches the text of a button, in any
	// case, that adds to the list; "" for no. The button is pressed, or else the end of the
	// page is shown, until nothing is added.
	More func(markup []byte) (button string)
}

// Render loads a page by its URL; see Show.
func (b *Browser) Render(ctx context.Context, address string) (*Page, error) {
	return b.Show(ctx, &Document{URL: address})
}

// Show loads a page. Errors are classified; with one, the page has only the requests
// that were sent for it, and is nil if the browser was not asked:
//
//	address, bad_url     Permanent, nothing was sent there
//	render               Permanent: the page is not a document, or no page was shown
//	crashed, too_large   Permanent: the page broke its process, by its memory as a rule
//	tls                  Permanent
//	connect, timeout     Retryable
//	browser              Retryable if its process was lost; Broken if none could be started
func (b *Browser) Show(ctx context.Context, d *Document) (*Page, error) {
	if err := b.options.check(d.URL); err != nil {
		return nil, err
	}
	select {
	case b.places <- struct{}{}:
		defer func() { <-b.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	parent, err := b.running()
	if err != nil {
		return nil, err
	}
	way, err := newProxy(&b.options)
	if err != nil {
		return nil, err
	}

	tab, end := chromedp.NewContext(parent, chromedp.WithNewBrowserContext(func(p *target.CreateBrowserContextParams) {
		p.ProxyServer, p.ProxyBypassList = way.url(), "<-loopback>"
	}))
	defer end()
	tab, cancel := context.WithTimeout(tab, b.options.Timeout)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	defer way.Close() // first: requests that wait for the gate would go on when the tab ends

	l := &load{options: &b.options, tab: tab, way: way}
	p, err := l.load(d)
	switch {
	case err == nil:
		return p, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case l.crashed():
		err = fault.New(fault.Permanent, "crashed", fmt.Errorf("render %s: the process of the page ended", d.URL))
	case tab.Err() != nil:
		err = fault.New(fault.Retryable, "timeout", fmt.Errorf("render %s: no document within %v", d.URL, b.options.Timeout))
	case !isFault(err):
		err = fault.New(fault.Retryable, "browser", fmt.Errorf("render %s: %w", d.URL, err))
	}
	p = &Page{}
	l.count(p)
	return p, err
}

// load is the loading of one page.
type load struct {
	options *Options
	tab     context.Context
	way     *proxy
	gate    *gate
	crash   <-chan struct{}
}

// load shows the page, lets it settle and reads its document.
func (l *load) load(d *Document) (*Page, error) {
	address := d.URL
	if err := l.prepare(d); err != nil {
		return nil, fmt.Errorf("prepare a page of the browser: %w", err)
	}
	main := l.main()
	shown, err := chromedp.Call(l.tab, page.Navigate, page.NavigateParams{URL: address})
	switch {
	case err != nil:
		return nil, err
	case shown.IsDownload:
		return nil, fault.New(fault.Permanent, "render", fmt.Errorf("render %s: not a document", address))
	case shown.ErrorText != "":
		return nil, l.failure(address, shown.ErrorText)
	}
	p := &Page{}
	deadline, _ := l.tab.Deadline()
	half := time.Now().Add(time.Until(deadline) / 2) // the other half is for reading it
	if p.Settled, err = l.settle(half); err != nil {
		return nil, err
	}
	// It has come, but what reports it may be behind what reported the rest.
	came, cancel := context.WithTimeout(l.tab, time.Until(deadline)/2)
	defer cancel()
	response := main(came)
	if response == nil {
		return nil, fault.New(fault.Permanent, "render", fmt.Errorf("render %s: no document was shown", address))
	}
	p.URL, p.Status, p.Header = response.URL, int(response.Status), headerOf(response.Headers)
	before := ""
	if d.More != nil && p.Settled {
		if before, err = l.more(d.More, half); err != nil {
			before = "" // another document has come in between, or reading it says what is wrong
		}
	}
	if p.HTML, err = l.read(); err != nil {
		return nil, err
	}
	if before != "" {
		p.HTML, p.More = []byte(before), p.HTML
	}
	l.count(p)
	return p, nil
}

// settle lets the page's clock run ahead wherever it waits for nothing but time, until its
// scripts have come to rest, or a time.
func (l *load) settle(until time.Time) (settled bool, err error) {
	expired := first(l.tab, emulation.VirtualTimeBudgetExpired)
	go func() {
		_, _ = chromedp.Call(l.tab, emulation.SetVirtualTimePolicy, emulation.SetVirtualTimePolicyParams{
			Policy: emulation.VirtualTimePolicyPauseIfNetworkFetchesPending, Budget: new(float64(l.options.Settle.Milliseconds())), MaxVirtualTimeTaskStarvationCount: 1000,
		}) // a page that is busy answers late or never
	}()
	rest := time.NewTimer(time.Until(until))
	defer rest.Stop()
	select {
	case <-expired:
		return true, nil
	case <-rest.C:
		return false, nil
	case <-l.crash:
		return false, errors.New("crashed")
	case <-l.tab.Done():
		return false, l.tab.Err()
	}
}

// count notes the requests so far.
func (l *load) count(p *Page) {
	p.Requests = l.way.requests()
	if l.gate != nil {
		p.Requests, p.Refused = l.gate.counts(p.Requests)
	}
}

// prepare sets what holds for all that the page does.
func (l *load) prepare(d *Document) error {
	l.crash = first(l.tab, inspector.TargetCrashed)
	dialogs := chromedp.Events(l.tab, page.JavascriptDialogOpening)
	go func() {
		for _, err := range dialogs {
			if err != nil {
				return
			}
			_, _ = chromedp.Call(l.tab, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{}) // it goes with the page
		}
	}()
	// What they report of a page that changes all the time has no bounds.
	if _, err := chromedp.Call(l.tab, css.Disable, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := chromedp.Call(l.tab, dom.Disable, cdp.Empty{}); err != nil {
		return err
	}
	l.gate = newGate(cdp.FrameID(chromedp.FromContext(l.tab).Target.TargetID), l.options.MaxRequests, d)
	paused := chromedp.Events(l.tab, cdpfetch.RequestPaused)
	go l.gate.admit(l.tab, paused)
	go l.refuseLogins(chromedp.Events(l.tab, cdpfetch.AuthRequired))
	if _, err := chromedp.Call(l.tab, cdpfetch.Enable, cdpfetch.EnableParams{HandleAuthRequests: new(true)}); err != nil {
		return err
	}
	if _, err := chromedp.Call(l.tab, network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: true}); err != nil {
		return err
	}
	_, err := chromedp.CallBrowser(l.tab, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: "deny", BrowserContextID: chromedp.FromContext(l.tab).BrowserContextID,
	})
	return err
}

// refuseLogins cancels what asks for a password: the page would wait for it.
func (l *load) refuseLogins(asked iter.Seq2[cdpfetch.EventAuthRequired, error]) {
	for e, err := range asked {
		if err != nil {
			return
		}
		_, _ = chromedp.Call(l.tab, cdpfetch.ContinueWithAuth, cdpfetch.ContinueWithAuthParams{ // the page may have gone
			RequestID: e.RequestID, AuthChallengeResponse: &cdpfetch.AuthChallengeResponse{Response: cdpfetch.AuthChallengeResponseResponseCancelAuth},
		})
	}
}

// first returns a channel that is closed by the first event of a kind.
func first[E any](tab context.Context, kind cdp.Event[E]) <-chan struct{} {
	came := make(chan struct{})
	events := chromedp.Events(tab, kind)
	go func() {
		for _, err := range events {
			if err == nil {
				close(came)
			}
			return
		}
	}()
	return came
}

// main returns a function that waits for the response of the document shown last, nil if there is none.
func (l *load) main() func(context.Context) *network.Response {
	latest := make(chan *network.Response, 1)
	responses := chromedp.Events(l.tab, network.ResponseReceived)
	top := chromedp.FromContext(l.tab).Target.TargetID
	go func() {
		for e, err := range responses {
			if err != nil {
				return
			}
			if e.Type != network.ResourceTypeDocument || string(e.FrameID) != string(top) {
				continue
			}
			select {
			case <-latest:
			default:
			}
			latest <- e.Response
		}
	}()
	return func(ctx context.Context) *network.Response {
		select {
		case r := <-latest:
			return r
		case <-ctx.Done():
			return nil
		}
	}
}

// failure is the error of a page that was not shown: that of the proxy where it is known.
func (l *load) failure(address, text string) error {
	if u, err := url.Parse(address); err == nil {
		if err := l.way.failure(u.Hostname()); err != nil {
			if isFault(err) {
				return err
			}
			return fault.New(fault.Retryable, "connect", fmt.Errorf("render %s: %w", address, err))
		}
	}
	class, rule := fault.Retryable, "connect"
	if strings.Contains(text, "CERT") || strings.Contains(text, "SSL") {
		class, rule = fault.Permanent, "tls"
	}
	return fault.New(class, rule, fmt.Errorf("render %s: %s", address, text))
}

func isFault(err error) bool {
	_, ok := errors.AsType[*fault.Error](err)
	return ok
}

func (l *load) crashed() bool {
	select {
	case <-l.crash:
		return true
	default:
		return false
	}
}

// headerOf takes a header as the browser gives it: values of one name are lines.
func headerOf(h network.Headers) http.Header {
	header := http.Header{}
	for name, value := range h {
		if s, ok := value.(string); ok {
			for line := range strings.SplitSeq(s, "\n") {
				header.Add(name, line)
			}
		}
	}
	return header
}
