package operator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"sluice/shared/aws/s3corpus"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// survey finds what to remove. It changes nothing.
func (f *forgetting) survey(ctx context.Context) error {
	for _, kind := range []struct {
		prefix, suffix string
		keys           *[]string
	}{
		{corpus.DocumentFolder + "/" + f.job.ID + "/", ".jsonl", &f.corpus},
		{corpus.RejectFolder + "/" + f.job.ID + "/", ".jsonl", &f.rejects},
		{s3corpus.SegmentPrefix(f.job.ID), ".warc.gz", &f.raw},
	} {
		for obj, err := range f.o.parts.Objects.List(ctx, kind.prefix) {
			if err != nil {
				return err
			}
			if strings.HasSuffix(obj.Key, kind.suffix) {
				*kind.keys = append(*kind.keys, obj.Key)
			}
		}
	}
	fresh := f.uncleaned()
	f.all = 2*len(f.corpus) + 2*len(f.rejects) + len(f.raw) + len(fresh)
	if err := f.meet(ctx, fresh); err != nil {
		return err
	}
	if err := f.planArchives(ctx); err != nil {
		return err
	}
	for _, kind := range []struct {
		keys []string
		edit forget.Edit
	}{{f.rejects, f.set.Reject}, {f.corpus, f.set.Document}} {
		if err := f.planLines(ctx, kind.keys, kind.edit); err != nil {
			return err
		}
	}
	if err := f.surveyTables(ctx); err != nil {
		return err
	}
	f.set.EndCount()
	return nil
}

// each reads objects concurrently and passes them to use one at a time.
func (f *forgetting) each(ctx context.Context, keys []string, use func(key string, data []byte) error) error {
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(copies)
	for _, key := range keys {
		g.Go(func() error {
			data, err := f.o.parts.Objects.Get(ctx, key, maxForgetting)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			f.read++
			if f.opts.Progress != nil {
				f.opts.Progress(f.read, f.all)
			}
			return use(key, data)
		})
	}
	return g.Wait()
}

// uncleaned returns the segments that have no lines yet.
func (f *forgetting) uncleaned() []string {
	cleaned := map[string]bool{}
	for _, key := range slices.Concat(f.corpus, f.rejects) {
		cleaned[path.Base(key)] = true
	}
	return slices.DeleteFunc(slices.Clone(f.raw), func(key string) bool { return cleaned[cleanName(path.Base(key))] })
}

// meet reads what records and the ledger say of the pages' URLs until the set
// of URLs to remove stops growing. fresh are segments without lines.
func (f *forgetting) meet(ctx context.Context, fresh []string) error {
	var pairs, traces [][]byte // records that name two URLs, of which there are few
	err := f.each(ctx, slices.Concat(f.corpus, f.rejects), func(key string, data []byte) error {
		err := forget.EachLine(bytes.NewReader(data), func(line []byte) error {
			_, err := f.set.Meet(line)
			if forget.IsPair(line) {
				pairs = append(pairs, bytes.Clone(line))
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = f.each(ctx, fresh, func(_ string, data []byte) error {
		for rec, err := range corpus.ReadWARC(bytes.NewReader(data)) {
			if err == nil && rec.Type == "metadata" && rec.ConcurrentTo != "" && forget.TraceURL(rec.Block) != "" {
				if f.set.MeetTrace(rec.Block); bytes.Contains(rec.Block, []byte(`"origin"`)) {
					traces = append(traces, bytes.Clone(rec.Block))
				}
			}
		}
		return nil // unreadable places are reported later
	})
	for grown := true; grown && err == nil; {
		grown = false
		for _, line := range pairs {
			more, merr := f.set.Meet(line)
			err = errors.Join(err, merr)
			grown = grown || more
		}
		for _, trace := range traces {
			grown = f.set.MeetTrace(trace) || grown
		}
		if err == nil {
			var more bool
			more, err = f.walk(ctx)
			grown = grown || more
		}
	}
	return err
}

// walk looks up the URLs to remove and those that they redirect to in the
// ledger. It reports whether the set of URLs to remove grew.
func (f *forgetting) walk(ctx context.Context) (grown bool, err error) {
	targets, grown, err := f.meetEntries(ctx, f.set.URLs())
	if err != nil {
		return false, err
	}
	_, more, err := f.meetEntries(ctx, targets)
	return grown || more, err
}

// meetEntries reads the entries of URLs, and returns the URLs that these
// redirect to.
func (f *forgetting) meetEntries(ctx context.Context, urls []string) (targets []string, grown bool, err error) {
	for chunk := range slices.Chunk(urls, linesAtOnce) {
		entries, err := f.o.parts.Store.Ledger().Entries(ctx, f.job.ID, chunk)
		if err != nil {
			return nil, false, err
		}
		for _, e := range entries {
			if e == nil {
				continue
			}
			grown = f.set.MeetTrace(e.Trace) || grown
			if to := forget.TraceTarget(e.Trace); to != "" {
				targets = append(targets, to)
			}
		}
	}
	return targets, grown, nil
}

// planArchives records which segments to rewrite.
func (f *forgetting) planArchives(ctx context.Context) error {
	return f.each(ctx, f.raw, func(key string, data []byte) error {
		patches, damaged, err := f.set.Archive(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		for _, d := range damaged {
			f.out.Damaged = append(f.out.Damaged, fmt.Sprintf("%s: %v", key, d))
		}
		if len(patches) > 0 {
			f.patched, f.out.Files = append(f.patched, key), append(f.out.Files, key)
		}
		return nil
	})
}

// planLines records which objects of lines to rewrite.
func (f *forgetting) planLines(ctx context.Context, keys []string, edit forget.Edit) error {
	return f.each(ctx, keys, func(key string, data []byte) error {
		changed, err := forget.CopyLines(io.Discard, bytes.NewReader(data), edit)
		if err != nil {
			return fmt.Errorf("read %s: %w", key, err)
		}
		if changed {
			f.edited, f.out.Files = append(f.edited, lineEdit{key, edit}), append(f.out.Files, key)
		}
		return nil
	})
}

// urls returns the known single URLs to remove: those of the set, of records
// and of seeds.
func (f *forgetting) urls() []string {
	urls := slices.Concat(f.set.URLs(), f.set.Gone())
	for _, seed := range f.job.Seeds {
		if f.set.Has(seed) {
			urls = append(urls, seed)
		}
	}
	for _, waiting := range f.waits {
		urls = append(urls, waiting...)
	}
	slices.Sort(urls)
	return slices.Compact(urls)
}

// surveyTables finds the waiting links to remove, and counts the entries to
// remove.
func (f *forgetting) surveyTables(ctx context.Context) error {
	f.waits = map[string][]string{}
	b := f.o.parts.Store.Backlog()
	standings, err := f.o.parts.Store.Gauge().Standings(ctx, f.job.ID)
	if err != nil {
		return err
	}
	single := map[string]bool{} // hosts of single URLs
	for _, url := range f.set.URLs() {
		if u, err := urlnorm.Parse(url); err == nil {
			single[u.Host()] = true
		}
	}
	for _, h := range standings {
		_, whole := f.set.FindHost(h.Host)
		if whole {
			f.hosts = append(f.hosts, h.Host)
		}
		if !whole && !single[h.Host] && !f.set.HasPort() {
			continue
		}
		links, err := b.Waits(ctx, f.job.ID, h.Host)
		if err != nil {
			return err
		}
		for _, url := range links {
			if target, ok := f.set.Find(url); ok {
				f.set.Tally(target).Links++
				f.waits[h.Host] = append(f.waits[h.Host], url)
			}
		}
	}
	for urls := range slices.Chunk(f.urls(), linesAtOnce) {
		entries, err := f.o.parts.Store.Ledger().Entries(ctx, f.job.ID, urls)
		if err != nil {
			return err
		}
		for i, e := range entries {
			if target, ok := f.set.Find(urls[i]); ok && e != nil && e.Verdict != ledger.Forgotten {
				f.set.Tally(target).Entries++
			}
		}
	}
	return nil
}
