package local_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/shared/local"
	"sluice/shared/state/corpus"
	"sluice/shared/state/forget"
)

const begunFile = "forgotten.begun.json"

// siftedFolder makes the folder of a sift that has one document.
func siftedFolder(t *testing.T) string {
	t.Helper()
	line, err := (&corpus.Document{URL: "http://a.test/was", FinalURL: "http://a.test/is", Text: "正文"}).AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	place(t, filepath.Join(dir, local.SiftFile), "{}")
	place(t, filepath.Join(dir, "corpus", "a.jsonl"), string(line))
	return dir
}

func place(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// What is noted of a call is a file like others: one that is not ours removes
// nothing outside the folder's datasets.
func TestForeignNote(t *testing.T) {
	for _, note := range []string{
		``, `{"logged":-1}`, `{"exports":["."]}`, `{"exports":["./"]}`, `{"exports":["link"]}`, `{"exports":["link/data"]}`,
		`{"exports":["../x"]}`, `{"targets":[{"target":":"}]}`,
	} {
		dir, other := siftedFolder(t), t.TempDir()
		place(t, filepath.Join(dir, "data", "mine"), "x")
		place(t, filepath.Join(other, "data", "mine"), "x")
		if err := os.Symlink(other, filepath.Join(dir, "link")); err != nil {
			t.Skip(err)
		}
		place(t, filepath.Join(dir, begunFile), note)
		if _, err := local.Forget(t.Context(), dir, targets(t, "http://a.test/was"), forget.Options{}); err == nil {
			t.Errorf("%s is taken up", note)
		}
		for _, path := range []string{filepath.Join(dir, "data", "mine"), filepath.Join(other, "data", "mine"), filepath.Join(dir, "corpus", "a.jsonl")} {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", note, err)
			}
		}
	}
}

// A log whose last line was torn says what its whole lines say.
func TestTornLog(t *testing.T) {
	dir := siftedFolder(t)
	log := filepath.Join(dir, local.ForgottenFile)
	place(t, log, `{"at":"2026-01-01T00:00:00Z","target":"http://c.test/"}`+"\n"+`{"at":"2026-01-01T00:00:00Z","target":"http://b.te`)
	if _, err := local.Forget(t.Context(), dir, targets(t, "http://a.test/was"), forget.Options{}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for line := range strings.Lines(string(data)) {
		var l struct{ Target string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("line %q: %v", line, err)
		}
		named = append(named, l.Target)
	}
	if got := strings.Join(named, " "); got != "http://c.test/ http://a.test/was" {
		t.Errorf("the log names %s", got)
	}
}

// A call that is canceled before anything was removed leaves no note.
func TestForgetCalledOff(t *testing.T) {
	dir := siftedFolder(t)
	ctx, cancel := context.WithCancel(t.Context())
	opts := local.OnEffect(func(name string) error {
		if name == "note" {
			cancel()
		}
		return nil
	})
	if _, err := local.Forget(ctx, dir, targets(t, "http://a.test/was"), opts); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, begunFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the note stays: %v", err)
	}
}
