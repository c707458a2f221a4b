package hosts

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jimsmart/grobotstxt"
	textunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"sluice/shared/web/fetch"
	"sluice/shared/web/optout"
)

// Bounds of what is read of one file.
const (
	maxRobots     = 500 << 10 // RFC 9309, 2.5
	maxSitemaps   = 1000
	maxCrawlDelay = 24 * time.Hour
)

// ParseRules reads a robots.txt of any content: what looks like no rule is
// passed over, what lies beyond 500 KiB isn't read. UTF-8, with or without a
// byte order mark, and UTF-16 with one are understood.
func ParseRules(body []byte) *Rules {
	if len(body) > maxRobots {
		body = body[:maxRobots]
		// Half a line would forbid more than the whole one.
		body = body[:bytes.LastIndexAny(body, "\r\n")+1]
	}
	if decoded, _, err := transform.Bytes(textunicode.BOMOverride(transform.Nop), body); err == nil {
		body = decoded
	}
	var p parser
	grobotstxt.Parse(toASCII(body), &p)
	g := p.star
	if p.named {
		g = p.ours
	}
	return &Rules{
		rules: sortRules(g.rules), delay: g.delay, sitemaps: p.sitemaps, usage: optout.ParseRobots(body, fetch.Product),
	}
}

// toASCII escapes all bytes beyond ASCII and puts escapes in upper case, or
// the library would do so and garble the digits of "%e6". Spaces beyond ASCII,
// which editors leave around values, become plain ones; NULs go. Keys are put
// in lower case, which spares the library a dozen copies of each, and those that
// it would take for Allow and Disallow, since they begin like them, are marked.
func toASCII(body []byte) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(body) + len(body)/8)
	key := true // until its colon or space
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch c {
		case '\n', '\r':
			key = true
		case ':', ' ', '\t':
			key = false
		case 'a', 'A', 'd', 'D':
			if isUsageKey(body[i:]) && beginsLine(body[:i]) {
				b.WriteString("x-")
			}
		}
		switch {
		case c == 0:
		case key && 'A' <= c && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		case c == '%' && i+2 < len(body) && isHex(body[i+1]) && isHex(body[i+2]):
			b.WriteString(strings.ToUpper(string(body[i : i+3])))
			i += 2
		case c < utf8.RuneSelf:
			b.WriteByte(c)
		default:
			r, size := utf8.DecodeRune(body[i:])
			if unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' {
				b.WriteByte(' ')
				i += size - 1
				continue
			}
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// isUsageKey reports whether a line is about the use of pages, not about access:
// AllowAITraining or DisallowAITraining.
func isUsageKey(line []byte) bool {
	if len(line) >= 3 && line[0]|0x20 == 'd' {
		line = line[3:] // "Dis"
	}
	const name = "allowai"
	return len(line) >= len(name) && strings.EqualFold(string(line[:len(name)]), name)
}

// beginsLine reports whether a line begins behind what is before, but for spaces.
func beginsLine(before []byte) bool {
	before = bytes.TrimRight(before, " \t")
	return len(before) == 0 || before[len(before)-1] == '\n' || before[len(before)-1] == '\r'
}

// parser collects the groups that may concern us. It is the library's handler,
// not its matcher: that one reads the whole file again for every URL.
type parser struct {
	ours, star           group
	inOurs, inStar       bool // the groups that lines belong to now
	rulesSeen            bool // since the last User-agent line: the next one starts a new group
	delaySeen            bool // the same for delays, which RFC 9309 (2.2.4) does not let end a group
	delayOurs, delayStar bool
	named                bool // some group names us; "*" doesn't count then
	sitemaps             []string
}

type group struct {
	rules []rule
	delay time.Duration
}

var _ grobotstxt.ParseHandler = (*parser)(nil)

// HandleRobotsStart implements grobotstxt.ParseHandler.
func (p *parser) HandleRobotsStart() {}

// HandleRobotsEnd implements grobotstxt.ParseHandler.
func (p *parser) HandleRobotsEnd() {}

// HandleUserAgent implements grobotstxt.ParseHandler. Groups of the same name
// are one (RFC 9309, 2.2.1).
func (p *parser) HandleUserAgent(_ int, value string) {
	if p.rulesSeen {
		p.inOurs, p.inStar, p.rulesSeen = false, false, false
		p.delaySeen = true
	}
	if p.delaySeen {
		p.delayOurs, p.delayStar, p.delaySeen = false, false, false
	}
	if value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		p.inStar, p.delayStar = true, true
		return
	}
	if end := strings.IndexFunc(value, notInToken); end >= 0 {
		value = value[:end] // "Sluice/1.0" means us
	}
	if strings.EqualFold(value, fetch.Product) {
		p.inOurs, p.delayOurs, p.named = true, true, true
	}
}

func notInToken(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '.' || r == '_')
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// HandleAllow implements grobotstxt.ParseHandler.
func (p *parser) HandleAllow(_ int, value string) { p.rule(value, true) }

// HandleDisallow implements grobotstxt.ParseHandler.
func (p *parser) HandleDisallow(_ int, value string) { p.rule(value, false) }

func (p *parser) rule(value string, allow bool) {
	p.rulesSeen = true
	// An empty pattern matches nothing, nor can one that begins otherwise.
	if !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "*") {
		return
	}
	p.each(func(g *group) { g.rules = append(g.rules, newRule(value, allow)) })
}

// HandleUnknownAction implements grobotstxt.ParseHandler: Crawl-delay is a rule
// of its group, though not of the RFC.
func (p *parser) HandleUnknownAction(_ int, action, value string) {
	if !strings.EqualFold(action, "crawl-delay") {
		return
	}
	p.delaySeen = true
	if strings.Trim(value, "0123456789.") != "" {
		return
	}
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		if p.delayOurs {
			p.ours.delay = max(p.ours.delay, seconds(s))
		}
		if p.delayStar {
			p.star.delay = max(p.star.delay, seconds(s))
		}
	}
}

// HandleSitemap implements grobotstxt.ParseHandler.
func (p *parser) HandleSitemap(_ int, value string) {
	if value != "" && len(p.sitemaps) < maxSitemaps {
		p.sitemaps = append(p.sitemaps, value)
	}
}

func (p *parser) each(do func(*group)) {
	if p.inOurs {
		do(&p.ours)
	}
	if p.inStar {
		do(&p.star)
	}
}

// seconds turns a number of seconds to a delay of at most a day.
func seconds(s float64) time.Duration {
	return time.Duration(min(max(s, 0), maxCrawlDelay.Seconds()) * float64(time.Second))
}
