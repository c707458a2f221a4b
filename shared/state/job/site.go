package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"sluice/shared/schema"
	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// SiteMessage asks for a host of a structured crawl to be analysed: as long as the crawl
// goes on, for the paths to its fields to be learned; once it has ended, for its records
// to be made. With Look it asks for the second look of a crawl instead.
type SiteMessage struct {
	V     int    `json:"v"` // set by Encode
	Crawl string `json:"crawl"`
	Host  string `json:"host,omitempty"`
	Kept  int    `json:"kept,omitempty"` // pages that the crawl has kept, of all hosts; 0 while it goes on
	Look  int64  `json:"look,omitempty"` // the number of a second look; 0: none is asked for
}

// Encode returns the body to send.
func (m *SiteMessage) Encode() ([]byte, error) {
	whole := *m
	whole.V = version
	return json.Marshal(&whole)
}

// ParseSite reads the body of a message as strictly as ParseMessage does.
func ParseSite(body []byte) (*SiteMessage, error) {
	v, err := schema.JSON("message", body)
	if err != nil {
		return nil, bad(err)
	}
	m, r, look := new(SiteMessage), new(reader), 0
	r.Object("message", map[string]schema.Read{
		"v":     r.Count(&m.V, "v", 1, limits.MaxPages),
		"crawl": r.Text(&m.Crawl, "crawl", CheckID),
		"host":  r.Text(&m.Host, "host", checkHost),
		"kept":  r.Count(&m.Kept, "kept", 0, limits.MaxPages),
		"look":  r.Count(&look, "look", 1, math.MaxInt32),
	}, func(given map[string]bool) {
		for _, key := range []string{"v", "crawl"} {
			if !given[key] {
				r.Fail(schema.Place{}, "%s is missing", key)
			}
		}
		if given["host"] == given["look"] {
			r.Fail(schema.Place{}, "want either host or look")
		}
		if given["v"] && m.V != version {
			r.Fail(schema.Place{}, "version %d, want %d", m.V, version)
		}
	}).From(v)
	if problems := r.Problems(); len(problems) > 0 {
		return nil, bad(errors.New(problems.Join("; ")))
	}
	m.Look = int64(look)
	return m, nil
}

// checkHost refuses what is no host in canonical form.
func checkHost(host string) error {
	if u, err := urlnorm.Parse("http://" + host + "/"); err != nil || u.Host() != host {
		return fmt.Errorf("host is %q: want that of a URL, without a port", clip(host))
	}
	return nil
}
