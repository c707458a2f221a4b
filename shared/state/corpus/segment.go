package corpus

import (
	"bytes"
	"encoding/json"
	"time"
)

// Records of a segment beside exchanges, which are stored nowhere else, are
// metadata records, identified by their content type.
const (
	rejectType    = "application/json; profile=sluice-reject"       // block: a line of Reject.AppendJSON
	decisionsType = "application/x-ndjson; profile=sluice-decision" // block: one JSON record a line
)

// AppendReject appends a reject to dst as a WARC metadata record about its URL,
// in a gzip member, and its outlinks, and returns the extended slice and the span of the record
// counted from the old end of dst. If it has an exchange, that comes first, its response names
// the reject's place, and the span is that of the response. Errors are those of AppendJSON.
func AppendReject(dst []byte, r *Reject, enc *Encoder) ([]byte, Span, error) {
	buf := enc.block[:0]
	if r.Exchange != nil {
		buf = nil // the exchange needs that one
	}
	line, err := r.AppendJSON(buf)
	if err != nil {
		return dst, Span{}, err
	}
	if r.Exchange != nil {
		dst, span, response := appendExchange(dst, r.Exchange, enc)
		return enc.append(dst, attached("metadata", rejectType, response, line), line), span, nil
	}
	enc.block = line
	dst, span := enc.metadata(dst, escapeURI(r.URL), rejectType, r.Date.Time)
	return AppendOutlinks(dst, r, enc), span, nil
}

// AppendDecisions appends decisions about links, each a line of JSON, as one
// WARC metadata record without a URL. It adds missing line ends. Blocks beyond
// maxBlock cannot be read again.
func AppendDecisions(dst []byte, lines [][]byte, date time.Time, enc *Encoder) ([]byte, Span) {
	enc.block = enc.block[:0]
	for _, line := range lines {
		enc.block = append(append(enc.block, bytes.TrimRight(line, "\n")...), '\n')
	}
	return enc.metadata(dst, "", decisionsType, date)
}

// metadata appends a metadata record of e.block that belongs to no response.
func (e *Encoder) metadata(dst []byte, target, contentType string, date time.Time) ([]byte, Span) {
	start, day, sum := len(dst), warcDate(date), digest(e.block)
	dst = e.append(dst, header{
		{"WARC-Type", "metadata"},
		{"WARC-Record-ID", recordID("metadata", target, day, contentType+sum)},
		{"WARC-Date", day},
		{"WARC-Target-URI", target},
		{"WARC-Block-Digest", sum},
		{"Content-Type", contentType},
	}, e.block)
	return dst, Span{Length: int64(len(dst) - start)}
}

// Reject returns the reject in a record, nil if there is none. An unreadable
// one is a Poison fault.
func (r *Record) Reject() (*Reject, error) {
	if r.Type != "metadata" || r.ContentType != rejectType {
		return nil, nil
	}
	reject := new(Reject)
	if err := json.Unmarshal(r.Block, reject); err != nil {
		return nil, malformed("reject at byte %d: %w", r.Offset, err)
	}
	return reject, nil
}

// Decisions returns the lines that AppendDecisions wrote, nil of any other
// record. They share the memory of the block.
func (r *Record) Decisions() [][]byte {
	if r.Type != "metadata" || r.ContentType != decisionsType {
		return nil
	}
	var lines [][]byte
	for line := range bytes.Lines(r.Block) {
		lines = append(lines, bytes.TrimRight(line, "\n"))
	}
	return lines
}
