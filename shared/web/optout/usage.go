package optout

import (
	"net/http"
	"strings"
)

// stance is the statement of a usage preference about training.
type stance int

const (
	silent stance = iota
	allows
	forbids
)

// usageFields carry usage preferences, as lines of robots.txt and as fields of
// a response: the content signals of Cloudflare, and draft-ietf-aipref-attach.
var usageFields = [...]string{"Content-Signal", "Content-Usage"}

// training reads a list of preferences: "search=yes, ai-train=no", or
// "train-ai=n". Of categories that a training corpus falls under, in this or an
// earlier draft of the vocabulary, one "no" is enough
// (draft-ietf-aipref-vocab, "Combining Preferences").
func training(preferences string) stance {
	said := map[string]stance{} // of a key that is repeated, the last value counts
	for p := range strings.SplitSeq(preferences, ",") {
		p, _, _ = strings.Cut(p, ";") // parameters
		key, value, _ := strings.Cut(p, "=")
		switch key = fold(key); key {
		case "ai-train", "train-ai", "train-genai", "ai", "genai", "tdm", "bots":
		default:
			continue
		}
		switch fold(value) {
		case "n", "no":
			said[key] = forbids
		case "y", "yes":
			said[key] = allows
		default:
			said[key] = silent
		}
	}
	sum := silent
	for _, s := range said {
		sum = max(sum, s)
	}
	return sum
}

// Usage returns the text of the field of Content-Signal or Content-Usage that
// asks not to train models; "" for none.
func Usage(h http.Header) string {
	for _, name := range usageFields {
		value := strings.Join(h.Values(name), ", ")
		if training(value) == forbids {
			return most(name+": "+value, maxLine)
		}
	}
	return ""
}
