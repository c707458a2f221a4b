package render

import (
	"net/http"
	"slices"
	"strings"

	cdpfetch "github.com/chromedp/cdproto/fetch"
)

// transferFields are of the way that an answer was sent, or would keep the browser from
// showing it.
var transferFields = []string{"Connection", "Content-Disposition", "Content-Encoding", "Content-Length", "Transfer-Encoding"}

// answer answers the request for the document with what its server sent before.
func (d *Document) answer(id cdpfetch.RequestID) cdpfetch.FulfillRequestParams {
	p := cdpfetch.FulfillRequestParams{RequestID: id, ResponseCode: http.StatusOK, Body: d.Body}
	for name, values := range d.Header {
		if slices.Contains(transferFields, http.CanonicalHeaderKey(name)) {
			continue
		}
		for _, v := range values {
			if !isPlain(name + v) {
				continue // the browser would refuse the whole answer
			}
			p.ResponseHeaders = append(p.ResponseHeaders, &cdpfetch.HeaderEntry{Name: name, Value: v})
		}
	}
	return p
}

// isPlain reports whether a text is of printable ASCII characters.
func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}
