package compile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
	"sluice/shared/state/corpus"
	"sluice/shared/topic/textfile"
)

// crawlFolder writes a folder as a crawl leaves it.
func crawlFolder(t *testing.T, documents []corpus.Document, rejects []corpus.Reject) string {
	t.Helper()
	dir := t.TempDir()
	var lines, refused []byte
	var err error
	for _, d := range documents {
		if lines, err = d.AppendJSON(lines); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range rejects {
		if refused, err = r.AppendJSON(refused); err != nil {
			t.Fatal(err)
		}
	}
	fixture.WriteFile(t, filepath.Join(dir, "corpus", "00001.jsonl"), string(lines))
	fixture.WriteFile(t, filepath.Join(dir, "rejects", "00001.jsonl"), string(refused))
	return dir
}

func TestReadSamplesOfACrawl(t *testing.T) {
	dir := crawlFolder(t,
		[]corpus.Document{{FinalURL: "http://a.test/1", Title: "t1", Text: "on topic"}},
		[]corpus.Reject{
			{URL: "http://a.test/2", Rule: "http_404"},
			{URL: "http://a.test/3", Rule: "description_threshold", Title: "t3", OffTopic: &corpus.OffTopic{Description: "t3 about", Text: "off topic", SampledOneIn: 4}},
			{URL: "http://a.test/4", Rule: "description_threshold", Title: "t4", OffTopic: &corpus.OffTopic{Description: "t4", SampledOneIn: 1e9}},
			{URL: "http://a.test/5", Rule: "body_threshold", OffTopic: &corpus.OffTopic{SampledOneIn: 1}},
			{URL: "http://a.test/6", Rule: "description_threshold", Title: "t6", OffTopic: &corpus.OffTopic{Text: "not in the sample"}},
		})
	broken := filepath.Join(dir, "rejects", "00002.jsonl")
	fixture.WriteFile(t, broken, "{}\n\nnonsense\n{\"title\":\"cut short")

	elsewhere := filepath.Join(t.TempDir(), "elsewhere.txt")
	fixture.WriteFile(t, elsewhere, "from elsewhere\n")
	unfinished := crawlFolder(t, []corpus.Document{{FinalURL: "http://b.test/", Title: "t6", Text: "nothing rejected"}}, nil)
	if err := os.RemoveAll(filepath.Join(unfinished, "rejects")); err != nil {
		t.Fatal(err)
	}

	var skipped []string
	s, err := ReadSamples(context.Background(), []string{elsewhere, dir, unfinished}, textfile.Options{}, strings.Fields, func(err error) {
		skipped = append(skipped, err.Error())
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, text := range s.texts {
		named := func(part []int32) (words []string) {
			for _, n := range part {
				words = append(words, s.words[n])
			}
			return words
		}
		got = append(got, fmt.Sprint(named(text.description), named(text.anchor), named(text.body), text.times, text.fate))
	}
	want := []string{
		"[from elsewhere] [from elsewhere] [] 1 0",
		"[t1] [t1] [on topic] 1 1",
		"[t3 t3 about] [t3] [off topic] 4 2",
		"[t4 t4] [t4] [] 100 2",
		"[t6] [t6] [nothing rejected] 1 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	if len(skipped) != 1 || !strings.HasPrefix(skipped[0], broken+":3: read record") {
		t.Errorf("skipped: %v", skipped)
	}
}

func TestHasOffTopic(t *testing.T) {
	page := func(rule string, times int) corpus.Reject {
		return corpus.Reject{URL: "http://a.test/", Rule: rule, OffTopic: &corpus.OffTopic{Text: "off topic", SampledOneIn: times}}
	}
	for _, test := range []struct {
		name    string
		rejects []corpus.Reject
		want    bool
	}{
		{"enough", []corpus.Reject{page("description_threshold", 4), page("description_threshold", 4), page("description_threshold", 2)}, true},
		{"too few", []corpus.Reject{page("description_threshold", 4), page("description_threshold", 4), page("description_threshold", 1)}, false},
		{"disputed", []corpus.Reject{page("description_threshold", 4), page(bodyRule, 20)}, false},
		{"none", nil, false},
	} {
		lines := FolderLines(crawlFolder(t, nil, test.rejects))
		if got := hasOffTopic(parsed(lines(t.Context(), corpus.RejectFolder), parseReject)); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

func TestReadSamplesErrors(t *testing.T) {
	ignore := func(error) {}
	if _, err := ReadSamples(context.Background(), []string{"nowhere"}, textfile.Options{}, strings.Fields, ignore); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	empty := filepath.Join(t.TempDir(), "empty.txt")
	fixture.WriteFile(t, empty, "\n\n")
	if _, err := ReadSamples(context.Background(), []string{empty}, textfile.Options{}, strings.Fields, ignore); err == nil || !strings.Contains(err.Error(), "no text") {
		t.Errorf("empty file: %v", err)
	}
	full := filepath.Join(t.TempDir(), "full.txt")
	fixture.WriteFile(t, full, "one text\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadSamples(ctx, []string{full}, textfile.Options{}, strings.Fields, ignore); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// FuzzParseReject: any line is a text, no text, or an error.
func FuzzParseReject(f *testing.F) {
	f.Add([]byte(`{"v":1,"url":"http://a.test/","rule":"body_threshold","title":"t","description":"d","text":"x","sampled_one_in":4}`))
	f.Add([]byte(`{"rule":"http_404","date":"2026-01-01T00:00:00Z"}`))
	f.Add([]byte(`{"sampled_one_in":-9223372036854775808,"text":["a"]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		got, ok, err := parseReject(line)
		if ok && (err != nil || got.description == "" && got.text == "") {
			t.Errorf("%+v, %v", got, err)
		}
		var s Samples
		s.Add(Sample{Body: []string{"a"}, Times: got.times})
		if times := s.texts[0].times; times < 1 || times > maxTimes {
			t.Errorf("counts for %d texts", times)
		}
	})
}
