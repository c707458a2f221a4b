package operator

import (
	"context"
	"encoding/json"
	"strings"

	"sluice/shared/aws/s3corpus"
	"sluice/shared/crawl/clean"
	"sluice/shared/crawl/learning"
	"sluice/shared/fault"
	"sluice/shared/state/job"
)

// unlearn removes the words that the crawl has learned, from forgotten pages perhaps, with
// their thresholds: topics with them become empty objects.
func (f *forgetting) unlearn(ctx context.Context) error {
	if f.job.Tuning == nil {
		return nil
	}
	own, err := f.o.parts.Topics.Get(ctx, f.job.Topic)
	if ft := fault.Of(err); err != nil && ft.Rule != s3corpus.RuleNoTopic && ft.Rule != s3corpus.RuleBadTopic {
		return err
	}
	_, err = f.o.parts.Jobs.Update(ctx, f.job.ID, func(j *job.Job) error {
		j.Unlearn()
		if own != nil && j.Thresholds != nil {
			at := job.Thresholds(own.As(j.Strategy).File.Thresholds)
			at.Priority = j.Thresholds.Priority // of links, which all words keep
			j.Thresholds = &at
		}
		return nil
	})
	if err != nil {
		return err
	}
	keys, err := f.o.parts.Objects.Keys(ctx, learning.Prefix(f.job.ID))
	if err != nil {
		return err
	}
	for _, key := range keys {
		if err := f.o.parts.Objects.Put(ctx, key, nil, "application/octet-stream"); err != nil {
			return err
		}
	}
	return nil
}

// undecide removes what the second look has learned, and decided about the pages, which
// are no longer among those that it refused.
func (f *forgetting) undecide(ctx context.Context) error {
	if f.job.Look.Made == 0 {
		return nil
	}
	l, err := clean.ReadLook(ctx, f.o.parts.Objects, f.job.ID)
	if err != nil || l.Number == 0 {
		return err
	}
	l.Result = nil
	for _, at := range f.places {
		delete(l.Segments[strings.TrimPrefix(at.File, s3corpus.SegmentPrefix(f.job.ID))], at.Offset)
	}
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if err := f.o.parts.Objects.Put(ctx, clean.LookKey(f.job.ID), data, "application/json"); err != nil {
		return err
	}
	_, err = f.o.parts.Jobs.Update(ctx, f.job.ID, func(j *job.Job) error {
		j.Look.Refused = l.Refused()
		return nil
	})
	return err
}
