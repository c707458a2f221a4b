package demo

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	perList    = 10 // articles on one page of a section's list
	robotsPath = "/robots.txt"
	tdmPath    = "/.well-known/tdmrep.json"
	aiPath     = "/ai.txt"
)

// article is one page of running text.
type article struct {
	site    *site
	section *section
	text
	id       int
	when     time.Time
	reporter string
	hidden   bool
	bridge   bool
	related  []*article
}

// path returns the article's path (and query) on its host.
func (a *article) path() string {
	return strings.NewReplacer(
		"{section}", a.section.slug,
		"{ymd}", a.when.Format("20060102"),
		"{y-m}", a.when.Format("2006-01"),
		"{y}", a.when.Format("2006"),
		"{md}", a.when.Format("0102"),
		"{d}", a.when.Format("02"),
		"{id}", strconv.Itoa(a.id),
	).Replace(a.site.address)
}

// url returns the absolute URL of a path of the site.
func (s *site) url(path string) string { return "http://" + s.host + path }

// build composes all sites, links them, and plants the hazards.
func build() ([]*site, error) {
	subjects, err := loadSubjects()
	if err != nil {
		return nil, err
	}
	v, err := newViews()
	if err != nil {
		return nil, err
	}
	all := sites()
	write := author{subjects: subjects, next: map[string]int{}, id: 10020}
	for _, s := range all {
		s.views = v
		for _, sec := range s.sections {
			if err := write.section(s, sec); err != nil {
				return nil, err
			}
		}
	}
	relate(all)
	for _, s := range all {
		s.route(friends(s, all))
	}
	plant(all)
	return all, nil
}

// author writes the articles of all sections, all of them different.
type author struct {
	subjects map[string]*subject
	next     map[string]int // serial number, by subject
	id       int
}

func (au *author) section(s *site, sec *section) error {
	sub := au.subjects[sec.subject]
	if sub == nil {
		return fmt.Errorf("section %s of %s has no texts", sec.slug, s.host)
	}
	names := []string{"云舟", "知秋", "南乔", "小满", "听雨", "阿岚", "青禾", "望舒"}
	if s.charset == "big5" {
		names = []string{"雲舟", "知秋", "南喬", "小滿", "聽雨"}
	}
	// The lists are newest first, each section at its own rate.
	when := time.Date(2024, 3, 30, 21, 40, 0, 0, time.UTC).Add(-time.Duration(len(s.articles)) * 23 * time.Minute)
	for i := range sec.bridges + sec.count {
		a := &article{site: s, section: sec, id: au.id, when: when, reporter: names[au.id%len(names)]}
		if a.bridge = i < sec.bridges; a.bridge {
			a.text = sub.composeBridge(i)
		} else {
			a.text = sub.compose(au.next[sec.subject])
			au.next[sec.subject]++
		}
		a.hidden = i >= sec.bridges+sec.count-sec.hidden
		sec.articles = append(sec.articles, a)
		s.articles = append(s.articles, a)
		au.id++
		when = when.Add(-19*time.Hour - 7*time.Minute)
	}
	return nil
}

// listed returns the articles that lists and related links name.
func (sec *section) listed() []*article {
	return slices.DeleteFunc(slices.Clone(sec.articles), func(a *article) bool { return a.hidden })
}

// relate fills in the related links. An article names the next four of its
// section. Some finance articles also name one on another host or a bridge;
// only each bridge names one of the hidden finance articles of its host, which
// can thus only be reached through an off-topic page.
func relate(all []*site) {
	var finance, bridges []*article
	for _, s := range all {
		hidden := s.hiddenArticles()
		for _, sec := range s.sections {
			listed := sec.listed()
			for i, a := range listed {
				a.related = ring(listed, i+1, min(4, len(listed)-1))
				switch {
				case a.bridge:
					bridges = append(bridges, a)
					a.related = append(a.related, hidden[i])
				case sec.topic:
					finance = append(finance, a)
				}
			}
			for i, a := range sec.articles {
				if a.hidden {
					a.related = ring(listed, i, min(3, len(listed)))
				}
			}
		}
	}
	for i, a := range finance {
		if a.site.charset == "big5" {
			continue // the island has no simplified headlines, and no letters for them
		}
		j := i + 1
		for finance[j%len(finance)].site == a.site {
			j += 3
		}
		a.related = append(a.related, finance[j%len(finance)])
		if i%3 == 0 {
			a.related = append(a.related, bridges[i/3%len(bridges)])
		}
	}
}

func (s *site) hiddenArticles() []*article {
	return slices.DeleteFunc(slices.Clone(s.articles), func(a *article) bool { return !a.hidden })
}

// ring returns n of the articles from index i on, going round.
func ring(from []*article, i, n int) []*article {
	var out []*article
	for k := range n {
		out = append(out, from[(i+k)%len(from)])
	}
	return out
}

// friends returns the links to the other sites that a footer shows.
func friends(s *site, all []*site) []link {
	var out []link
	for _, f := range all {
		if f == s {
			continue
		}
		name := f.name
		if s.charset == "big5" {
			name = f.hant
		}
		out = append(out, link{Text: name, URL: f.url("/")})
	}
	return out
}

// route lays out the site's ordinary pages, which are rendered on request.
func (s *site) route(friends []link) {
	s.routes = map[string]func() response{
		"/":              func() response { return s.home(friends) },
		"/img/focus.png": func() response { return picture() },
	}
	for _, sec := range s.sections {
		for n := range sec.lists() {
			s.routes[sec.path(n)] = func() response { return s.list(sec, n, friends) }
		}
	}
	for _, a := range s.articles {
		s.routes[a.path()] = func() response { return s.article(a, friends) }
	}
	s.pages = len(s.routes) - 1 // the picture is not a page
	if s.feed {
		s.routes["/rss.xml"] = s.rss
		s.routes["/sitemap.xml"] = s.sitemap
	}
}

// lists returns how many pages the section's list has.
func (sec *section) lists() int { return (len(sec.listed()) + perList - 1) / perList }

// path returns the path of page n (from 0) of the section's list.
func (sec *section) path(n int) string {
	if n == 0 {
		return "/" + sec.slug + "/"
	}
	return fmt.Sprintf("/%s/index_%d.html", sec.slug, n+1)
}

// robots returns robots.txt, or 404 for a site without rules.
func (s *site) robots() response {
	if len(s.disallow) == 0 && s.delay == "" && !s.feed {
		return s.missing()
	}
	var b strings.Builder
	b.WriteString("# " + s.host + "\nUser-agent: *\n")
	for _, prefix := range s.disallow {
		b.WriteString("Disallow: " + prefix + "\n")
	}
	if s.delay != "" {
		b.WriteString("Crawl-delay: " + s.delay + "\n")
	}
	if s.feed {
		b.WriteString("\nSitemap: " + s.url("/sitemap.xml") + "\n")
	}
	return response{status: http.StatusOK, mime: "text/plain; charset=utf-8", body: []byte(b.String())}
}

// denies reports whether robots.txt forbids the path to everybody.
func (s *site) denies(path string) bool {
	return slices.ContainsFunc(s.disallow, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}
