package s3corpus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
	"sluice/shared/topic"
)

const topicFile = "name: %s\nlanguage: zh\nwords:\n  - 股票\n  - 基金\n"

// topicWorld is a bucket of topics under a clock.
type topicWorld struct {
	*bucket
	topics *Topics
	now    time.Time
}

func newTopicWorld() *topicWorld {
	w := &topicWorld{bucket: newBucket(), now: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)}
	w.topics = NewTopics(NewObjects(w.bucket, "b"), func() time.Time { return w.now })
	return w
}

func (w *topicWorld) upload(key, name string) { w.objects[key] = fmt.Appendf(nil, topicFile, name) }

func (w *topicWorld) want(t *testing.T, key, name string, gets int) *topic.Compiled {
	t.Helper()
	c, err := w.topics.Get(t.Context(), key)
	if err != nil {
		t.Fatalf("get %s: %v", key, err)
	}
	if c.File.Name != name || w.gets != gets {
		t.Errorf("topic %s after %d requests, want %s after %d", c.File.Name, w.gets, name, gets)
	}
	return c
}

func TestTopics(t *testing.T) {
	w := newTopicWorld()
	w.upload("topics/a", "one")
	first := w.want(t, "topics/a", "one", 1)
	w.now = w.now.Add(59 * time.Second)
	w.want(t, "topics/a", "one", 1)
	w.now = w.now.Add(time.Second)
	if again := w.want(t, "topics/a", "one", 2); again != first {
		t.Error("an unchanged topic was read again")
	}
	w.upload("topics/a", "two")
	w.want(t, "topics/a", "one", 2) // checked a moment ago
	w.now = w.now.Add(topicAge)
	w.want(t, "topics/a", "two", 3)
	delete(w.objects, "topics/a")
	w.now = w.now.Add(topicAge)
	if _, err := w.topics.Get(t.Context(), "topics/a"); fault.Of(err) == nil || fault.Of(err).Rule != RuleNoTopic {
		t.Errorf("get of a deleted topic: %v", err)
	}
	w.upload("topics/a", "three") // takes effect at once
	w.want(t, "topics/a", "three", 5)
}

func TestTopicArtifact(t *testing.T) {
	w := newTopicWorld()
	file, err := topic.Parse("a", fmt.Appendf(nil, topicFile, "one"))
	if err != nil {
		t.Fatal(err)
	}
	artifact, err := topic.Encode(file.Compiled())
	if err != nil {
		t.Fatal(err)
	}
	w.objects["topics/a.topic"] = artifact
	w.want(t, "topics/a.topic", "one", 1)
}

func TestTopicErrors(t *testing.T) {
	w := newTopicWorld()
	w.objects["topics/damaged"] = []byte("\x89sluice\nand so on")
	w.objects["topics/text"] = []byte("words: [")
	w.onGet = func(key string) error {
		if key == "topics/slow" {
			return errReset
		}
		return nil
	}
	for _, tt := range []struct {
		key   string
		class fault.Class
		rule  string
	}{
		{"topics/missing", fault.Permanent, RuleNoTopic},
		{"topics/damaged", fault.Permanent, RuleBadTopic},
		{"topics/text", fault.Permanent, RuleBadTopic},
		{"topics/slow", fault.Retryable, awsfault.RuleUnavailable},
	} {
		t.Run(tt.key, func(t *testing.T) {
			c, err := w.topics.Get(t.Context(), tt.key)
			f := fault.Of(err)
			if c != nil || f == nil || f.Class != tt.class || f.Rule != tt.rule || !strings.Contains(err.Error(), tt.key) {
				t.Errorf("got %v, error %v", c, err)
			}
		})
	}
	gets := w.gets
	if _, err := w.topics.Get(t.Context(), "topics/damaged"); fault.Of(err).Rule != RuleBadTopic || w.gets != gets {
		t.Errorf("a damaged topic is read again and again: %v", err)
	}
	w.upload("topics/damaged", "mended")
	w.now = w.now.Add(topicAge)
	w.want(t, "topics/damaged", "mended", gets+1)
}

// Only the topics that were used last are kept.
func TestTopicsAreBounded(t *testing.T) {
	w := newTopicWorld()
	key := func(i int) string { return fmt.Sprintf("topics/%d", i) }
	for i := range maxTopics + 1 {
		w.upload(key(i), "t")
		w.want(t, key(i), "t", i+1)
		w.now = w.now.Add(time.Second)
		w.want(t, key(0), "t", i+1) // stays in use
	}
	w.want(t, key(1), "t", maxTopics+2)
	if len(w.topics.kept) != maxTopics {
		t.Errorf("%d topics are kept", len(w.topics.kept))
	}
}

// Concurrent tasks read the topic once, and one that is canceled does not
// disturb the others.
func TestTopicsTogether(t *testing.T) {
	w := newTopicWorld()
	w.upload("topics/a", "one")
	release := make(chan struct{})
	w.onGet = func(string) error { <-release; return nil }
	gaveUp, cancel := context.WithCancel(t.Context())
	errs := make(chan error)
	go func() {
		_, err := w.topics.Get(gaveUp, "topics/a")
		errs <- err
	}()
	cancel()
	if err := <-errs; !errors.Is(err, context.Canceled) {
		t.Errorf("get: %v", err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := w.topics.Get(t.Context(), "topics/a"); err != nil {
				t.Error(err)
			}
		})
	}
	close(release)
	wg.Wait()
	if w.gets != 1 {
		t.Errorf("%d requests, want 1", w.gets)
	}
}
