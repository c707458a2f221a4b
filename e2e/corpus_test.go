package e2e_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"testing"
)

// document is the part of a corpus record that the tests read.
type document struct {
	URL      string
	FinalURL string `json:"final_url"`
	Title    string
	Text     string
	Charset  string
	WARC     struct {
		File           string
		Offset, Length int64
	}
}

// corpus reads the documents of a crawl, by their final URL; it fails the test
// on an incomplete line and on a repeated document.
func corpus(t testing.TB, out string) map[string]document {
	t.Helper()
	docs := map[string]document{}
	eachRecord(t, filepath.Join(out, "corpus"), func(line []byte) error {
		var d document
		if err := json.Unmarshal(line, &d); err != nil {
			return err
		}
		if _, twice := docs[d.FinalURL]; twice {
			t.Errorf("%s is in the corpus twice", d.FinalURL)
		}
		docs[d.FinalURL] = d
		return nil
	})
	return docs
}

// rejects reads the rules of the rejects of a crawl, by URL.
func rejects(t testing.TB, out string) map[string]string {
	t.Helper()
	rules := map[string]string{}
	eachRecord(t, filepath.Join(out, "rejects"), func(line []byte) error {
		var r struct{ URL, Rule string }
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if _, twice := rules[r.URL]; twice {
			t.Errorf("%s is among the rejects twice", r.URL)
		}
		rules[r.URL] = r.Rule
		return nil
	})
	return rules
}

// eachRecord calls f with every line of a folder's JSONL files.
func eachRecord(t testing.TB, dir string, f func([]byte) error) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no *.jsonl in %s (%v)", dir, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > 0 && b[len(b)-1] != '\n' {
			t.Errorf("%s ends in half a line", name)
		}
		for line := range bytes.Lines(b) {
			if err := f(line); err != nil {
				t.Errorf("%s: %v in %.200s", name, err, line)
			}
		}
	}
}

// archived returns the body of the HTTP response at a document's location, read
// only from there: one gzip member, one WARC record.
func archived(t testing.TB, out string, d document) []byte {
	t.Helper()
	body, err := readRecord(filepath.Join(out, filepath.FromSlash(d.WARC.File)), d)
	if err != nil {
		t.Errorf("WARC record of %s at %s:%d: %v", d.FinalURL, d.WARC.File, d.WARC.Offset, err)
	}
	return body
}

func readRecord(name string, d document) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	member := make([]byte, d.WARC.Length)
	if _, err := f.ReadAt(member, d.WARC.Offset); err != nil {
		return nil, err
	}
	rest := bytes.NewReader(member)
	z, err := gzip.NewReader(rest)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	record, err := io.ReadAll(z)
	switch {
	case err != nil:
		return nil, err
	case rest.Len() > 0:
		return nil, errors.New("the member is shorter than the location says")
	}
	r := bufio.NewReader(bytes.NewReader(record))
	if version, err := r.ReadString('\n'); err != nil || version != "WARC/1.1\r\n" {
		return nil, errors.New("the record begins with " + version)
	}
	head, err := textproto.NewReader(r).ReadMIMEHeader()
	switch {
	case err != nil:
		return nil, err
	case head.Get("WARC-Type") != "response":
		return nil, errors.New("the record is a " + head.Get("WARC-Type"))
	case head.Get("WARC-Target-URI") != d.FinalURL:
		return nil, errors.New("the record is of " + head.Get("WARC-Target-URI"))
	}
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}
