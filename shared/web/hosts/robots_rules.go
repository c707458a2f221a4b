package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sluice/shared/fault"
	"sluice/shared/web/optout"
	"sluice/shared/web/pathmatch"
)

// Rules are the rules of one robots.txt for this crawler (RFC 9309): its group
// for "sluice", or else the one for "*". They include the statements of the
// site's other files about the use of its pages, once those were requested. The
// zero value allows everything. Rules don't change, are safe for concurrent use
// and can be stored as JSON.
type Rules struct {
	rules    []rule // most specific first
	delay    time.Duration
	sitemaps []string

	usage *optout.Lines   // of robots.txt: about the use of pages
	tdm   *optout.TDMFile // tdmrep.json
	ai    *optout.Lines   // ai.txt
	asked [len(siteFiles)]inquiry

	refused          string // rule of the fault that replaces a robots.txt
	cause            string // of it
	fetched, expires time.Time
}

// Allowed reports whether the URL may be fetched: the longest pattern that
// matches its path and query decides, Allow before Disallow of the same length,
// and /robots.txt itself may always be. The URL is absolute, or a path.
func (r *Rules) Allowed(rawURL string) bool {
	if len(r.rules) == 0 && r.refused == "" {
		return true
	}
	path := pathmatch.Path(rawURL)
	if path == robotsPath {
		return true
	}
	if r.refused != "" {
		return false
	}
	for i := range r.rules {
		if r.rules[i].pattern.Match(path) {
			return r.rules[i].allow
		}
	}
	return true
}

// CrawlDelay returns the delay of the group, 0 for none, at most a day; the
// longest of several.
func (r *Rules) CrawlDelay() time.Duration { return r.delay }

// Sitemaps returns the sitemaps that the file names, in any group, as written
// and in that order: at most 1,000. Check them like any other link.
func (r *Rules) Sitemaps() []string { return slices.Clone(r.sitemaps) }

// Fetched returns when the rules were requested; zero for parsed ones.
func (r *Rules) Fetched() time.Time { return r.fetched }

// Expires returns when to request them again; zero for parsed ones.
func (r *Rules) Expires() time.Time { return r.expires }

// Hold reports whether the rules are valid now and were fetched after since.
func (r *Rules) Hold(now, since time.Time) bool {
	return now.Before(r.expires) && !r.fetched.Before(since)
}

// during sets the time for which new rules hold.
func (r *Rules) during(fetched time.Time, validity time.Duration) *Rules {
	r.fetched, r.expires = fetched, fetched.Add(validity)
	return r
}

// blocked returns the fault that replaces a robots.txt, nil if there is none.
func (r *Rules) blocked(now time.Time) error {
	switch r.refused {
	case "":
		return nil
	case RuleUnreachable:
		return fault.NewAfter(max(r.expires.Sub(now), time.Second), RuleUnreachable, errors.New("robots.txt is out of reach: "+r.cause))
	}
	return fault.New(fault.Permanent, r.refused, errors.New("the host is out of reach, as its robots.txt was: "+r.cause))
}

// record is the stored form of Rules.
type record struct {
	Rules    []string `json:"rules,omitempty"` // "+pattern" or "-pattern"
	Delay    float64  `json:"delay_s,omitempty"`
	Sitemaps []string `json:"sitemaps,omitempty"`

	Usage *optout.Lines           `json:"usage,omitempty"`
	TDM   *optout.TDMFile         `json:"tdm,omitempty"`
	AI    *optout.Lines           `json:"ai,omitempty"`
	Asked [len(siteFiles)]inquiry `json:"asked,omitzero"`

	Refused string    `json:"refused,omitempty"`
	Cause   string    `json:"cause,omitempty"`
	Fetched time.Time `json:"fetched"`
	Expires time.Time `json:"expires"`
}

// MarshalJSON encodes the rules for this crawler, not the files they came from.
func (r *Rules) MarshalJSON() ([]byte, error) {
	out := record{
		Delay: r.delay.Seconds(), Sitemaps: r.sitemaps, Usage: r.usage, TDM: r.tdm, AI: r.ai, Asked: r.asked,
		Refused: r.refused, Cause: r.cause, Fetched: r.fetched, Expires: r.expires,
	}
	for i := range r.rules {
		sign := "-"
		if r.rules[i].allow {
			sign = "+"
		}
		out.Rules = append(out.Rules, sign+r.rules[i].pattern.String())
	}
	return json.Marshal(out)
}

// UnmarshalJSON decodes the result of MarshalJSON.
func (r *Rules) UnmarshalJSON(data []byte) error {
	var in record
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("read stored robots rules: %w", err)
	}
	*r = Rules{
		delay: seconds(in.Delay), sitemaps: in.Sitemaps, usage: in.Usage, tdm: in.TDM, ai: in.AI, asked: in.Asked,
		refused: in.Refused, cause: in.Cause, fetched: in.Fetched, expires: in.Expires,
	}
	for _, s := range in.Rules {
		pattern, allow := strings.CutPrefix(s, "+")
		if !allow {
			pattern = strings.TrimPrefix(s, "-")
		}
		r.rules = append(r.rules, newRule(pattern, allow))
	}
	return nil
}
