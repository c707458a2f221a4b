package page

import (
	"bytes"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Kind is the kind of a body.
type Kind int

// The kinds. Other is all that has neither text for the corpus nor links.
const (
	Other   Kind = iota
	HTML         // a page: Parse
	Sitemap      // sitemap or sitemap index: ParseSource
	Feed         // RSS, Atom or RDF: ParseSource
	URLList      // plain text, a URL a line: ParseSource
)

// String returns the kind as logs and records spell it.
func (k Kind) String() string {
	switch k {
	case HTML:
		return "html"
	case Sitemap:
		return "sitemap"
	case Feed:
		return "feed"
	case URLList:
		return "url_list"
	}
	return "other"
}

// TypeUTF8 is the content type of mark-up that a browser has decoded.
const TypeUTF8 = "text/html; charset=utf-8"

// sniffSize is how much of a body its kind is decided on.
const sniffSize = 4 << 10

// Sniff determines the kind of a body by its bytes and, if these are ambiguous,
// by the declared content type. Text that starts like an image or an archive,
// or holds binary data, is Other regardless of its type; compressed bodies may
// only be sitemaps, feeds and lists (their URL need not end in .gz).
func Sniff(body []byte, contentType string, url string) Kind {
	if bytes.HasPrefix(body, []byte(gzipMagic)) {
		inner, err := gunzip(body, sniffSize)
		if len(inner) == 0 && err != nil {
			return Other
		}
		if k := Sniff(inner, "", strings.TrimSuffix(url, ".gz")); k != HTML && !bytes.HasPrefix(inner, []byte(gzipMagic)) {
			return k
		}
		return Other
	}
	media := mediaType(contentType)
	if foreignMedia(media) || magic(body) {
		return Other
	}
	head := asciiHead(body, contentType)
	if binary(head) {
		return Other
	}
	root, markup := rootElement(head)
	switch root {
	case "urlset", "sitemapindex":
		return Sitemap
	case "rss", "feed", "rdf":
		return Feed
	case "html", "!doctype html":
		return HTML
	}
	switch {
	case media == "text/html" || media == "application/xhtml+xml":
		if bytes.HasPrefix(bytes.TrimSpace(head), []byte(`{"`)) {
			return Other // an API's answer under the default type
		}
		return HTML
	case urlLines(head):
		return URLList
	case markup && (media == "" || media == "application/octet-stream") && htmlStart(root):
		return HTML
	}
	return Other
}

// asciiHead returns the beginning of a body in an encoding that has ASCII as
// it is, which is all that mark-up needs.
func asciiHead(body []byte, contentType string) []byte {
	head := body[:min(len(body), sniffSize)]
	_, _, marked := byteOrderMark(head)
	_, wide := wideASCII(head)
	if marked || wide {
		head, _ = Decode(head, contentType)
	}
	return head
}

const gzipMagic = "\x1f\x8b"

// gunzip returns at most limit bytes of a gzip body, even those read before an
// error.
func gunzip(body []byte, limit int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, limit))
}

// mediaType returns the type of a Content-Type header, lower case, without
// parameters.
func mediaType(contentType string) string {
	t, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// foreignMedia says whether a media type rules out text with links.
func foreignMedia(media string) bool {
	for _, prefix := range []string{"image/", "video/", "audio/", "font/", "model/"} {
		if strings.HasPrefix(media, prefix) {
			return true
		}
	}
	switch media {
	case "application/pdf", "application/zip", "application/javascript", "text/javascript", "text/css", "application/json":
		return true
	}
	return false
}

// magic says whether body begins like a known binary format.
func magic(body []byte) bool {
	for _, m := range []string{
		"\x89PNG", "\xFF\xD8\xFF", "GIF87a", "GIF89a", "BM\x00", "II*\x00", "MM\x00*", "\x00\x00\x01\x00", "8BPS",
		"%PDF-", "%!PS", "{\\rtf", "\xD0\xCF\x11\xE0", "PK\x03\x04", "PK\x05\x06", "Rar!\x1A", "7z\xBC\xAF", "BZh",
		"\xFD7zXZ", "\x28\xB5\x2F\xFD", "\x1f\x9d", "ID3", "OggS", "fLaC", "\xFF\xFB", "FLV\x01", "FWS", "CWS\x06", "CWS\x09",
		"CWS\x0A", "\x1A\x45\xDF\xA3", "\x00\x00\x01\xBA", "\x30\x26\xB2\x75", "\x7FELF", "MZ\x90", "\xCA\xFE\xBA\xBE",
		"\x00asm", "wOFF", "wOF2", "\x00\x01\x00\x00", "OTTO", "SQLite format",
	} {
		if bytes.HasPrefix(body, []byte(m)) {
			return true
		}
	}
	if len(body) >= 12 {
		switch {
		case bytes.HasPrefix(body, []byte("RIFF")), string(body[4:8]) == "ftyp":
			return true
		}
	}
	return false
}

// binary says whether more than one byte in fifty of the beginning is a
// control character that no text has.
func binary(text []byte) bool {
	text = text[:min(len(text), sniffSize)]
	n := 0
	for _, b := range text {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1b || b == 0x7F {
			n++
		}
	}
	return n*50 > len(text)
}

// rootElement returns the name of the first element without its namespace
// prefix, lower case ("!doctype html" for that declaration), and whether the
// text begins with mark-up at all. Comments, processing instructions and other
// declarations before it are skipped.
func rootElement(text []byte) (name string, markup bool) {
	for {
		text = bytes.TrimLeft(text, " \t\r\n\f\uFEFF")
		if len(text) < 2 || text[0] != '<' {
			return "", markup
		}
		markup = true
		switch {
		case bytes.HasPrefix(text, []byte("<!--")):
			_, text, _ = bytes.Cut(text[4:], []byte("-->"))
		case text[1] == '?':
			_, text, _ = bytes.Cut(text, []byte(">"))
		case text[1] == '!':
			if len(text) >= 14 && strings.EqualFold(string(text[:14]), "<!doctype html") {
				return "!doctype html", true
			}
			text = afterDeclaration(text)
		default:
			end := bytes.IndexAny(text[1:], " \t\r\n\f/>")
			if end < 0 {
				end = len(text) - 1
			}
			name = strings.ToLower(string(text[1 : 1+end]))
			if i := strings.LastIndexByte(name, ':'); i >= 0 {
				name = name[i+1:]
			}
			return name, true
		}
	}
}

// afterDeclaration skips <!DOCTYPE …>, which may hold a subset in brackets.
func afterDeclaration(text []byte) []byte {
	end := bytes.IndexByte(text, '>')
	if open := bytes.IndexByte(text, '['); open >= 0 && open < end {
		_, rest, _ := bytes.Cut(text[open:], []byte("]"))
		_, rest, _ = bytes.Cut(rest, []byte(">"))
		return rest
	}
	if end < 0 {
		return nil
	}
	return text[end+1:]
}

// htmlStart says whether an element is one that pages without <html> begin with.
func htmlStart(root string) bool {
	switch root {
	case "head", "body", "title", "meta", "link", "script", "style", "base", "div", "table", "p", "a", "center", "h1", "frameset", "ul", "br", "font", "span":
		return true
	}
	return false
}

// urlLines reports whether the first lines are URLs. It ignores a truncated
// last line.
func urlLines(text []byte) bool {
	n := 0
	for line := range bytes.Lines(text) {
		cut := n > 0 && !bytes.HasSuffix(line, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || cut {
			continue
		}
		if !isURLLine(line) {
			return false
		}
		n++
	}
	return n > 0
}

func isURLLine(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("http://"))
	if !ok {
		rest, ok = bytes.CutPrefix(line, []byte("https://"))
	}
	return ok && len(rest) > 0 && !bytes.ContainsAny(rest, " \t<>\"")
}
