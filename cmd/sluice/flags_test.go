package main

import (
	"os"
	"path/filepath"
	"testing"

	"sluice/shared/local"
	"sluice/shared/topic"
	"sluice/topics"
)

// --topic takes a topic file or what was compiled from it; one that is broken
// is the caller's mistake.
func TestReadTopic(t *testing.T) {
	c, err := topic.Read("finance.yaml", topics.Finance)
	if err != nil {
		t.Fatal(err)
	}
	artifact, err := topic.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		data []byte
		code int
	}{
		{"topic file", topics.Finance, exitDone},
		{"artifact", artifact, exitDone},
		{"half an artifact", artifact[:len(artifact)/2], exitUsage},
		{"half a topic file", topics.Finance[:20], exitUsage},
		{"nothing", nil, exitUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "topic")
			if err := os.WriteFile(path, test.data, 0o600); err != nil {
				t.Fatal(err)
			}
			var spec local.Spec
			err := readTopic(&spec, path)
			if code := exitCode(err); code != test.code {
				t.Fatalf("readTopic = %v, exit code %d, want %d", err, code, test.code)
			}
			if err == nil && (spec.Topic.File.Name != "finance" || string(spec.Source) != string(test.data)) {
				t.Errorf("spec has topic %s and %d bytes", spec.Topic.File.Name, len(spec.Source))
			}
		})
	}
	if err := readTopic(new(local.Spec), filepath.Join(t.TempDir(), "none")); exitCode(err) != exitUsage {
		t.Errorf("a missing file gives %v", err)
	}
}
