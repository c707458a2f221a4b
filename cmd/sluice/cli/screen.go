package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"
)

// fallbackWidth is that of a terminal that does not tell its own, in columns.
const fallbackWidth = 80

// Screen is standard error while a crawl runs. On a terminal one line at the
// bottom rewrites itself, and what else is written goes above it; elsewhere
// all lines are plain. It is safe for concurrent use.
type Screen struct {
	w     io.Writer
	width func() int // of the terminal; nil without one

	mu   sync.Mutex
	line string // at the bottom
	last string // elsewhere, that was shown
}

// NewScreen returns the screen that w is.
func NewScreen(w io.Writer) *Screen {
	s := &Screen{w: w}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		s.width = func() int {
			if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
				return width
			}
			return fallbackWidth
		}
	}
	return s
}

// Live reports whether there is a line that rewrites itself.
func (s *Screen) Live() bool { return s.width != nil }

// erase clears the terminal's current line.
const erase = "\r\x1b[K"

// Write writes whole lines.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line == "" {
		return s.w.Write(p)
	}
	fmt.Fprint(s.w, erase)
	n, err := s.w.Write(p)
	fmt.Fprint(s.w, s.line)
	return n, err
}

// Show shows fields, the most important first; none clears the line.
func (s *Screen) Show(fields ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.Live() {
		if line := strings.Join(fields, "  "); line != "" && line != s.last {
			fmt.Fprintln(s.w, line)
			s.last = line
		}
		return
	}
	// One column stays free: a terminal may wrap when the last one is filled.
	s.line = fit(fields, s.width()-1)
	fmt.Fprint(s.w, erase, s.line)
}

// fit joins as many of the fields as the width has room for. They are ASCII.
func fit(fields []string, width int) string {
	for _, gap := range []string{"  ", " "} {
		if line := strings.Join(fields, gap); len(line) <= width {
			return line
		}
	}
	if len(fields) > 1 {
		return fit(fields[:len(fields)-1], width)
	}
	return fields[0][:max(width, 0)]
}

// NewLog writes warnings and errors for people.
func NewLog(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
