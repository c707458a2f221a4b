package optout

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var at = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// header makes a header of pairs of name and value.
func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

func TestRefusal(t *testing.T) {
	const policy = "https://a.test/policy.json"
	tests := []struct {
		name   string
		header http.Header
		meta   Meta
		site   Site
		rule   string
		detail string
		tdm    string // the record's field
	}{
		{name: "nothing said"},
		{name: "what is harmless", header: header("X-Robots-Tag", "noimageai, nosnippet"), meta: Meta{Robots: []string{"index", "noimageindex"}}},
		{
			name: "meta noindex", meta: Meta{Robots: []string{"noindex", "nofollow"}},
			rule: RuleNoIndex, detail: "meta robots: noindex,nofollow",
		},
		{
			name: "header noarchive", header: header("X-Robots-Tag", "noarchive"),
			rule: RuleNoArchive, detail: "X-Robots-Tag: noarchive",
		},
		{name: "nocache is noarchive", meta: Meta{Robots: []string{"nocache"}}, rule: RuleNoArchive, detail: "meta robots: nocache"},
		{name: "noai", header: header("X-Robots-Tag", "sluice: noai"), rule: RuleNoAI, detail: "X-Robots-Tag: noai"},
		{name: "for another product", header: header("X-Robots-Tag", "otherbot: noai, noindex")},
		{
			name: "noindex first", header: header("X-Robots-Tag", "noindex", "Tdm-Reservation", "1"), meta: Meta{Robots: []string{"noai"}},
			rule: RuleNoIndex, detail: "X-Robots-Tag: noindex", tdm: "1",
		},
		{
			name: "no longer available", header: header("X-Robots-Tag", "unavailable_after: Thu, 19 Nov 2026 12:00:00 GMT"),
			rule: RuleNoIndex, detail: "X-Robots-Tag: unavailable_after:thu, 19 nov 2026 12:00:00 gmt",
		},
		{
			name: "no longer available, as cookies write it", header: header("X-Robots-Tag", "unavailable_after: Thu, 19-Nov-2026 12:00:00 GMT"),
			rule: RuleNoIndex, detail: "X-Robots-Tag: unavailable_after:thu, 19-nov-2026 12:00:00 gmt",
		},
		{name: "still available", header: header("X-Robots-Tag", "unavailable_after: 2026-11-21")},
		{name: "available until when?", header: header("X-Robots-Tag", "unavailable_after: someday 2020")},
		{
			name: "TDM header", header: header("TDM-Reservation", " 1 ", "tdm-policy", policy),
			rule: RuleTDM, detail: "tdm-reservation: 1 (header), policy " + policy, tdm: "1 " + policy,
		},
		{
			name: "TDM file", site: Site{TDM: NewReservation("1", policy, "tdmrep.json, location /")},
			rule: RuleTDM, detail: "tdm-reservation: 1 (tdmrep.json, location /), policy " + policy, tdm: "1 " + policy,
		},
		{
			name: "the header supersedes the file", header: header("Tdm-Reservation", "0"),
			site: Site{TDM: NewReservation("1", policy, "tdmrep.json, location /")}, tdm: "0",
		},
		{
			name: "the page supersedes the header", header: header("Tdm-Reservation", "0"), meta: Meta{TDM: NewReservation("1", "", "meta")},
			rule: RuleTDM, detail: "tdm-reservation: 1 (meta)", tdm: "1",
		},
		{
			name: "what is absent resets nothing", header: header("Tdm-Policy", policy), meta: Meta{TDM: NewReservation("", "", "meta")},
			site: Site{TDM: NewReservation("1", "", "tdmrep.json, location /")},
			rule: RuleTDM, detail: "tdm-reservation: 1 (tdmrep.json, location /), policy " + policy, tdm: "1 " + policy,
		},
		{
			name: "TDM header with parameters", header: header("Tdm-Reservation", "1; policy="+policy),
			rule: RuleTDM, detail: "tdm-reservation: 1 (header)", tdm: "1",
		},
		{
			name: "TDM header in a word", header: header("Tdm-Reservation", `"True"`),
			rule: RuleTDM, detail: "tdm-reservation: 1 (header)", tdm: "1",
		},
		{name: "TDM header that denies it", header: header("Tdm-Reservation", "false; policy=1"), tdm: "0"},
		{name: "TDM header of something else", header: header("Tdm-Reservation", "policy=1; 1, yes")},
		{
			name: "usage in the page", meta: Meta{Usage: "Content-Signal: ai-train=no"},
			rule: RuleNoTraining, detail: "meta: Content-Signal: ai-train=no",
		},
		{
			name: "usage in header and page", header: header("Content-Usage", "train-ai=n"), meta: Meta{Usage: "Content-Signal: ai-train=no"},
			rule: RuleNoTraining, detail: "header: Content-Usage: train-ai=n",
		},
		{name: "no such value", header: header("Tdm-Reservation", "2")},
		{name: "two values", header: header("Tdm-Reservation", "0", "Tdm-Reservation", "1"), rule: RuleTDM, detail: "tdm-reservation: 1 (header)", tdm: "1"},
		{
			name: "usage header", header: header("Content-Usage", "search=y", "Content-Usage", "train-ai=n"),
			rule: RuleNoTraining, detail: "header: Content-Usage: search=y, train-ai=n",
		},
		{name: "usage header that allows", header: header("Content-Signal", "ai-train=yes, ai-input=no")},
		{
			name: "robots.txt", site: Site{Robots: "Content-Signal: ai-train=no", AI: "Disallow: /"},
			rule: RuleNoTraining, detail: "robots.txt: Content-Signal: ai-train=no",
		},
		{name: "ai.txt", site: Site{AI: "Disallow: /"}, rule: RuleAITxt, detail: "ai.txt: Disallow: /"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Gather(tt.header, "sluice", tt.meta, tt.site)
			rule, detail := s.Refusal(at)
			if rule != tt.rule || detail != tt.detail {
				t.Errorf("refused by %q, %q; want %q, %q", rule, detail, tt.rule, tt.detail)
			}
			if got := s.TDM.String(); got != tt.tdm {
				t.Errorf("TDM %q, want %q", got, tt.tdm)
			}
		})
	}
}

func TestDirectivesOfBoth(t *testing.T) {
	s := Gather(header("X-Robots-Tag", "nofollow, noimageai"), "sluice", Meta{Robots: []string{"noimageai", "index"}}, Site{})
	if diff := cmp.Diff([]string{"noimageai", "index", "nofollow"}, s.Directives()); diff != "" {
		t.Errorf("directives (-want +got):\n%s", diff)
	}
	if !s.NoFollow() {
		t.Error("the header's nofollow is not seen")
	}
}

func TestPolicy(t *testing.T) {
	for policy, want := range map[string]string{
		"https://a.test/p?x#y": "1 https://a.test/p?x#y", "/p": "1", "javascript:x": "1", "https://": "1",
		"http://a.test/" + string(make([]byte, maxPolicy)): "1", "http://a.test/\nx": "1",
	} {
		if got := NewReservation("1", policy, "meta").String(); got != want {
			t.Errorf("policy %.40q is recorded as %q, want %q", policy, got, want)
		}
	}
}
