package corpus

import (
	"fmt"
	"io"
	"iter"
	"net/textproto"
	"strings"
	"time"

	"sluice/shared/fault"
)

// maxBlock is the size of the largest block that ReadWARC takes into memory.
const maxBlock = 64 << 20

// RuleDamaged is the rule of the faults of WARC files.
const RuleDamaged = "warc_damaged"

// Record is one record of a WARC file. Missing values are empty.
type Record struct {
	Type         string // "response", "request", "metadata", "warcinfo" …
	ID           string // with its angle brackets
	TargetURI    string // without
	Date         time.Time
	ConcurrentTo string // ID of the record that this one was captured with
	RefersTo     string // ID of the record that this one is about
	ContentType  string
	Truncated    string // why Block is not all that was sent
	Header       textproto.MIMEHeader
	Block        []byte

	// The place of the record: its gzip member, or the record itself in an
	// uncompressed file. A member with several records has the Length 0.
	Offset, Length int64
}

// Damage is the error about a part of a WARC file that cannot be read.
type Damage struct {
	Offset int64 // in the file, of the record or gzip member
	Err    error
}

// Error implements error.
func (d *Damage) Error() string { return fmt.Sprintf("record at byte %d: %v", d.Offset, d.Err) }

// Unwrap returns the cause.
func (d *Damage) Unwrap() error { return d.Err }

// ReadWARC reads the records of a WARC file of any version and from any
// program, plain or with its records in gzip members. The caller may keep the
// records.
//
// A record that is damaged or larger than maxBlock is a Permanent fault around
// a *Damage, and reading continues with the next one that can be found. An
// error of r is returned unchanged, and is the last. It takes the memory of one
// record and a few MiB, and time linear in the unpacked file, for any contents.
func ReadWARC(r io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		w := newScanner(r)
		for {
			rec, err := w.next()
			switch {
			case rec == nil && err == nil:
				return
			case err != nil && w.tape.failed() != nil: // which looks like damage, too
				yield(nil, fmt.Errorf("read WARC file at byte %d: %w", w.tape.offset(), w.tape.failed()))
				return
			case err != nil:
				err = fault.New(fault.Permanent, RuleDamaged, err)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

func newRecord(head textproto.MIMEHeader, block []byte) *Record {
	return &Record{
		Type:         head.Get("WARC-Type"),
		ID:           head.Get("WARC-Record-ID"),
		TargetURI:    strings.Trim(head.Get("WARC-Target-URI"), "<>"), // WARC 1.0 showed it with them
		Date:         readDate(head.Get("WARC-Date")),
		ConcurrentTo: head.Get("WARC-Concurrent-To"),
		RefersTo:     head.Get("WARC-Refers-To"),
		ContentType:  head.Get("Content-Type"),
		Truncated:    head.Get("WARC-Truncated"),
		Header:       head,
		Block:        block,
	}
}

// readDate accepts the precisions that WARC 1.1 allows. A date in another form
// is left out; the header still has it.
func readDate(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
