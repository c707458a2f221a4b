package local_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/shared/local"
	"sluice/shared/state/limits"
	"sluice/shared/topic"
)

// artifact compiles the topic of a Spec into its Source.
func artifact(t testing.TB, s *local.Spec) {
	t.Helper()
	var err error
	if s.Source, err = topic.Encode(s.Topic); err != nil {
		t.Fatal(err)
	}
	if s.Topic, err = topic.Read("money.topic", s.Source); err != nil {
		t.Fatal(err)
	}
}

// A compiled topic crawls as its topic file does; the folder keeps it,
// continues with it, and loses it when it is removed.
func TestCompiledTopic(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	artifact(t, &s)
	s.MaxPages = 3
	if sum := run(t, s); sum.Fetched != 3 {
		t.Fatalf("%d pages fetched, want 3", sum.Fetched)
	}
	path := local.TopicPath(s.Dir)
	if kept, err := os.ReadFile(path); err != nil || filepath.Base(path) != local.ArtifactFile || !bytes.Equal(kept, s.Source) {
		t.Errorf("%s is not the artifact: %v", path, err)
	}

	resumed := local.Spec{Dir: s.Dir, Version: "1.0", Resume: true, Limits: limits.Limits{MaxPages: 100}, Delay: -1}
	if sum := run(t, resumed); sum.StopReason != "frontier_empty" || sum.Fetched != 7 || sum.Kept != 3 {
		t.Errorf("resumed: %s after %d pages, %d kept; want frontier_empty, 7, 3", sum.StopReason, sum.Fetched, sum.Kept)
	}

	other := spec(t, web.URL+"/")
	other.Dir, other.Resume = s.Dir, true
	if _, err := local.Open(t.Context(), other); !errors.Is(err, local.ErrOther) {
		t.Errorf("Open with the topic file = %v, want ErrOther", err)
	}
	if err := local.Remove(s.Dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Remove leaves the artifact: %v", err)
	}
}

// put makes a file in the folder of a crawl to be.
func put(t testing.TB, s *local.Spec, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A crawl that never began leaves no topic that the next one would run with.
func TestTopicReplacesTheOther(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	put(t, &s, local.StateFile, nil)
	put(t, &s, local.ArtifactFile, []byte("old"))
	run(t, s)
	if path := local.TopicPath(s.Dir); filepath.Base(path) != local.TopicFile {
		t.Errorf("the crawl's topic is %s", path)
	}
}

// What a user keeps in the folder that he crawls into is not replaced, unless
// it is the very topic.
func TestTopicReplacesNothingElse(t *testing.T) {
	t.Parallel()
	web := money(t)
	for _, test := range []struct {
		name, file string
		compiled   bool
	}{
		{"another topic file", local.TopicFile, false},
		{"an artifact beside a topic file", local.ArtifactFile, false},
		{"a topic file beside an artifact", local.TopicFile, true},
		{"another artifact", local.ArtifactFile, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := spec(t, web.URL+"/")
			if test.compiled {
				artifact(t, &s)
			}
			put(t, &s, test.file, []byte("mine"))
			if _, err := local.Open(t.Context(), s); !errors.Is(err, local.ErrForeign) {
				t.Errorf("Open = %v, want ErrForeign", err)
			}
			if left, err := os.ReadDir(s.Dir); err != nil || len(left) != 1 {
				t.Errorf("the folder holds %v, %v; want what it held", left, err)
			}
			if data, err := os.ReadFile(filepath.Join(s.Dir, test.file)); err != nil || string(data) != "mine" {
				t.Errorf("%s holds %q, %v", test.file, data, err)
			}
		})
	}
	s := spec(t, web.URL+"/")
	put(t, &s, local.TopicFile, s.Source)
	run(t, s)
}

// A damaged topic ends a resumption with its reason; the topic that the crawl
// was started with continues it.
func TestDamagedTopic(t *testing.T) {
	t.Parallel()
	web := money(t)
	s := spec(t, web.URL+"/")
	artifact(t, &s)
	run(t, s)
	if err := os.WriteFile(local.TopicPath(s.Dir), s.Source[:len(s.Source)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	resumed := local.Spec{Dir: s.Dir, Version: "1.0", Resume: true, Delay: -1}
	if _, err := local.Open(t.Context(), resumed); !errors.Is(err, topic.ErrTruncated) || !strings.Contains(err.Error(), "--topic") {
		t.Errorf("Open = %v, want ErrTruncated, and what to do", err)
	}
	if err := os.Remove(local.TopicPath(s.Dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := local.Open(t.Context(), resumed); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "--topic") {
		t.Errorf("Open = %v, want ErrNotExist, and what to do", err)
	}
	other := *s.Topic
	other.Meta.Segmenter.Dictionary = "another"
	data, err := topic.Encode(&other)
	if err != nil {
		t.Fatal(err)
	}
	put(t, &s, local.ArtifactFile, data)
	if _, err := local.Open(t.Context(), resumed); !errors.Is(err, topic.ErrSegmenter) || !strings.Contains(err.Error(), "--out") {
		t.Errorf("Open = %v, want ErrSegmenter, and what to do", err)
	}
	resumed.Topic, resumed.Source = s.Topic, s.Source
	run(t, resumed)
}
