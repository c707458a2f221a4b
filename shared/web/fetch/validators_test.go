package fetch_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/web/fetch"
)

func TestValidators(t *testing.T) {
	t.Parallel()
	const date = "Sun, 06 Nov 1994 08:49:37 GMT"
	longest := "Sun, 06 Nov 1994 08:49:37." + strings.Repeat("0", 170) + " GMT"
	tests := []struct {
		name, etag, modified string
		want                 http.Header // of the next request
	}{
		{name: "none"},
		{name: "strong", etag: `"a1-b2"`, want: http.Header{"If-None-Match": {`"a1-b2"`}}},
		{name: "weak", etag: `W/"a1"`, want: http.Header{"If-None-Match": {`W/"a1"`}}},
		{name: "empty tag", etag: `""`, want: http.Header{"If-None-Match": {`""`}}},
		{name: "date", modified: date, want: http.Header{"If-Modified-Since": {date}}},
		{
			name: "old form of a date", modified: "Sunday, 06-Nov-94 08:49:37 GMT",
			want: http.Header{"If-Modified-Since": {"Sunday, 06-Nov-94 08:49:37 GMT"}},
		},
		{
			name: "both", etag: `"x"`, modified: date,
			want: http.Header{"If-None-Match": {`"x"`}, "If-Modified-Since": {date}},
		},
		{name: "no quotes", etag: "a1"},
		{name: "one quote", etag: `"`},
		{name: "lower-case weakness", etag: `w/"a"`},
		{name: "a list", etag: `"a", "b"`},
		{name: "everything", etag: "*"},
		{name: "another header inside", etag: "\"a\r\nCookie: b\""},
		{name: "a space", etag: `"a b"`},
		{name: "a control at the end of ASCII", etag: "\"a\x7f\""},
		{name: "a control", etag: "\"a\x00\""},
		{name: "not ASCII", etag: `"é"`},
		{name: "endless", etag: `"` + strings.Repeat("a", 4000) + `"`},
		{name: "the longest", etag: `"` + strings.Repeat("a", 198) + `"`, want: http.Header{"If-None-Match": {`"` + strings.Repeat("a", 198) + `"`}}},
		{name: "the longest date", modified: longest, want: http.Header{"If-Modified-Since": {longest}}},
		{name: "a longer date", modified: strings.Replace(longest, " GMT", "0 GMT", 1)},
		{name: "no date", modified: "yesterday"},
		{name: "another header inside the date", modified: date + "\r\nCookie: b"},
		{name: "a seconds count", modified: "784111777"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			if tt.etag != "" {
				h.Set("ETag", tt.etag)
			}
			if tt.modified != "" {
				h.Set("Last-Modified", tt.modified)
			}
			if diff := cmp.Diff(tt.want, fetch.ValidatorsOf(h).Conditions()); diff != "" {
				t.Errorf("conditions (-want +got):\n%s", diff)
			}
			stored := fetch.Validators{ETag: tt.etag, LastModified: tt.modified}
			if diff := cmp.Diff(tt.want, stored.Conditions()); diff != "" {
				t.Errorf("conditions of what was stored unchecked (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidatorsOr(t *testing.T) {
	t.Parallel()
	old := fetch.Validators{ETag: `"1"`, LastModified: "Sun, 06 Nov 1994 08:49:37 GMT"}
	got := fetch.Validators{ETag: `"2"`}.Or(old)
	if want := (fetch.Validators{ETag: `"2"`, LastModified: old.LastModified}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The values of a conditional request are valid headers, for anything a server
// has sent.
func FuzzValidators(f *testing.F) {
	f.Add(`W/"a"`, "Sun, 06 Nov 1994 08:49:37 GMT")
	f.Add("\"a\r\nb\"", "Mon, 01 Jan 0001 00:00:00 GMT\n")
	f.Fuzz(func(t *testing.T, etag, modified string) {
		h := http.Header{"Etag": {etag}, "Last-Modified": {modified}}
		for name, values := range fetch.ValidatorsOf(h).Conditions() {
			for _, v := range values {
				if len(v) > 200 || strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
					t.Errorf("%s: %q", name, v)
				}
			}
		}
	})
}
