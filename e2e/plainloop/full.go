package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	readeck "codeberg.org/readeck/go-readability/v2"
	"github.com/go-ego/gse"
	"github.com/klauspost/compress/gzip"
	"github.com/zeebo/xxh3"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sluice/shared/web/urlnorm"
)

// full does a crawl's work on a page with libraries: the links of its tree, the
// main text by go-readability, its words by gse with their parts of speech, a
// fingerprint, a WARC record and a line of JSON.
type full struct {
	client *http.Client
	words  gse.Segmenter

	mu   sync.Mutex
	warc io.Writer
	enc  *json.Encoder
}

func newFull(client *http.Client, enc *json.Encoder, warc io.Writer) (*full, error) {
	f := &full{client: client, enc: enc, warc: warc}
	f.words.SkipLog = true
	if err := f.words.LoadDictEmbed("zh_s"); err != nil {
		return nil, fmt.Errorf("load dictionary: %w", err)
	}
	return f, nil
}

// fullRecord is the record of a page.
type fullRecord struct {
	URL     string   `json:"url"`
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	Links   []string `json:"links"`
	Words   int      `json:"words"`
	SimHash uint64   `json:"simhash"`
}

func (f *full) page(ctx context.Context, u urlnorm.URL) error {
	raw, _, err := get(ctx, f.client, u.String())
	if err != nil || raw == nil {
		return err
	}
	doc, err := html.Parse(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	base, err := url.Parse(u.String())
	if err != nil {
		return err
	}
	rec := fullRecord{URL: u.String(), Links: links(doc, base)}
	reader := readeck.NewParser()
	if article, err := reader.ParseAndMutate(doc, base); err == nil && article.Node != nil {
		var text strings.Builder
		if err := article.RenderText(&text); err != nil {
			return err
		}
		rec.Title, rec.Text = article.Title(), text.String()
	}
	rec.Words, rec.SimHash = f.fingerprint(rec.Text)
	member, err := warcRecord(rec.URL, raw)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.warc.Write(member); err != nil {
		return err
	}
	return f.enc.Encode(rec)
}

// links returns the targets of a page, each once.
func links(doc *html.Node, base *url.URL) (list []string) {
	seen := map[string]bool{}
	for n := range doc.Descendants() {
		if n.DataAtom != atom.A {
			continue
		}
		for _, a := range n.Attr {
			if a.Key != "href" {
				continue
			}
			if to, err := base.Parse(a.Val); err == nil && !seen[to.String()] {
				seen[to.String()] = true
				list = append(list, to.String())
			}
		}
	}
	return list
}

// fingerprint returns how many words a text has, and their SimHash.
func (f *full) fingerprint(text string) (n int, sim uint64) {
	var set [64]int
	words := f.words.Pos(text, false)
	for _, word := range words {
		h := xxh3.HashString(word.Text)
		for bit := range set {
			set[bit] += int(h>>bit&1)*2 - 1
		}
	}
	for bit, count := range set {
		if count > 0 {
			sim |= 1 << bit
		}
	}
	return len(words), sim
}

// warcRecord returns the response record of a page, a gzip member.
func warcRecord(target string, body []byte) ([]byte, error) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(zip, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s\r\n\r\n",
		target, time.Now().UTC().Format(time.RFC3339), len(head)+len(body), head, body)
	if err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
