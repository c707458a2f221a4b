package corpus

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A date that is not known is empty, in documents and in rejects, and is read as
// it was written; other fields cannot pass for it.
func TestDates(t *testing.T) {
	const inText = `"date_fetched":"0001-01-01T00:00:00Z"`
	for _, tt := range []struct {
		name string
		at   time.Time
		text string
	}{
		{name: "unknown"},
		{"known", time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), "2026-11-21T08:00:00.000Z"},
		{"elsewhere, and more exactly", time.Date(2026, 11, 21, 8, 0, 0, 999, time.FixedZone("", -3600)), "2026-11-21T09:00:00.000Z"},
		{"the first second", time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC), "0001-01-01T00:00:01.000Z"},
		{"the last second", time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), "9999-12-31T23:59:59.000Z"},
		{"a year of five digits", time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -3600)), ""},
		{"before the first year", time.Date(1, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3600)), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.at.UTC().Truncate(time.Second)
			if tt.text == "" {
				want = time.Time{}
			}
			d := &Document{FinalURL: "http://a.test/", Title: inText, Text: inText, DateFetched: Date{tt.at}}
			line, err := d.AppendJSON([]byte(inText))
			if err != nil || strings.Count(string(line), `,"date_fetched":"`+tt.text+`",`) != 1 {
				t.Fatalf("line is %s, error %v; want the date %q", line, err, tt.text)
			}
			readDocument := Document{DateFetched: Date{time.Unix(1, 0)}}
			if err := json.Unmarshal(line[len(inText):], &readDocument); err != nil || !readDocument.DateFetched.Equal(want) || readDocument.Text != inText {
				t.Errorf("read are %v and %q, error %v; want %v", readDocument.DateFetched, readDocument.Text, err, want)
			}

			r := &Reject{URL: "http://a.test/", Rule: "x", Detail: `"date":"0001-01-01T00:00:00Z"`, Date: Date{tt.at}, OffTopic: &OffTopic{Text: "文", SampledOneIn: 4}}
			if line, err = r.AppendJSON(nil); err != nil || strings.Count(string(line), `,"date":"`+tt.text+`",`) != 1 {
				t.Fatalf("line is %s, error %v; want the date %q", line, err, tt.text)
			}
			r.V, r.Date = Version, Date{want}
			var readReject Reject
			if err := json.Unmarshal(line, &readReject); err != nil {
				t.Fatal(err)
			}
			readReject.Date = Date{readReject.Date.UTC()}
			if diff := cmp.Diff(r, &readReject); diff != "" {
				t.Errorf("reject (-was +is):\n%s", diff)
			}
		})
	}
}

// Records of earlier versions are read, and other lines are reported.
func TestReadDates(t *testing.T) {
	for text, want := range map[string]string{
		`{"date_fetched":"2026-11-21T07:00:00Z"}`: "2026-11-21T07:00:00Z",
		`{"date_fetched":"0001-01-01T00:00:00Z"}`: "0001-01-01T00:00:00Z",
		`{"date_fetched":null}`:                   "0001-01-01T00:00:00Z",
		`{}`:                                      "0001-01-01T00:00:00Z",
		`{"date_fetched":"gestern"}`:              "",
		`{"date_fetched":7}`:                      "",
		`{"text":7}`:                              "",
		`[]`:                                      "",
	} {
		var d Document
		err := json.Unmarshal([]byte(text), &d)
		if (err == nil) != (want != "") || err == nil && d.DateFetched.UTC().Format(time.RFC3339) != want {
			t.Errorf("%s is read as %v, error %v", text, d.DateFetched, err)
		}
	}
}
