package wholecrawl

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/metric"
	"sluice/shared/eval/pagescore"
)

// Question is the label that decides which pages of a web are right.
type Question struct {
	Web   *frozenweb.Web
	Label string
	Hosts string // only pages of this host and its subdomains count; "" for all
}

// Check reports a question that has no answer: no article has the label.
func (q Question) Check() error {
	if q.wanted(q.in) > 0 {
		return nil
	}
	where := ""
	if q.Hosts != "" {
		where = " on " + q.Hosts
	}
	labels := q.Web.Labels()
	if len(labels) == 0 {
		return errors.New("the web has no labels")
	}
	return fmt.Errorf("no article%s has the label %q; there are %s", where, q.Label, strings.Join(labels, ", "))
}

// Score is how well a crawl did, on all sites or on one.
//
// A kept page is right if it has the label, whether it is an article, a list or
// anything else. Recall counts only articles: of those with the label, how many
// were kept.
type Score struct {
	Site      string        `json:"site"`                  // a host; "" for all
	Fetched   *int          `json:"fetched"`               // null if unknown
	Kept      int           `json:"kept"`                  //
	Right     int           `json:"right"`                 // of the kept
	Wanted    int           `json:"wanted"`                // articles with the label
	Found     int           `json:"found"`                 // of the wanted, those kept
	Precision metric.Number `json:"precision"`             // right / kept
	Recall    metric.Number `json:"recall"`                // found / wanted
	F1        metric.Number `json:"f1"`                    //
	Harvest   metric.Number `json:"harvest_rate"`          // right / fetched
	To80      *int          `json:"pages_to_80,omitempty"` // fetched when four fifths of the wanted had been; only in Result
}

// Result is a crawl judged.
type Result struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Score           // on all sites in question
	Sites   []Score `json:"sites"`
}

// enough is the share of the wanted articles that METHOD's baselines ask for.
const enough = 0.8

// Judge scores an outcome, altogether and by site. To80 is the number of pages
// fetched, on any host, until four fifths of the wanted articles were among
// them; nil if they never were or the order is not known.
func (q Question) Judge(o *Outcome) Result {
	r := Result{Name: o.Name, Seconds: o.Seconds, Score: q.Score(o, ""), Sites: []Score{}}
	if o.Fetched != nil {
		r.To80 = q.Curve(o).To80
	} else if q.Hosts == "" {
		n := int(o.Pages)
		r.Fetched, r.Harvest = &n, metric.Ratio(r.Right, n)
	}
	for _, site := range q.sites() {
		if s := q.Score(o, site); s.Kept > 0 || s.Wanted > 0 {
			r.Sites = append(r.Sites, s)
		}
	}
	return r
}

// Score counts the pages that the question is about, those of one site unless
// that is empty.
func (q Question) Score(o *Outcome, site string) Score {
	in := func(u string) bool { return q.in(u) && (site == "" || hostOf(u) == site) }
	s := Score{Site: site, Wanted: q.wanted(in), Harvest: metric.Ratio(0, 0)}
	for _, u := range o.Kept {
		if !in(u) {
			continue
		}
		s.Kept++
		if p := q.Web.Page(u); p != nil && p.Label == q.Label {
			s.Right++
			if q.wants(p) {
				s.Found++
			}
		}
	}
	if o.Fetched != nil {
		n := 0
		for _, u := range o.Fetched {
			if in(u) {
				n++
			}
		}
		s.Fetched, s.Harvest = &n, metric.Ratio(s.Right, n)
	}
	s.Precision, s.Recall = metric.Ratio(s.Right, s.Kept), metric.Ratio(s.Found, s.Wanted)
	s.F1 = s.Precision * s.Recall * 2 / (s.Precision + s.Recall)
	if s.Wanted > 0 && s.Right == 0 {
		s.F1 = 0
	}
	return s
}

func (q Question) wants(p *frozenweb.Page) bool {
	return p.Label == q.Label && (p.Kind == frozenweb.Article || p.Kind == frozenweb.AnyPage)
}

// in reports whether a URL is on the hosts in question.
func (q Question) in(u string) bool { return pagescore.OnHost(u, q.Hosts) }

// wanted counts the articles to find for which in returns true.
func (q Question) wanted(in func(url string) bool) int {
	n := 0
	for i := range q.Web.Pages {
		if p := &q.Web.Pages[i]; q.wants(p) && in(p.URL) {
			n++
		}
	}
	return n
}

// sites are the hosts of the web, in order of their names.
func (q Question) sites() []string {
	hosts := map[string]bool{}
	for i := range q.Web.Pages {
		hosts[hostOf(q.Web.Pages[i].URL)] = true
	}
	delete(hosts, "")
	return slices.Sorted(maps.Keys(hosts))
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
