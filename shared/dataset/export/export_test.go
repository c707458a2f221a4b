package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sluice/shared/state/corpus"
)

// JSON lines are those of the corpus, byte for byte.
func TestLinesStayAsTheyAre(t *testing.T) {
	docs := someDocuments(300)
	f := crawlOf(t, docs...)
	res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(JSONL), Tools{})
	var all strings.Builder
	for _, s := range res.Shards {
		all.WriteString(unpack(t, filepath.Join(res.Out, s.Name)))
	}
	diff(t, corpusLines(t, f.Dir), all.String())
	characters := int64(0)
	for _, d := range docs {
		characters += count(d.Text)
	}
	if res.Records != 300 || res.Characters != characters || res.Indexed != 300 || len(res.Shards) < 3 {
		t.Errorf("%d records, %d characters, %d indexed, %d shards; want 300, %d, 300, some", res.Records, res.Characters, res.Indexed, len(res.Shards), characters)
	}
	for _, s := range res.Shards[:len(res.Shards)-1] {
		if s.Bytes < 8_000 {
			t.Errorf("%s has %d bytes: it ended early", s.Name, s.Bytes)
		}
	}
}

// Each row says what the line says, field by field.
func TestRowsSayWhatLinesSay(t *testing.T) {
	for _, format := range []Format{Parquet, HF} {
		t.Run(string(format), func(t *testing.T) {
			f := crawlOf(t, someDocuments(40)...)
			res := mustRun(t, []*Folder{f}, filepath.Join(t.TempDir(), "out"), options(format), Tools{})
			row, err := recordType()
			if err != nil {
				t.Fatal(err)
			}
			var have []any
			for _, s := range res.Shards {
				have = append(have, rowsOf(t, filepath.Join(res.Out, s.Name), row)...)
			}
			var want []any
			for l := range strings.Lines(corpusLines(t, f.Dir)) {
				want = append(want, decoded(t, []byte(l)))
			}
			diff(t, want, have)
			if len(res.Shards) < 2 {
				t.Errorf("%d shards, want some", len(res.Shards))
			}
		})
	}
}

// rowsOf reads a Parquet file as JSON.
func rowsOf(t *testing.T, name string, row reflect.Type) []any {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r := parquet.NewReader(bytes.NewReader(data), parquet.SchemaOf(reflect.New(row).Interface()))
	var rows []any
	for range r.NumRows() {
		v := reflect.New(row)
		if err := r.Read(v.Interface()); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, decoded(t, data))
	}
	return rows
}

// decoded is a JSON value with empty lists for those that a reader leaves nil.
func decoded(t *testing.T, data []byte) any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	fillLists(v)
	return v
}

func fillLists(m map[string]any) {
	for k, v := range m {
		switch v := v.(type) {
		case nil:
			m[k] = []any{}
		case map[string]any:
			fillLists(v)
		}
	}
}

func TestTexts(t *testing.T) {
	a, b, c, d := newDocument(1, 0), newDocument(2, 0), newDocument(3, 0), newDocument(4, 0)
	a.Text, b.Text, c.Text, d.Text = "一\n\n \n二\n", "three\n", " \n", "  四 4\n五"
	res := mustRun(t, []*Folder{crawlOf(t, a, b, c, d)}, filepath.Join(t.TempDir(), "out"), options(Text), Tools{})
	diff(t, "一\n二\n\nthree\n\n四 4\n五\n", unpack(t, filepath.Join(res.Out, res.Shards[0].Name)))
	if res.Records != 3 || res.Left.NoText != 1 {
		t.Errorf("%d records, %d without text; want 3, 1", res.Records, res.Left.NoText)
	}
}

// An empty dataset can be read, too.
func TestNothing(t *testing.T) {
	for _, format := range Formats() {
		t.Run(string(format), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "corpus"), 0o755); err != nil {
				t.Fatal(err)
			}
			res := mustRun(t, []*Folder{{Dir: dir}}, filepath.Join(t.TempDir(), "out"), options(format), Tools{})
			if res.Records != 0 || len(res.Shards) != 1 || res.Shards[0].Bytes == 0 {
				t.Errorf("%+v: want one shard without records", res.Shards)
			}
		})
	}
}

// The columns are the fields of the record, in its order.
func TestColumnsAreTheFields(t *testing.T) {
	row, err := recordType()
	if err != nil {
		t.Fatal(err)
	}
	line, err := new(corpus.Document).AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	dec := json.NewDecoder(strings.NewReader(string(line)))
	for depth := 0; ; {
		token, err := dec.Token()
		if err != nil {
			break
		}
		switch token := token.(type) {
		case json.Delim:
			if depth++; token == '}' || token == ']' {
				depth -= 2
			}
		case string:
			if depth == 1 {
				want = append(want, token)
				skipValue(t, dec)
			}
		}
	}
	var have []string
	for i := range row.NumField() {
		have = append(have, row.Field(i).Tag.Get("json"))
	}
	diff(t, want, have)
}

func skipValue(t *testing.T, dec *json.Decoder) {
	t.Helper()
	var v json.RawMessage
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
}

func TestColumnTypes(t *testing.T) {
	type inner struct {
		N []int `json:"n"`
	}
	type embedded struct {
		E string `json:"e"`
	}
	type good struct {
		embedded
		List []inner `json:"list"`
		Skip string  `json:"-"`
		Ptr  *inner  `json:"ptr,omitempty"`
		Bare bool
	}
	row, err := columnType(reflect.TypeFor[good]())
	if err != nil {
		t.Fatal(err)
	}
	want := `struct { E string "json:\"e\" parquet:\"e\""; List []struct { N []int64 "json:\"n\" parquet:\"n,list\"" } "json:\"list\" parquet:\"list,list\""; ` +
		`Ptr struct { N []int64 "json:\"n\" parquet:\"n,list\"" } "json:\"ptr\" parquet:\"ptr\""; Bare bool "json:\"Bare\" parquet:\"Bare\"" }`
	diff(t, want, row.String())
	for _, bad := range []reflect.Type{reflect.TypeFor[struct{ M map[string]int }](), reflect.TypeFor[[]chan int](), reflect.TypeFor[json.RawMessage]()} {
		if _, err := columnType(bad); err == nil {
			t.Errorf("%v is a column", bad)
		}
	}
}

// The same folders and options give the same bytes, at any path.
func TestSameBytes(t *testing.T) {
	for _, format := range Formats() {
		t.Run(string(format), func(t *testing.T) {
			opts := options(format)
			opts.Split = Split{0.6, 0.2, 0.2}
			var trees []map[string]string
			crawl := crawlOf(t, someDocuments(50)...)
			for range 2 {
				f := &Folder{Dir: filepath.Join(t.TempDir(), "crawl")}
				if err := os.CopyFS(f.Dir, os.DirFS(crawl.Dir)); err != nil {
					t.Fatal(err)
				}
				out := filepath.Join(f.Dir, FolderName, string(format))
				mustRun(t, []*Folder{f}, out, opts, Tools{})
				trees = append(trees, tree(t, out))
			}
			sameTrees(t, trees[0], trees[1])
		})
	}
}

// A second start leaves a dataset alone that is complete, and refuses to make
// another one of it.
func TestSecondStart(t *testing.T) {
	more := newDocument(99, 50)
	for _, test := range []struct {
		name   string
		change func(t *testing.T, f *Folder, opts *Options)
		want   string // in the error; "" for none
	}{
		{"nothing", func(*testing.T, *Folder, *Options) {}, ""},
		{"format", func(_ *testing.T, _ *Folder, o *Options) { o.Format = Text }, "format is jsonl, not text"},
		{"relevance", func(_ *testing.T, _ *Folder, o *Options) { o.MinRelevance = 0.5 }, "least relevance is 0, not 0.5"},
		{"dedupe", func(_ *testing.T, _ *Folder, o *Options) { o.Dedupe = true }, "duplicates is false, not true"},
		{"split", func(_ *testing.T, _ *Folder, o *Options) { o.Split = Split{0.5, 0.5, 0} }, "split is none, not 0.5,0.5,0"},
		{"shards", func(_ *testing.T, _ *Folder, o *Options) { o.ShardSize = 9000 }, "shard size is 8000, not 9000"},
		{"sluice", func(_ *testing.T, _ *Folder, o *Options) { o.Sluice = "2" }, "sluice is test, not 2"},
		{"crawl", func(_ *testing.T, f *Folder, _ *Options) { f.Crawl = &Crawl{Fetched: 1} }, "the crawl has gone on since"},
		{"file", func(t *testing.T, f *Folder, _ *Options) { writeLine(t, f, "corpus/77777.jsonl", more) }, "corpus/77777.jsonl is new"},
		{"line", func(t *testing.T, f *Folder, _ *Options) { writeLine(t, f, "corpus/00001.jsonl", more) }, "corpus/00001.jsonl had"},
		{"no file", func(t *testing.T, f *Folder, _ *Options) { remove(t, f.Dir, "rejects/00001.jsonl") }, "rejects/00001.jsonl is gone"},
		{"a byte", func(t *testing.T, f *Folder, _ *Options) { flip(t, f.Dir, "corpus/00001.jsonl", 100) }, "corpus/00001.jsonl is another file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := crawlOf(t, someDocuments(20)...)
			out := filepath.Join(t.TempDir(), "out")
			opts := options(JSONL)
			mustRun(t, []*Folder{f}, out, opts, Tools{})
			before := tree(t, out)
			test.change(t, f, &opts)
			res, err := Run(t.Context(), []*Folder{f}, out, opts, Tools{})
			switch {
			case test.want == "" && (err != nil || !res.Unchanged):
				t.Errorf("error %v, result %+v; want it unchanged", err, res)
			case test.want != "" && (!errors.Is(err, ErrOther) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want %q", err, test.want)
			}
			sameTrees(t, before, tree(t, out))
		})
	}
}

func writeLine(t *testing.T, f *Folder, name string, d *corpus.Document) {
	t.Helper()
	line, err := d.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	writeBytes(t, f, name, string(line))
}

// writeBytes adds to a file.
func writeBytes(t *testing.T, f *Folder, name, text string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(f.Dir, name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err == nil {
		_, err = file.WriteString(text)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

// flip changes a bit of a file, at a byte counted from its end where at is
// negative.
func flip(t *testing.T, dir, name string, at int) {
	t.Helper()
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[(at+len(data))%len(data)] ^= 1
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// What is not an export's is not written into.
func TestForeignFolder(t *testing.T) {
	f := crawlOf(t, someDocuments(3)...)
	if _, err := Run(t.Context(), []*Folder{f}, f.Dir, options(JSONL), Tools{}); !errors.Is(err, ErrForeign) {
		t.Errorf("into the crawl's own folder: %v", err)
	}
	for name, folders := range map[string][]*Folder{
		"none": nil, "no corpus": {{Dir: t.TempDir()}}, "twice": {f, {Dir: f.Dir + "/../crawl"}}, "nowhere": {{Dir: filepath.Join(f.Dir, "x")}},
	} {
		if _, err := Run(t.Context(), folders, filepath.Join(t.TempDir(), "o"), options(JSONL), Tools{}); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Run(t.Context(), []*Folder{f}, t.TempDir(), Options{Format: "csv"}, Tools{}); err == nil {
		t.Error("there is a format csv")
	}
}
