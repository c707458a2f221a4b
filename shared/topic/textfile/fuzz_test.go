package textfile

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzDocuments reads any bytes as a file: reading ends, the documents have
// valid text, and the number of errors is bounded.
func FuzzDocuments(f *testing.F) {
	f.Add("一\n二")
	f.Add(`{"text":"甲","title":1}` + "\n{")
	f.Add(dumpOf(onePage("a", "{{b}}[[c]]"), "<page></page>"))
	f.Add(htmlPage)
	f.Add(textRecord("甲") + textRecord("乙"))
	f.Add("WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: 60\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><p>甲</p>")
	f.Add("\x1f\x8b\x08\x00\x00\x00\x00\x00")
	f.Add("BZh91AY&SY")
	f.Add("\x28\xb5\x2f\xfd\x04\x00")
	f.Fuzz(func(t *testing.T, content string) {
		s, err := Open([]string{"-"}, Options{Stdin: strings.NewReader(content)})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for doc, err := range s.Documents(t.Context()) {
			if n++; n > len(content)*1100+2 { // gzip gains a factor of 1032 at most
				t.Fatal("more values than there can be")
			}
			switch {
			case err != nil && doc != (Document{}):
				t.Errorf("document %+v beside error %v", doc, err)
			case err == nil && (doc.Text == "" || doc.ID == ""):
				t.Errorf("document without text or id: %+v", doc)
			}
			for _, text := range []string{doc.ID, doc.Title, doc.Description, doc.Text} {
				if !utf8.ValidString(text) {
					t.Errorf("invalid text %q", text)
				}
			}
		}
	})
}
