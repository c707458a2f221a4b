package optout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sluice/shared/web/pathmatch"
	"sluice/shared/web/robotstxt"
)

// maxRules bounds the rules that are kept of one file.
const maxRules = 1000

// TDMFile is the tdmrep.json of a site. Nil says nothing. It does not change and
// is safe for concurrent use; its JSON is a tdmrep.json.
type TDMFile struct{ rules []tdmRule }

type tdmRule struct {
	location    pathmatch.Pattern
	reservation Reservation
}

// tdmEntry is a rule as written. A reservation should be a number, but may be
// anything.
type tdmEntry struct {
	Location    string          `json:"location"`
	Reservation json.RawMessage `json:"tdm-reservation"`
	Policy      string          `json:"tdm-policy,omitempty"`
}

// ParseTDMFile reads a tdmrep.json: an array of rules, or one rule alone. It
// skips rules without a location or a reservation. It keeps the complete rules
// of a truncated or too long file. Without a rule it returns nil.
func ParseTDMFile(body []byte) *TDMFile {
	body = bytes.TrimSpace(robotstxt.UTF8(body[:min(len(body), robotstxt.MaxFile)]))
	dec := json.NewDecoder(bytes.NewReader(body))
	if bytes.HasPrefix(body, []byte("[")) {
		if _, err := dec.Token(); err != nil {
			return nil
		}
	}
	f := &TDMFile{}
	for dec.More() && len(f.rules) < maxRules {
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			break // cannot read on after this
		}
		var e tdmEntry
		if json.Unmarshal(raw, &e) == nil {
			f.add(&e)
		}
	}
	if len(f.rules) == 0 {
		return nil
	}
	return f
}

func (f *TDMFile) add(e *tdmEntry) {
	location := strings.TrimSpace(e.Location)
	r := NewReservation(string(e.Reservation), e.Policy, "tdmrep.json, location "+most(location, 100))
	if location == "" || r.Value == "" {
		return
	}
	if strings.Contains(location, "://") {
		location = pathmatch.Path(location)
	}
	if location[0] != '/' && location[0] != '*' {
		location = "/" + location
	}
	f.rules = append(f.rules, tdmRule{pathmatch.Compile(location), r})
}

// For returns the statement of the file about a path from pathmatch.Path, by
// the first matching rule.
func (f *TDMFile) For(path string) Reservation {
	if f == nil {
		return Reservation{}
	}
	for i := range f.rules {
		if f.rules[i].location.Match(path) {
			return f.rules[i].reservation
		}
	}
	return Reservation{}
}

// MarshalJSON implements json.Marshaler.
func (f *TDMFile) MarshalJSON() ([]byte, error) {
	entries := make([]tdmEntry, len(f.rules))
	for i := range f.rules {
		r := &f.rules[i]
		entries[i] = tdmEntry{r.location.String(), json.RawMessage(r.reservation.Value), r.reservation.Policy}
	}
	return json.Marshal(entries)
}

// UnmarshalJSON decodes the result of MarshalJSON.
func (f *TDMFile) UnmarshalJSON(data []byte) error {
	var entries []tdmEntry
	if err := json.Unmarshal(data, &entries); err != nil {
		return fmt.Errorf("read stored tdmrep.json: %w", err)
	}
	*f = TDMFile{}
	for i := range entries {
		f.add(&entries[i])
	}
	return nil
}
