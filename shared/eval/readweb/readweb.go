// Package readweb reads the pages of a frozen web as a crawl does, page by page
// and without a crawl: neither links nor the topic decide, only the text of a
// page.
package readweb

import (
	"cmp"
	"fmt"
	"runtime"
	"sync"

	"sluice/shared/crawl/reading"
	"sluice/shared/eval/frozenweb"
	"sluice/shared/state/corpus"
	"sluice/shared/state/frontier"
	"sluice/shared/text/boilerplate"
	"sluice/shared/text/quality"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// Page is the result of a page that counts as on the topic.
type Page struct {
	URL, Host string           // canonical
	Markup    string           // as it was decoded
	Document  *corpus.Document // nil for a page that is refused
	Rule      string           // that refused it
	Detail    string
}

// Read reads all pages of a web, in order, as a crawl reads those on its topic:
// main text, boilerplate of hosts, quality rules for texts in a language,
// personal data. It learns boilerplate from all pages of a host before it
// removes any, as at the end of a crawl. Plain pages, which have no mark-up,
// are an error.
func Read(web *frozenweb.Web, language string) ([]Page, error) {
	segmenter, err := segment.NewFor(language, nil)
	if err != nil {
		return nil, fmt.Errorf("prepare segmenter: %w", err)
	}
	reader := &reading.Reader{
		Language: language, Segmenter: segmenter, Quality: quality.Default(language),
		Lexicon: topic.Compile(nil, nil, 0, topic.SameWord, nil),
	}
	readings := make([]*pending, len(web.Pages))
	errs := make([]error, len(web.Pages))
	each(len(web.Pages), func(i int) { readings[i], errs[i] = read(reader, &web.Pages[i]) })
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	learned := learn(readings)
	verdicts := make([]Page, len(readings))
	each(len(readings), func(i int) { verdicts[i] = readings[i].verdict(learned) })
	return verdicts, nil
}

// pending is a page before the boilerplate of its host is known.
type pending struct {
	Page
	draft *reading.Draft
	whole *reading.Result
}

func read(reader *reading.Reader, p *frozenweb.Page) (*pending, error) {
	u, err := urlnorm.Parse(p.URL)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read page %.100q: %w", p.URL, err)
	case p.Plain:
		return nil, fmt.Errorf("read page %.100q: it has no mark-up", p.URL)
	}
	rd := &pending{Page: Page{URL: u.String(), Host: u.Host()}}
	contentType := cmp.Or(p.Type, "text/html")
	if page.Sniff(p.Body, contentType, p.URL) != page.HTML {
		rd.Rule = reading.RuleNotHTML
		return rd, nil
	}
	text, parsed, err := page.Read(p.Body, contentType, u)
	rd.Markup = string(text)
	if err != nil {
		rd.Rule, rd.Detail = reading.RuleNotHTML, err.Error()
		return rd, nil //nolint:nilerr // the error is the page's result
	}
	a := &reading.Arrival{Link: frontier.Link{URL: rd.URL}, URL: u, Text: text, Page: parsed, Kept: true}
	rd.draft = reader.Draft(a)
	rd.whole = rd.draft.Judge(rd.draft.Text())
	return rd, nil
}

// learn returns the boilerplate of each host, from pages that are documents
// with all their lines.
func learn(readings []*pending) map[string]*boilerplate.Learned {
	sketches := map[string]*boilerplate.Sketch{}
	for _, rd := range readings {
		if rd.whole == nil || rd.whole.Document == nil {
			continue
		}
		if sketches[rd.Host] == nil {
			sketches[rd.Host] = new(boilerplate.Sketch)
		}
		sketches[rd.Host].Add(rd.draft.Page())
	}
	learned := map[string]*boilerplate.Learned{}
	for host, sketch := range sketches {
		learned[host] = sketch.Learned()
	}
	return learned
}

func (rd *pending) verdict(learned map[string]*boilerplate.Learned) Page {
	v, final := rd.Page, rd.whole
	if final == nil {
		return v
	}
	if final.Document != nil {
		final = rd.draft.Without(learned[rd.Host], final)
	}
	v.Document, v.Rule, v.Detail = final.Document, final.Rule, final.Detail
	return v
}

// each calls f for 0 to n-1, from as many goroutines as there are processors.
func each(n int, f func(i int)) {
	var wait sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			f(i)
		})
	}
	wait.Wait()
}
