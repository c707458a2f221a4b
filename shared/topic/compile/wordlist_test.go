package compile

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/topic"
)

func TestEntriesAreYAML(t *testing.T) {
	for _, word := range []string{
		"股票", "5g网络", "bank", "true", "no", "null", "covid-19", "c++", "a: b", "it's", `say "no"`, "#1", "- a", "0x1f", "1e5", ".net", "a\\b", "~a", "@a", "b`",
	} {
		source := "name: x\nwords:\n  - " + topicEntry{word, 1.5}.String() + "\n  - other\n"
		file, err := topic.Parse("x.yaml", []byte(source))
		if err != nil {
			t.Errorf("%q: %v", word, err)
			continue
		}
		if file.Words[0].Text != word || file.Words[0].Weight != 1.5 {
			t.Errorf("%q came back as %+v", word, file.Words[0])
		}
	}
}

// FuzzApply changes every readable topic file. Only its words may change, which
// Apply itself checks; it may refuse a file only for its layout or because none
// of the author's words is left; applying twice changes nothing more.
func FuzzApply(f *testing.F) {
	f.Add("name: x\nwords:\n  - 央行 # c\n  - '国 家': 1.5\n  - \"a\\\"b\"\n\nseeds: [http://a.test/]\n", uint8(1))
	f.Add("name: x\nwords: [a, {b: 2}, 'c d']\n", uint8(2))
	f.Add("words:\n-\n  a\n- |\n  b\n- {c: 1}\nname: x", uint8(4))
	f.Add("\uFEFFname: x\r\nwords:\r\n- a: 1\r\n- b # c\r\n", uint8(3))
	f.Add("name: x\nwords: [a]\nrelated: # c\n  - b: 2\n  # d\n  - c\nadjust: {c: 2}\n", uint8(6))
	f.Add("{name: x, related: [], words: [a]}", uint8(0x80))
	f.Fuzz(func(t *testing.T, source string, choice uint8) {
		file, err := topic.Parse("x.yaml", []byte(source))
		if err != nil || len(file.Words) > 100 {
			t.Skip()
		}
		r := &Refinement{}
		if choice&0x80 == 0 {
			r.Added = []Candidate{{Word: "zugefügt-1", Weight: 2.5, Related: true}}
		}
		for i, word := range file.Words {
			c := Candidate{Word: word.Text, Weight: 1.25, Related: word.Related}
			_, adjusted := file.Adjust[word.Text]
			switch {
			case choice>>(i%7)&1 == 1:
				r.Cut = append(r.Cut, c)
				continue
			case adjusted:
				c.Weight = 0
			}
			r.Kept = append(r.Kept, c)
		}
		changed, err := r.Apply("x.yaml", []byte(source))
		if errors.Is(err, errLayout) || errors.Is(err, errNoWord) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		again, err := (&Refinement{Kept: append(r.Kept, r.Added...)}).Apply("x.yaml", changed)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(changed), string(again)); diff != "" {
			t.Errorf("a second time changes more:\n%s", diff)
		}
	})
}
