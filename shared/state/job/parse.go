package job

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"sluice/shared/schema"
	"sluice/shared/state/corpus"
	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// MaxMessage is the largest message body in bytes.
const MaxMessage = 256 << 10

// ErrBadMessage says that a body is not a message. Retrying does not help.
var ErrBadMessage = errors.New("bad start message")

// ParseMessage reads the body of a message: a JSON object, documented by the
// fields of Message, or a bare URL, which is a message with one seed and no
// crawl. Keys and types are checked strictly. The error is a fault.Poison that
// wraps ErrBadMessage and lists all problems, up to 20.
func ParseMessage(body []byte) (*Message, error) {
	if len(body) > MaxMessage {
		return nil, bad(fmt.Errorf("%d bytes, at most %d: put the seeds into an object under seeds/", len(body), MaxMessage))
	}
	if !utf8.Valid(body) {
		return nil, bad(errors.New("not UTF-8"))
	}
	body = bytes.TrimSpace(body)
	if len(body) == 0 || body[0] != '{' {
		return parseBare(string(body))
	}
	v, err := schema.JSON("message", body)
	if err != nil {
		return nil, bad(err)
	}
	m, r := new(Message), new(reader)
	r.message(m).From(v)
	if problems := r.Problems(); len(problems) > 0 {
		return nil, bad(errors.New(problems.Join("; ")))
	}
	return m, nil
}

// parseBare reads a body that is a URL.
func parseBare(body string) (*Message, error) {
	if strings.ContainsAny(body, "\r\n") { // a URL's own line breaks are ignored, which would join several
		return nil, bad(errors.New("neither JSON nor one URL: it has several lines"))
	}
	u, err := urlnorm.Given(body)
	if err != nil {
		return nil, bad(fmt.Errorf("neither JSON nor a URL: %w", err))
	}
	return &Message{Seeds: []string{u.String()}}, nil
}

// MessageSchema is the JSON Schema of what ParseMessage reads, but for a bare URL.
func MessageSchema() *jsonschema.Schema {
	s := new(reader).message(new(Message)).Shape
	s.Properties["v"] = &jsonschema.Schema{Enum: []any{version}}
	s.AnyOf = []*jsonschema.Schema{{Required: []string{"topic"}}, {Required: []string{"seeds"}}}
	s.DependentRequired = make(map[string][]string)
	for _, key := range onlyToStart {
		s.DependentRequired[key] = []string{"topic"}
	}
	for _, key := range onlyToRefresh {
		s.DependentRequired[key] = append(s.DependentRequired[key], "refresh_of")
	}
	return s
}

// message reads a JSON message.
func (r *reader) message(m *Message) schema.Read {
	var v int
	keys := m.Fields(&r.Reader, 1, time.Second)
	maps.Copy(keys, map[string]schema.Read{
		"v":           r.Count(&v, "v", 1, limits.MaxPages),
		"crawl":       r.Text(&m.Crawl, "crawl", CheckID),
		"topic":       r.Text(&m.Topic, "topic", checkTopic),
		"seeds":       r.seeds(&m.Seeds),
		"scope":       r.scope(&m.Scope),
		"max_cost":    r.Number(&m.MaxCost, "max_cost", schema.Bounds{Most: maxCost, Above: true, Unit: "dollars"}),
		"delay":       r.delay(&m.Delay),
		"contact":     r.Text(&m.Contact, "contact", checkGivenContact),
		"user_agent":  r.Text(&m.UserAgent, "user_agent", checkUserAgent),
		"random_seed": r.randomSeed(&m.RandomSeed),
		"archive":     r.Text(&m.Archive, "archive", checkArchive).Among(corpus.Archives...),
		"refresh_of":  r.Text(&m.RefreshOf, "refresh_of", checkRefreshOf),
		"revisit":     r.Text(&m.Revisit, "revisit", checkRevisit).Among(limits.RevisitAll, limits.RevisitSources),
		"older_than":  r.Duration(&m.OlderThan, "older_than", time.Second, limits.MaxDuration),
	})
	return r.Object("message", keys, func(given map[string]bool) {
		r.checkKeys(given, v)
		if err := limits.CheckRevisits(m.Revisit, m.OlderThan, "older_than", "revisit"); err != nil && m.OlderThan > 0 {
			r.Fail(schema.Place{}, "%v", err)
		}
	}).With("v", "crawl")
}

// checkKeys refuses a message of another version, one that lacks a key, and one
// with keys that do not go together.
func (r *reader) checkKeys(given map[string]bool, v int) {
	if !given["v"] {
		r.Fail(schema.Place{}, `v is missing: write "v": %d`, version)
	} else if v != 0 && v != version { // 0: reported already
		r.Fail(schema.Place{}, "version %d, want %d", v, version)
	}
	if !given["crawl"] {
		r.Fail(schema.Place{}, "crawl is missing: give the crawl an id")
	}
	for _, key := range onlyToRefresh {
		if given[key] && !given["refresh_of"] {
			r.Fail(schema.Place{}, "%s is only for a refresh: refresh_of names what it refreshes", key)
		}
	}
	if given["topic"] {
		return
	}
	if !given["seeds"] {
		r.Fail(schema.Place{}, "topic and seeds are missing: name a topic to start a crawl, or seeds to add to one that exists")
	}
	for _, key := range onlyToStart {
		if given[key] {
			r.Fail(schema.Place{}, "%s is only for a start, which names a topic", key)
		}
	}
}

// onlyToStart are the keys that a message without a topic may not have.
var onlyToStart = [...]string{
	"scope", "max_pages", "max_pages_per_host", "max_depth", "max_duration", "overrides", "max_cost", "delay", "contact", "user_agent", "random_seed", "archive", "refresh_of", "revisit", "older_than",
}

// onlyToRefresh are the keys that need refresh_of.
var onlyToRefresh = [...]string{"revisit", "older_than"}

// checkRefreshOf refuses invalid ids of crawls to refresh.
func checkRefreshOf(id string) error {
	if err := CheckID(id); err != nil {
		return fmt.Errorf("refresh_of: %w", err)
	}
	return nil
}

func checkRevisit(revisit string) error {
	return limits.CheckRevisits(revisit, 0, "older_than", "revisit")
}

// checkGivenContact refuses an empty contact, too.
func checkGivenContact(contact string) error {
	if contact == "" {
		return errors.New("contact is empty: leave it out")
	}
	return checkContact(contact)
}
