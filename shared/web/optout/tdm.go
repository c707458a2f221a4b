package optout

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/text/width"
)

// Values of a Reservation. Others are protocol errors and leave it unset.
const (
	reserved    = "1"
	notReserved = "0"
)

// maxPolicy bounds the URL of a policy, in bytes.
const maxPolicy = 2048

// Reservation is a statement of the TDM Reservation Protocol (W3C community
// group report of 2024-02-02). The zero value says nothing.
type Reservation struct {
	Value  string `json:"value,omitempty"`  // reserved, notReserved, or "" for unset
	Policy string `json:"policy,omitempty"` // URL that says how to obtain rights
	Place  string `json:"place,omitempty"`  // where Value was found, for people
}

// NewReservation reads a statement as written: also true and false for 1 and 0,
// in quotes or with parameters. Of several values in a repeated field, reserved
// counts. A policy that is not an absolute URL is left out.
func NewReservation(value, policy, place string) Reservation {
	r := Reservation{Policy: policyOf(policy)}
	for v := range strings.SplitSeq(value, ",") {
		if v = reservation(v); v == reserved || v == notReserved && r.Value == "" {
			r.Value, r.Place = v, place
		}
	}
	return r
}

// reservation returns the reservation that s states, or else s.
func reservation(s string) string {
	s, _, _ = strings.Cut(s, ";") // 1;policy=…
	switch s = strings.ToLower(strings.Trim(width.Narrow.String(s), " \t\r\n\"'")); s {
	case "true":
		return reserved // the report calls it a boolean
	case "false":
		return notReserved
	}
	return s
}

// String returns the form in the corpus record: "" without a statement, "0",
// "1" or "1 URL" with a policy. If nothing is reserved, a policy means nothing.
func (r Reservation) String() string {
	if r.Value == reserved && r.Policy != "" {
		return r.Value + " " + r.Policy
	}
	return r.Value
}

// over returns r with values that it leaves unset taken from before.
func (r Reservation) over(before Reservation) Reservation {
	if r.Value == "" {
		r.Value, r.Place = before.Value, before.Place
	}
	r.Policy = cmp.Or(r.Policy, before.Policy)
	return r
}

func (r Reservation) detail() string {
	detail := "tdm-reservation: " + r.Value + " (" + r.Place + ")"
	if r.Policy != "" {
		detail += ", policy " + r.Policy
	}
	return detail
}

// headerTDM reads the fields of a response.
func headerTDM(h http.Header) Reservation {
	return NewReservation(strings.Join(h.Values("Tdm-Reservation"), ","), h.Get("Tdm-Policy"), "header")
}

func policyOf(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxPolicy {
		return ""
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.String()
}
