//go:build linux

package lambdahost

import (
	"bytes"
	"io"
	"sync"
)

// sink is the writer that all environments of a function share.
type sink struct {
	mu sync.Mutex
	w  io.Writer
}

// lineWriter writes whole lines, so that those of different environments do not
// mix. It is for one goroutine.
type lineWriter struct {
	sink *sink
	rest []byte // incomplete line
}

// Write implements io.Writer. A sink that fails is not the function's fault:
// its output is dropped.
func (l *lineWriter) Write(p []byte) (int, error) {
	end := bytes.LastIndexByte(p, '\n') + 1
	if end == 0 {
		l.rest = append(l.rest, p...)
		return len(p), nil
	}
	l.sink.mu.Lock()
	defer l.sink.mu.Unlock()
	_, _ = l.sink.w.Write(append(l.rest, p[:end]...))
	l.rest = append([]byte(nil), p[end:]...)
	return len(p), nil
}

// flush ends a last line that has no end.
func (l *lineWriter) flush() {
	if len(l.rest) > 0 {
		_, _ = l.Write([]byte{'\n'})
	}
}
