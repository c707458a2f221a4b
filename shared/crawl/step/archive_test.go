package step_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
)

// The archive has the pages that it shall have: never one that opts out, nor what
// was not read and judged. The rejects say where.
func TestArchive(t *testing.T) {
	t.Parallel()
	english := strings.Repeat("The bank raised its rates, and what it said about the market was not what they had hoped for. ", 8)
	list := strings.Repeat("<li><a href=/$>天气预报</a></li>", 60)
	web := `
-- http://a.test/kept --
<title>股市</title>$TEXT
-- http://a.test/video --
<title>股市</title><video src=/v.mp4></video>
-- http://a.test/english --
<title>股市银行</title><p>` + english + `</p>
-- http://a.test/list --
<title>股市</title><ul>` + list + `</ul>
-- http://a.test/off --
<title>天气</title>$TEXT
-- http://a.test/moved --
<title>股市</title><meta http-equiv=refresh content="0;url=/kept">
-- http://a.test/closed --
<title>股市</title><meta name=robots content=noindex>$TEXT
-- http://a.test/closed-off --
<title>天气</title><meta name=robots content=noindex>$TEXT
-- http://a.test/picture --
200
Content-Type: image/png

x
-- http://closed.test/.well-known/tdmrep.json --
200

[{"location": "/", "tdm-reservation": 1}]
-- http://closed.test/off --
<title>天气</title>$TEXT
`
	kept := []string{"http://a.test/kept"}
	relevant := append(slices.Clone(kept), "http://a.test/list", "http://a.test/video")
	all := append(slices.Clone(relevant), "http://a.test/english", "http://a.test/off")
	for archive, want := range map[string][]string{"": kept, corpus.ArchiveKept: kept, corpus.ArchiveRelevant: relevant, corpus.ArchiveAll: all} {
		t.Run(archive, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, web)
			w.plan.Archive = archive
			for _, page := range []string{"kept", "video", "english", "list", "off", "moved", "closed", "closed-off", "picture", "missing"} {
				w.run(t, link("http://a.test/"+page))
			}
			w.run(t, link("http://closed.test/off"))
			slices.Sort(want)
			if diff := cmp.Diff(want, w.responses(t)); diff != "" {
				t.Errorf("responses (-want +got):\n%s", diff)
			}
			for url, r := range w.rejects(t) {
				if archived := slices.Contains(want, url); archived != (r.WARC.Length > 0) {
					t.Errorf("reject of %s leads to %+v", url, r.WARC)
				} else if archived {
					w.wantPlace(t, url, r.WARC)
				}
			}
		})
	}
}

// responses are the URLs of the responses in the archive, sorted.
func (w *world) responses(t *testing.T) []string {
	t.Helper()
	urls := []string{}
	for _, rec := range corpustest.Archived(t, w.dir, corpus.ArchiveFolder, "*.warc.gz") {
		if rec.Type == "response" {
			urls = append(urls, rec.TargetURI)
		}
	}
	slices.Sort(urls)
	return urls
}

// wantPlace checks that the response of a URL is at a place.
func (w *world) wantPlace(t *testing.T, url string, at corpus.Location) {
	t.Helper()
	for _, rec := range corpustest.Archived(t, w.dir, at.File) {
		if rec.Type == "response" && rec.TargetURI == url && rec.Offset == at.Offset && rec.Length == at.Length {
			return
		}
	}
	t.Errorf("there is no response of %s at %+v", url, at)
}

// A page that was rejected is archived once, however often its task comes.
func TestArchiveAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "-- http://a.test/off --\n<title>天气</title>$TEXT")
	w.plan.Archive = corpus.ArchiveAll
	out := true
	w.watch(func(effect, _ string) error {
		if effect == "Complete" && out {
			return errors.New("out of reach")
		}
		return nil
	})
	task := w.task(t, link("http://a.test/off"))
	if _, err := w.try(t, task); err == nil {
		t.Fatal("the page was completed")
	}
	if got := w.responses(t); len(got) != 1 {
		t.Fatalf("responses %q, want that of the page", got)
	}
	out = false
	if _, err := w.try(t, task); err != nil {
		t.Fatal(err)
	}
	if got, rejects := w.responses(t), w.rejects(t); len(got) != 1 || len(rejects) != 1 {
		t.Errorf("responses %q, %d rejects, want one each", got, len(rejects))
	}
	w.wantFates(t, map[string]string{"http://a.test/off": "passed description_threshold"})
}

// The links of a page that is archived are beside its response, as those of one that
// is not are beside its reject.
func TestArchiveGraph(t *testing.T) {
	t.Parallel()
	for _, archive := range []string{corpus.ArchiveKept, corpus.ArchiveAll} {
		w := newWorld(t, "-- http://a.test/off --\n<title>天气</title>$TEXT<a href=/next>股市</a>")
		w.plan.Archive, w.plan.Graph = archive, true
		w.run(t, link("http://a.test/off"))
		var links []string
		for _, rec := range corpustest.Archived(t, w.dir, corpus.ArchiveFolder, "*.warc.gz") {
			links = append(links, rec.Outlinks()...)
		}
		if !slices.Equal(links, []string{"http://a.test/next"}) {
			t.Errorf("%s: links %q", archive, links)
		}
	}
}
