package optout

import (
	"bytes"
	"unicode/utf8"

	"sluice/shared/web/robotstxt"
)

// Robots returns the lines of a robots.txt about the use of pages, nil for
// none. It ignores those about access.
func Robots(lines []robotstxt.Line) *Lines { return said(lines, false) }

// ParseAI reads an ai.txt: the format is that of robots.txt, and its Allow and
// Disallow are about training. An HTML page in its place says nothing.
func ParseAI(body []byte, product string) *Lines {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n\xef\xbb\xbf"), []byte("<")) {
		return nil
	}
	return said(robotstxt.Read(body, product), true)
}

// said keeps the lines that speak to us; access says whether Allow and Disallow
// do. Lines before the first User-agent are for everybody.
func said(lines []robotstxt.Line, access bool) *Lines {
	var kept []line
	for _, l := range lines {
		if !l.Before && !l.OursStrict || !access && (l.Key == "allow" || l.Key == "disallow") ||
			len(l.Text) > maxLine || !utf8.ValidString(l.Text) || len(kept) == maxRules {
			continue
		}
		if ln, ok := readLine(&l); ok {
			kept = append(kept, ln)
		}
	}
	return newLines(kept)
}
