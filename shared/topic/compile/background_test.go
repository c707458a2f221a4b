package compile

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/fixture"
	"sluice/shared/state/corpus"
	"sluice/shared/topic/textfile"
)

// A crawl's documents are on its topic: the background is the pages it passed
// over.
func TestBackground(t *testing.T) {
	dir := crawlFolder(t,
		[]corpus.Document{{FinalURL: "http://a.test/1", Title: "kept", Text: "on topic"}},
		[]corpus.Reject{
			{URL: "http://a.test/2", Rule: "http_404"},
			{URL: "http://a.test/3", Rule: "body_threshold", Title: "t3", OffTopic: &corpus.OffTopic{Description: "t3 about", Text: "off topic", SampledOneIn: 4}},
			{URL: "http://a.test/4", Rule: "description_threshold", Title: "t4", OffTopic: &corpus.OffTopic{Description: "t4", SampledOneIn: 4}},
		})
	plain := filepath.Join(t.TempDir(), "plain.jsonl")
	fixture.WriteFile(t, plain, "{\"title\":\"t5\",\"text\":\"anything\"}\nnonsense\n")

	damage := 0
	texts, err := Background(t.Context(), []string{dir, plain}, textfile.Options{}, func(error) { damage++ })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for doc, err := range texts {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, doc.Title+": "+doc.Text)
	}
	if diff := cmp.Diff([]string{"t3: off topic", "t5: anything"}, got); diff != "" || damage != 1 {
		t.Errorf("%d texts damaged, want 1; background (-want +got):\n%s", damage, diff)
	}

	ctx, cancel := context.WithCancel(t.Context())
	texts, err = Background(ctx, []string{dir}, textfile.Options{}, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	read := 0
	for _, err = range texts {
		read++
	}
	if err == nil || read != 1 {
		t.Error("a cancelled background ends without an error")
	}
	if _, err := Background(t.Context(), []string{filepath.Join(dir, "none")}, textfile.Options{}, nil); err == nil {
		t.Error("Background of a missing file gives no error")
	}
}
