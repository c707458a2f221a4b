// Command plainloop is the baseline for measuring the crawler: the same pages,
// fetched, decoded, parsed, extracted and written by the same libraries,
// without frontier, ledger, politeness or archive, and with given URLs. With
// -full it does all the work of a crawl on a page with libraries.
//
//	plainloop -proxy http://127.0.0.1:8118 -out pages.jsonl < urls.txt
//	plainloop -full -out pages.jsonl < urls.txt
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync"

	"golang.org/x/sync/errgroup"

	"sluice/shared/text/body"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

func main() {
	proxy := flag.String("proxy", "", "HTTP proxy")
	out := flag.String("out", "", "file to write")
	all := flag.Bool("full", false, "readability, gse and an archive, OUT.warc.gz, in place of the crawler's own packages")
	flag.Parse()
	if err := run(context.Background(), *proxy, *out, *all, os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "plainloop:", err)
		os.Exit(1)
	}
}

// run fetches from each host one page after the other, and from all hosts at
// once, as the crawler does.
func run(ctx context.Context, proxy, out string, all bool, urls io.Reader) (err error) {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	if proxy != "" {
		via, err := url.Parse(proxy)
		if err != nil {
			return fmt.Errorf("parse proxy: %w", err)
		}
		transport.Proxy = http.ProxyURL(via)
	}
	hosts, err := byHost(urls)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	buf := bufio.NewWriter(f)
	client, enc := &http.Client{Transport: transport}, json.NewEncoder(buf)
	visit := (&loop{client: client, enc: enc}).page
	if all {
		archive, err := os.Create(out + ".warc.gz")
		if err != nil {
			return fmt.Errorf("create archive: %w", err)
		}
		defer func() { err = errors.Join(err, archive.Close()) }()
		f, err := newFull(client, enc, archive)
		if err != nil {
			return err
		}
		visit = f.page
	}
	g, ctx := errgroup.WithContext(ctx)
	for _, pages := range hosts {
		g.Go(func() error {
			for _, u := range pages {
				if err := visit(ctx, u); err != nil {
					return fmt.Errorf("page %s: %w", u, err)
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

// byHost groups the lines of r, which are URLs.
func byHost(r io.Reader) (map[string][]urlnorm.URL, error) {
	hosts := map[string][]urlnorm.URL{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		u, err := urlnorm.Parse(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("parse URL: %w", err)
		}
		hosts[u.Host()] = append(hosts[u.Host()], u)
	}
	return hosts, lines.Err()
}

type loop struct {
	client *http.Client

	mu  sync.Mutex
	enc *json.Encoder
}

// record is the record of a page.
type record struct {
	URL       string   `json:"url"`
	Title     string   `json:"title"`
	Text      string   `json:"text"`
	Author    string   `json:"author"`
	Source    string   `json:"source"`
	Published string   `json:"published"`
	Links     []string `json:"links"`
}

func (l *loop) page(ctx context.Context, u urlnorm.URL) error {
	raw, contentType, err := get(ctx, l.client, u.String())
	if err != nil || raw == nil {
		return err
	}
	text, p, err := page.Read(raw, contentType, u)
	if err != nil {
		return err
	}
	b, err := body.Extract(text, u.String(), p, body.Options{})
	if err != nil && !errors.Is(err, body.ErrNoText) {
		return err
	}
	rec := record{URL: u.String(), Title: p.Title}
	if err == nil {
		rec.Title, rec.Text, rec.Author, rec.Source, rec.Published = b.Title, b.Text, b.Author, b.Source, b.PublishedText
	}
	for _, link := range p.Links {
		rec.Links = append(rec.Links, link.URL.String())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.enc.Encode(rec)
}

// get fetches a page; it returns nil for one that is not there.
func get(ctx context.Context, client *http.Client, target string) (body []byte, contentType string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, "", err
	}
	return body, resp.Header.Get("Content-Type"), nil
}
