package textfile

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// dump reads a MediaWiki XML dump: the articles (namespace 0) that are not
// redirects, each in its last revision.
//
// Pages are cut out of the stream by their tags, which cannot occur inside a
// page, since "<" is written "&lt;" there. So a damaged page affects only
// itself, and memory is bounded for any XML.
func (in *input) dump() iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		s := pageScanner{r: in.r}
		for n := 1; ; n++ {
			raw, err := s.next()
			var doc Document
			switch {
			case errors.Is(err, errTooLarge):
				err = fmt.Errorf("%s: page %d: skip page: %w", in.path, n, err)
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(Document{}, in.broken(err))
				return
			default:
				if doc, err = article(raw); err != nil {
					err = fmt.Errorf("%s: page %d: %w", in.path, n, err)
				}
			}
			doc.ID = in.path + ":" + doc.Title
			if err != nil {
				doc = Document{}
			}
			if (err != nil || doc.Text != "") && !yield(doc, err) {
				return
			}
		}
	}
}

const (
	pageTag  = "<page>"
	pageEnd  = "</page>"
	maxOther = 64 << 10 // bytes looked at in one piece between pages
)

// pageScanner cuts a dump into pages.
type pageScanner struct {
	r   *bufio.Reader
	buf []byte
}

// next returns the next page with its tags, valid until the next call. io.EOF
// is the end between two pages, io.ErrUnexpectedEOF one inside a page.
func (s *pageScanner) next() ([]byte, error) {
	s.buf = s.buf[:0]
	if err := s.through(pageTag, maxOther); err != nil && !errors.Is(err, errTooLarge) {
		return nil, err
	}
	s.buf = append(s.buf[:0], pageTag...)
	err := s.through(pageEnd, MaxDocument)
	if errors.Is(err, io.EOF) {
		return nil, io.ErrUnexpectedEOF
	}
	return s.buf, err
}

// through reads to the end of the next such tag and appends what it reads to
// buf. It drops bytes over the limit; at the tag, the error is errTooLarge.
func (s *pageScanner) through(tag string, limit int) error {
	var tooLarge error
	for {
		part, err := s.r.ReadSlice('>')
		s.buf = append(s.buf, part...)
		if bytes.HasSuffix(s.buf, []byte(tag)) {
			return tooLarge
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		if len(s.buf) > limit {
			tooLarge = errTooLarge
			s.buf = append(s.buf[:0], s.buf[len(s.buf)-len(tag):]...)
		}
	}
}

// dumpPage has the used fields of a page.
type dumpPage struct {
	Title     string    `xml:"title"`
	Namespace string    `xml:"ns"` // empty in dumps before 2011
	Redirect  *struct{} `xml:"redirect"`
	Revisions []struct {
		Model string `xml:"model"`
		Text  string `xml:"text"`
	} `xml:"revision"`
}

// article makes a document of a page. A page without text gives an empty one.
func article(raw []byte) (Document, error) {
	var p dumpPage
	if err := xml.Unmarshal(bytes.ToValidUTF8(raw, []byte("\uFFFD")), &p); err != nil {
		return Document{}, fmt.Errorf("read XML: %w", err)
	}
	if p.Namespace != "" && strings.TrimSpace(p.Namespace) != "0" || p.Redirect != nil || len(p.Revisions) == 0 {
		return Document{}, nil
	}
	last := p.Revisions[len(p.Revisions)-1]
	if last.Model != "" && last.Model != "wikitext" || isRedirect(last.Text) {
		return Document{}, nil
	}
	return Document{Title: strings.TrimSpace(p.Title), Text: plainText(last.Text)}, nil
}

// isRedirect recognises redirects of dumps that do not mark them.
func isRedirect(wikitext string) bool {
	text := strings.TrimSpace(wikitext)
	for _, word := range []string{"#redirect", "#重定向", "#重新導向", "#重新导向"} {
		if len(text) >= len(word) && strings.EqualFold(text[:len(word)], word) {
			return true
		}
	}
	return false
}
