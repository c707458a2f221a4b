package urlnorm

import (
	"net/url"
	"strings"
)

// Parameters that say how a visitor came, not what the page holds. Names
// compare without regard to case. Only names that one well-known tool owns are
// here: "from", "ref" or "source" may select content.
//
//	utm_*, gclid, gclsrc, dclid, gbraid, wbraid, _ga, _gl   Google
//	fbclid, igshid, twclid, ttclid, li_fat_id               Meta, X, TikTok, LinkedIn
//	msclkid, yclid, ysclid, _openstat                       Microsoft, Yandex
//	mc_cid, mc_eid, mkt_tok, _hsenc, _hsmi                  mail campaigns
//	mtm_*, pk_campaign, pk_kwd, pk_source, pk_medium        Matomo
//	spm, scm, spm_id_from, vd_source                        Alibaba, Bilibili
//	hmsr, hmpl, hmcu, hmkw, hmci, bd_vid, wfr               Baidu
//	qhclickid, share_token                                  360, ByteDance
func isTracking(name string) bool {
	switch {
	case strings.HasPrefix(name, "utm_"), strings.HasPrefix(name, "mtm_"):
		return true
	}
	switch name {
	case "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "_ga", "_gl",
		"fbclid", "igshid", "twclid", "ttclid", "li_fat_id",
		"msclkid", "yclid", "ysclid", "_openstat",
		"mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi",
		"pk_campaign", "pk_kwd", "pk_source", "pk_medium",
		"spm", "scm", "spm_id_from", "vd_source",
		"hmsr", "hmpl", "hmcu", "hmkw", "hmci", "bd_vid", "wfr",
		"qhclickid", "share_token":
		return true
	}
	return false
}

// isSession reports whether a parameter, of a query or of a path segment,
// carries a session id. The first names are said by servers and frameworks
// only; those that applications also give to articles need a value that looks
// like a token.
func isSession(name, value string) bool {
	switch name {
	case "jsessionid", "phpsessid", "sessionid", "asp.net_sessionid", "cftoken":
		return true
	case "sid", "session_id", "sessid":
		return isToken(value)
	}
	return strings.HasPrefix(name, "aspsessionid")
}

// isToken reports whether a value looks machine-made: ten or more digits, or
// eight or more letters and digits mixed, or too long for a word. Dates and the
// numbers of articles are shorter.
func isToken(value string) bool {
	const (
		minLen  = 8
		minNum  = 10
		minMix  = 3  // changes between letters and digits; "sports2020" has one
		noWord  = 20 // a name of a section is shorter
		wordSep = "-_.,~"
	)
	if len(value) < minLen {
		return false
	}
	digits, changes := 0, 0
	for i := range len(value) {
		c := value[i]
		if !isAlpha(c) && !isDigit(c) && strings.IndexByte(wordSep, c) < 0 {
			return false
		}
		if isDigit(c) {
			digits++
		}
		if i > 0 && (isDigit(c) && isAlpha(value[i-1]) || isAlpha(c) && isDigit(value[i-1])) {
			changes++
		}
	}
	return digits == len(value) && digits >= minNum || changes >= minMix || len(value) >= noWord && digits > 0
}

// unwanted reports whether a parameter "name=value" is dropped.
func unwanted(param string) bool {
	name, value, _ := strings.Cut(param, "=")
	const longest = 32 // of the names above; longer ones only match a prefix
	var lower [longest]byte
	n := copy(lower[:], name)
	for i, c := range lower[:n] {
		if isAlpha(c) {
			lower[i] = c | 0x20
		}
	}
	folded := string(lower[:n])
	return isTracking(folded) || isSession(folded, value)
}

// Clean drops what says nothing of the page from an address as the page has it: session ids
// and the parameters by which visits are tracked.
func Clean(u *url.URL) {
	if strings.ContainsAny(u.Path, ";(") {
		cleaned := cleanPath(u.EscapedPath())
		if path, err := url.PathUnescape(cleaned); err == nil {
			u.Path, u.RawPath = path, cleaned
		}
	}
	if u.RawQuery != "" {
		u.RawQuery = cleanQuery(u.RawQuery)
	}
}

// cleanQuery drops the unwanted and the empty parts of a query.
func cleanQuery(query string) string {
	var kept []string
	for part := range strings.SplitSeq(query, "&") {
		part = cutSessions(part)
		if part != "" && !unwanted(part) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "&")
}

// cleanPath drops session ids from a path: ";jsessionid=…" at the end of a
// segment, and the segments of ASP.NET sessions without cookies.
func cleanPath(path string) string {
	if !strings.ContainsAny(path, ";(") {
		return path
	}
	var kept []string
	for segment := range strings.SplitSeq(path, "/") {
		if !isCookieless(segment) {
			kept = append(kept, cutSessions(segment))
		}
	}
	if len(kept) == 1 { // the last segment was dropped
		kept = append(kept, "")
	}
	return strings.Join(kept, "/")
}

// cutSessions drops the session ids among the ";name=value" parts of s.
func cutSessions(s string) string {
	if !strings.Contains(s, ";") {
		return s
	}
	parts := strings.Split(s, ";")
	kept := parts[:1]
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, "=")
		if !isSession(strings.ToLower(name), value) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ";")
}

// isCookieless reports whether a path segment is ASP.NET's "(S(token))": in
// parentheses, one or more of S, A, F, X, each with a value in parentheses.
func isCookieless(segment string) bool {
	rest, ok := strings.CutPrefix(segment, "(")
	if !ok || !strings.HasSuffix(rest, "))") {
		return false
	}
	rest = rest[:len(rest)-1]
	for rest != "" {
		if len(rest) < 3 || strings.IndexByte("SAFX", rest[0]) < 0 || rest[1] != '(' {
			return false
		}
		_, rest, _ = strings.Cut(rest, ")")
	}
	return true
}
