package pii

import (
	"slices"
	"strings"
)

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
	if isProvider(f.text[next:end]) || explained(f.before(start)) || explained(f.behind(end)) {
		return f.found(Email, start, end)
	}
	return Match{}, false
}

func isProvider(host string) bool {
	return slices.ContainsFunc(providers, func(provider string) bool { return strings.EqualFold(host, provider) })
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

// mailWords stand before e-mail addresses.
var mailWords = []string{
	"邮箱", "郵箱", "信箱", "邮件", "郵件", "电邮", "電郵", "邮址", "联系", "聯繫", "联络", "聯絡", "投稿", "来稿", "來稿", "简历", "簡歷",
	"email", "emails", "e-mail", "mail", "mailto", "contact",
}

// spacedMail judges what is around the @ at text[at:next] as an e-mail address
// with a space on either side of the @ or on both: with a provider's host, or
// with any where a word before it says that it is one. The rest are mentions
// and prices.
func (f *finder) spacedMail(at, next int) (Match, bool) {
	left, right := skipSpaceBefore(f.text, at), skipSpace(f.text, next)
	if left == at && right == next {
		return Match{}, false
	}
	start := f.local(left)
	if start == left || start < f.urlEnd {
		return Match{}, false
	}
	end := providerAt(f.text, right)
	if end == 0 && mentions(f.before(start), mailWords) {
		end = domain(f.text, right)
	}
	if end == 0 {
		return Match{}, false
	}
	return f.found(Email, start, end)
}

// providerAt returns the end of the provider's host at text[i:], 0 if there is
// none.
func providerAt(text string, i int) int {
	if !startsWith(text[i:], providers...) {
		return 0
	}
	if end := domain(text, i); end > 0 && isProvider(text[i:end]) {
		return end
	}
	return 0
}

// isLocal says whether what ends at text[end] is the local part of an address
// whose @ is spelled or parted from it.
func isLocal(text string, end int) bool {
	if next := signAt(text, end, "at"); next > 0 {
		return spelledDomain(text, end, next) > 0
	}
	at := skipSpace(text, end)
	g, size := glyphAt(text, at)
	return g == '@' && providerAt(text, skipSpace(text, at+size)) > 0
}
