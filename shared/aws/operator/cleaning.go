package operator

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"sluice/shared/console"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
)

const (
	// letterLife is how long dead letters are kept: what is not cleaned by then
	// never is.
	letterLife = 14 * 24 * time.Hour
	// eventTime is how long the event of a segment, and the count of its
	// message, may take.
	eventTime = 3 * time.Minute
)

// uncleaned counts the segments of a crawl that have no output.
func (o *Operator) uncleaned(ctx context.Context, id string) (int, error) {
	segments, err := o.parts.Objects.Keys(ctx, corpus.RawFolder+"/"+id+"/")
	if err != nil || len(segments) == 0 {
		return 0, err
	}
	cleaned := map[string]bool{}
	for _, folder := range []string{corpus.DocumentFolder, corpus.RejectFolder} { // after the segments: more may follow
		keys, err := o.parts.Objects.Keys(ctx, folder+"/"+id+"/")
		if err != nil {
			return 0, err
		}
		for _, key := range keys {
			cleaned[path.Base(key)] = true
		}
	}
	n := 0
	for _, key := range segments {
		if !strings.HasSuffix(key, "/") && !cleaned[cleanName(path.Base(key))] {
			n++
		}
	}
	return n, nil
}

// awaitCleaning has a crawl that is done say so once its segments are cleaned, or
// nothing is about to clean them.
func (o *Operator) awaitCleaning(s *console.Summary, queues []console.Queue) {
	busy := slices.ContainsFunc(queues, func(q console.Queue) bool { return q.Name == Clean && q.Messages() > 0 })
	if s.State == job.Done && s.Uncleaned > 0 && (busy || o.now().Sub(s.Updated) < eventTime) {
		s.State, s.StopReason = console.Cleaning, ""
	}
}
