package sift

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// Resources that are HTML are pages, by their own Content-Type.
func TestResource(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	text, err := simplifiedchinese.GBK.NewEncoder().String(html("银行股市", article("银行", 1)))
	if err != nil {
		t.Fatal(err)
	}
	r := sifted(t, out, write(t, dir, "a.warc",
		record("resource", "http://a.test/1", "text/html; charset=gbk", strings.Replace(text, "<meta charset=utf-8>", "", 1))+
			record("resource", "http://a.test/1.png", "image/png", "\x89PNG")+
			record("resource", "urn:text:http://a.test/1", "text/plain", article("银行", 1))))
	if diff := cmp.Diff(map[string]int64{"resource": 2}, r.Total.Types); diff != "" || r.Total.Kept != 1 {
		t.Errorf("kept %d; skipped %s", r.Total.Kept, diff)
	}
	for _, d := range documents(t, out, "a") {
		if d.URL != "http://a.test/1" || d.Text+"\n" != article("银行", 1) || d.WARC.Length == 0 {
			t.Errorf("document is %+v", d)
		}
	}
}

// A revisit has the payload of the first response with its digest, in an archive of which
// a record can be read again, with the head and URL of its own.
func TestRevisit(t *testing.T) {
	digest := func(n string) string { return "WARC-Payload-Digest: sha1:" + n }
	revisit := func(uri, head, n string) string {
		return record("revisit", uri, "application/http; msgtype=response", head, digest(n), "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest")
	}
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n"
	records := []string{
		response("http://a.test/1", html("银行股市", article("银行", 1)), digest("ONE")),
		response("http://a.test/2", html("基金股市", article("基金", 2)), digest("TWO")),
		revisit("http://a.test/old", head+"\r\n", "ONE"),
		revisit("http://a.test/bare", "", "TWO"),
		revisit("http://a.test/refuses", head+"TDM-Reservation: 1\r\n\r\n", "TWO"),
		revisit("http://a.test/1", head+"\r\n", "ONE"),
		revisit("http://a.test/lost", head+"\r\n", "THREE"),
		record("revisit", "http://a.test/2", "application/http; msgtype=response", "HTTP/1.1 304 Not Modified\r\n\r\n"),
	}
	for _, tt := range []struct {
		name, content  string
		kept, rejected []string
	}{
		{
			"a.warc.gz", gz(t, records...),
			[]string{"http://a.test/1 银行股市", "http://a.test/2 基金股市", "http://a.test/old 银行股市", "http://a.test/bare 基金股市"},
			[]string{"http://a.test/refuses tdm_reserved", "http://a.test/1 repeated", "http://a.test/lost revisit"},
		},
		{
			"a.warc", strings.Join(records, ""),
			[]string{"http://a.test/1 银行股市", "http://a.test/2 基金股市", "http://a.test/old 银行股市", "http://a.test/bare 基金股市"},
			[]string{"http://a.test/refuses tdm_reserved", "http://a.test/1 repeated", "http://a.test/lost revisit"},
		},
		{
			"a.warc.zst", zst(t, strings.Join(records, "")),
			[]string{"http://a.test/1 银行股市", "http://a.test/2 基金股市"},
			[]string{"http://a.test/old revisit", "http://a.test/bare revisit", "http://a.test/refuses revisit", "http://a.test/1 revisit", "http://a.test/lost revisit"},
		},
	} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		r := sifted(t, out, write(t, dir, tt.name, tt.content))
		if r.Total.Types["revisit"] != 1 || r.Total.Pages != 7 {
			t.Errorf("%s: counts are %+v", tt.name, r.Total)
		}
		places := map[string]int64{}
		var kept []string
		for _, d := range documents(t, out, "a") {
			kept = append(kept, d.URL+" "+d.Title)
			if first, again := places[d.Title]; again && first != d.WARC.Offset {
				t.Errorf("%s: %s is at byte %d, its payload at %d", tt.name, d.URL, d.WARC.Offset, first)
			}
			places[d.Title] = d.WARC.Offset
		}
		if diff := cmp.Diff(tt.kept, kept); diff != "" {
			t.Errorf("%s: documents (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.rejected, rules(t, out, "a")); diff != "" {
			t.Errorf("%s: rejects (-want +got):\n%s", tt.name, diff)
		}
	}
}

// The payload may be in another archive, before or after.
func TestRevisitOfAnotherArchive(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	revisit := gz(t, record("revisit", "http://b.test/", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n", "WARC-Payload-Digest: sha1:ONE"))
	first, last := write(t, dir, "1.warc.gz", revisit), write(t, dir, "3.warc.gz", revisit)
	middle := write(t, dir, "2.warc.gz", gz(t, record("warcinfo", "", "application/warc-fields", "software: x\r\n"),
		response("http://a.test/1", html("银行股市", article("银行", 1)), "WARC-Payload-Digest: sha1:ONE")))
	if r := sifted(t, out, first, middle, last); r.Total.Kept != 3 || r.Total.Rejected != 0 {
		t.Fatalf("counts are %+v", r.Total)
	}
	for _, name := range []string{"1", "3"} {
		for _, d := range documents(t, out, name) {
			if d.URL != "http://b.test/" || d.Title != "银行股市" || d.WARC.File != "2.warc.gz" || d.WARC.Offset == 0 || d.WARC.Length == 0 {
				t.Errorf("document is %+v", d)
			}
		}
	}
}
