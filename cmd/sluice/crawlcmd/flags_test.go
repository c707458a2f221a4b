package crawlcmd

import (
	"os"
	"path/filepath"
	"testing"

	"sluice/cmd/sluice/cli"
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
		{"topic file", topics.Finance, cli.ExitDone},
		{"artifact", artifact, cli.ExitDone},
		{"half an artifact", artifact[:len(artifact)/2], cli.ExitUsage},
		{"half a topic file", topics.Finance[:20], cli.ExitUsage},
		{"nothing", nil, cli.ExitUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "topic")
			if err := os.WriteFile(path, test.data, 0o600); err != nil {
				t.Fatal(err)
			}
			var spec local.Spec
			err := readTopic(&spec, path)
			if code := cli.ExitCode(err); code != test.code {
				t.Fatalf("readTopic = %v, exit code %d, want %d", err, code, test.code)
			}
			if err == nil && (spec.Topic.File.Name != "finance" || string(spec.Source) != string(test.data)) {
				t.Errorf("spec has topic %s and %d bytes", spec.Topic.File.Name, len(spec.Source))
			}
		})
	}
	if err := readTopic(new(local.Spec), filepath.Join(t.TempDir(), "none")); cli.ExitCode(err) != cli.ExitUsage {
		t.Errorf("a missing file gives %v", err)
	}
}
