package page

import (
	"bytes"
	"compress/gzip"
	"math/rand/v2"
	"strings"
	"testing"
)

func gz(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSniff(t *testing.T) {
	noise := make([]byte, 4096)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.IntN(256))
	}
	const urlset = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>`
	tests := map[string]struct {
		body        string
		contentType string
		want        Kind
	}{
		"page":                        {"<!DOCTYPE html><html>", "text/html; charset=gbk", HTML},
		"page without html element":   {"<p>正文", "text/html", HTML},
		"page without tags":           {"正文", "text/html", HTML},
		"page after comment":          {"<!-- x --><!doctype HTML>", "", HTML},
		"page as plain text":          {"<!DOCTYPE html><html>", "text/plain", HTML},
		"page without type":           {"<div>x</div>", "", HTML},
		"xhtml with declaration":      {`<?xml version="1.0"?><html xmlns="x">`, "application/xhtml+xml", HTML},
		"png as html":                 {"\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\xff", 5000), "text/html; charset=gbk", Other},
		"pdf as html":                 {"%PDF-1.4\nfoo", "text/html", Other},
		"zip as html":                 {"PK\x03\x04foo", "text/html", Other},
		"gzip of a page as html":      {string(gz(t, "<html><p>x")), "text/html", Other},
		"gzip of noise":               {string(gz(t, string(noise))), "application/gzip", Other},
		"gzip header alone":           {"\x1f\x8b", "text/html", Other},
		"gzip in gzip":                {string(gz(t, string(gz(t, urlset)))), "", Other},
		"noise as html":               {string(noise), "text/html", Other},
		"json as html":                {` {"code":0}`, "text/html", Other},
		"page as image":               {"<html>", "image/png", Other},
		"json":                        {`{"a":"<html>"}`, "application/json", Other},
		"script":                      {"var x = '<html>'", "application/javascript", Other},
		"plain text":                  {"正文没有网址", "text/plain", Other},
		"other xml":                   {`<?xml version="1.0"?><note/>`, "text/xml", Other},
		"sitemap":                     {`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + urlset, "application/xml", Sitemap},
		"sitemap as html":             {urlset, "text/html", Sitemap},
		"sitemap with prefix":         {`<sm:urlset xmlns:sm="x">`, "text/xml", Sitemap},
		"sitemap after doctype":       {`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b>">]><!-- c --><sitemapindex>`, "", Sitemap},
		"sitemap compressed":          {string(gz(t, urlset)), "application/x-gzip", Sitemap},
		"sitemap in utf-16":           {"\xff\xfe<\x00u\x00r\x00l\x00s\x00e\x00t\x00>\x00", "", Sitemap},
		"rss":                         {"\ufeff\n<rss version='2.0'>", "text/html", Feed},
		"atom":                        {`<feed xmlns="http://www.w3.org/2005/Atom">`, "application/atom+xml", Feed},
		"rdf":                         {`<rdf:RDF xmlns:rdf="x">`, "application/rdf+xml", Feed},
		"list of urls":                {"http://a.test/1\r\n\r\nhttps://a.test/2\n", "text/plain", URLList},
		"list of urls, compressed":    {string(gz(t, "http://a.test/1\nhttp://a.test/2")), "", URLList},
		"text that begins with a url": {"http://a.test/1 是一个网址\n", "text/plain", Other},
		"empty":                       {"", "", Other},
		"empty page":                  {"", "text/html", HTML},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Sniff([]byte(tt.body), tt.contentType, "http://a.test/"); got != tt.want {
				t.Errorf("Sniff = %v, want %v", got, tt.want)
			}
		})
	}
}
