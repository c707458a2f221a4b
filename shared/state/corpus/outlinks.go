package corpus

import (
	"bytes"
	"strings"
)

// fieldsType is the content type of named values, one a line.
const fieldsType = "application/warc-fields"

// appendOutlinks appends the links of a page as Heritrix does: a line
// "outlink: URL L a/@href" for each.
func appendOutlinks(dst []byte, urls []string) []byte {
	for _, u := range urls {
		dst = Field{"outlink", escapeURI(u) + " L a/@href"}.append(dst)
	}
	return dst
}

// AppendOutlinks appends r.Outlinks to dst as a WARC metadata record about the
// page, in a gzip member, and returns the extended slice; without any it appends
// nothing.
func AppendOutlinks(dst []byte, r *Reject, enc *Encoder) []byte {
	if len(r.Outlinks) == 0 {
		return dst
	}
	enc.block = appendOutlinks(enc.block[:0], r.Outlinks)
	dst, _ = enc.metadata(dst, escapeURI(r.FinalURL), fieldsType, r.Date.Time)
	return dst
}

// Outlinks returns the links of the page at TargetURI, in order, from a
// metadata record of this package or of Heritrix; nil for other records.
func (r *Record) Outlinks() []string {
	if r.Type != "metadata" || r.ContentType != fieldsType {
		return nil
	}
	var urls []string
	for line := range bytes.Lines(r.Block) {
		if u, ok := outlink(line); ok {
			urls = append(urls, u)
		}
	}
	return urls
}

// WithoutOutlinks returns the block of r without the links that drop reports.
func (r *Record) WithoutOutlinks(drop func(url string) bool) []byte {
	var block []byte
	for line := range bytes.Lines(r.Block) {
		if u, ok := outlink(line); !ok || !drop(u) {
			block = append(block, line...)
		}
	}
	return block
}

// outlink returns the URL of a line.
func outlink(line []byte) (url string, ok bool) {
	name, value, _ := strings.Cut(string(line), ":")
	if !strings.EqualFold(strings.TrimSpace(name), "outlink") {
		return "", false
	}
	url, _, _ = strings.Cut(strings.TrimSpace(value), " ")
	return url, url != ""
}
