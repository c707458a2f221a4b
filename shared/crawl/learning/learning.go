// Package learning learns words from the pages of a crawl on a stack while it runs
// (METHOD B4), by the code of topic refine and topic compile.
package learning

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"sluice/shared/crawl/plan"
	"sluice/shared/crawl/secondlook"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
)

const (
	maxSource = 64 << 20  // bytes of a topic file
	maxTexts  = 256 << 20 // of the records that are read: a function has 512 MB of files

	objectsAtOnce = 16
)

// Ports are the dependencies of a Learner.
type Ports struct {
	Topics  Topics
	Objects Objects
}

// Topics reads topics by their name in the stack.
type Topics interface {
	Get(ctx context.Context, key string) (*topic.Compiled, error)
}

// Objects is the bucket.
type Objects interface {
	// Sized returns the keys with a prefix, in order, and how many bytes they have.
	Sized(ctx context.Context, prefix string) (keys []string, bytes int64, err error)
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	Get(ctx context.Context, key string, limit int64) ([]byte, error)
	Put(ctx context.Context, key string, data []byte, contentType string) error
}

// Learner learns words. It is safe for concurrent use.
type Learner struct {
	ports Ports
	log   *slog.Logger
}

// New returns a learner.
func New(ports Ports, log *slog.Logger) *Learner { return &Learner{ports, log} }

// Prefix begins the keys of the topics that a crawl has learned.
func Prefix(crawl string) string { return "learned/" + crawl + "/" }

// Learn learns words from the corpus and the rejects of a crawl, stores the topic with
// them under its content, and returns it: nil if nothing is learned. A compiled topic keeps
// its words, and so does a crawl with more records than a function has room for.
func (l *Learner) Learn(ctx context.Context, j *job.Job) (*job.Words, error) {
	source, err := l.ports.Objects.Get(ctx, j.Topic, maxSource)
	if err != nil || topic.IsArtifact(source) {
		return nil, err
	}
	crawled, err := l.ports.Topics.Get(ctx, j.Topic)
	if err != nil {
		return nil, fmt.Errorf("read topic of %s: %w", j.ID, err)
	}
	dir, err := os.MkdirTemp("", "sluice-learn-")
	if err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if whole, err := l.copy(ctx, j.ID, dir); err != nil || !whole {
		return nil, err
	}
	learned, refined, err := compile.Learn(ctx, source, crawled.As(j.Strategy), dir)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		l.log.InfoContext(ctx, "nothing is learned", "crawl", j.ID, "err", err)
		return nil, nil
	case len(refined.Added) == 0:
		return nil, nil
	}
	data, err := topic.Encode(learned)
	if err != nil {
		return nil, fmt.Errorf("encode what %s has learned: %w", j.ID, err)
	}
	if learned, err = topic.Read(j.ID, data); err != nil { // the version is that of what is stored
		return nil, fmt.Errorf("read what %s has learned: %w", j.ID, err)
	}
	w := &job.Words{Version: plan.TopicVersion(learned), Thresholds: job.Thresholds(learned.File.Thresholds), Learned: secondlook.Words(refined.Added)}
	w.Key = Prefix(j.ID) + w.Version + ".topic"
	return w, l.ports.Objects.Put(ctx, w.Key, data, "application/octet-stream")
}

// copy copies the records of a crawl into a folder, and returns false if they are too
// large.
func (l *Learner) copy(ctx context.Context, crawl, dir string) (whole bool, err error) {
	room := int64(maxTexts)
	var keys []string
	for _, part := range []string{corpus.DocumentFolder, corpus.RejectFolder} {
		some, size, err := l.ports.Objects.Sized(ctx, part+"/"+crawl+"/")
		if err != nil {
			return false, err
		}
		if keys, room = append(keys, some...), room-size; room < 0 {
			l.log.InfoContext(ctx, "nothing is learned: too many records", "crawl", crawl)
			return false, nil
		}
		if err := os.Mkdir(filepath.Join(dir, part), 0o700); err != nil {
			return false, fmt.Errorf("make folder: %w", err)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(objectsAtOnce)
	for i, key := range keys { // in their order; a user's archives may be in folders, and have the same names
		part, _, _ := strings.Cut(key, "/")
		if path.Ext(key) == ".jsonl" {
			g.Go(func() error { return l.copyObject(ctx, key, filepath.Join(dir, part, fmt.Sprintf("%08d.jsonl", i))) })
		}
	}
	return true, g.Wait()
}

func (l *Learner) copyObject(ctx context.Context, key, to string) error {
	body, err := l.ports.Objects.Open(ctx, key)
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err == nil {
		_, err = io.Copy(f, body)
		err = errors.Join(err, f.Close())
	}
	if err = errors.Join(err, body.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", key, err)
	}
	return nil
}
