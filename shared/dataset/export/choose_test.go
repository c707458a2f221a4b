package export

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sluice/shared/state/corpus"
	"sluice/shared/state/ledger"
)

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want %q", err, part)
		}
	}
}

// pairs is a Duplicates by which document 3n+1 repeats document 3n.
func pairs(string) (Duplicates, error) { return &everyThird{}, nil }

type everyThird struct{ n int64 }

func (e *everyThird) Add(*corpus.Document) error { e.n++; return nil }

func (e *everyThird) Find(_ context.Context, text func(int64) (string, error), repeated func(n, stays int64) error) error {
	for n := int64(1); n < e.n; n += 3 {
		if _, err := text(n); err != nil {
			return err
		}
		if err := repeated(n, n-1); err != nil {
			return err
		}
	}
	return nil
}

func (e *everyThird) Close() error { return nil }

// A record stays where the ledger points at it: not at another place, not at
// none, not at a page that did not stay.
func TestOnlyWhatIsDone(t *testing.T) {
	docs := someDocuments(5)
	f := crawlOf(t, docs...)
	b := doneWith(docs)
	b[docs[0].FinalURL].Offset++
	b[docs[1].FinalURL].Segment = "warc/00002.warc.gz"
	b[docs[2].FinalURL].Verdict = ledger.Rejected
	delete(b, docs[3].FinalURL)
	f.Ledger, f.Open = b, true
	res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{})
	diff(t, urlsOf(docs[4:]), urlsOf(readLines(t, res)))
	if res.Left.NotDone != 4 || res.Missing != 2 {
		t.Errorf("%d are not done, want 4; %d are missing, want 2", res.Left.NotDone, res.Missing)
	}
}

func TestMinRelevance(t *testing.T) {
	both, body, description, none := newDocument(0, 9), newDocument(1, 9), newDocument(2, 9), newDocument(3, 9)
	both.Relevance = corpus.Relevance{Description: 0.9, Body: 0.1}
	body.Relevance = corpus.Relevance{Description: 0.1, Body: 0.5}
	description.Relevance = corpus.Relevance{Description: 0.7}
	none.Relevance = corpus.Relevance{}
	opts := options(JSONL)
	opts.MinRelevance = 0.5
	res := mustRun(t, []*Folder{crawlOf(t, both, body, description, none)}, filepath.Join(t.TempDir(), "out"), opts, Tools{})
	diff(t, urlsOf([]*corpus.Document{body, description}), urlsOf(readLines(t, res)))
	if res.Left.Relevance != 2 {
		t.Errorf("%d are less relevant, want 2", res.Left.Relevance)
	}
}

// A repeat of a document says so or is left out, and is in the same split.
func TestDuplicates(t *testing.T) {
	docs := someDocuments(90)
	f := crawlOf(t, docs...)
	opts := options(JSONL)
	opts.Split = Split{0.4, 0.3, 0.3}
	res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "marked"), opts, Tools{Duplicates: pairs})
	split := map[string]string{}
	marked := map[string]*corpus.Document{}
	at := 0
	all := readLines(t, res)
	for _, s := range res.Shards {
		for _, d := range all[at : at+int(s.Records)] {
			split[d.ID], marked[d.ID] = s.Split, d
		}
		at += int(s.Records)
	}
	for i, d := range docs {
		want := ""
		if i%3 == 1 {
			want = docs[i-1].ID
		}
		if d.ID = corpus.DocumentID(d.FinalURL, 0); marked[d.ID] == nil || marked[d.ID].DuplicateOf != want {
			t.Errorf("document %d: %+v, want it to repeat %q", i, marked[d.ID], want)
		}
		if want != "" && split[d.ID] != split[want] {
			t.Errorf("document %d is for %s, what it repeats for %s", i, split[d.ID], split[want])
		}
	}
	if res.Repeats != 30 || len(res.Splits) != 3 {
		t.Errorf("%d repeat others in %d splits; want 30, 3", res.Repeats, len(res.Splits))
	}

	opts.Dedupe, opts.Split = true, Split{}
	res = mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "without"), opts, Tools{Duplicates: pairs})
	for i, d := range readLines(t, res) {
		if d.FinalURL != docs[i/2*3+i%2*2].FinalURL || d.DuplicateOf != "" {
			t.Errorf("document %d is %s, a copy of %q", i, d.FinalURL, d.DuplicateOf)
		}
	}
	if res.Records != 60 || res.Left.Duplicates != 30 {
		t.Errorf("%d records, %d left out; want 60, 30", res.Records, res.Left.Duplicates)
	}
}

// siftedFolder is a folder without a ledger, with a file of each list.
func siftedFolder(t *testing.T, files ...[]*corpus.Document) *Folder {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, corpus.DocumentFolder), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, docs := range files {
		var text []byte
		for _, d := range docs {
			var err error
			if text, err = d.AppendJSON(text); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, corpus.DocumentFolder, fmt.Sprintf("%d.jsonl", i)), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &Folder{Dir: dir}
}

// A document that several archives hold is in a dataset once, by the first.
func TestOnceInADataset(t *testing.T) {
	first, again, other := newDocument(1, 300), newDocument(1, 300), newDocument(2, 300)
	again.Text, again.WARC = newDocument(3, 300).Text, corpus.Location{File: "b.warc.gz", Offset: 7, Length: 9}
	f := siftedFolder(t, []*corpus.Document{first}, []*corpus.Document{other, again, other})
	opts := options(JSONL)
	for _, tools := range []Tools{{}, {Duplicates: NearDuplicates}} {
		res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "out"), opts, tools)
		docs := readLines(t, res)
		diff(t, urlsOf([]*corpus.Document{first, other}), urlsOf(docs))
		if docs[0].Text != first.Text || docs[0].DuplicateOf != "" || res.Left.Again != 2 || res.Left.Elsewhere != 0 {
			t.Errorf("%+v left out; the first one repeats %q", res.Left, docs[0].DuplicateOf)
		}
	}
	res := mustRun(t, []*Folder{f, siftedFolder(t, []*corpus.Document{again, newDocument(4, 9)})}, filepath.Join(t.TempDir(), "out"), opts, Tools{})
	if res.Records != 3 || res.Left.Again != 2 || res.Left.Elsewhere != 1 {
		t.Errorf("of two folders: %d records, %+v left out", res.Records, res.Left)
	}
}

// A record that does not say when it was fetched is empty there in every format,
// and counts for no date.
func TestUnknownDates(t *testing.T) {
	known, unknown := newDocument(1, 30), newDocument(2, 30)
	unknown.DateFetched, unknown.DatePublished = corpus.Date{}, ""
	f := siftedFolder(t, []*corpus.Document{unknown, known})
	old := strings.Replace(corpusLines(t, f.Dir), `"date_fetched":""`, `"date_fetched":"0001-01-01T00:00:00Z"`, 1)
	if err := os.WriteFile(filepath.Join(f.Dir, corpus.DocumentFolder, "0.jsonl"), []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, format := range []Format{JSONL, Parquet} {
		res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(format), Tools{})
		shard := filepath.Join(res.Out, res.Shards[0].Name)
		var records, dates []any
		if format == JSONL {
			for l := range strings.Lines(unpack(t, shard)) {
				records = append(records, decoded(t, []byte(l)))
			}
		} else {
			row, err := recordType()
			if err != nil {
				t.Fatal(err)
			}
			records = rowsOf(t, shard, row)
		}
		for _, r := range records {
			if fields, ok := r.(map[string]any); ok {
				dates = append(dates, fields["date_fetched"])
			}
		}
		diff(t, []any{"", "2026-11-21T08:01:00.000Z"}, dates)
		card, err := os.ReadFile(filepath.Join(res.Out, CardFile))
		if err != nil || !strings.Contains(string(card), "| fetched, where that is known | 2026-11-21 | 2026-11-21 |") {
			t.Errorf("the card's dates: %s, error %v", card, err)
		}
	}
}

// Copies are found across folders, by their texts.
func TestNearDuplicates(t *testing.T) {
	a, b := someDocuments(12), someDocuments(12)
	for i, d := range b {
		if d.FinalURL += "?again"; i >= 6 {
			d.Text = newDocument(100+i, 300).Text
		}
	}
	folders := []*Folder{crawlOf(t, a[2:]...), crawlOf(t, b[2:]...)} // the first ones are short
	opts := options(JSONL)
	opts.Dedupe = true
	res := mustRun(t, folders, filepath.Join(t.TempDir(), "out"), opts, Tools{Duplicates: NearDuplicates})
	if res.Left.Duplicates != 4 || res.Records != 16 {
		t.Errorf("%d repeat others, %d stay; want 4, 16", res.Left.Duplicates, res.Records)
	}
}

// If no one looks for repeats, the marks of the records count.
func TestMarksOfTheRecords(t *testing.T) {
	docs := someDocuments(3)
	docs[1].DuplicateOf = corpus.DocumentID(docs[0].FinalURL, 0)
	opts := options(JSONL)
	f := crawlOf(t, docs...)
	res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "marked"), opts, Tools{})
	if res.Records != 3 || res.Repeats != 1 {
		t.Errorf("%d records, %d repeat others; want 3, 1", res.Records, res.Repeats)
	}
	opts.Dedupe = true
	res = mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "without"), opts, Tools{})
	if res.Records != 2 || res.Left.Duplicates != 1 {
		t.Errorf("%d records, %d left out; want 2, 1", res.Records, res.Left.Duplicates)
	}
}

func TestMarkRefusesNonsense(t *testing.T) {
	x := &index{rows: 3}
	for _, m := range [][2]int64{{-1, 0}, {3, 0}, {0, 3}, {0, -1}, {1, 1}} {
		if x.mark(m[0], m[1]) == nil {
			t.Errorf("row %d repeats row %d", m[0], m[1])
		}
	}
}

func TestRows(t *testing.T) {
	want := row{Folder: 1, File: 2, Length: 3, Offset: 1 << 40, Sum: 5, ID: [16]byte{6, 7}, Stays: 8}
	b, err := binary.Append(nil, binary.LittleEndian, &want)
	if err != nil || len(b) != rowSize || parseRow(b) != want {
		t.Errorf("%d bytes, %+v, error %v", len(b), parseRow(b), err)
	}
}

func TestParseSplit(t *testing.T) {
	for _, test := range []struct {
		in   string
		want Split
		bad  string
	}{
		{in: "0.98,0.01,0.01", want: Split{0.98, 0.01, 0.01}},
		{in: " 1, 0 ,0", want: Split{1, 0, 0}},
		{in: "0.5,0.5", bad: "want TRAIN,VALIDATION,TEST"},
		{in: "", bad: "want TRAIN"},
		{in: "a,b,c", bad: "is not a share"},
		{in: "2,-1,0", bad: "is not a share"},
		{in: "NaN,0,1", bad: "is not a share"},
		{in: "0.5,0.1,0.1", bad: "add up to 0.7"},
		{in: "0.1,0.2,0", bad: "add up to 0.3, not 1"},
		{in: "0,0.5,0.5", bad: "nothing is left for training"},
	} {
		got, err := ParseSplit(test.in)
		if test.bad != "" {
			wantError(t, err, test.bad)
		} else if err != nil || got != test.want {
			t.Errorf("%q: %v, %v", test.in, got, err)
		}
	}
}

func mustHex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Ids are spread evenly, so the shares come out.
func TestSplitShares(t *testing.T) {
	split := Split{0.9, 0.06, 0.04}
	n := map[string]int{}
	for i := range 20_000 {
		d := newDocument(i, 0)
		r := row{}
		copy(r.ID[:], mustHex(t, corpus.DocumentID(d.FinalURL, 0)))
		n[split.of(r.ID)]++
	}
	for name, want := range map[string]int{trainSplit: 18_000, validationSplit: 1200, testSplit: 800} {
		if d := n[name] - want; d < -150 || d > 150 {
			t.Errorf("%s has %d of 20000, want about %d", name, n[name], want)
		}
	}
	last := [16]byte{255, 255, 255, 255, 255, 255, 255, 255}
	for s, want := range map[Split]string{{1, 0, 0}: trainSplit, {0.5, 0.5 - 1e-12, 0}: validationSplit, {0.3, 0.3, 0.4}: testSplit, {}: trainSplit} {
		if got := s.of(last); got != want {
			t.Errorf("%v: the last id is for %s, want %s", s, got, want)
		}
	}
}
