package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// maxRecordHead bounds the head of a record, in bytes.
const maxRecordHead = 64 << 10

const (
	recordMagic = "WARC/"
	memberMagic = "\x1f\x8b\x08"
)

var (
	errNoRecord = errors.New("no record begins here")
	errTooLarge = errors.New("block is too large")
)

// scanner finds the records of a WARC file.
type scanner struct {
	tape   *tape
	magic  string // start of the file's records; "" before the first
	zip    gzip.Reader
	member *bufio.Reader // the open gzip member; nil between members
	spare  *bufio.Reader
	start  int64 // of the open member
	many   bool  // the open member has had a record
	lost   bool  // after damage: until a record is found again
}

func newScanner(r io.Reader) *scanner {
	return &scanner{tape: newTape(r), spare: bufio.NewReaderSize(nil, 32<<10)}
}

// next returns the next record, the next damage, or neither at the end.
func (s *scanner) next() (*Record, error) {
	for s.member != nil || s.find() {
		var rec *Record
		var err error
		if s.magic == memberMagic {
			rec, err = s.fromMember()
		} else {
			rec, err = s.fromPlain()
		}
		if rec != nil || err != nil {
			return rec, err
		}
	}
	if err := s.tape.failed(); err != nil {
		return nil, err
	}
	return nil, nil
}

// find goes to the next place where a record seems to begin, or reports that
// there is none. If no record begins there, its reader reports that.
func (s *scanner) find() bool {
	if s.lost {
		return s.search()
	}
	skipLineEnds(s.tape)
	first, err := s.tape.Peek(len(recordMagic))
	if s.magic == "" && bytes.HasPrefix(first, []byte(memberMagic)) {
		s.magic = memberMagic
	} else if s.magic == "" {
		s.magic = recordMagic
	}
	return err == nil || len(first) > 0
}

// search looks for the next place where a record may begin.
func (s *scanner) search() bool {
	for {
		s.tape.pass(s.magic[0])
		first, err := s.tape.Peek(len(s.magic))
		if string(first) == s.magic {
			return true
		}
		if err != nil {
			return false
		}
		s.tape.at++
	}
}

// fromPlain reads an uncompressed record. It returns nil and no error if there
// is none.
func (s *scanner) fromPlain() (*Record, error) {
	start := s.tape.offset()
	s.tape.setMark()
	rec, err := parseRecord(s.tape)
	switch {
	case err == nil:
		s.lost = false
		skipLineEnds(s.tape)
		rec.Offset, rec.Length = start, s.tape.offset()-start
		return rec, nil
	case errors.Is(err, errTooLarge):
		s.lost = false
		return nil, &Damage{start, err}
	}
	return nil, s.lose(start, err)
}

// lose starts or continues the search for the next record. One stretch of
// damage is reported once, unless a record began inside.
func (s *scanner) lose(start int64, err error) error {
	known := s.lost && errors.Is(err, errNoRecord)
	s.lost = true
	s.tape.rewind()
	if known {
		return nil
	}
	return &Damage{start, err}
}

// fromMember reads the next record of the open gzip member, or of one that
// begins here. It returns nil and no error if there is none.
func (s *scanner) fromMember() (*Record, error) {
	if s.member == nil {
		if err := s.open(); err != nil {
			return nil, s.lose(s.start, fmt.Errorf("%w: %w", errNoRecord, err))
		}
	}
	if _, err := s.member.Peek(1); errors.Is(err, io.EOF) {
		s.member = nil // it is empty or read completely
		return nil, nil
	}
	rec, err := parseRecord(s.member)
	if err != nil {
		return nil, s.leave(err)
	}
	skipLineEnds(s.member)
	rec.Offset = s.start
	switch _, err := s.member.Peek(1); {
	case errors.Is(err, io.EOF):
		s.member = nil
		if !s.many {
			rec.Length = s.tape.offset() - s.start
		}
	case err != nil:
		return nil, s.leave(fmt.Errorf("unpack: %w", err))
	}
	s.many, s.lost = true, false
	return rec, nil
}

func (s *scanner) open() error {
	s.start, s.many = s.tape.offset(), false
	s.tape.setMark()
	if err := s.zip.Reset(s.tape); err != nil {
		return err
	}
	s.zip.Multistream(false)
	s.spare.Reset(&s.zip)
	s.member = s.spare
	return nil
}

// leave abandons the open member after an error of its record. If the member
// itself is intact, the next one follows; otherwise it is searched for.
func (s *scanner) leave(cause error) error {
	rest := s.member
	s.member = nil
	if _, err := io.Copy(io.Discard, rest); err != nil {
		return s.lose(s.start, cause)
	}
	if s.lost && errors.Is(cause, errNoRecord) {
		return nil
	}
	s.lost = false
	return &Damage{s.start, cause}
}

// input is the source of a record.
type input interface {
	io.Reader
	io.ByteReader
	Peek(n int) ([]byte, error)
}

// parseRecord reads a record up to the end of its block. A block that is too
// large is passed over.
func parseRecord(in input) (*Record, error) {
	head, err := readHead(in)
	if err != nil {
		return nil, err
	}
	length, err := strconv.ParseInt(strings.TrimSpace(head.Get("Content-Length")), 10, 64)
	if err != nil || length < 0 {
		return nil, fmt.Errorf("Content-Length %.20q is not a length", head.Get("Content-Length"))
	}
	if length > maxBlock {
		_, _ = io.CopyN(io.Discard, in, length)
		return nil, fmt.Errorf("%w: %d bytes, at most %d can be read", errTooLarge, length, maxBlock)
	}
	var block bytes.Buffer
	block.Grow(int(min(length, 1<<20)) + bytes.MinRead) // more when it is really there
	n, err := block.ReadFrom(io.LimitReader(in, length))
	switch {
	case err != nil:
		return nil, fmt.Errorf("unpack: %w", err)
	case n < length:
		return nil, fmt.Errorf("block is cut off: %d of %d bytes", n, length)
	}
	return newRecord(head, block.Bytes()), nil
}

// readHead reads the head of a record with the empty line after it.
func readHead(in input) (textproto.MIMEHeader, error) {
	left := maxRecordHead
	version, err := readLine(in, &left)
	switch {
	case strings.HasPrefix(version, recordMagic):
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errNoRecord, err)
	default:
		return nil, fmt.Errorf("%w, but %.20q", errNoRecord, version)
	}
	var head fields
	for err == nil {
		var line string
		line, err = readLine(in, &left)
		if err == nil && line == "" {
			return head.done(), nil
		}
		head.add(line)
	}
	return nil, fmt.Errorf("read head: %w", err)
}

// readLine reads a line of at most *left bytes, without its end.
func readLine(in input, left *int) (string, error) {
	var line []byte
	for ; *left > 0; *left-- {
		c, err := in.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return string(line), io.ErrUnexpectedEOF
		case err != nil:
			return string(line), err
		case c == '\n':
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		line = append(line, c)
	}
	return string(line), fmt.Errorf("more than %d KiB", maxRecordHead>>10)
}

// skipLineEnds passes over the empty lines between records.
func skipLineEnds(in input) {
	for {
		b, err := in.Peek(1)
		if err != nil || b[0] != '\r' && b[0] != '\n' {
			return
		}
		_, _ = in.ReadByte()
	}
}
