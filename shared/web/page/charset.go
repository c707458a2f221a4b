package page

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// Canonical names that the code below compares with.
const (
	nameUTF8    = "utf-8"
	nameGB18030 = "gb18030"
	nameBig5    = "big5"
)

// Decode returns body as valid UTF-8 without a byte order mark, and the
// canonical (WHATWG, lower-case) name of the charset it was read as.
//
// The first that fits wins: a byte order mark; valid UTF-8, regardless of
// declarations; the charset of the Content-Type header, then of <meta> or the
// XML declaration, if the body decodes with almost no U+FFFD (if they disagree
// and both decode, the bytes decide); UTF-8 with a few broken bytes; detection;
// GB18030. The gb2312 and gbk families are read as GB18030, their superset. A
// pure ASCII body keeps its declared charset, since that still governs how its
// links encode their queries.
//
// A truncated multi-byte character at the end is dropped and ignored.
func Decode(body []byte, contentType string) (text []byte, name string) {
	if c, rest, ok := byteOrderMark(body); ok {
		if d := c.decode(rest); d.fits() {
			return d.text, c.name
		}
	}
	if c, ok := wideASCII(body); ok {
		return c.decode(body).text, c.name
	}
	whole := trimCutRune(body)
	if !utf8.Valid(whole) {
		return decodeLegacy(body, declaredCharsets(body, contentType))
	}
	if c, ok := notUTF8AfterAll(whole, contentType); ok {
		return c.decode(body).text, c.name
	}
	return whole, nameUTF8
}

// decodeLegacy decodes a body that is not valid UTF-8.
func decodeLegacy(body []byte, declared []codec) ([]byte, string) {
	var fitting, all []decoded
	for _, c := range declared {
		d := c.decode(body)
		all = append(all, d)
		if d.fits() && !misleading(c, body) {
			fitting = append(fitting, d)
		}
	}
	switch {
	case len(fitting) > 1:
		if guess, ok := detect(body); ok && guess.name == fitting[1].codec.name {
			return fitting[1].text, guess.name
		}
		fallthrough
	case len(fitting) == 1:
		return fitting[0].text, fitting[0].codec.name
	}
	for _, try := range []func() (codec, bool){
		func() (codec, bool) { return lookup(nameUTF8) },
		func() (codec, bool) { return detect(body) },
		func() (codec, bool) { return lookup(nameGB18030) },
	} {
		c, ok := try()
		if !ok {
			continue
		}
		d := c.decode(body)
		if d.fits() {
			return d.text, c.name
		}
		all = append(all, d)
	}
	best := all[0]
	for _, d := range all[1:] {
		// The right charset has the fewest invalid bytes.
		if d.bad*best.wide < best.bad*d.wide {
			best = d
		}
	}
	return best.text, best.codec.name
}

// codec is an encoding under its canonical name; enc is nil for UTF-8.
type codec struct {
	name string
	enc  encoding.Encoding
}

// decoded is a body read with one codec. Of its wide (non-ASCII) characters,
// bad ones are U+FFFD or private use: bytes the codec has no meaning for.
type decoded struct {
	codec     codec
	text      []byte
	bad, wide int
}

// fits reports whether so few characters are bad (one in 50, none in short
// texts) that they are the page's own faults rather than the codec's.
func (d decoded) fits() bool { return d.bad*50 <= d.wide }

func (c codec) decode(body []byte) decoded {
	d := decoded{codec: c}
	if c.enc == nil {
		d.text = bytes.ToValidUTF8(trimCutRune(body), []byte("\uFFFD"))
	} else {
		text, err := c.enc.NewDecoder().Bytes(body)
		if err != nil {
			text = bytes.ToValidUTF8(body, []byte("\uFFFD"))
		}
		d.text = bytes.TrimSuffix(text, []byte("\uFFFD"))
	}
	for i := 0; i < len(d.text); {
		if d.text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(d.text[i:])
		i += n
		d.wide++
		if r == utf8.RuneError || r >= 0xE000 && r <= 0xF8FF {
			d.bad++
		}
	}
	return d
}

// lookup finds the codec a label means; labels are cleaned first, since pages
// write "gb2312;", "'utf-8'" or "GB 2312".
func lookup(label string) (codec, bool) {
	label = strings.ToLower(strings.Trim(label, " \t\r\n\"'`;,"))
	switch {
	case label == "":
		return codec{}, false
	case strings.HasPrefix(label, "utf-8"), strings.HasPrefix(label, "utf8"), label == "utf_8":
		return codec{name: nameUTF8}, true
	case label == "hz-gb-2312" || label == "hz":
		return codec{"hz-gb-2312", simplifiedchinese.HZGB2312}, true
	case strings.HasPrefix(label, "gb"), label == "cp936", label == "ms936", label == "windows-936",
		label == "euc-cn", label == "euccn", label == "cn-gb", label == "x-euc-cn":
		return codec{nameGB18030, simplifiedchinese.GB18030}, true
	case label == "big5_hkscs", label == "cp950", label == "ms950", label == "x-big5-hkscs":
		label = "big5"
	case label == "cp932", label == "windows932":
		label = "shift_jis"
	case label == "cp949", label == "ms949":
		label = "euc-kr"
	}
	enc, name := charset.Lookup(label)
	switch {
	case enc == nil || enc == encoding.Replacement:
		return codec{}, false
	case name == nameUTF8:
		return codec{name: nameUTF8}, true
	case name == "gbk":
		return codec{nameGB18030, simplifiedchinese.GB18030}, true
	}
	return codec{name, enc}, true
}

// queryEncoder returns how a page of the named charset encodes non-ASCII text
// in the queries of its links; nil means UTF-8.
func queryEncoder(name string) func(string) []byte {
	c, ok := lookup(name)
	if !ok || c.enc == nil || strings.HasPrefix(c.name, "utf-") || c.name == "replacement" {
		return nil
	}
	return func(s string) []byte {
		b, err := encoding.HTMLEscapeUnsupported(c.enc.NewEncoder()).Bytes([]byte(s))
		if err != nil {
			return []byte(s)
		}
		return b
	}
}

func byteOrderMark(body []byte) (codec, []byte, bool) {
	for _, mark := range []struct {
		bytes string
		codec codec
	}{
		{"\xEF\xBB\xBF", codec{name: nameUTF8}},
		{"\xFE\xFF", codec{"utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}},
		{"\xFF\xFE", codec{"utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}},
		{"\x84\x31\x95\x33", codec{nameGB18030, simplifiedchinese.GB18030}},
	} {
		if rest, ok := bytes.CutPrefix(body, []byte(mark.bytes)); ok {
			return mark.codec, rest, true
		}
	}
	return codec{}, nil, false
}

// wideASCII recognises UTF-16 without a byte order mark by its first two
// characters, "<" and one more of ASCII.
func wideASCII(body []byte) (codec, bool) {
	if len(body) < 4 {
		return codec{}, false
	}
	ascii := func(b byte) bool { return b >= ' ' && b < 0x7F }
	switch {
	case body[0] == '<' && body[1] == 0 && ascii(body[2]) && body[3] == 0:
		return codec{"utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, true
	case body[0] == 0 && body[1] == '<' && body[2] == 0 && ascii(body[3]):
		return codec{"utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}, true
	}
	return codec{}, false
}

// trimCutRune drops an incomplete UTF-8 sequence at the end.
func trimCutRune(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}
