package corpus

import (
	"bytes"
	"slices"
)

// Revisited returns the response that a revisit record stands for: its own URL, date and
// head, and the payload of an earlier response, whose place it has.
func (r *Record) Revisited(earlier *Record) *Record {
	whole := *earlier
	whole.ID, whole.TargetURI, whole.Date = r.ID, r.TargetURI, r.Date
	head, _ := cutHead(r.Block)
	if len(bytes.TrimSpace(head)) == 0 {
		return &whole
	}
	resp, err := earlier.HTTP()
	if err != nil {
		return &whole // which says what is wrong with it
	}
	whole.Type, whole.ContentType = "response", "application/http; msgtype=response"
	whole.Block = slices.Concat(bytes.TrimRight(head, "\r\n"), []byte("\r\n\r\n"), resp.Body)
	return &whole
}

// PayloadDigest is the digest of what the server sent, without the head; "" if the
// record does not tell.
func (r *Record) PayloadDigest() string { return r.Header.Get("WARC-Payload-Digest") }
