package job

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// MaxMessage is the largest message body in bytes.
const MaxMessage = 256 << 10

// ErrBadMessage says that a body is not a message. Retrying does not help.
var ErrBadMessage = errors.New("bad start message")

// ParseMessage reads the body of a message: a JSON object, documented by the
// fields of Message, or a bare URL, which is a message with one seed and no
// crawl. Keys and types are taken strictly. The error is a fault.Poison that
// wraps ErrBadMessage and tells all problems at once, up to 20 of them.
func ParseMessage(body []byte) (*Message, error) {
	switch {
	case len(body) > MaxMessage:
		return nil, bad(fmt.Errorf("%d bytes, at most %d: put the seeds into an object under seeds/", len(body), MaxMessage))
	case !utf8.Valid(body):
		return nil, bad(errors.New("not UTF-8"))
	}
	body = bytes.TrimSpace(body)
	if len(body) == 0 || body[0] != '{' {
		return parseBare(string(body))
	}
	m, r := new(Message), new(reader)
	r.message(m, body)
	if len(r.problems) > 0 {
		return nil, bad(r.problems)
	}
	return m, nil
}

// parseBare reads a body that is a URL.
func parseBare(body string) (*Message, error) {
	if strings.ContainsAny(body, "\r\n") { // a URL's own line breaks are ignored, which would join several
		return nil, bad(errors.New("neither JSON nor one URL: it has several lines"))
	}
	u, err := urlnorm.Parse(body)
	if err != nil {
		return nil, bad(fmt.Errorf("neither JSON nor a URL: %w", err))
	}
	return &Message{Seeds: []string{u.String()}}, nil
}

// message reads a JSON message.
func (r *reader) message(m *Message, body []byte) {
	var v int
	given := r.object("message", body, map[string]read{
		"v":                  r.count(&v, "v", limits.MaxPages),
		"crawl":              r.text(&m.Crawl, "crawl", CheckID),
		"topic":              r.text(&m.Topic, "topic", checkTopic),
		"seeds":              r.seeds(&m.Seeds),
		"scope":              r.scope(&m.Scope),
		"max_pages":          r.count(&m.MaxPages, "max_pages", limits.MaxPages),
		"max_pages_per_host": r.count(&m.MaxPagesPerHost, "max_pages_per_host", limits.MaxPages),
		"max_depth":          r.count(&m.MaxDepth, "max_depth", limits.MaxDepth),
		"max_duration":       r.maxDuration(&m.MaxDuration),
		"max_cost":           r.cost(&m.MaxCost),
		"delay":              r.delay(&m.Delay),
		"contact":            r.text(&m.Contact, "contact", checkGivenContact),
		"random_seed":        r.randomSeed(&m.RandomSeed),
		"refresh_of":         r.text(&m.RefreshOf, "refresh_of", checkRefreshOf),
	})
	if given == nil {
		return // no object: the keys are not to blame
	}
	switch {
	case !given["v"]:
		r.fail(`v is missing: write "v": %d`, version)
	case v != 0 && v != version: // 0: told already
		r.fail("version %d, want %d", v, version)
	}
	if !given["crawl"] {
		r.fail("crawl is missing: give the crawl an id")
	}
	if given["topic"] {
		return
	}
	if !given["seeds"] {
		r.fail("topic and seeds are missing: name a topic to start a crawl, or seeds to add to one that exists")
	}
	for _, key := range onlyToStart {
		if given[key] {
			r.fail("%s is only for a start, which names a topic", key)
		}
	}
}

// onlyToStart are the keys that a message without a topic may not have.
var onlyToStart = [...]string{
	"scope", "max_pages", "max_pages_per_host", "max_depth", "max_duration", "max_cost", "delay", "contact", "random_seed", "refresh_of",
}

// checkRefreshOf refuses invalid ids of crawls to refresh.
func checkRefreshOf(id string) error {
	if err := CheckID(id); err != nil {
		return fmt.Errorf("refresh_of: %w", err)
	}
	return nil
}

// checkGivenContact refuses an empty contact, too.
func checkGivenContact(contact string) error {
	if contact == "" {
		return errors.New("contact is empty: leave it out")
	}
	return checkContact(contact)
}
