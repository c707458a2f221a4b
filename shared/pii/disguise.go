package pii

import "strings"

// Disguises of e-mail addresses are taken for some only where nothing else is
// written so: "name at host dot cn" and "name # host.cn" stay.

// providers are the hosts of most Chinese mailboxes.
var providers = []string{
	"qq.com", "vip.qq.com", "foxmail.com", "163.com", "vip.163.com", "126.com", "vip.126.com", "yeah.net", "188.com",
	"139.com", "189.cn", "wo.cn", "sina.com", "sina.cn", "vip.sina.com", "sohu.com", "aliyun.com", "tom.com", "21cn.com",
	"gmail.com", "hotmail.com", "outlook.com", "live.com", "live.cn", "msn.com", "yahoo.com", "yahoo.com.cn", "yahoo.cn", "icloud.com",
}

// hashMail judges what is around the # at text[at:next] as an e-mail address:
// with a provider's host, or where the text says that the # stands for @.
func (f *finder) hashMail(at, next int) (Match, bool) {
	start := f.local(at)
	if start == at || at < f.urlEnd {
		return Match{}, false
	}
	end := domain(f.text, next)
	if end == 0 {
		return Match{}, false
	}
	host := f.text[next:end]
	for _, provider := range providers {
		if strings.EqualFold(host, provider) {
			return f.found(Email, start, end)
		}
	}
	if explained(f.before(start)) || explained(f.behind(end)) {
		return f.found(Email, start, end)
	}
	return Match{}, false
}

// explained says whether s says to write @ for #.
func explained(s string) bool {
	for {
		i := strings.IndexByte(s, '#')
		if i < 0 {
			return false
		}
		s = s[i+1:]
		j := strings.IndexByte(s, '@')
		if j < 0 {
			return false
		}
		if said := s[:j]; len(said) <= 32 && (strings.Contains(said, "换") || strings.Contains(said, "改") || strings.Contains(said, "換")) {
			return true
		}
	}
}

// bracketMail judges what is around an (at) as an e-mail address, whose a may
// be at text[i].
func (f *finder) bracketMail(i int) (Match, bool) {
	if i+1 >= len(f.text) || f.text[i+1]|0x20 != 't' || i < f.urlEnd {
		return Match{}, false
	}
	open, at := f.bracketBefore(i)
	next := bracketBehind(f.text, i+2)
	if !open || next == 0 {
		return Match{}, false
	}
	if g, before := glyphBefore(f.text, at); g == ' ' {
		at -= before
	}
	if g, size := glyphAt(f.text, next); g == ' ' {
		next += size
	}
	start := f.local(at)
	if start == at {
		return Match{}, false
	}
	end := domain(f.text, next)
	if end == 0 {
		return Match{}, false
	}
	return f.found(Email, start, end)
}

// bracketBefore says whether a bracket opens before text[i], and where.
func (f *finder) bracketBefore(i int) (open bool, at int) {
	for _, bracket := range [...]string{"(", "[", "{", "<", "（", "【", "［"} {
		if strings.HasSuffix(f.text[f.last:i], bracket) {
			return true, i - len(bracket)
		}
	}
	return false, 0
}

// bracketBehind returns the end of the bracket that closes at text[i], 0 if
// none does.
func bracketBehind(text string, i int) int {
	for _, bracket := range [...]string{")", "]", "}", ">", "）", "】", "］"} {
		if strings.HasPrefix(text[i:], bracket) {
			return i + len(bracket)
		}
	}
	return 0
}

// isAtSign says whether an @ in brackets, or a # before a host, is at text[i].
func isAtSign(text string, i int) bool {
	if g, size := glyphAt(text, i); g == ' ' {
		i += size
	}
	for _, bracket := range [...]string{"(", "[", "{", "<", "（", "【", "［"} {
		if rest, ok := strings.CutPrefix(text[i:], bracket); ok && len(rest) > 2 {
			return strings.EqualFold(rest[:2], "at") && bracketBehind(rest, 2) > 0
		}
	}
	return false
}
