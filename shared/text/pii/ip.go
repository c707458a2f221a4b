package pii

import (
	"net/netip"
	"strings"
)

// ip judges what starts with the digit at text[i] as an IP address.
func (f *finder) ip(i int) (match, bool) {
	if m, ok := f.ip6(i); ok {
		return m, ok
	}
	quad, end := readQuad(f.text, i)
	if end == 0 || !isPublic(quad) {
		return match{}, false
	}
	if i == f.host && i < f.urlEnd {
		if end < f.urlEnd && strings.IndexByte(":/?#", f.text[end]) < 0 {
			return match{}, false
		}
		return f.found(IP, i, end)
	}
	if !f.quadStands(i, end) || f.isVersion(quad, i, end) {
		return match{}, false
	}
	return f.found(IP, i, end)
}

// readQuad reads four numbers up to 255 with points between them; end is 0 if
// they are not there.
func readQuad(text string, i int) (quad [4]byte, end int) {
	for part := range quad {
		v, n := 0, 0
		for n <= 3 {
			g, next := showing(text, i)
			if !isDigit(g) {
				break
			}
			if n == 1 && v == 0 {
				return quad, 0 // a date or a code: 2011.01
			}
			v = v*10 + int(g-'0')
			n++
			i = next
		}
		if n == 0 || v > 255 {
			return quad, 0
		}
		quad[part] = byte(v)
		if part == len(quad)-1 {
			break
		}
		g, next := showing(text, i)
		if g != '.' {
			return quad, 0
		}
		i = next
	}
	return quad, i
}

// isPublic reports whether the address is routed on the internet, or represents
// one in documentation (RFC 5737). Net masks are above these.
func isPublic(quad [4]byte) bool {
	a := netip.AddrFrom4(quad)
	switch {
	case quad[0] == 0, quad[0] >= 224, // this network, multicast, reserved
		quad[0] == 100 && quad[1]&0xC0 == 64: // shared by a provider's customers
		return false
	}
	return !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast()
}

// quadStands reports whether the quad at text[start:end] is not part of a
// longer sequence, a word or a path.
func (f *finder) quadStands(start, end int) bool {
	g, at := showingBefore(f.text, start)
	if at >= f.last {
		before, _ := showingBefore(f.text, at)
		switch {
		case isLatin(g):
			if !endsWithAny(f.before(start), fields) {
				return false
			}
		case isWordly(g), g == '_', g == '%':
			return false
		case g == '.', g == '/', g == '+', g == '-':
			if isWordly(before) && at != f.last { // a range of addresses may follow a match
				return false
			}
		}
	}
	g, next := showing(f.text, end)
	behind, _ := showing(f.text, next)
	switch g {
	case '.', '_', '+':
		return g == '.' && !isWordly(behind)
	case '-':
		_, quad := readQuad(f.text, next)
		return quad > 0 || !isWordly(behind)
	}
	return !isWordly(g) && g != '%'
}

// Words before or behind four numbers, in the same line.
var (
	versionWords = []string{
		"版", "版本", "版本号", "版本號", "升级到", "升级至", "升級到", "升級至", "更新到", "更新至", "内核", "固件", "补丁", "補丁", "驱动", "驅動",
		"version", "ver", "v", "release", "build", "kernel", "firmware", "driver", "player", "update",
	}
	addressWords = []string{
		"IP", "地址", "位址", "服务器", "伺服器", "主机", "主機", "网关", "闸道", "DNS", "访问", "訪問", "登录", "登入", "来自", "來自",
		"攻击", "攻擊", "客户端", "用户端", "封禁", "请求", "連線", "连接", "解析", "ping", "from", "host", "server", "address",
		"client", "gateway", "src", "dst", "inet", "via", "login", "ssh", "curl", "nameserver", "traceroute", "telnet", "port", "端口",
	}
)

// isVersion tells versions and sections from addresses. Of the four parts of a
// version or a section few are large; of an address few are small.
func (f *finder) isVersion(quad [4]byte, start, end int) bool {
	large := 0
	for _, part := range quad {
		if part >= 32 {
			large++
		}
	}
	before, behind := f.before(start), f.behind(end)
	name := strings.TrimRight(before, " :：=")
	switch {
	case mentions(before, addressWords), strings.HasSuffix(before, "::ffff:"), large < 2 && mentions(behind, addressWords):
		return false
	case mentions(before, versionWords), strings.Contains(behind[:min(len(behind), window/2)], "版本"):
		return true
	}
	if large > 1 {
		return false
	}
	if g, _ := glyphBefore(before, len(before)); large == 1 && g == han {
		return quad[0] < 32 // 微信8.0.2.33
	}
	return large == 0 || name == "" && quad[0] < 32 || name != "" && isLatin(name[len(name)-1])
}

// ip6 judges what starts at text[i] as an IPv6 address: of 2000::/3, from which
// all public ones come, and all that documents show. They are read in ASCII
// only.
func (f *finder) ip6(i int) (match, bool) {
	const longest = len("2001:0db8:0000:0000:0000:0000:255.255.255.255")
	text := f.text[i:min(len(f.text), i+longest+1)]
	if len(text) < len("2001::") || text[0] != '2' && text[0] != '3' {
		return match{}, false
	}
	n, colons := 0, 0
	for n < len(text) && (isHex(text[n]) || text[n] == ':' || text[n] == '.') {
		if text[n] == ':' {
			if colons++; colons == 1 && n != 4 {
				return match{}, false
			}
		}
		n++
	}
	if colons < 2 || n > longest {
		return match{}, false
	}
	address := strings.TrimRight(text[:n], ".")
	if strings.HasSuffix(address, ":") && !strings.HasSuffix(address, "::") {
		address = address[:len(address)-1]
	}
	end := i + len(address)
	if colons < 7 && !strings.Contains(address, "::") || !f.ip6Stands(i, end) {
		return match{}, false
	}
	if _, err := netip.ParseAddr(address); err != nil {
		return match{}, false
	}
	return f.found(IP, i, end)
}

func (f *finder) ip6Stands(start, end int) bool {
	behind, _ := showing(f.text, end)
	if isWordly(behind) || behind == '_' {
		return false
	}
	before, at := showingBefore(f.text, start)
	return at < f.last || !isWordly(before) && before != '.' && before != '_' && (before != ':' || !f.groupBefore(at))
}

// groupBefore says whether what ends at text[end] may be a group of an IPv6
// address, or a field of a line of them: not a label.
func (f *finder) groupBefore(end int) bool {
	for n := 0; ; n++ {
		g, at := showingBefore(f.text, end)
		switch {
		case at < f.last, !isWordly(g):
			return n > 0 || g == ':'
		case n == 4, !isHex(g) && n > 0:
			return false
		}
		end = at
	}
}
