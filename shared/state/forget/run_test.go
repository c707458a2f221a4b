package forget

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// rejects is a place with one file of rejects and an effect.
type rejects struct {
	lines  string
	note   []byte
	effect error
	opened int
	logged []byte
	at     int64
}

type file struct{ *bytes.Reader }

func (file) Close() error { return nil }

func (p *rejects) List(context.Context) (*Listing, error) {
	return &Listing{Rejects: []string{"rejects"}}, nil
}

func (p *rejects) Open(context.Context, string) (io.ReadSeekCloser, error) {
	p.opened++
	return file{bytes.NewReader([]byte(p.lines))}, nil
}

func (p *rejects) Replace(_ context.Context, _ string, write func(io.Writer) error) error {
	var b bytes.Buffer
	err := write(&b)
	p.lines = b.String()
	return err
}

func (p *rejects) Meet(context.Context, *Set) (bool, error)     { return false, nil }
func (p *rejects) Survey(context.Context, *Plan) error          { return nil }
func (p *rejects) Note(context.Context) ([]byte, error)         { return p.note, nil }
func (p *rejects) SetNote(_ context.Context, note []byte) error { p.note = note; return nil }
func (p *rejects) Mark(context.Context) (int64, error)          { return int64(len(p.logged)), nil }

func (p *rejects) Log(_ context.Context, mark int64, lines []byte) error {
	p.at, p.logged = mark, append(p.logged[:mark:mark], lines...)
	return nil
}

func (p *rejects) Effects(*Plan) (before, after []Effect) {
	return []Effect{{"refuse", func(context.Context) error { return p.effect }}}, nil
}

func run1(t *testing.T, p *rejects, url string) (*Outcome, error) {
	t.Helper()
	target, err := Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	return Run(t.Context(), p, []Target{target}, Options{Now: func() time.Time { return time.Unix(1e9, 0) }})
}

// A chain of redirects, the last one first, is followed by reading the file twice,
// and a third time to plan; the change reads it again.
func TestRunReadsFewTimes(t *testing.T) {
	const links = 300
	var lines strings.Builder
	for i := links; i > 0; i-- {
		fmt.Fprintf(&lines, `{"url":"http://a.test/%d","final_url":"http://a.test/%d","rule":"redirect_scope","detail":"http://a.test/%d"}`+"\n", i, i, i-1)
	}
	p := &rejects{lines: lines.String() + `{"url":"http://b.test/","final_url":"http://b.test/","rule":"no_text"}` + "\n"}
	out, err := run1(t, p, "http://a.test/0")
	if err != nil {
		t.Fatal(err)
	}
	if n := out.Targets[0].Rejects; n != links || p.opened > 4 || strings.Count(p.lines, "\n") != 1 {
		t.Errorf("%d rejects went, the file was opened %d times; left:\n%s", n, p.opened, p.lines)
	}
}

// What a place refuses leaves no note; an error of another kind may have changed
// something, and does.
func TestRunRefused(t *testing.T) {
	cause := errors.New("it runs")
	p := &rejects{effect: Refusal{cause}}
	if _, err := run1(t, p, "http://a.test/0"); !errors.Is(err, cause) || p.note != nil {
		t.Errorf("error %v, note %s", err, p.note)
	}
	p.effect = cause
	if _, err := run1(t, p, "http://a.test/1"); !errors.Is(err, cause) || p.note == nil {
		t.Errorf("error %v, note %s", err, p.note)
	}
	p.effect = Refusal{cause}
	if _, err := run1(t, p, "http://a.test/0"); !errors.Is(err, cause) || p.note == nil {
		t.Errorf("of a call that ends another: error %v, note %s", err, p.note)
	}
}

// A note that no call has written is no reason to overwrite the log.
func TestRunDamagedNote(t *testing.T) {
	for _, note := range []string{"null", "{}", `{"targets":[{"target":"http://a.test/1"}]}`, `{"targets":[],"logged":3}`, `{"targets":[{"target":"http://a.test/1"}],"logged":-1}`} {
		p := &rejects{note: []byte(note), logged: []byte("log\n")}
		if _, err := run1(t, p, "http://a.test/0"); !errors.Is(err, errNote) || string(p.logged) != "log\n" {
			t.Errorf("%s: error %v, log %q", note, err, p.logged)
		}
	}
}
