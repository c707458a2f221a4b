package topiccmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic/wordvec"
)

// writerFunc is a writer that calls a function.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// trainTo trains on a text with a view that hides nothing.
func trainTo(ctx context.Context, out string, screen io.Writer) error {
	text := filepath.Join(filepath.Dir(out), "text.txt")
	o := &trainOptions{
		texts: []string{text}, out: out, format: "text",
		training: wordvec.Training{Dim: 4, Epochs: 50, MinCount: 1, Threads: 1, Seed: 1},
	}
	sc := cli.NewScreen(screen)
	corpus, err := o.corpus(cli.Streams{}, sc)
	if err != nil {
		return err
	}
	_, err = o.train(ctx, &trainView{sc: sc}, corpus)
	return err
}

// words is a text of several blocks of training.
func words() []byte {
	var b bytes.Buffer
	for i := range 4000 {
		fmt.Fprintf(&b, "w%d and w%d went to w%d, where w%d was\n", i%7, i%11, i%13, i%17)
	}
	return b.Bytes()
}

// A training that is interrupted continues where it was, to the same vectors as
// one that is not.
func TestTrainGoesOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text.txt"), words(), 0o600); err != nil {
		t.Fatal(err)
	}
	whole, parts := filepath.Join(dir, "whole.vec"), filepath.Join(dir, "parts.vec")
	if err := trainTo(t.Context(), whole, io.Discard); err != nil {
		t.Fatal(err)
	}

	ctx, halt := context.WithCancel(t.Context())
	err := trainTo(ctx, parts, writerFunc(func(p []byte) (int, error) {
		if strings.HasPrefix(string(p), "epoch 3 ") {
			halt()
		}
		return len(p), nil
	}))
	if !errors.Is(err, cli.ErrStopped) || cli.ExitCode(err) != cli.ExitStopped || !strings.Contains(err.Error(), "with the same command from "+parts+".checkpoint") {
		t.Errorf("interrupted training: %v", err)
	}
	if _, err := os.Stat(parts); err == nil {
		t.Error("an interrupted training has written vectors")
	}
	var screen strings.Builder
	if err := trainTo(t.Context(), parts, &screen); err != nil {
		t.Fatal(err)
	}
	if got := screen.String(); !strings.HasPrefix(got, "going on from "+parts+".checkpoint\n") || strings.Contains(got, "epoch 1 ") {
		t.Errorf("the training did not go on:\n%s", got)
	}
	if _, err := os.Stat(parts + ".checkpoint"); err == nil {
		t.Error("the checkpoint is still there")
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(parts)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Error("interrupted and undisturbed training differ")
	}
}

// Interrupted while the text is read, a training keeps nothing and says so.
func TestTrainInterruptedEarly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text.txt"), words(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, halt := context.WithCancel(t.Context())
	err := trainTo(ctx, filepath.Join(dir, "v.vec"), writerFunc(func(p []byte) (int, error) {
		if strings.HasPrefix(string(p), "encoding text ") {
			halt()
		}
		return len(p), nil
	}))
	if !errors.Is(err, cli.ErrStopped) || !strings.Contains(err.Error(), "begins again") {
		t.Errorf("interrupted training: %v", err)
	}
	if got, err := os.ReadDir(dir); err != nil || len(got) != 1 {
		t.Errorf("the training has left something behind: %v, %v", got, err)
	}
}
