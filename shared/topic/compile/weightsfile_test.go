package compile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWeightsFile(t *testing.T) {
	w := &Weights{
		Words:     map[string]float64{"股市": 0.30000000000000004, "央行": 1e-300, "# hash": 2, "a b": 0},
		Mean:      1. / 3,
		Documents: 12, Background: 34,
	}
	var out bytes.Buffer
	if err := w.Write(&out); err != nil {
		t.Fatal(err)
	}
	const want = "# sluice weights 1\n# documents 12\n# background 34\n# mean 0.3333333333333333\n" +
		"# hash\t2\na b\t0\n央行\t1e-300\n股市\t0.30000000000000004\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	got, err := ReadWeights(&out, "w.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if err := (&Weights{Words: map[string]float64{"a\tb": 1}}).Write(&out); err == nil {
		t.Error("a word with a tab was written")
	}
}

// Edits that a user may make.
func TestReadWeightsEdited(t *testing.T) {
	got, err := ReadWeights(strings.NewReader(
		"\uFEFF# sluice weights 1\r\n# only a remark\r\n\r\n銀行\t 2 \r\nＧＤＰ\t4"), "w.tsv")
	if err != nil {
		t.Fatal(err)
	}
	want := &Weights{Words: map[string]float64{"银行": 2, "gdp": 4}, Mean: 3}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("weights (-want +got):\n%s", diff)
	}
}

func TestReadWeightsRefuses(t *testing.T) {
	const head = "# sluice weights 1\n"
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "w.tsv: the file is empty"},
		{"another file", "100 300\n央行 0.1 0.2\n", "w.tsv:1: this is not a weights file"},
		{"another version", "# sluice weights 2\n", "w.tsv:1: weights of version"},
		{"no tab", head + "央行 0.5\n", `w.tsv:2: "央行 0.5" has no tab`},
		{"no word", head + "\t0.5\n", `w.tsv:2: "" is not a word`},
		{"no number", head + "央行\tmuch\n", `w.tsv:2: the weight of "央行" is "much"`},
		{"two numbers", head + "央行\t1\t2\n", `w.tsv:2: the weight of "央行"`},
		{"negative", head + "央行\t-1\n", "w.tsv:2: the weight"},
		{"not a number", head + "央行\tNaN\n", "w.tsv:2: the weight"},
		{"infinite", head + "央行\tInf\n", "w.tsv:2: the weight"},
		{"twice", head + "央行\t1\n股市\t1\n央行\t2\n", `w.tsv:4: the word "央行" is already in line 2`},
		{"twice when folded", head + "銀行\t1\n银行\t2\n", `w.tsv:3: the word "银行" is already in line 2`},
		{"mean", head + "# mean none\n", "w.tsv:2: mean is"},
		{"documents", head + "# documents -5\n", "w.tsv:2: documents is"},
		{"endless line", head + "央行\t1\n" + strings.Repeat("长", 5000), "w.tsv:3: the line is longer"},
		{"all wrong", head + strings.Repeat("x\n", 100), "w.tsv:21: \"x\" has no tab: a line is a word, a tab and a weight\n… and maybe more"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, err := ReadWeights(strings.NewReader(test.text), "w.tsv")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("ReadWeights: %v, %v; want an error with %q", w, err, test.want)
			}
		})
	}
}

// Files that can be read can be written, and read back the same.
func FuzzReadWeights(f *testing.F) {
	f.Add("# sluice weights 1\n# documents 3\n# background 0\n# mean 0.5\n央行\t0.25\n")
	f.Add("# sluice weights 1\r\n#a\t1\r\n\r\nＡ b\t1e-9")
	f.Add("# sluice weights 1\n\xff\t1\n\u00a0\t2")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ReadWeights(strings.NewReader(text), "w.tsv")
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := w.Write(&out); err != nil {
			t.Fatalf("write what was read: %v", err)
		}
		again, err := ReadWeights(&out, "w.tsv")
		if err != nil {
			t.Fatalf("read what was written: %v", err)
		}
		if diff := cmp.Diff(w, again); diff != "" {
			t.Errorf("read again (-first +second):\n%s", diff)
		}
	})
}
