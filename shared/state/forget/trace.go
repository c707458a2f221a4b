package forget

import (
	"encoding/json"

	"sluice/shared/state/frontier"
	"sluice/shared/web/urlnorm"
)

// trace has the fields of a trace of the step that name other pages.
type trace struct {
	Link   frontier.Link `json:"link"`
	Target string        `json:"target"` // of a redirect
}

func readTrace(block []byte) *trace {
	t := new(trace)
	if json.Unmarshal(block, t) != nil {
		return new(trace)
	}
	return t
}

// MeetTrace learns from the trace of a page by which URL it was requested and where
// it redirects to. It reports whether the set has grown.
func (s *Set) MeetTrace(block []byte) (grown bool) {
	t := readTrace(block)
	grown = s.Same(t.Link.First(), t.Link.URL)
	return s.Redirect(t.Link.URL, t.to()) || grown
}

// to is where the page redirects to, "" for nowhere.
func (t *trace) to() string {
	from, err := urlnorm.Parse(t.Link.URL)
	if err != nil || t.Target == "" {
		return ""
	}
	to, err := from.Resolve(t.Target, nil)
	if err != nil {
		return ""
	}
	return to.String()
}

// TraceTarget returns where the page of a trace redirects to, "" for nowhere.
func TraceTarget(block []byte) string { return readTrace(block).to() }

// TraceURL returns the URL that a trace is about, "" if there is none.
func TraceURL(block []byte) string { return readTrace(block).Link.URL }

// Trace returns the trace of a page that stays without what names a page that goes,
// and reports whether it changed.
func (s *Set) Trace(block []byte) ([]byte, bool) {
	t := readTrace(block)
	if !s.Link(&t.Link) {
		return block, false
	}
	var whole map[string]json.RawMessage
	if json.Unmarshal(block, &whole) != nil {
		return block, false
	}
	link, err := json.Marshal(&t.Link)
	if err != nil {
		return block, false
	}
	whole["link"] = link
	out, err := json.Marshal(whole)
	if err != nil {
		return block, false
	}
	return out, true
}

// Link removes parent and anchor of a link that stays if it was found on a page
// that goes. It reports whether it did.
func (s *Set) Link(l *frontier.Link) bool {
	if l.Parent == "" || !s.Has(l.Parent) {
		return false
	}
	l.Parent, l.Anchor = "", ""
	return true
}
