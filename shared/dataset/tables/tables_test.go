package tables_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"sluice/shared/crawl/records"
	"sluice/shared/dataset/tables"
	"sluice/shared/structure/template"
)

// gathered makes a folder of records by a template, one line a file.
func gathered(t *testing.T, lines ...string) string {
	t.Helper()
	tea, err := template.Parse("tea.yaml", []byte("name: tea\nfields:\n  title: {heading: true, labels: [品名]}\n  price: {type: price, labels: [价格]}\n  date: {type: date, labels: [日期]}\n  source_url: {labels: [来源]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	layer := filepath.Join(dir, "www.example.com", "detail")
	if err := os.MkdirAll(layer, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"schema.json": string(records.Schema(tea))}
	for i, line := range lines {
		files[string(rune('1'+i))+".jsonl"] = line + "\n"
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(layer, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	whole = `{"url":"https://www.example.com/1","position":0,"fields":{"title":"龙井, \"明前\"","price":{"value":"￥1,299.50","amount":1299.5,"most":null,"currency":"CNY"},"date":{"value":"3月5日","date":"2026-03-05"},"source_url":"茶园"},"source_url":"https://www.example.com/1?from=a","date_fetched":"2026-11-23T09:15:23.000Z","warc":{"file":"warc/00001.warc.gz","offset":7,"length":9}}`
	empty = `{"url":"","position":3,"fields":{"title":null,"price":null,"date":null,"source_url":null},"source_url":"https://www.example.com/2","date_fetched":"","warc":{"file":"warc/00002.warc.gz","offset":0,"length":1}}`
)

func TestCSV(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	res, err := tables.Run(t.Context(), gathered(t, whole, empty), out, tables.CSV)
	if err != nil {
		t.Fatal(err)
	}
	want := &tables.Result{Out: out, Format: "csv", Tables: []tables.Table{{File: "www.example.com/detail.csv", Rows: 2}}}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	got, err := os.ReadFile(filepath.Join(out, "www.example.com", "detail.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{
		"record_url,record_position,title,price,price_amount,price_most,price_currency,date,date_date,source_url_,source_url,date_fetched,warc_file,warc_offset,warc_length",
		`https://www.example.com/1,0,"龙井, ""明前""","￥1,299.50",1299.5,,CNY,3月5日,2026-03-05,茶园,https://www.example.com/1?from=a,2026-11-23T09:15:23.000Z,warc/00001.warc.gz,7,9`,
		",3,,,,,,,,,https://www.example.com/2,,warc/00002.warc.gz,0,1", "",
	}
	if diff := cmp.Diff(strings.Join(lines, "\n"), string(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What a spreadsheet would run is a text with an apostrophe; without it, it is the value.
func TestFormulas(t *testing.T) {
	t.Parallel()
	values := []struct{ text, want string }{
		{`=HYPERLINK("http://x","y")`, `'=HYPERLINK("http://x","y")`}, {"@SUM(A1)", "'@SUM(A1)"}, {"+1+1", "'+1+1"}, {"-2+3", "'-2+3"},
		{"-cmd", "'-cmd"}, {"＝1", "'＝1"}, {"'=1", "''=1"}, {"''@", "'''@"}, {"\t=1", "'\t=1"}, {"'-5", "''-5"},
		{"-5", "-5"}, {"+1,299.50", "+1,299.50"}, {"-20%", "-20%"}, {"'quoted'", "'quoted'"}, {"a=b", "a=b"}, {"", ""},
	}
	var lines []string
	for _, v := range values {
		fields, err := json.Marshal(map[string]string{"title": v.text})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf(`{"url":"","fields":%s}`, fields))
	}
	out := t.TempDir()
	if _, err := tables.Run(t.Context(), gathered(t, strings.Join(lines, "\n")), out, tables.CSV); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, "www.example.com", "detail.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile(`^'('*[=+\-@\t\r\n＝＋－＠])`)
	for i, v := range values {
		got := rows[i+1][2]
		if back := first.ReplaceAllString(got, "$1"); got != v.want || back != v.text {
			t.Errorf("%q is %q in the table and %q again, want %q", v.text, got, back, v.want)
		}
	}
}

func TestParquet(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	if _, err := tables.Run(t.Context(), gathered(t, whole, empty), out, tables.Parquet); err != nil {
		t.Fatal(err)
	}
	type row struct {
		Title    *string  `parquet:"title,optional"`
		Amount   *float64 `parquet:"price_amount,optional"`
		Position *int64   `parquet:"record_position,optional"`
	}
	rows, err := parquet.ReadFile[row](filepath.Join(out, "www.example.com", "detail.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	want := []row{{new("龙井, \"明前\""), new(1299.5), new(int64(0))}, {nil, nil, new(int64(3))}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestNoTables(t *testing.T) {
	t.Parallel()
	if _, err := tables.Run(t.Context(), t.TempDir(), t.TempDir(), tables.CSV); !errors.Is(err, tables.ErrNone) {
		t.Errorf("error %v, want ErrNone", err)
	}
	out := t.TempDir()
	if _, err := tables.Run(t.Context(), gathered(t, whole, "{"), out, tables.CSV); err == nil || !strings.Contains(err.Error(), "line 1 of 2.jsonl") {
		t.Errorf("error %v, want the broken line", err)
	}
	if left, _ := filepath.Glob(filepath.Join(out, "*", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
