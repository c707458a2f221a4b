package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// maxProblems is how many problems are reported in full.
const maxProblems = 20

// maxSeedBytes bounds canonical seeds, which escapes make longer than what was
// written.
const maxSeedBytes = MaxMessage

// problems are all that is wrong with a message.
type problems []string

// Error returns the problems, up to 20.
func (p problems) Error() string {
	s := strings.Join(p[:min(len(p), maxProblems)], "; ")
	if more := len(p) - maxProblems; more > 0 {
		s += fmt.Sprintf("; and %d more problems", more)
	}
	return s
}

// reader reads one message. It continues after a problem, to report them all.
type reader struct{ problems problems }

// read reads the value of a key.
type read func(value json.RawMessage)

// fail records a problem.
func (r *reader) fail(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// object reads an object that has only known keys, each at most once. It
// returns the keys it has, nil if data is not an object.
func (r *reader) object(what string, data []byte, known map[string]read) map[string]bool {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		r.fail("%s must be a JSON object, not %s", what, clip(string(data)))
		return nil
	}
	given := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		key, isKey := t.(string)
		var value json.RawMessage
		if err == nil && isKey {
			err = dec.Decode(&value)
		}
		if err != nil {
			r.fail("%s is not valid JSON: %v", what, err)
			return nil
		}
		switch set, ok := known[key]; {
		case !ok:
			r.fail("unknown key %q in %s", clip(key), what)
		case given[key]:
			r.fail("%s is repeated", key)
		case string(value) == "null":
			r.fail("%s is null: leave it out", key)
		default:
			set(value)
		}
		given[key] = true
	}
	if _, err := dec.Token(); err != nil { // the closing brace
		r.fail("%s is not valid JSON: %v", what, err)
		return nil
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		r.fail("something follows the end of %s", what)
		return nil
	}
	return given
}

// text reads a text that check accepts.
func (r *reader) text(target *string, key string, check func(string) error) read {
	return func(value json.RawMessage) {
		if json.Unmarshal(value, target) != nil {
			r.fail("%s must be a text, not %s", key, clip(string(value)))
			return
		}
		if err := check(*target); err != nil {
			r.fail("%v", err)
		}
	}
}

// count reads a whole number from 1 to most. Zero would mean that it is left
// open; who means that leaves it out.
func (r *reader) count(target *int, key string, most int) read {
	return func(value json.RawMessage) {
		var n int
		if json.Unmarshal(value, &n) != nil || n < 1 || n > most {
			r.fail("%s must be a whole number from 1 to %d, not %s", key, most, clip(string(value)))
			return
		}
		*target = n
	}
}

func (r *reader) cost(target *float64) read {
	return func(value json.RawMessage) {
		var dollars float64
		if json.Unmarshal(value, &dollars) != nil || dollars <= 0 || dollars > maxCost {
			r.fail("max_cost must be a number of dollars, above 0 and at most %g, not %s", float64(maxCost), clip(string(value)))
			return
		}
		*target = dollars
	}
}

func (r *reader) randomSeed(target *uint64) read {
	return func(value json.RawMessage) {
		if json.Unmarshal(value, target) != nil {
			r.fail("random_seed must be a whole number from 0 to 2^64-1, not %s", clip(string(value)))
		}
	}
}

// duration reads a time with its unit.
func (r *reader) duration(value json.RawMessage, key string, least, most time.Duration) (time.Duration, bool) {
	var text string
	err := json.Unmarshal(value, &text)
	var d time.Duration
	if err == nil {
		d, err = time.ParseDuration(text)
	}
	if err != nil || d < least || d > most {
		r.fail("%s must be a time with its unit from %v to %v, such as \"1s\" or \"2h30m\", not %s", key, least, most, clip(string(value)))
		return 0, false
	}
	return d, true
}

func (r *reader) maxDuration(target *time.Duration) read {
	return func(value json.RawMessage) {
		*target, _ = r.duration(value, "max_duration", time.Second, limits.MaxDuration)
	}
}

func (r *reader) delay(target **time.Duration) read {
	return func(value json.RawMessage) {
		if d, ok := r.duration(value, "delay", 0, maxDelay); ok {
			*target = &d
		}
	}
}

// list reads a list of at most most texts.
func (r *reader) list(value json.RawMessage, key string, most int) []string {
	var raw []*string // a null is not a string
	if json.Unmarshal(value, &raw) != nil {
		r.fail("%s must be a list of texts, not %s", key, clip(string(value)))
		return nil
	}
	if len(raw) > most {
		r.fail("%d %s, at most %d", len(raw), key, most)
		return nil
	}
	var texts []string
	for i, s := range raw {
		if s == nil {
			r.fail("%s[%d] is null", key, i)
			continue
		}
		texts = append(texts, *s)
	}
	return texts
}

// seeds reads URLs and removes repetitions.
func (r *reader) seeds(target *[]string) read {
	return func(value json.RawMessage) {
		before := len(r.problems)
		raw := r.list(value, "seeds", MaxSeeds)
		if len(raw) == 0 && len(r.problems) == before {
			r.fail("seeds are empty")
		}
		seen, size := make(map[urlnorm.URL]bool, len(raw)), 0
		for i, s := range raw {
			u, err := urlnorm.Parse(s)
			switch {
			case err != nil:
				r.fail("seeds[%d]: %v", i, err)
			case !seen[u]:
				seen[u] = true
				size += len(u.String())
				*target = append(*target, u.String())
			}
		}
		if size > maxSeedBytes {
			r.fail("the seeds have %d bytes, at most %d: put them into an object under seeds/", size, maxSeedBytes)
		}
	}
}

// scope reads a scope; without a mode it is that of the domain, as in a topic.
func (r *reader) scope(target **limits.Scope) read {
	return func(value json.RawMessage) {
		s := &limits.Scope{Mode: urlnorm.ModeDomain}
		before := len(r.problems)
		r.object("scope", value, map[string]read{
			"mode":  r.text((*string)(&s.Mode), "mode", func(string) error { return nil }),
			"allow": func(value json.RawMessage) { s.Allow = r.list(value, "allow", limits.MaxEntries) },
			"deny":  func(value json.RawMessage) { s.Deny = r.list(value, "deny", limits.MaxEntries) },
		})
		if len(r.problems) > before {
			return
		}
		if err := s.Check(); err != nil {
			r.fail("%v", err)
			return
		}
		*target = s
	}
}
