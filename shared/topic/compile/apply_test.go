package compile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// trial is a refinement that cuts 国家, weighs 央行 and 黄金 and proposes two
// words.
func trial() *Refinement {
	return &Refinement{
		Kept:  []Candidate{{Word: "央行", Weight: 2.25}, {Word: "黄金", Weight: 1}, {Word: "a股"}},
		Cut:   []Candidate{{Word: "国家"}},
		Added: []Candidate{{Word: "股民", Weight: 3.5, Related: true}, {Word: "covid-19", Weight: 1.2, Related: true}},
	}
}

func TestApply(t *testing.T) {
	const related = "\n# Words that the texts of the topic use more than others.\nrelated:\n  - 股民: 3.5\n  - \"covid-19\": 1.2\n"
	for _, test := range []struct{ name, source, want string }{
		{
			"lines with comments",
			"# top\nname: x\nwords: # of the topic\n  # banks\n  - 央行     # the central one\n  - 国家: 1 # goes\n\n  # metals\n  - 黄金: 0.875 # and jewellery\n  - A股\nseeds: [http://a.test/] # end\n",
			"# top\nname: x\nwords: # of the topic\n  # banks\n  - 央行: 2.25 # the central one\n\n  # metals\n  - 黄金: 1     # and jewellery\n  - A股\nseeds: [http://a.test/] # end\n" + related,
		},
		{
			"no indentation, no final line feed",
			"name: x\nwords:\n- 国家\n- 黄金:   0.5\n- \"A股\"\n- '央行'",
			"name: x\nwords:\n- 黄金: 1\n- \"A股\"\n- '央行': 2.25\n" + related,
		},
		{
			"line ends of Windows, byte order mark",
			"\uFEFFname: x\r\nwords: # c\r\n  - 央行 # c\r\n  - 国家\r\n  - 黄金: 1\r\n  - A股\r\n",
			"\uFEFFname: x\r\nwords: # c\r\n  - 央行: 2.25 # c\r\n  - 黄金: 1\r\n  - A股\r\n" + strings.ReplaceAll(related, "\n", "\r\n"),
		},
		{
			"the last word is cut",
			"words:\n  - 央行: 2.25\n  - 黄金: 1\n  - a股\n  - 国家 # goes\n\n# end\nname: x\n",
			"words:\n  - 央行: 2.25\n  - 黄金: 1\n  - a股\n\n# end\nname: x\n" + related,
		},
		{
			"other forms of an element",
			"name: x\nwords:\n  - {央行: 1}\n  -\n    黄金\n  # between\n  - |\n    国家\n  - >-\n    a股\n",
			"name: x\nwords:\n  - 央行: 2.25\n  - 黄金: 1\n  # between\n  - >-\n    a股\n" + related,
		},
		{
			"brackets",
			"name: x\nwords: [央行, 国家: 2, {黄金: 0.5}, 'A股'] # some\nlanguage: zh\n",
			"name: x\nwords: [{\"央行\": 2.25}, {\"黄金\": 1}, \"a股\"] # some\nlanguage: zh\n" + related,
		},
		{
			"JSON",
			"{\"name\": \"x\", \"words\": [\"央行\", \"国家\",\n \"黄金\", \"A股\"], \"related\": [], \"language\": \"zh\"}\n",
			"{\"name\": \"x\", \"words\": [\n    {\"央行\": 2.25},\n    {\"黄金\": 1},\n    \"a股\"], \"related\": [{\"股民\": 3.5}, {\"covid-19\": 1.2}], \"language\": \"zh\"}\n",
		},
		{
			"traditional, full width",
			"name: x\nwords:\n  - 央行\n  - 國家\n  - 黃金\n  - Ａ股\n",
			"name: x\nwords:\n  - 央行: 2.25\n  - 黃金: 1\n  - Ａ股\n" + related,
		},
		{
			"related words before others",
			"name: x\nrelated: # found\n    - 国家 # goes\n    - Ｂ股\n\nwords:\n  - 央行\n  - 黄金\n  - a股\n",
			"name: x\nrelated: # found\n    - Ｂ股: 0.5\n    - 股民: 3.5\n    - \"covid-19\": 1.2\n\nwords:\n  - 央行: 2.25\n  - 黄金: 1\n  - a股\n",
		},
		{
			"no related words yet",
			"name: x\nrelated:\n  [] # none\nwords:\n  - 央行\n  - 黄金\n  - a股\n  - 国家\n",
			"name: x\nrelated:\n  [{\"股民\": 3.5}, {\"covid-19\": 1.2}] # none\nwords:\n  - 央行: 2.25\n  - 黄金: 1\n  - a股\n",
		},
		{
			"all fields indented",
			"  name: x\n  words: [央行: 2.25, 黄金: 1, a股, 国家]\n",
			"  name: x\n  words: [{\"央行\": 2.25}, {\"黄金\": 1}, \"a股\"]\n\n  # Words that the texts of the topic use more than others.\n  related:\n    - 股民: 3.5\n    - \"covid-19\": 1.2\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := trial()
			if strings.Contains(test.source, "Ｂ股") {
				r.Kept = append(r.Kept, Candidate{Word: "b股", Weight: 0.5, Related: true})
			}
			got, err := r.Apply("x.yaml", []byte(test.source))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// An emptied list of related words stays and takes words again.
func TestApplyEmptiesTheRelatedWords(t *testing.T) {
	kept := []Candidate{{Word: "央行"}}
	cut := &Refinement{Kept: kept, Cut: []Candidate{{Word: "国家"}, {Word: "今天"}}}
	add := &Refinement{Kept: kept, Added: []Candidate{{Word: "股民", Weight: 3.5, Related: true}}}
	for _, test := range []struct{ name, source, empty, full string }{
		{
			"lines",
			"name: x\nwords:\n  - 央行\nrelated: # found\n  # all\n  - 国家: 1 # goes\n  - 今天\n\nseeds: [http://a.test/]\n",
			"name: x\nwords:\n  - 央行\nrelated: [] # found\n  # all\n\nseeds: [http://a.test/]\n",
			"name: x\nwords:\n  - 央行\nrelated: [{\"股民\": 3.5}] # found\n  # all\n\nseeds: [http://a.test/]\n",
		},
		{
			"last lines, of Windows",
			"name: x\r\nwords: [央行]\r\nrelated:\r\n- 国家\r\n- 今天",
			"name: x\r\nwords: [央行]\r\nrelated: []\r\n",
			"name: x\r\nwords: [央行]\r\nrelated: [{\"股民\": 3.5}]\r\n",
		},
		{
			"brackets",
			"{name: x, words: [央行], related: [国家, 今天: 2]}",
			"{name: x, words: [央行], related: []}",
			"{name: x, words: [央行], related: [{\"股民\": 3.5}]}",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			empty, err := cut.Apply("x.yaml", []byte(test.source))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.empty, string(empty)); diff != "" {
				t.Errorf("all cut (-want +got):\n%s", diff)
			}
			full, err := add.Apply("x.yaml", empty)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.full, string(full)); diff != "" {
				t.Errorf("one added (-want +got):\n%s", diff)
			}
		})
	}
}

func TestApplyErrors(t *testing.T) {
	for _, test := range []struct {
		name, source, want string
		refinement         *Refinement
	}{
		{"not a topic", "words: 1\n", "x.yaml:1", trial()},
		{"line ends of old", "name: x\rwords:\n- 央行\n", "end them with a line feed", trial()},
		{"another topic", "name: x\nwords: [one, two]\n", "does not have the intended", trial()},
		{"nothing left", "name: x\nwords: [国家]\n", "no word is left", &Refinement{Cut: []Candidate{{Word: "国家"}}}},
		{
			"nothing but related words left", "name: x\nwords: [国家]\nrelated: [央行]\n", "no word is left",
			&Refinement{Kept: []Candidate{{Word: "央行", Related: true}}, Cut: []Candidate{{Word: "国家"}}},
		},
		{"no end to append to", "{name: x, words: [央行, 黄金, a股]}\n", `in braces, which no list can follow: write each word on a line of its own, as "- 央行: 1.5", and "related: []" where`, trial()},
		{"an end that is marked", "name: x\nwords: [央行, 黄金, a股]\n...\n", `and "related: []" where words are to be added`, trial()},
		{
			"a word in the other list", "name: x\nwords: [央行]\nrelated: [黄金]\n", "does not have the intended",
			&Refinement{Kept: []Candidate{{Word: "央行"}, {Word: "黄金"}}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.refinement.Apply("x.yaml", []byte(test.source))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func TestDiff(t *testing.T) {
	source := "name: x\nwords:\n  - 央行\n  - 黄金: 1\n  - a股\n  - 国家\n"
	want := `diff x.yaml x.yaml
--- x.yaml
+++ x.yaml
@@ -1,6 +1,10 @@
 name: x
 words:
-  - 央行
+  - 央行: 2.25
   - 黄金: 1
   - a股
-  - 国家
+
+# Words that the texts of the topic use more than others.
+related:
+  - 股民: 3.5
+  - "covid-19": 1.2
`
	got, err := trial().Diff("x.yaml", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	same := &Refinement{Kept: []Candidate{{Word: "央行"}}}
	if got, err := same.Diff("x.yaml", []byte("name: x\nwords: [央行]\n")); err != nil || len(got) != 0 {
		t.Errorf("nothing changes: %q, %v", got, err)
	}
}
