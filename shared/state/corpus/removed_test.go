package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

var removedAt = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// inPlace returns the replacement of a record.
func inPlace(t *testing.T, member []byte, length int64) []*Record {
	t.Helper()
	if int64(len(member)) != length {
		t.Fatalf("%d bytes in the place of %d", len(member), length)
	}
	var records []*Record
	for rec, err := range ReadWARC(bytes.NewReader(member)) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, rec)
	}
	return records
}

// A removed record is replaced by one of any length; too little room is an
// error.
func TestAppendRemoved(t *testing.T) {
	least := int64(0)
	for n := int64(0); n < 1000; n++ {
		rec := &Record{ID: "<urn:uuid:1>", Length: n}
		member, err := AppendRemoved([]byte("before"), rec, removedAt)
		if err != nil {
			if !errors.Is(err, errNoRoom) || least != 0 {
				t.Fatalf("%d bytes: %v", n, err)
			}
			continue
		}
		if least == 0 {
			least = n
		}
		got := inPlace(t, bytes.TrimPrefix(member, []byte("before")), n)
		if len(got) != 1 || got[0].Type != "metadata" || got[0].ContentType != removedType || got[0].TargetURI != "" || got[0].ID == rec.ID {
			t.Fatalf("%d bytes: %+v", n, got)
		}
	}
	if least == 0 || least > 300 {
		t.Errorf("the smallest record has %d bytes, want at most 300", least)
	}
	for _, n := range []int64{65535, 65540, 65558, 65563, 65564, 131070, 131098, 1 << 20} {
		for d := int64(-6); d <= 6; d++ {
			rec := &Record{ID: "<urn:uuid:1>", Length: n + d}
			member, err := AppendRemoved(nil, rec, removedAt)
			if err != nil {
				t.Fatal(err)
			}
			got := inPlace(t, member, rec.Length)
			if len(got) != 1 || got[0].Header.Get("WARC-Block-Digest") != digest(got[0].Block) || !bytes.HasPrefix(got[0].Block, []byte("Removed: <urn:uuid:1>  ")) {
				t.Fatalf("%d bytes: %+v", n+d, got)
			}
		}
	}
}

// There is room in the place of every record that this package writes.
func TestEveryRecordCanBeRemoved(t *testing.T) {
	enc := new(Encoder)
	x := &Exchange{URL: "http://a.cn/", Date: removedAt, RequestHead: []byte("GET / HTTP/1.1\r\n\r\n"), ResponseHead: []byte("HTTP/1.1 200 OK\r\n\r\n"), Metadata: []byte("{}")}
	data, _ := AppendExchange(nil, x, enc)
	data, _ = AppendDecisions(data, [][]byte{[]byte("{}")}, removedAt, enc)
	data, _, err := AppendReject(data, &Reject{URL: "http://a.cn/", Rule: "a"}, enc)
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range ReadWARC(bytes.NewReader(data)) {
		if err != nil {
			t.Fatal(err)
		}
		member, err := AppendRemoved(nil, rec, removedAt)
		if err != nil {
			t.Errorf("%s: %v", rec.Type, err)
			continue
		}
		inPlace(t, member, rec.Length)
	}
}

// A metadata record gets another block in the room it has: a small remainder is
// a comment, a large one a separate record, and with too little room the record
// is removed.
func TestAppendEdited(t *testing.T) {
	lines := func(n int) (list [][]byte) {
		for i := range n {
			list = append(list, fmt.Appendf(nil, `{"link":{"url":"http://a.cn/%d"}}`, i*i*7919))
		}
		return list
	}
	enc := new(Encoder)
	for _, tt := range []struct {
		name       string
		had, stay  int
		wantBlocks []int // lines of each record
	}{
		{"all but one of many", 2000, 1, []int{1, 0}},
		{"all but one", 40, 39, []int{39}},
		{"as many", 40, 40, []int{40}},
		{"more than there were", 1, 40, []int{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			data, _ := AppendDecisions(nil, lines(tt.had), removedAt, enc)
			before := inPlace(t, data, int64(len(data)))[0]
			block := append(bytes.Join(lines(tt.stay), []byte("\n")), '\n')
			member, err := AppendEdited(nil, before, block, removedAt)
			if err != nil {
				t.Fatal(err)
			}
			after := inPlace(t, member, before.Length)
			var got []int
			for _, rec := range after {
				got = append(got, len(rec.Decisions()))
				if rec.Header.Get("WARC-Block-Digest") != digest(rec.Block) {
					t.Errorf("digest of %s does not hold", rec.ID)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.wantBlocks) {
				t.Fatalf("records of %v lines, want %v", got, tt.wantBlocks)
			}
			if got[0] > 0 && (after[0].ID != before.ID || !after[0].Date.Equal(before.Date)) {
				t.Errorf("it is %s of %s, want %s of %s", after[0].ID, after[0].Date, before.ID, before.Date)
			}
		})
	}
}

// The replacement fills any room.
func FuzzAppendEdited(f *testing.F) {
	f.Add(10, "{}", int64(0))
	f.Add(400, "{}", int64(3))
	f.Add(70000, "{}\n{}", int64(250))
	enc := new(Encoder)
	f.Fuzz(func(t *testing.T, had int, block string, more int64) {
		if had < 0 || had > 1<<20 || more < 0 || more > 1<<17 {
			t.Skip()
		}
		data, _ := AppendDecisions(nil, [][]byte{[]byte(strings.Repeat("x", had))}, removedAt, enc)
		before := inPlace(t, data, int64(len(data)))[0]
		before.Length += more
		member, err := AppendEdited(nil, before, []byte(block), removedAt)
		if err != nil {
			t.Fatal(err)
		}
		inPlace(t, member, before.Length)
	})
}
