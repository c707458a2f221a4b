package job

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"sluice/shared/schema"
	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// maxSeedBytes limits canonical seeds, whose escapes make them longer than as
// written.
const maxSeedBytes = MaxMessage

// reader reads one message.
type reader struct{ schema.Reader }

func (r *reader) randomSeed(target *uint64) schema.Read {
	return schema.Read{Shape: &jsonschema.Schema{Type: "integer", Minimum: new(float64)}, From: func(v schema.Value) {
		if json.Unmarshal([]byte(v.Source()), target) != nil {
			r.Fail(v.Place(), "random_seed must be a whole number from 0 to 2^64-1, not %s", clip(v.Source()))
		}
	}}
}

func (r *reader) delay(target **time.Duration) schema.Read {
	delay := new(time.Duration)
	read := r.Duration(delay, "delay", 0, maxDelay)
	return schema.Read{Shape: read.Shape, From: func(v schema.Value) {
		*target = delay
		read.From(v)
	}}
}

// seeds reads URLs and removes repetitions.
func (r *reader) seeds(target *[]string) schema.Read {
	seen, size := make(map[urlnorm.URL]bool), 0
	read := r.Texts(new([]string), "seeds", MaxSeeds, func(name, seed string) error {
		u, err := urlnorm.Given(seed)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if !seen[u] {
			seen[u] = true
			size += len(u.String())
			*target = append(*target, u.String())
		}
		return nil
	})
	read.Shape.MinItems = new(1)
	return schema.Read{Shape: read.Shape, From: func(v schema.Value) {
		if items, ok := v.List(); ok && len(items) == 0 {
			r.Fail(v.Place(), "seeds are empty")
		}
		read.From(v)
		if size > maxSeedBytes {
			r.Fail(v.Place(), "the seeds have %d bytes, at most %d: put them into an object under seeds/", size, maxSeedBytes)
		}
	}}
}

// scope reads a scope; without a mode it is that of the domain, as in a topic.
func (r *reader) scope(target **limits.Scope) schema.Read {
	scope := &limits.Scope{Mode: urlnorm.ModeDomain}
	read := scope.Read(&r.Reader)
	return schema.Read{Shape: read.Shape, From: func(v schema.Value) {
		*target = scope
		read.From(v)
	}}
}
