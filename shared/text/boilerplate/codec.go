package boilerplate

import (
	"encoding/binary"
	"errors"
	"fmt"

	"sluice/shared/fault"
)

// format is the first byte of an encoded sketch. The second is the number of
// pages, which follow by address:
//
//	url     8 bytes
//	section 5, title 5
//	lines   1: how many, cut 1: how many of them are from the head
//	        and of each 5 for its hash, 1 for its look
//
// All numbers are big-endian. Each sketch has one encoding. In oldFormat, which is
// read, 5 bytes precede the section and 5 follow the title.
const (
	format    = 2
	oldFormat = 1
)

var errSketch = errors.New("not a sketch")

// Encode returns the sketch as at most MaxEncoded bytes. Equal sketches have
// equal bytes.
func (s *Sketch) Encode() []byte {
	b := []byte{format, byte(len(s.pages))}
	for i := range s.pages {
		b = s.pages[i].append(b)
	}
	return b
}

func (s *sample) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, s.url)
	b = s.section.append(b)
	b = s.title.append(b)
	b = append(b, byte(len(s.view.lines)), byte(s.view.cut))
	for _, l := range s.view.lines {
		b = append(l.hash.append(b), byte(l.look))
	}
	return b
}

func (h hash) append(b []byte) []byte {
	return append(b, byte(h>>32), byte(h>>24), byte(h>>16), byte(h>>8), byte(h))
}

// Decode reads what Encode wrote. Anything else is a Permanent fault.
func Decode(b []byte) (*Sketch, error) {
	s, err := decode(b)
	if err != nil {
		return nil, fault.New(fault.Permanent, "bad_sketch", fmt.Errorf("decode sketch: %w", err))
	}
	return s, nil
}

func decode(b []byte) (*Sketch, error) {
	if len(b) < 2 || b[0] != format && b[0] != oldFormat || b[1] > maxPages {
		return nil, errSketch
	}
	s := &Sketch{pages: make([]sample, b[1])}
	in := reader{b: b[2:], old: b[0] == oldFormat}
	for i := range s.pages {
		s.pages[i] = in.sample()
		if i > 0 && s.pages[i-1].url >= s.pages[i].url {
			in.bad = true
		}
		if in.bad {
			return nil, fmt.Errorf("%w: damaged at page %d", errSketch, i+1)
		}
	}
	if len(in.b) > 0 {
		return nil, fmt.Errorf("%w: %d bytes too many", errSketch, len(in.b))
	}
	return s, nil
}

// reader takes numbers off b until there are too few bytes.
type reader struct {
	b   []byte
	old bool // oldFormat
	bad bool
}

func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.b, r.bad = nil, true
		return make([]byte, n)
	}
	head := r.b[:n]
	r.b = r.b[n:]
	return head
}

func (r *reader) hash() hash {
	b := r.take(hashBytes)
	return hash(b[0])<<32 | hash(b[1])<<24 | hash(b[2])<<16 | hash(b[3])<<8 | hash(b[4])
}

func (r *reader) sample() sample {
	s := sample{url: binary.BigEndian.Uint64(r.take(8))}
	if r.old {
		r.hash()
	}
	s.section, s.title = r.hash(), r.hash()
	if r.old {
		r.hash()
	}
	sizes := r.take(2)
	count, cut := int(sizes[0]), int(sizes[1])
	if count > headSize+tailSize || cut != 0 && (cut != headSize || count != headSize+tailSize) {
		r.bad = true
	}
	if r.bad {
		return s
	}
	s.view.cut = cut
	for range count {
		l := line{hash: r.hash()}
		l.look = look(r.take(1)[0])
		s.view.lines = append(s.view.lines, l)
	}
	return s
}
