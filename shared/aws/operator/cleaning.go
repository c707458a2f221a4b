package operator

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"sluice/shared/console"
	"sluice/shared/crawl/clean"
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
	// lookTime is how long keeper may take to ask for a second look after the end, and
	// its message to be counted.
	lookTime = 8 * time.Minute
)

// uncleaned counts the segments of a crawl that have no output, or none since the second
// look decided about their pages.
func (o *Operator) uncleaned(ctx context.Context, j *job.Job) (int, error) {
	segments, err := o.parts.Objects.Keys(ctx, corpus.RawFolder+"/"+j.ID+"/")
	if err != nil || len(segments) == 0 {
		return 0, err
	}
	look := new(clean.Look)
	if j.Look.Made != 0 {
		if look, err = clean.ReadLook(ctx, o.parts.Objects, j.ID); err != nil {
			return 0, err
		}
	}
	cleaned := map[string]time.Time{}
	for _, folder := range []string{corpus.DocumentFolder, corpus.RejectFolder} { // after the segments: more may follow
		for obj, err := range o.parts.Objects.List(ctx, folder+"/"+j.ID+"/") {
			if err != nil {
				return 0, err
			}
			if name := path.Base(obj.Key); obj.Modified.After(cleaned[name]) {
				cleaned[name] = obj.Modified
			}
		}
	}
	n := 0
	for _, key := range segments {
		name := path.Base(key)
		at, there := cleaned[clean.LinesName(name)]
		if !strings.HasSuffix(key, "/") && (!there || look.Undone(name, at)) {
			n++
		}
	}
	return n, nil
}

// awaitCleaning has a crawl that is done say so once its segments are cleaned and its
// second look is taken, or nothing is about to do that.
func (o *Operator) awaitCleaning(s *console.Summary, queues []console.Queue) {
	busy := func(name string) bool {
		return slices.ContainsFunc(queues, func(q console.Queue) bool { return q.Name == name && q.Messages() > 0 })
	}
	lately := o.now().Sub(s.Updated) < eventTime
	if s.Unjudged { // keeper waits for the queues of all crawls, but not for long
		lately = o.now().Sub(s.Updated) < lookTime
	}
	if s.State == job.Done && (s.Uncleaned > 0 && (busy(Clean) || lately) || s.Unjudged && (busy(Clean) || busy(Structure) || lately)) {
		s.State, s.StopReason = console.Cleaning, ""
	}
}
