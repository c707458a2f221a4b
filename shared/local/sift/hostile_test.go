package sift

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/dataset/export"
	"sluice/shared/state/corpus"
)

// Files that cannot be read are reported; the others are sifted.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	wide := make([]byte, 0, 100)
	for _, u := range utf16.Encode([]rune(`{"text": "股市"}`)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	whole := gz(t, response("http://a.test/1", html("银行股市", article("银行", 1))))
	for name, tt := range map[string]struct{ content, message string }{
		"empty.jsonl":        {"", "it is empty"},
		"empty.warc.gz":      {"", "it is empty"},
		"nothing.jsonl.gz":   {gz(t, ""), "it is empty, or damaged"},
		"blank.jsonl":        {"\n\n", "it has no lines"},
		"blank.warc":         {"\r\n\r\n", "it has no records"},
		"binary.jsonl":       {"\x00\x01\x02\x03\x04\x05", "binary data"},
		"picture.warc.gz":    {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "no record can be read"},
		"magic.jsonl.gz":     {"\x1f\x8b\x08", "damaged from the beginning"},
		"cut.warc.gz":        {whole[:len(whole)/2], "no record can be read"},
		"cut.jsonl.gz":       {gz(t, strings.Repeat(`{"text":"x"}`, 9))[:20], "damaged from the beginning"},
		"wide.jsonl":         {"\xFF\xFE" + string(wide), "UTF-16"},
		"wide-no-mark.jsonl": {string(wide), "UTF-16"},
		"array.jsonl":        {"[\n{}]", "JSON array"},
		"page.html":          {"<html><title>股市</title>", "neither WARC nor JSON lines"},
		"table.parquet":      {"PAR1\x15\x04", "Parquet"},
		"a.warc.wat.gz": {gz(t,
			record("warcinfo", "", "application/warc-fields", "software: ia-web-commons\r\n"),
			record("metadata", "http://a.test/1", "application/json", `{"Container":{},"Envelope":{}}`)), "it is WAT"},
		"bad-zstd.jsonl.zst": {zstdMagic + "nonsense", "damaged from the beginning"},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(dir, "out-"+name)
			report := sifted(t, out, write(t, dir, name, tt.content))
			r := report.Inputs[0]
			if report.Failed != 1 || !strings.Contains(r.Error, tt.message) || !strings.Contains(r.Error, name) {
				t.Errorf("result is %+v, want an error with %q", r, tt.message)
			}
			if diff := cmp.Diff(newCounts(), r.Counts); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			for _, folder := range []string{corpus.DocumentFolder, corpus.RejectFolder} {
				if left, _ := os.ReadDir(filepath.Join(out, folder)); len(left) > 0 {
					t.Errorf("%s holds %v", folder, left)
				}
			}
		})
	}
}

// Paths that are no files are reported, and the other inputs are done.
func TestOthersAreDone(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	good := write(t, dir, "good.jsonl", object1(t, map[string]any{"text": article("银行", 1)}))
	report := sifted(t, filepath.Join(dir, "out"), filepath.Join(dir, "missing.warc.gz"), folder, os.DevNull, good)
	if report.Failed != 3 || report.Total.Kept != 1 {
		t.Errorf("report is %+v", report)
	}
	for i, message := range []string{"no such file", "it is a folder", "not a regular file", ""} {
		if got := report.Inputs[i].Error; !strings.Contains(got, message) || (message == "") != (got == "") {
			t.Errorf("error %d is %q", i, got)
		}
	}
}

// What can be read of a damaged file is kept, and the damage recorded.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	one, two := response("http://a.test/1", html("银行股市", article("银行", 1))), response("http://a.test/2", html("基金股市", article("基金", 2)))
	member := gz(t, one)
	var many strings.Builder
	for i := range 3000 {
		many.WriteString(object1(t, map[string]any{"text": article("银行", i)}))
	}
	packed := gz(t, many.String())
	frames := zst(t, one+two) + zst(t, one)[:60]
	for _, tt := range []struct {
		name, content string
		kept, damaged int64
	}{
		{"torn.warc.gz", member + gz(t, two)[:200], 1, 1},
		{"garbage.warc.gz", member + "garbage" + gz(t, two), 2, 1},
		{"plain.warc", one + "garbage\r\n" + two, 2, 1},
		{"begins-damaged.warc.gz", member[:len(member)/2] + gz(t, two), 1, 1},
		{"no-http.warc.gz", member + gz(t, record("response", "http://a.test/2", "application/http", "nonsense")), 1, 1},
		{"torn.warc.zst", frames, 2, 1},
		{"torn.jsonl.gz", packed[:len(packed)/2], -1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := filepath.Join(dir, "out-"+tt.name)
			r := sifted(t, out, write(t, dir, tt.name, tt.content)).Inputs[0]
			if r.Error != "" || r.Damaged != tt.damaged || r.Kept != tt.kept && (tt.kept >= 0 || r.Kept < 500 || r.Kept > 2900) {
				t.Errorf("result is %+v", r)
			}
			if rejected := rules(t, out, outName(tt.name)); int64(len(rejected)) != r.Rejected || !strings.HasPrefix(rejected[0], tt.name+"#") && !strings.HasPrefix(rejected[0], tt.name+" ") {
				t.Errorf("rejects are %v", rejected)
			}
			if r.Pages != r.Kept+r.Rejected-r.Damaged {
				t.Errorf("counts do not add up: %+v", r.Counts)
			}
		})
	}
}

// Any number of unknown types leaves the report short.
func TestForeignTypes(t *testing.T) {
	dir := t.TempDir()
	var records []string
	for i := range 50 {
		records = append(records, record(strings.Repeat("x", i+1), "http://a.test/", "text/plain", "x"))
	}
	r := sifted(t, filepath.Join(dir, "out"), write(t, dir, "a.warc", strings.Join(records, ""))).Inputs[0]
	if diff := cmp.Diff(map[string]int64{"other": 50}, r.Types); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
}

func TestKindOf(t *testing.T) {
	for _, tt := range []struct {
		name, head string
		want       Kind
	}{
		{"a.txt", "WARC/1.0\r\n", WARC},
		{"a.jsonl", "\r\nWARC/1.1\r\n", WARC},
		{"a.warc.gz", `{"a":1}`, WARC},
		{"a.WET.GZ", "x", WARC},
		{"a", ` {"a":1}`, JSONL},
		{"a.warc.json", "\xEF\xBB\xBF{", JSONL},
		{"a.jsonl.zst", "nonsense", JSONL},
		{"a.txt", "nonsense", ""},
		{"a.json", "[1]", ""},
		{"a", "", ""},
	} {
		if got, err := kindOf([]byte(tt.head), tt.name); got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("kind of %s with %q is %q, error %v; want %q", tt.name, tt.head, got, err, tt.want)
		}
	}
}

// FuzzSift: any file becomes an error or records that add up.
func FuzzSift(f *testing.F) {
	one := response("http://a.test/1", html("银行股市", article("银行", 1)))
	f.Add([]byte(one+conversion("http://a.test/2", "股市\n"+article("银行", 2))), "a.warc")
	f.Add([]byte(gz(f, one, one)), "a")
	f.Add([]byte(zst(f, one)), "a.warc.zst")
	f.Add([]byte(`{"text":"股市"}`+"\n{\n"), "a.jsonl")
	f.Add([]byte(gz(f, `{"text":"股市"}`)[:30]), "a.jsonl.gz")
	f.Fuzz(func(t *testing.T, content []byte, name string) {
		if name = filepath.Base(filepath.Clean("/" + name)); len(name) > 100 || strings.ContainsAny(name, "/\x00") || name == "" {
			t.Skip("no name for a file")
		}
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		r := sifted(t, out, write(t, filepath.Join(dir, "in"), name, string(content))).Inputs[0]
		if r.Error != "" {
			return
		}
		docs, rejects := documents(t, out, outName(name)), rules(t, out, outName(name))
		if int64(len(docs)) != r.Kept || int64(len(rejects)) != r.Rejected || r.Pages != r.Kept+r.Rejected-r.Damaged || r.Records < r.Skipped {
			t.Errorf("%d documents and %d rejects of %+v", len(docs), len(rejects), r)
		}
	})
}

// What a record cannot hold does not set its text apart from its simhash.
func TestSimHashIsOfTheRecord(t *testing.T) {
	text := article("银行", 1)
	for i, part := range []string{"皇\x01后", "e\x01\u0301", "a\u2028b", "\x85乾\x02隆", "\ufeff"} {
		text = strings.Replace(text, "，", part, i+1)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	sifted(t, out, write(t, dir, "in.jsonl", object1(t, map[string]any{"text": text})+object1(t, map[string]any{"html": html("银行", text)})))
	res, err := export.CheckFolder(t.Context(), &export.Folder{Dir: out}, nil)
	if err != nil || res.Records != 2 || res.Unknown > 0 || len(res.Problems) > 0 {
		t.Errorf("%+v, error %v", res, err)
	}
}
