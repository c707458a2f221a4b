package page

import (
	"bytes"
	"unicode/utf8"

	"github.com/gogs/chardet"
)

const (
	sampleSize   = 3 << 10 // bytes of text that detection reads; its cost grows with them
	shortText    = 64      // non-ASCII characters under which valid UTF-8 may be chance
	minDetection = 24      // non-ASCII bytes that detection needs to be worth asking
)

// notUTF8AfterAll finds the declared charset of a body that is valid UTF-8 by
// accident: escape-coded charsets are pure ASCII, and a few GBK characters may
// happen to form two-byte sequences ("一目" is D2 BB C4 BF).
func notUTF8AfterAll(body []byte, contentType string) (codec, bool) {
	if bytes.Contains(body, []byte("\x1b$")) {
		if c, _ := lookup("iso-2022-jp"); c.decode(body).fits() {
			return c, true
		}
	}
	wide, runs, high := 0, 0, 0
	for i := 0; i < len(body); {
		if body[i] < utf8.RuneSelf {
			i++
			high = 0
			continue
		}
		_, n := utf8.DecodeRune(body[i:])
		i += n
		wide++
		if high++; high == 2 {
			runs++
		}
		if n > 2 || wide > shortText {
			return codec{}, false
		}
	}
	declared := declaredCharsets(body, contentType)
	if len(declared) == 0 {
		return codec{}, false
	}
	c := declared[0]
	if c.enc == nil || len(c.name) > 4 && c.name[:4] == "utf-" {
		return codec{}, false
	}
	if wide == 0 {
		return c, true
	}
	return c, runs > 0 && twoByte(c.name) && c.decode(body).fits()
}

func twoByte(name string) bool {
	switch name {
	case nameGB18030, nameBig5, "euc-jp", "euc-kr", "shift_jis":
		return true
	}
	return false
}

// misleading says whether a declared charset that decodes is still not to be
// believed: the Western ones, which servers add by default, give every byte a
// meaning, but Western text has no long runs of non-ASCII bytes; and GB18030
// accepts most of Big5.
func misleading(c codec, body []byte) bool {
	switch c.name {
	case "windows-1252", "iso-8859-15", "macintosh":
		return paired(body)
	case nameGB18030:
		if commonHanzi(body) {
			return false
		}
		guess, ok := detect(body)
		return ok && guess.name != nameGB18030 && twoByte(guess.name) && guess.decode(body).fits()
	}
	return false
}

// paired reports whether nearly all non-ASCII bytes of body are next to
// another.
func paired(body []byte) bool {
	beside, high := 0, 0
	for i, b := range body {
		if b < utf8.RuneSelf {
			continue
		}
		high++
		if i > 0 && body[i-1] >= utf8.RuneSelf || i+1 < len(body) && body[i+1] >= utf8.RuneSelf {
			beside++
		}
	}
	return beside*5 > high*4
}

// commonHanzi says whether most two-byte characters of body lie in the zone of
// GB2312, as those of simplified Chinese do: traditional Chinese in Big5 and
// Shift_JIS have half of their second bytes below it.
func commonHanzi(body []byte) bool {
	inside, all := 0, 0
	for i := 0; i+1 < len(body); {
		if body[i] < 0x81 {
			i++
			continue
		}
		all++
		if body[i] >= 0xA1 && body[i+1] >= 0xA1 {
			inside++
		}
		i += 2
	}
	return inside*10 >= all*8
}

// detect guesses the charset from the bytes. If they are few, or could be
// Chinese as well as anything, it returns GB18030 or nothing.
func detect(body []byte) (codec, bool) {
	sample, high := detectionSample(body)
	if high < minDetection && !levelOne(sample) {
		if gb, _ := lookup(nameGB18030); commonHanzi(body) && gb.decode(body).fits() {
			return gb, true
		}
	}
	results, err := chardet.NewTextDetector().DetectAll(sample)
	if err != nil {
		return codec{}, false
	}
	// The detector runs its recognisers concurrently and returns ties in the
	// order they finish: break ties by name, Chinese first.
	best, found := codec{}, false
	confidence := 0
	for _, r := range results {
		c, ok := lookup(r.Charset)
		if !ok || c.enc == nil || r.Confidence < confidence || !believable(c, sample) {
			continue
		}
		if r.Confidence > confidence || c.name == nameGB18030 || best.name != nameGB18030 && c.name < best.name {
			best, found, confidence = c, true, r.Confidence
		}
	}
	if !found || best.name == nameGB18030 || best.name == nameBig5 {
		if c, ok := chinese(sample); ok {
			return c, true
		}
	}
	return best, found
}

// detectionSample returns the first text of body outside tags, without lines of
// pure ASCII, and how many of its bytes are not ASCII.
func detectionSample(body []byte) (sample []byte, high int) {
	sample = make([]byte, 0, sampleSize)
	for len(body) > 0 && len(sample) < sampleSize {
		end := bytes.IndexByte(body, '<')
		if end < 0 {
			end = len(body)
		}
		n := 0
		for _, b := range body[:end] {
			if b >= utf8.RuneSelf || b == 0x1b {
				n++
			}
		}
		if n > 0 {
			high += n
			room := sampleSize - len(sample)
			sample = append(append(sample, body[:min(end, room)]...), '\n')
		}
		body = body[end:]
		// A tag may be huge or never end: look for its end in a bounded stretch.
		if stop := bytes.IndexByte(body[:min(len(body), sampleSize)], '>'); stop >= 0 {
			body = body[stop+1:]
		} else if len(body) > 0 {
			body = body[1:]
		}
	}
	return sample, high
}
