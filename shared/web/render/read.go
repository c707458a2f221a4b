package render

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"sluice/shared/fault"
)

// read returns the mark-up of the document, once nothing changes it any more.
func (l *load) read() ([]byte, error) {
	if err := l.stop(); err != nil {
		return nil, err
	}
	for {
		markup, err := l.markup()
		switch {
		case err == nil:
			return []byte(markup), nil
		case isFault(err) || l.tab.Err() != nil || l.crashed():
			return nil, err
		}
		time.Sleep(20 * time.Millisecond) // another document has come in between
	}
}

// stop ends the scripts of the page, also one that never ends by itself, and its
// loading.
func (l *load) stop() error {
	if _, err := chromedp.Call(l.tab, runtime.TerminateExecution, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := chromedp.Call(l.tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		return err
	}
	_, err := chromedp.Call(l.tab, page.StopLoading, cdp.Empty{})
	return err
}

// markup returns the mark-up of the document; one that is too large is an error.
func (l *load) markup() (string, error) {
	got, err := l.evaluate(fmt.Sprintf("(h => h.length > %d ? h.length : h)(document.documentElement?.outerHTML ?? '')", l.options.MaxHTML))
	switch {
	case err != nil:
		return "", err
	case got.Type != runtime.RemoteObjectTypeString:
		return "", fault.New(fault.Permanent, "too_large", fmt.Errorf("mark-up of %s characters, limit %d", got.Value, l.options.MaxHTML))
	}
	var markup string
	return markup, json.Unmarshal(got.Value, &markup)
}

// evaluate returns the value of an expression, by code that scripts of the page cannot see or
// change.
func (l *load) evaluate(expression string) (*runtime.RemoteObject, error) {
	frame := cdp.FrameID(chromedp.FromContext(l.tab).Target.TargetID)
	world, err := chromedp.Call(l.tab, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame})
	if err != nil {
		return nil, err
	}
	got, err := chromedp.Call(l.tab, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ContextID: world.ExecutionContextID, ReturnByValue: new(true)})
	switch {
	case err != nil:
		return nil, err
	case got.ExceptionDetails != nil:
		return nil, fmt.Errorf("evaluate in the page: %s", got.ExceptionDetails.Text)
	}
	return got.Result, nil
}
