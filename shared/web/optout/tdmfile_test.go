package optout

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/web/pathmatch"
	"sluice/shared/web/robotstxt"
)

func TestTDMFile(t *testing.T) {
	const report = `[
		{"location": "/directory-a/", "tdm-reservation": 1},
		{"location": "/directory-b/html/", "tdm-reservation": 1, "tdm-policy": "https://provider.com/policies/policy.json"},
		{"location": "/directory-b/images/*.jpg", "tdm-reservation": 0}]`
	tests := []struct {
		name, file string
		want       map[string]string // Reservation.String by path
	}{
		{"the report's example", report, map[string]string{
			"/": "", "/directory-a/x.pdf": "1", "/directory-b/html/": "1 https://provider.com/policies/policy.json",
			"/directory-b/images/a.jpg": "0", "/Directory-a/": "",
		}},
		{"everything", `[{"location":"/","tdm-reservation":1}]`, map[string]string{"/": "1", "/a?b": "1"}},
		{"the first that matches", `[{"location":"/","tdm-reservation":0},{"location":"/a","tdm-reservation":1}]`, map[string]string{"/a": "0"}},
		{"wildcards", `[{"location":"/*/b$","tdm-reservation":1}]`, map[string]string{"/a/b": "1", "/a/b/c": ""}},
		{"escapes", `[{"location":"/%e6%96%b0","tdm-reservation":1}]`, map[string]string{"/新": "1"}},
		{"as a string", `[{"location":"/","tdm-reservation":"1"}]`, map[string]string{"/": "1"}},
		{"as a boolean", `[{"location":"/","tdm-reservation":true}]`, map[string]string{"/": "1"}},
		{"a rule alone", `{"location":"/","tdm-reservation":1}`, map[string]string{"/": "1"}},
		{"mark", "\ufeff[{\"location\":\"/\",\"tdm-reservation\":1}]", map[string]string{"/": "1"}},
		{"whole URL", `[{"location":"https://a.test/b","tdm-reservation":1}]`, map[string]string{"/b": "1", "/": ""}},
		{"no slash", `[{"location":"b/","tdm-reservation":1}]`, map[string]string{"/b/": "1", "/": ""}},
		{"no such value", `[{"location":"/","tdm-reservation":2},{"location":"/","tdm-reservation":1}]`, map[string]string{"/": "1"}},
		{"no location", `[{"tdm-reservation":1}]`, map[string]string{"/": ""}},
		{"odd entries", `[7,null,{"location":7},{"location":"/","tdm-reservation":{"a":1}},{"location":"/","tdm-reservation":1}]`, map[string]string{"/": "1"}},
		{"broken off", `[{"location":"/","tdm-reservation":1},{"loc`, map[string]string{"/": "1"}},
		{"HTML", "<!DOCTYPE html>", map[string]string{"/": ""}},
		{"empty", "", map[string]string{"/": ""}},
		{"deep", strings.Repeat("[", 200_000), map[string]string{"/": ""}},
		{"deep inside", `[{"location":"/","x":` + strings.Repeat(`{"a":`, 50_000), map[string]string{"/": ""}},
		{"too long", `[{"location":"/","tdm-reservation":1},` + strings.Repeat(" ", robotstxt.MaxFile) + `{"location":"/","tdm-reservation":0}]`, map[string]string{"/": "1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := ParseTDMFile([]byte(tt.file))
			got := map[string]string{}
			for path := range tt.want {
				got[path] = f.For(pathmatch.Path(path)).String()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("reservations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTDMFileBound(t *testing.T) {
	var b strings.Builder
	b.WriteString("[")
	for i := range 2 * maxRules {
		fmt.Fprintf(&b, `{"location":"/%d$","tdm-reservation":1},`, i)
	}
	f := ParseTDMFile([]byte(b.String()))
	if len(f.rules) != maxRules {
		t.Errorf("%d rules are kept, want %d", len(f.rules), maxRules)
	}
}

func FuzzTDMFile(f *testing.F) {
	f.Add([]byte(`[{"location":"/a*$","tdm-reservation":1,"tdm-policy":"https://a.test/p"},{"location":"*","tdm-reservation":"0"}]`), "/ab")
	f.Add([]byte(`{"location":"http://a.test/%e6","tdm-reservation":true}`), "https://a.test/æ")
	f.Fuzz(func(t *testing.T, body []byte, url string) {
		file := ParseTDMFile(body)
		stored, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		again := new(TDMFile)
		if err := json.Unmarshal(stored, again); err != nil {
			t.Fatalf("%s: %v", stored, err)
		}
		path := pathmatch.Path(url)
		if before, after := file.For(path).String(), again.For(path).String(); before != after {
			t.Errorf("%q for %q, after storing %q", before, path, after)
		}
	})
}
