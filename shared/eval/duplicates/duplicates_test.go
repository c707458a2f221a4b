package duplicates

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"sluice/shared/fixture"
)

// article writes n sentences that no other seed writes.
func article(seed uint64, n int) string {
	draw := rand.New(rand.NewPCG(seed, 5))
	var b strings.Builder
	for range n {
		for range 20 {
			b.WriteRune(rune(0x4E00 + draw.IntN(1500)))
		}
		b.WriteString("。\n")
	}
	return b.String()
}

func articlesOf(n int) []Text {
	var texts []Text
	for i := range n {
		texts = append(texts, Text{fmt.Sprint("article/", i), article(uint64(i), 15+i%20)})
	}
	return texts
}

func pack(t *testing.T, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	long := article(1, 6)
	fixture.WriteFile(t, filepath.Join(dir, "html/daniel_zh/reference/one"), "<p>甲 &amp; 乙</p><p>"+long+"</p>")
	fixture.WriteFile(t, filepath.Join(dir, "html/daniel_zh/reference/short"), "<p>太短</p>")
	bulletin := "标题\n" + channel + "：" + long
	fixture.WriteFile(t, filepath.Join(dir, "text/xinwenlianbo.txt.zst"), pack(t, bulletin+bulletin))
	fixture.WriteFile(t, filepath.Join(dir, "text/laws.txt.zst"), pack(t, strings.Repeat("第一条。"+strings.Repeat("字", 120)+"\n", 5)))
	texts, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range texts {
		got = append(got, fmt.Sprint(x.Name, " ", utf8.RuneCountInString(x.Body)))
	}
	n := utf8.RuneCountInString(long)
	want := []string{
		fmt.Sprint("daniel_zh/one ", n+7), "laws/0 375", "laws/1 250",
		fmt.Sprint("xinwenlianbo/0 ", n+utf8.RuneCountInString(channel)+4), fmt.Sprint("xinwenlianbo/1 ", n+utf8.RuneCountInString(channel)+4),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("articles (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(texts[0].Body, "甲 & 乙\n") {
		t.Errorf("a reference begins %.20q", texts[0].Body)
	}
}

func TestLoadErrors(t *testing.T) {
	for _, tc := range []struct{ name, file, content, want string }{
		{name: "nothing", want: "holds neither"},
		{name: "no archive", file: "text/laws.txt.zst", content: "plain", want: "read "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if tc.file != "" {
				fixture.WriteFile(t, filepath.Join(dir, tc.file), tc.content)
			}
			if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Load = %v, want %q in it", err, tc.want)
			}
		})
	}
}

func TestCopiesAreWhatTheyAreCalled(t *testing.T) {
	text, other := article(1, 100), []rune(article(2, 100))
	n := float64(utf8.RuneCountInString(text))
	changed := func(got string) float64 {
		a, b := []rune(text), []rune(got)
		if len(a) != len(b) {
			t.Fatalf("%d characters, want %d", len(b), len(a))
		}
		different := 0.0
		for i := range a {
			if a[i] != b[i] {
				different++
			}
		}
		return different / n
	}
	draw := rand.New(rand.NewPCG(1, 1))
	if share := changed(replaced(text, 0.1, other, draw)); share < 0.08 || share > 0.12 {
		t.Errorf("replaced %.3f, want 0.1", share)
	}
	if share := changed(inRuns(text, 0.1, other, draw)); share < 0.08 || share > 0.105 {
		t.Errorf("replaced in runs %.3f, want 0.1", share)
	}
	if share := changed(inWords(text, 0.1, other, draw)); share < 0.07 || share > 0.12 {
		t.Errorf("replaced in words %.3f, want 0.1", share)
	}
	if share := changed(swapped(text, 0.1, draw)); share < 0.06 || share > 0.12 {
		t.Errorf("swapped %.3f, want 0.1", share)
	}
	if got := edited(text, 0.1, draw); got == text || utf8.RuneCountInString(got) < int(0.95*n) || utf8.RuneCountInString(got) > int(1.05*n) {
		t.Errorf("edited: %d characters of %.0f", utf8.RuneCountInString(got), n)
	}
	if got := traditional("发展汉语"); got == "发展汉语" || utf8.RuneCountInString(got) != 4 {
		t.Errorf("traditional: %q", got)
	}
	if got := framed("正文\n", draw); !strings.Contains(got, "\n正文\n") {
		t.Errorf("framed: %q", got)
	}
	if got := cropped("一二三四五六七八九十"); got != "一二三四五六七" {
		t.Errorf("cropped: %q", got)
	}
}

func TestFormsAreFilled(t *testing.T) {
	for _, f := range forms {
		a, b := f.fill(seeded("a")), f.fill(seeded("b"))
		if a == b || a != f.fill(seeded("a")) {
			t.Errorf("%s: fillings are not by seed", f.name)
		}
		if strings.ContainsAny(a, "{}") {
			t.Errorf("%s: %s", f.name, a)
		}
		if n := utf8.RuneCountInString(a); n < 100 || n > 600 {
			t.Errorf("%s has %d characters", f.name, n)
		}
	}
}

func TestJudge(t *testing.T) {
	articles := articlesOf(2 * len(kinds))
	articles = append(articles, Text{"article/natural", articles[1].Body + article(99, 3)})
	table, err := Judge(t.Context(), articles)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != len(kinds)+1 || table.Articles != len(articles) {
		t.Fatalf("%d rows of %d articles", len(table.Rows), table.Articles)
	}
	for _, r := range table.Rows {
		if r.Planted == 0 || !strings.Contains(r.Kind, " in ") && (r.Recall < 0.5 || r.Alone < 0.5) || r.Recall > 1 || r.Alone > 1 {
			t.Errorf("row %+v", r)
		}
	}
	if table.Natural == 0 || table.Precision < 0.7 || // forms with one fact weigh much among so few articles
		len(table.False) != table.Reported-table.True {
		t.Errorf("%d natural, %d of %d true, precision %v, %d false", table.Natural, table.True, table.Reported, table.Precision, len(table.False))
	}
	if b := table.Bulletins; b.Documents != len(forms)*(family+1) || b.Pairs != len(forms)*(family-1) || b.Kept < 0.9 {
		t.Errorf("bulletins %+v", b)
	}
	if c := table.Cost; c.Memory <= 0 || c.Index <= 0 || c.Candidates == 0 {
		t.Errorf("cost %+v", c)
	}
	again, err := Judge(t.Context(), articles)
	if err != nil {
		t.Fatal(err)
	}
	again.Cost.DocumentsPerSecond = table.Cost.DocumentsPerSecond
	if diff := cmp.Diff(table, again); diff != "" {
		t.Errorf("a second time (-first +second):\n%s", diff)
	}
}
