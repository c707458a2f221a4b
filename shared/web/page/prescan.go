package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// prescanSize is how far into a body a declaration is looked for. Browsers
// stop at 1 KiB; pages with a long head exceed that.
const prescanSize = 8 << 10

// declaredCharsets lists the charsets declared by the header and the body, in
// this order, without unknown labels and repetitions.
func declaredCharsets(body []byte, contentType string) []codec {
	var found []codec
	add := func(label string, fromBody bool) {
		c, ok := lookup(label)
		if !ok {
			return
		}
		if fromBody && strings.HasPrefix(c.name, "utf-16") {
			// Were it true, the declaration could not have been read.
			c = codec{name: nameUTF8}
		}
		for _, f := range found {
			if f.name == c.name {
				return
			}
		}
		found = append(found, c)
	}
	add(charsetParam(contentType), false)
	head := body[:min(len(body), prescanSize)]
	add(xmlEncoding(head), true)
	add(metaCharset(head), true)
	return found
}

// charsetParam returns the charset parameter of a content type, "" if none. It
// accepts malformed values that servers send.
func charsetParam(contentType string) string {
	lower := strings.ToLower(contentType)
	for {
		i := strings.Index(lower, "charset")
		if i < 0 {
			return ""
		}
		lower = strings.TrimLeft(lower[i+len("charset"):], " \t")
		rest, ok := strings.CutPrefix(lower, "=")
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " \t\"'")
		if end := strings.IndexAny(rest, "\"';, \t"); end >= 0 {
			rest = rest[:end]
		}
		return rest
	}
}

// xmlEncoding returns the encoding of an XML declaration at the start.
func xmlEncoding(head []byte) string {
	head = bytes.TrimLeft(head, " \t\r\n")
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	end := bytes.Index(head, []byte("?>"))
	if end < 0 {
		return ""
	}
	_, after, ok := bytes.Cut(head[:end], []byte("encoding"))
	if !ok {
		return ""
	}
	after = bytes.TrimLeft(after, " \t\r\n=")
	if len(after) == 0 || after[0] != '"' && after[0] != '\'' {
		return ""
	}
	value, _, _ := bytes.Cut(after[1:], after[:1])
	return string(value)
}

// mentionsCharset tries the usual spellings before it folds the whole head.
func mentionsCharset(head []byte) bool {
	for _, word := range []string{"charset", "CHARSET", "Charset"} {
		if bytes.Contains(head, []byte(word)) {
			return true
		}
	}
	return bytes.Contains(bytes.ToLower(head), []byte("charset"))
}

// metaCharset returns the first charset that a <meta> of the head declares.
func metaCharset(head []byte) string {
	if !mentionsCharset(head) {
		return ""
	}
	z := html.NewTokenizer(bytes.NewReader(head))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) != "meta" {
				continue
			}
			charset, equiv, content := "", "", ""
			for more {
				var key, value []byte
				key, value, more = z.TagAttr()
				switch string(key) {
				case "charset":
					charset = string(value)
				case "http-equiv":
					equiv = strings.ToLower(strings.TrimSpace(string(value)))
				case "content":
					content = string(value)
				}
			}
			if charset == "" && (equiv == "content-type" || equiv == "") {
				charset = charsetParam(content)
			}
			if _, ok := lookup(charset); ok {
				return charset
			}
		}
	}
}
