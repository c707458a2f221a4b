package sheet

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/eval/metric"
)

func TestSample(t *testing.T) {
	draw := func(seed uint64) string {
		t.Helper()
		s := NewSample(10, seed)
		for i := range 1000 {
			s.Add(fmt.Sprintf("http://x.test/%d", i), "标题", "正文")
		}
		if s.Len() != 10 || s.Seen() != 1000 {
			t.Fatalf("drew %d of %d", s.Len(), s.Seen())
		}
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first := draw(1)
	if again := draw(1); again != first {
		t.Error("the same seed draws another sheet")
	}
	if other := draw(2); other == first {
		t.Error("another seed draws the same sheet")
	}
	result, err := Read(strings.NewReader(first))
	if err != nil || result.Unmarked != 10 || result.Marked != 0 {
		t.Errorf("Read = %+v, %v", result, err)
	}
}

// Each document has the same chance, the first and the last, too.
func TestSampleIsFair(t *testing.T) {
	hits := make([]int, 20)
	for seed := range uint64(4000) {
		s := NewSample(5, seed)
		for i := range hits {
			s.Add(fmt.Sprintf("http://x.test/%d", i), "", "")
		}
		for i := range hits {
			if strings.Contains(strings.Join(s.rows, "\n")+"\n", fmt.Sprintf("/%d\t", i)) {
				hits[i]++
			}
		}
	}
	for i, n := range hits { // 1000 on average, standard deviation 27
		if n < 860 || n > 1140 {
			t.Errorf("document %d was drawn %d times of 4000, want about 1000", i, n)
		}
	}
}

func TestField(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"plain", "财经 新闻", "财经 新闻"},
		{"white space", " a\t b\r\n\u3000c ", "a b c"},
		{"formula", "=HYPERLINK(1)", "'=HYPERLINK(1)"},
		{"sign", "-1", "'-1"},
		{"control", "a\x1b[31m\u202eb", "a\uFFFD[31m\uFFFDb"},
		{"cut", strings.Repeat("字", 300), strings.Repeat("字", 200)},
	} {
		if got := field(test.text, excerpt); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestRead(t *testing.T) {
	const text = "\uFEFFmark\turl\ttitle\ttext\r\n" +
		"1\thttp://a.test/1\tx\ty\r\n" +
		"\r\n" +
		"是\thttp://A.test/2\r\n" +
		" Ｙ \thttp://a.test/3\tx\ty\tz\r\n" +
		"否\thttp://a.test/4\tx\r\n" +
		"\"0\"\t\"http://b.test/1\"\t\"x\"\r\n" +
		"\thttp://b.test/2\tx\ty"
	result, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	precision := func(site string, right, marked, unmarked int) Precision {
		low, high := metric.Wilson(right, marked)
		return Precision{site, marked, right, unmarked, metric.Number(float64(right) / float64(marked)), low, high}
	}
	want := &Result{
		Precision: precision("", 3, 5, 1),
		Sites:     []Precision{precision("a.test", 3, 4, 0), precision("b.test", 0, 1, 1)},
	}
	if diff := cmp.Diff(want, result); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "no documents"},
		{"header alone", header + "\n", "no documents"},
		{"bad mark", header + "\nmaybe\thttp://a.test/\n", `line 2: mark is "maybe"`},
		{"no url", "1\thello\n", `line 1: "hello" is not a URL`},
		{"one column", "1\n", "line 1: one column"},
		{"twice", "1\thttp://a.test/\n0\thttp://a.test/\n", "line 2: http://a.test/ is already on line 1"},
		{"two at once", "x\thttp://a.test/\n1\n", "line 2: one column"},
		{"long", strings.Repeat("x", 2*maxLine), "line 1: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want it to say %q", err, test.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("1\thttp://a.test/\n\"\"\thttp://b.test/\r\n")
	f.Add(header + "\n\xff\t://\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Read(strings.NewReader(text))
		if err == nil && (r.Right > r.Marked || r.Low > r.High || r.Marked+r.Unmarked == 0) {
			t.Errorf("result is %+v", r)
		}
	})
}
