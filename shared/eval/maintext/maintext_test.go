package maintext

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
)

const (
	headline = "博览会拟推迟一年举行"
	article  = "受疫情影响，博览会指导委员会昨日发布声明称，由于疫情仍在蔓延，原定于今年举行的博览会将考虑推迟一年举行。"
	index    = "id\thost\tdate\thtml_lang\n"
)

func pageOf(body string) string {
	return "<title>" + headline + "-新闻网</title><body><h1>" + headline + "</h1><div>" + body + "</div></body>"
}

func TestF1(t *testing.T) {
	tests := map[string]struct {
		a, b string
		want float64
	}{
		"the same":             {"甲乙丙丁戊", "甲乙丙丁戊", 1},
		"white space aside":    {"甲乙 丙丁\n戊", "甲　乙丙丁戊\u200b", 1},
		"half of one":          {"甲乙丙丁", "甲乙丙丁戊", 2.0 / 3},
		"nothing shared":       {"甲乙丙丁", "丁丙乙甲", 0},
		"counted as it occurs": {"一一一一一一", "一一一一", 0.5},
		"too short":            {"甲乙丙", "甲乙丙", 0},
		"empty":                {"", "", 0},
		"invalid UTF-8":        {"\xff\xfe\xfd\xfc", "\xff\xfe\xfd\xfc", 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := F1(tt.a, tt.b); math.Abs(got-tt.want) > 1e-12 {
				t.Errorf("F1 = %v, want %v", got, tt.want)
			}
			if F1(tt.a, tt.b) != F1(tt.b, tt.a) {
				t.Error("the order matters")
			}
		})
	}
}

func TestLoad(t *testing.T) {
	dir := fixture.Folder(t, map[string]string{
		"judged/index.tsv":    index + "a\tx.test\t20120117\tsimp\r\nb\t\t\ttrad\n20111215_www.northnews.cn_e23d84fd_\tx.test\t\tsimp\n",
		"judged/html/a":       "A",
		"judged/html/b":       "B",
		"judged/reference/a":  "<p>甲&amp;乙</p>\n<p>1 <2</p>",
		"judged/reference/b":  "<p>丙</p>",
		"saved/list/1.html":   "L",
		"saved/site/1.html":   "S",
		"saved/site/note.txt": "no page",
		"empty/note.txt":      "no page",
	})
	sets, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Set{
		{Name: "judged", Mismatched: 1, Pages: []Page{
			{Name: "a", URL: "http://x.test/", Date: time.Date(2012, 1, 17, 0, 0, 0, 0, time.UTC), Raw: []byte("A"), Reference: "甲&乙\n\n1 <2\n"},
			{Name: "b", URL: "http://page.invalid/", Raw: []byte("B"), Reference: "丙\n", Traditional: true},
		}},
		{Name: "saved", Pages: []Page{
			{Name: "list/1.html", URL: "http://page.invalid/", Raw: []byte("L"), List: true},
			{Name: "site/1.html", URL: "http://page.invalid/", Raw: []byte("S")},
		}},
	}
	if diff := cmp.Diff(want, sets); diff != "" {
		t.Errorf("sets (-want +got):\n%s", diff)
	}
	one, err := Load(filepath.Join(dir, "judged"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[:1], one); diff != "" {
		t.Errorf("a folder that is a set itself (-want +got):\n%s", diff)
	}
}

func TestLoadErrors(t *testing.T) {
	tests := map[string]struct {
		files map[string]string
		want  string
	}{
		"no sets":           {map[string]string{"note.txt": ""}, "neither an index.tsv nor folders"},
		"no page":           {map[string]string{"index.tsv": index}, "names no page"},
		"empty index":       {map[string]string{"index.tsv": ""}, "names no page"},
		"missing page":      {map[string]string{"set/index.tsv": index + "a\tx.test\t\tsimp\n"}, "line 2"},
		"missing reference": {map[string]string{"index.tsv": index + "a\n", "html/a": ""}, "line 2"},
		"path out of it":    {map[string]string{"index.tsv": index + "../a\n", "a": ""}, `id is "../a"`},
		"no id":             {map[string]string{"index.tsv": index + "\tx.test\n"}, `id is ""`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Load(fixture.Folder(t, tt.files))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
	if _, err := Load(filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("a folder that is not there is no error")
	}
}

func TestJudge(t *testing.T) {
	long := strings.Repeat("<p>"+article+"</p>", 1+longText/length(article))
	set := &Set{Name: "set", Mismatched: 2, Pages: []Page{
		{Name: "short", URL: "http://x.test/", Raw: []byte(pageOf("<p>" + article + "</p>")), Reference: headline + "\n" + article},
		{Name: "long", URL: "http://x.test/", Raw: []byte(pageOf(long)), Reference: headline + "\n" + referenceText(long), Traditional: true},
		{Name: "empty", URL: "http://x.test/", Raw: []byte(pageOf("")), Reference: headline + "\n" + article},
	}}
	got, err := Judge(set)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Groups[int]{All: 3, Simplified: 2, Traditional: 1, Short: 2, Long: 1}, got.Pages); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	for i, row := range got.Rows {
		if row.Method != Methods()[i] {
			t.Errorf("row %d is %s, want %s", i, row.Method, Methods()[i])
		}
		if row.F1.Traditional != 1 || row.F1.Long != 1 || row.F1.Short >= 1 {
			t.Errorf("%+v, want the page with text read and the other lost", row)
		}
		if row.Method != Readability && (row.Lost != 1 || row.Bare >= row.F1.All) {
			t.Errorf("%+v, want one page lost, and the headline to count", row)
		}
	}
	again, err := Judge(set)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, again); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
}

func TestAgree(t *testing.T) {
	list := "<ul>" + strings.Repeat("<li><a href=/a>一条新闻的标题，说了些什么</a></li>", 30) + "</ul>"
	text := pageOf(strings.Repeat("<p>"+article+"</p>", 4))
	got, err := Agree(&Set{Name: "saved", Pages: []Page{
		{Name: "list/1.html", URL: "http://x.test/", Raw: []byte(pageOf(list)), List: true},
		{Name: "list/2.html", URL: "http://x.test/", Raw: []byte(text), List: true},
		{Name: "a.html", URL: "http://x.test/", Raw: []byte(text)},
		{Name: "b.html", URL: "http://x.test/", Raw: []byte(pageOf("<video src=x></video>"))},
		{Name: "c.html", URL: "http://x.test/", Raw: []byte(pageOf(""))},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := &Agreement{
		Set: "saved", Pages: 3, Documents: 1, Media: 1, Lost: []string{"c.html"}, Apart: []string{},
		Lists: 2, TakenForLists: 1, TakenForText: []string{"list/2.html"},
	}
	want.F1.Methods, want.F1.Library, want.F1.Density = 1, 1, 1
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("agreement (-want +got):\n%s", diff)
	}
	if _, err := Agree(&Set{Pages: []Page{{Name: "picture", URL: "http://x.test/", Raw: []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")}}}); err == nil {
		t.Error("a picture is no error")
	}
}
