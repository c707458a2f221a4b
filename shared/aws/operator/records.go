package operator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/shared/crawl/gather"
	"sluice/shared/crawl/records"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
)

// Records returns how many records a structured crawl has, by SITE/LAYER, and a function
// that calls add for each, with its line as a copy of the crawl has it; nil if the stack
// has not made all of them.
func (o *Operator) Records(ctx context.Context, crawl string) (counts map[string]int, each func(add func(folder string, line []byte) error) error, err error) {
	j, err := o.parts.Jobs.Get(ctx, crawl)
	if err != nil || !j.Records.Whole() {
		return nil, nil, err
	}
	return j.Records.Counts(), func(add func(folder string, line []byte) error) error {
		for _, folder := range foldersOf(j.Records) {
			err := o.eachRecord(ctx, crawl, folder, func(line []byte) error { return add(folder, relocate(line, crawl)) })
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// foldersOf are the layers with records, SITE/LAYER.
func foldersOf(r job.Records) []string {
	folders := slices.Sorted(maps.Keys(r.Counts()))
	return slices.DeleteFunc(folders, func(what string) bool { return !strings.Contains(what, "/") })
}

// eachRecord calls use for the lines of a layer.
func (o *Operator) eachRecord(ctx context.Context, crawl, folder string, use func(line []byte) error) error {
	key := gather.Prefix(crawl) + folder + "/" + records.FileName(1)
	body, err := o.parts.Objects.Open(ctx, key)
	if err != nil {
		return err
	}
	err = corpus.EachLine(body, func(l corpus.Line) error { return use(l.Raw) })
	if err = errors.Join(err, body.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", key, err)
	}
	return nil
}

// relocate names the archive of a record as the copy does. Its place is the last field of
// a line.
func relocate(line []byte, crawl string) []byte {
	const field = `"warc":{"file":"`
	from := field + corpus.RawFolder + "/" + crawl + "/"
	at := bytes.LastIndex(line, []byte(from))
	if at < 0 {
		return line
	}
	return slices.Concat(line[:at], []byte(field+corpus.ArchiveFolder+"/"), line[at+len(from):])
}

// recount notes how many records there are now.
func (f *forgetting) recount(ctx context.Context) error {
	counts := map[string]int{}
	for _, folder := range foldersOf(f.job.Records) {
		n := 0
		err := f.o.eachRecord(ctx, f.job.ID, folder, func([]byte) error {
			n++
			return nil
		})
		if err != nil {
			return err
		}
		counts[folder] = n
	}
	if len(counts) == 0 {
		return nil
	}
	_, err := f.o.parts.Jobs.Update(ctx, f.job.ID, func(j *job.Job) error {
		for _, h := range j.Records {
			for folder := range h.Counts {
				if n, counted := counts[folder]; counted {
					h.Counts[folder] = n
				}
			}
		}
		return nil
	})
	return err
}
