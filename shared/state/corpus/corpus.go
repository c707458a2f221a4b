// Package corpus defines the formats of a crawl's output: the document record,
// the reject record (both JSON lines) and WARC 1.1 segments of exchanges, and
// the port that stores them.
//
// The package accesses neither files nor the cloud; adapters such as
// local/filecorpus store its bytes (METHOD A12).
package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"sluice/shared/fault"
)

// Location is the place of the WARC record of a response.
type Location struct {
	File   string `json:"file"`   // path relative to the corpus root, "/" between its parts
	Offset int64  `json:"offset"` // of the record's gzip member, in bytes
	Length int64  `json:"length"` // of the gzip member, in bytes
}

// ErrClosed is the error of a closed store.
var ErrClosed = errors.New("corpus store is closed")

// Store keeps the documents and the rejects of one crawl.
//
// Delivery of pages is at least once, so both methods are idempotent by the Key
// of the record: if a record with that key exists, written by this process or
// by one that was killed before it could report success, nothing is written. A
// store may forget a key after so many later records that no redelivery can ask
// for it; after that the ledger prevents repetitions. Documents and rejects are
// independent.
//
// Once Sync returns nil, every record survives the death of the process whose
// Put or Reject returned before Sync was called. If a method returns an error,
// records may or may not exist; the caller retries by the error's fault class.
// A record is never incomplete.
//
// All methods may be called concurrently, also with equal keys. They do not
// keep their arguments.
type Store interface {
	// Put writes the exchange and then the document made from it, sets d.WARC
	// and returns it: the place of the response record, that of the first Put
	// of this key. x.URL must be d.FinalURL.
	Put(ctx context.Context, x *Exchange, d *Document) (Location, error)

	// Reject records why a page is not in the corpus, after r.Exchange, if there is
	// one, which is the page at r.FinalURL. It sets r.Segment and, of a reject with
	// an exchange, r.WARC: the place of the response record, that of the first
	// Reject of this key.
	Reject(ctx context.Context, r *Reject) error

	// Sync makes stored records durable. A store that gathers the records of
	// many callers may wait for them.
	Sync(ctx context.Context) error
}

// Check returns a Poison fault when the pair could not be stored so that the
// document leads back to its exchange. Every Store calls it first.
func Check(x *Exchange, d *Document) error { return x.check("document", d.FinalURL) }

// check returns a Poison fault when the exchange is not one of the page at a URL,
// which a record is made from.
func (x *Exchange) check(record, finalURL string) error {
	switch {
	case x.URL == "":
		return malformed("exchange has no URL")
	case x.URL != finalURL:
		return malformed("exchange of %q belongs to another URL than the %s of %q", x.URL, record, finalURL)
	case x.Date.IsZero():
		return malformed("exchange of %q has no date", x.URL)
	case len(x.RequestHead) == 0 || len(x.ResponseHead) == 0:
		return malformed("exchange of %q lacks a request or response head", x.URL)
	}
	return nil
}

func malformed(format string, args ...any) error {
	return fault.New(fault.Poison, "corpus_record", fmt.Errorf(format, args...))
}

// stableID is the identity of the content at an address: 32 hex digits, the
// same for every fetch and every crawl.
func stableID(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}
