package sift

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Kind is what an input is.
type Kind string

// The kinds.
const (
	WARC  Kind = "warc"  // pages, as they went over the wire
	WET   Kind = "wet"   // a WARC file of texts: Common Crawl's
	JSONL Kind = "jsonl" // an object a line
)

// kindOf tells what an input is by its first bytes; where these are damaged, or
// say too little, by its name.
func kindOf(head []byte, name string) (Kind, error) {
	named := func(endings ...string) bool {
		name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".zst")
		return slices.Contains(endings, filepath.Ext(name))
	}
	first := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n")
	switch {
	case bytes.HasPrefix(first, []byte("WARC/")), named(".warc", ".wet"):
		return WARC, nil
	case isUTF16(head):
		return "", errors.New("it is UTF-16: make UTF-8 of it, with iconv -f UTF-16 -t UTF-8 say")
	case len(head) == 0:
		return "", errors.New("nothing can be unpacked: it is empty, or damaged from the beginning on")
	case bytes.HasPrefix(head, []byte("PAR1")):
		return "", errors.New("it is Parquet: make JSON lines of it")
	case isBinary(head):
		return "", errors.New("it is binary data, neither WARC nor JSON lines (WARC may be packed with gzip or zstd, JSON lines, too)")
	case bytes.HasPrefix(first, []byte("[")):
		return "", errors.New("it is one JSON array: write an object a line, with jq -c '.[]' say")
	case bytes.HasPrefix(first, []byte("{")), named(".jsonl", ".ndjson"):
		return JSONL, nil
	}
	return "", fmt.Errorf("it is neither WARC nor JSON lines: it begins with %.40q", head)
}

// isUTF16 recognises UTF-16, and UTF-32, by its mark or by an object that
// begins in it.
func isUTF16(head []byte) bool {
	marks := []string{"\xFF\xFE", "\xFE\xFF", "\x00\x00\xFE\xFF", "{\x00", "\x00{"}
	return slices.ContainsFunc(marks, func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) })
}

// isBinary says whether more than one byte in fifty is a control character that
// no text has.
func isBinary(head []byte) bool {
	n := 0
	for _, b := range head {
		if b < ' ' && (b < '\t' || b > '\r') && b != 0x1b || b == 0x7f {
			n++
		}
	}
	return n*50 > len(head)
}
