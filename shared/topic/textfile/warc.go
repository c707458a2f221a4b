package textfile

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"

	"sluice/shared/web/page"
)

// maxWARCHead bounds the head of a record, in bytes.
const maxWARCHead = 64 << 10

// warc reads the pages of a WARC file. It skips records without a page
// (requests, images, errors, pages without main text).
func (in *input) warc() iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		var held Document // of the last response, which a browser may have shown otherwise
		var id string     // of its record
		for n := 1; ; n++ {
			head, length, err := nextRecord(in.r)
			shows := err == nil && id != "" && isShown(head) && head.Get("WARC-Refers-To") == id
			if !shows && (err != nil || head.Get("WARC-Type") != "request") {
				if held.Text != "" && !yield(held, nil) {
					return
				}
				held, id = Document{}, ""
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Document{}, in.broken(fmt.Errorf("record %d: %w", n, err)))
				return
			}
			block := &io.LimitedReader{R: in.r, N: length}
			doc, err := fromRecord(head, block, length)
			if err != nil {
				err = fmt.Errorf("%s: record %d (%.200s): %w", in.path, n, head.Get("WARC-Target-URI"), err)
			}
			if doc.Text != "" && doc.ID == "" {
				doc.ID = fmt.Sprintf("%s:%d", in.path, n)
			}
			switch {
			case err == nil && (shows || head.Get("WARC-Type") == "response"):
				if doc.Text != "" {
					held = doc
				}
				id = cmp.Or(id, head.Get("WARC-Record-ID"))
			case (err != nil || doc.Text != "") && !yield(doc, err):
				return
			}
			if _, err := io.Copy(io.Discard, block); err == nil && block.N > 0 {
				yield(Document{}, in.broken(io.ErrUnexpectedEOF))
				return
			} else if err != nil {
				yield(Document{}, in.broken(err))
				return
			}
		}
	}
}

// nextRecord reads the head of the next record, which its block follows; io.EOF
// if there is none.
func nextRecord(r *bufio.Reader) (textproto.MIMEHeader, int64, error) {
	limited := &io.LimitedReader{R: r, N: maxWARCHead}
	// Byte by byte, so that the reader does not buffer the block.
	text := textproto.NewReader(bufio.NewReaderSize(&single{limited}, 16))
	version, err := text.ReadLine()
	for version == "" && err == nil { // two empty lines end the record before
		version, err = text.ReadLine()
	}
	if err == nil && !strings.HasPrefix(version, "WARC/") {
		return nil, 0, fmt.Errorf("%.20q where a record should begin", version)
	}
	var head textproto.MIMEHeader
	if err == nil {
		if head, err = text.ReadMIMEHeader(); errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
	}
	switch {
	case err != nil && limited.N <= 0:
		return nil, 0, fmt.Errorf("its head is larger than %d KB", maxWARCHead>>10)
	case err != nil:
		return nil, 0, err
	}
	length, err := strconv.ParseInt(head.Get("Content-Length"), 10, 64)
	if err != nil || length < 0 {
		return nil, 0, fmt.Errorf("Content-Length %.20q is not a length", head.Get("Content-Length"))
	}
	return head, length, nil
}

// single reads one byte at a time.
type single struct{ r io.Reader }

func (s *single) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), 1)]) }

// fromRecord makes a document of a record. A record without text gives an empty
// one.
func fromRecord(head textproto.MIMEHeader, block io.Reader, length int64) (Document, error) {
	kind, media := head.Get("WARC-Type"), strings.ToLower(head.Get("Content-Type"))
	target := strings.Trim(strings.ToValidUTF8(head.Get("WARC-Target-URI"), "\uFFFD"), "<>")
	response := kind == "response" && strings.HasPrefix(media, "application/http")
	resource := kind == "resource" && strings.Contains(media, "html") || isShown(head)
	text := kind == "conversion" && strings.HasPrefix(media, "text/plain")
	switch {
	case !response && !resource && !text:
		return Document{}, nil
	case length > MaxDocument:
		return Document{}, fmt.Errorf("skip record: %w", errTooLarge)
	case response:
		return fromResponse(block, target)
	}
	raw, err := readWhole(block)
	switch {
	case err != nil:
		return Document{}, err
	case text:
		decoded, _ := page.Decode(raw, media)
		return Document{ID: target, Text: string(bytes.TrimSpace(decoded))}, nil
	}
	return quietly(fromHTML(raw, media, target))
}

// isShown reports whether a record has what a browser showed of a page.
func isShown(head textproto.MIMEHeader) bool {
	return head.Get("WARC-Type") == "conversion" && strings.HasPrefix(strings.ToLower(head.Get("Content-Type")), "text/html")
}

// fromResponse makes a document of an HTTP response with an HTML page.
func fromResponse(block io.Reader, target string) (Document, error) {
	resp, err := http.ReadResponse(bufio.NewReader(block), nil)
	if err != nil {
		return Document{}, fmt.Errorf("read response: %w", err)
	}
	defer resp.Body.Close()
	contentType := resp.Header.Get("Content-Type")
	if resp.StatusCode != http.StatusOK {
		return Document{}, nil
	}
	raw, err := decodedBody(resp)
	if errors.Is(err, errTooLarge) {
		return Document{}, fmt.Errorf("skip page: %w", err)
	}
	// The beginning of a truncated page is a page, too.
	if page.Sniff(raw, contentType, target) != page.HTML {
		return Document{}, nil
	}
	return quietly(fromHTML(raw, contentType, target))
}

// decodedBody reads a body and decodes its content coding. With an error it
// returns what it could read.
func decodedBody(resp *http.Response) ([]byte, error) {
	body := io.Reader(resp.Body)
	switch strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))) {
	case "br":
		body = brotli.NewReader(body)
	case "deflate":
		b := bufio.NewReader(body)
		if z, err := zlib.NewReader(b); err == nil {
			body = z
		} else {
			body = flate.NewReader(b)
		}
	}
	// The others show in the bytes, and some archives have undone them but kept
	// the header.
	plain, closers, err := unpack(body)
	for _, c := range closers {
		defer c()
	}
	if err != nil {
		return nil, err
	}
	return readWhole(plain)
}

// quietly turns a page without text into an empty document.
func quietly(doc Document, err error) (Document, error) {
	if err != nil {
		return Document{}, nil //nolint:nilerr // ErrNoText, ErrNotText: most responses are not documents
	}
	return doc, nil
}
