package console

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// RedriveOptions choose dead letters. The zero value chooses all.
type RedriveOptions struct {
	Queue   string   // of a stack: frontier, seeds, clean or structure; "" for all
	Crawl   string   // of a stack; "" for all
	Letters []string // ids; none: all
	Rules   []string // of reasons; none: all
	Discard bool     // delete letters instead: invalid ones, and those that Letters names
	DryRun  bool     // only report
}

// Redriven is the result of a redrive.
type Redriven struct {
	Stack   string         `json:"stack,omitempty"` // "" for a folder
	Out     string         `json:"out,omitempty"`   // of a folder
	DryRun  bool           `json:"dry_run"`
	Discard bool           `json:"discard"` // letters were to be deleted
	Queues  []RedriveCount `json:"queues"`  // of a folder: only frontier
	Letters []Letter       `json:"letters"`
	Hosts   []ClosedHost   `json:"hosts"`   // closed hosts that are asked again, or would be
	Resumed []string       `json:"resumed"` // crawls with an empty frontier that were resumed; none in a folder
	Missing []string       `json:"missing"` // ids without a letter
}

// RedriveCount counts the letters of one dead-letter queue.
type RedriveCount struct {
	Queue     string `json:"queue"`
	Back      int    `json:"back"`      // sent back, or would be
	Stay      int    `json:"stay"`      // invalid; when discarding, valid
	Discarded int    `json:"discarded"` // deleted, or would be
	Others    int    `json:"others"`    // not chosen: other crawls or ids
}

// Letter is a chosen dead letter.
type Letter struct {
	Queue     string    `json:"queue"`
	ID        string    `json:"id"`    // in a folder, the URL
	Crawl     string    `json:"crawl"` // "" if it names none
	URLs      []string  `json:"urls"`  // of a task or message
	Reason    string    `json:"reason"`
	Class     string    `json:"class"`  // "" in a folder
	Source    string    `json:"source"` // name of the queue it came from; "" in a folder
	Sent      time.Time `json:"sent"`
	Back      bool      `json:"back"`
	Discarded bool      `json:"discarded"`
	Why       string    `json:"why,omitempty"`  // why it does not go back
	Body      string    `json:"body,omitempty"` // truncated; of a letter that does not go back
}

// OfHosts reports whether closed hosts are asked again by a rule, too.
func (o *RedriveOptions) OfHosts(rule string) bool {
	return !o.Discard && len(o.Letters) == 0 && o.allows(rule)
}

// NewRedriven returns the report of a redrive, without letters.
func NewRedriven(opts *RedriveOptions) *Redriven {
	return &Redriven{
		DryRun: opts.DryRun, Discard: opts.Discard,
		Queues: []RedriveCount{}, Letters: []Letter{}, Hosts: []ClosedHost{}, Resumed: []string{}, Missing: []string{},
	}
}

// Chosen reports whether the options choose a letter.
func (o *RedriveOptions) Chosen(id, crawl, reason string) bool {
	rule, _, _ := strings.Cut(reason, ":")
	return (o.Crawl == "" || crawl == o.Crawl) && (len(o.Letters) == 0 || slices.Contains(o.Letters, id)) && o.allows(rule)
}

func (o *RedriveOptions) allows(rule string) bool {
	return len(o.Rules) == 0 || slices.Contains(o.Rules, rule)
}

// MaxShown is how many bytes of a body are shown.
const MaxShown = 500

// NotBroken says why a valid letter is kept unless its id is given.
const NotBroken = "it is valid: redrive sends it back, and only its id discards it"

// Judge decides what to do with a chosen letter, and counts and reports it.
// Invalid says why it cannot go back, nil if it can. Valid letters, which hold
// links, are discarded only by id.
func (out *Redriven) Judge(l Letter, body string, invalid error, opts *RedriveOptions, count *RedriveCount) Letter {
	switch {
	case !opts.Discard && invalid == nil:
		l.Back = true
		count.Back++
	case opts.Discard && (invalid != nil || len(opts.Letters) > 0):
		l.Discarded = true
		count.Discarded++
	default:
		count.Stay++
	}
	if invalid != nil {
		l.Why = invalid.Error()
	} else if !l.Back && !l.Discarded {
		l.Why = NotBroken
	}
	if !l.Back {
		l.Body = shown(body)
	}
	out.Letters = append(out.Letters, l)
	return l
}

// shown truncates a body for the report.
func shown(body string) string {
	if len(body) <= MaxShown {
		return body
	}
	n := MaxShown
	for !utf8.RuneStart(body[n]) {
		n--
	}
	return body[:n] + "…"
}

// NoteMissing reports the ids without a letter.
func (out *Redriven) NoteMissing(ids []string) {
	for _, id := range ids {
		if !slices.ContainsFunc(out.Letters, func(l Letter) bool { return l.ID == id }) {
			out.Missing = append(out.Missing, id)
		}
	}
}
