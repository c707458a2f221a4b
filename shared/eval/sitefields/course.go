package sitefields

import (
	"time"

	"sluice/shared/structure/field"
)

// Methods that are compared.
const (
	Analysed    = "sluice"       // analyses its sample first
	HandWritten = "hand-written" // has selectors for the site
)

// Course is how a method gets on with the pages of a site (METHOD C7, Fig. 10): it parses
// each page and reads its fields, on one core, after it has parsed and analysed the sample
// if it needs that.
type Course struct {
	Site   string          `json:"site"`
	Method string          `json:"method"`
	Ready  time.Duration   `json:"-"` // before the first page
	Done   []time.Duration `json:"-"` // when each page was read, from the beginning
	Price  Tally           `json:"price"`
}

// Total is when the last page was read.
func (c *Course) Total() time.Duration { return c.Done[len(c.Done)-1] }

// Rate is the pages a second from the first on.
func (c *Course) Rate() float64 {
	return float64(len(c.Done)) / (c.Total() - c.Ready).Seconds()
}

// Compare runs both methods over the pages of each of the carried shops, in turns, and
// returns the fastest of the rounds of each.
func Compare(sites []Site, rounds int) ([]Course, error) {
	var courses []Course
	for i := range sites {
		s := &sites[i]
		var best [2]*Course
		for range rounds {
			for k, begin := range []func(*Site) (func(field.Page) map[string]field.Value, error){analysed, handWritten} {
				c, err := s.course(begin)
				if err != nil {
					return nil, err
				}
				c.Method = [...]string{Analysed, HandWritten}[k]
				if best[k] == nil || c.Total() < best[k].Total() {
					best[k] = c
				}
			}
		}
		courses = append(courses, *best[0], *best[1])
	}
	return courses, nil
}

func analysed(s *Site) (func(field.Page) map[string]field.Value, error) {
	sample, err := s.sample()
	if err != nil {
		return nil, err
	}
	x, err := field.NewExtractor(s.Template, field.Analyze(s.Template, sample))
	if err != nil {
		return nil, err
	}
	return x.Extract, nil
}

func handWritten(s *Site) (func(field.Page) map[string]field.Value, error) {
	h, err := newHand(s)
	if err != nil {
		return nil, err
	}
	return h.read, nil
}

// course runs one method.
func (s *Site) course(begin func(*Site) (func(field.Page) map[string]field.Value, error)) (*Course, error) {
	c := &Course{Site: s.Name, Done: make([]time.Duration, 0, len(s.Pages))}
	start := time.Now()
	read, err := begin(s)
	if err != nil {
		return nil, err
	}
	c.Ready = time.Since(start)
	all := make([]map[string]field.Value, len(s.Pages))
	for i := range s.Pages {
		p, err := parse(&s.Pages[i])
		if err != nil {
			return nil, err
		}
		all[i] = read(p)
		c.Done = append(c.Done, time.Since(start))
	}
	for i := range s.Pages {
		v, ok := all[i]["price"]
		c.Price.count(fieldOf(s.Template, "price"), v, ok, s.Truth["price"][s.Pages[i].Name])
	}
	return c, nil
}
