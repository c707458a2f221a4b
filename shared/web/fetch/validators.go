package fetch

import (
	"cmp"
	"net/http"
	"strings"
)

// maxValidator is how long a validator may be that is kept. Those of servers
// have 10 to 70 bytes.
const maxValidator = 200

// Validators identify a version of a page (RFC 9110, 8.8). An empty one is
// unknown.
type Validators struct {
	ETag         string // with its quotes, and W/ in front if it is weak
	LastModified string // as sent
}

// ValidatorsOf reads those of an answer. One that is not in the form of RFC 9110,
// or is longer than 200 bytes, is left out: it is sent back to the server, and
// stored with every page until then.
func ValidatorsOf(h http.Header) Validators {
	return Validators{ETag: h.Get("ETag"), LastModified: h.Get("Last-Modified")}.sound()
}

// Conditions returns the headers of a conditional request, nil if no validator
// is known. It has both conditions; servers that know ETags ignore the second
// (RFC 9110, 13.1).
func (v Validators) Conditions() http.Header {
	v = v.sound()
	if v == (Validators{}) {
		return nil
	}
	h := http.Header{}
	if v.ETag != "" {
		h.Set("If-None-Match", v.ETag)
	}
	if v.LastModified != "" {
		h.Set("If-Modified-Since", v.LastModified)
	}
	return h
}

// Or returns v with unknown values taken from other.
func (v Validators) Or(other Validators) Validators {
	v.ETag = cmp.Or(v.ETag, other.ETag)
	v.LastModified = cmp.Or(v.LastModified, other.LastModified)
	return v
}

// sound returns s, or "" if it is not a valid validator.
func (v Validators) sound() Validators {
	if !isETag(v.ETag) {
		v.ETag = ""
	}
	if !isDate(v.LastModified) {
		v.LastModified = ""
	}
	return v
}

// isETag reports whether s is an entity-tag in ASCII: the bytes above it would
// not survive being stored as text.
func isETag(s string) bool {
	opaque := strings.TrimPrefix(s, "W/")
	if len(s) > maxValidator || len(opaque) < 2 || opaque[0] != '"' || opaque[len(opaque)-1] != '"' {
		return false
	}
	for _, c := range []byte(opaque[1 : len(opaque)-1]) {
		if c <= ' ' || c == '"' || c >= 0x7f {
			return false
		}
	}
	return true
}

func isDate(s string) bool {
	_, err := http.ParseTime(s)
	return err == nil && len(s) <= maxValidator
}
