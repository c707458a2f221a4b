package operator

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"sluice/shared/aws/s3corpus"
	"sluice/shared/crawl/plan"
	"sluice/shared/topic"
)

// maxTopic is the largest size of a topic in the bucket, in bytes.
const maxTopic = 64 << 20

// TopicFile is a topic file, plain or compiled, to put into the bucket.
type TopicFile struct {
	Name string // for errors
	Data []byte
}

// shelf is a topic in the bucket, or to be put there.
type shelf struct {
	key   string
	topic *topic.Compiled
	data  []byte // nil: it is already there
}

// shelve chooses the key of a topic: topics/NAME.topic. If crawls use another
// topic of that name, which must not change, the name includes a hash of the
// content.
func (o *Operator) shelve(ctx context.Context, f *TopicFile) (*shelf, error) {
	compiled, err := topic.Read(f.Name, f.Data)
	if err != nil {
		return nil, requestError{err}
	}
	s := &shelf{key: "topics/" + compiled.File.Name + ".topic", topic: compiled, data: f.Data}
	there, err := o.parts.Objects.Get(ctx, s.key, maxTopic)
	switch {
	case errors.Is(err, s3corpus.ErrNotFound):
		return s, nil
	case err != nil:
		return nil, fmt.Errorf("look for topic: %w", err)
	case bytes.Equal(there, f.Data):
		s.data = nil
		return s, nil
	}
	jobs, err := o.parts.Jobs.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, j := range jobs {
		if j.Topic == s.key { // even of an ended crawl, which may be resumed, cleaned and explained
			s.key = "topics/" + compiled.File.Name + "-" + plan.TopicVersion(compiled) + ".topic"
			break
		}
	}
	return s, nil
}

// put uploads the topic unless it is there.
func (o *Operator) put(ctx context.Context, s *shelf) error {
	if s.data == nil {
		return nil
	}
	if err := o.parts.Objects.Put(ctx, s.key, s.data, "application/octet-stream"); err != nil {
		return fmt.Errorf("upload topic: %w", err)
	}
	return nil
}
