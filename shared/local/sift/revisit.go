package sift

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"sluice/shared/state/corpus"
)

// isRevisit recognises a record that has the payload of another one. One that says "not
// modified" tells nothing new.
func isRevisit(rec *corpus.Record) bool {
	return rec.Type == "revisit" && rec.PayloadDigest() != "" && !strings.HasSuffix(rec.Header.Get("WARC-Profile"), "/server-not-modified")
}

// revisit reads the page of such a record.
func (a *archive) revisit(rec *corpus.Record) {
	from, err := a.src.payloads.find(a.src.raw.ctx, rec.PayloadDigest())
	if err != nil {
		a.flush()
		a.give(refused(&corpus.Reject{URL: rec.TargetURI, Rule: RuleRevisit, Date: corpus.Date{Time: rec.Date}, Detail: err.Error()}), nil)
		return
	}
	a.begin(rec.Revisited(from.record), from.name)
}

// payloads finds the responses of all inputs by the digest of their payload. The inputs
// are read for it when the first revisit record turns up.
type payloads struct {
	inputs []input
	places map[xxh3.Uint128]place
}

// place is where a record begins.
type place struct {
	input  int
	offset int64
}

// found is a response and the name of its archive.
type found struct {
	record *corpus.Record
	name   string
}

// find reads the first response with a payload.
func (p *payloads) find(ctx context.Context, digest string) (*found, error) {
	if p.places == nil {
		p.places = map[xxh3.Uint128]place{}
		for i, in := range p.inputs {
			p.add(ctx, i, in)
		}
	}
	at, ok := p.places[xxh3.HashString128(digest)]
	if !ok {
		return nil, fmt.Errorf("its payload %.80s is in no record that can be read by its place: name the archives that it may be in, none compressed as a whole", digest)
	}
	in := p.inputs[at.input]
	file, err := os.Open(in.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read
	if _, err := file.Seek(at.offset, io.SeekStart); err != nil {
		return nil, err
	}
	for rec, err := range corpus.ReadWARC(file) {
		if err != nil {
			return nil, err
		}
		rec.Offset = at.offset
		return &found{rec, in.name}, nil
	}
	return nil, io.ErrUnexpectedEOF
}

// add notes the responses of an input. What cannot be read of it is for its own sift to tell.
func (p *payloads) add(ctx context.Context, i int, in input) {
	src, err := openSource(ctx, in, new(atomic.Int64))
	if err != nil {
		return
	}
	defer src.close()
	if src.kind != WARC || src.packed {
		return
	}
	for rec, err := range corpus.ReadWARC(src.text) {
		if err != nil || !rec.HasHTTP() || rec.Length == 0 {
			continue
		}
		key := xxh3.HashString128(rec.PayloadDigest())
		if _, before := p.places[key]; !before {
			p.places[key] = place{i, rec.Offset}
		}
	}
}
