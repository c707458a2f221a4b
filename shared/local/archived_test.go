package local_test

import (
	"testing"

	"sluice/shared/local"
	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
	"sluice/shared/state/limits"
)

// A new crawl archives all pages that it judges, unless topic or caller say otherwise;
// one of an older program goes on with those it keeps.
func TestArchived(t *testing.T) {
	t.Parallel()
	web := serve(t, map[string]string{
		"/": "<title>天气</title><a href=/1>股市</a>", "/1": onTopic + "<a href=/2>股市</a>", "/2": "<title>天气预报</title>",
	})
	for _, tt := range []struct {
		name, topic, first, then string
		before                   bool // an older program began the crawl
		want                     int  // responses
	}{
		{"default", "", "", "", false, 3},
		{"by the topic", "archive: kept\n", "", "", false, 1},
		{"by the caller", "archive: kept\n", "all", "", false, 3},
		{"changed", "", "all", "kept", false, 2},
		{"of an older program", "", "kept", "", true, 1},
		{"of an older program, changed", "", "kept", "all", true, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := specOf(t, orderYAML+tt.topic, web.URL+"/")
			s.MaxPages, s.Archive = 1, tt.first
			run(t, s)
			if tt.before {
				if err := local.BegunBefore(t.Context(), s.Dir); err != nil {
					t.Fatal(err)
				}
			}
			run(t, local.Spec{Dir: s.Dir, Version: "1.0", Resume: true, Limits: limits.Limits{MaxPages: 100}, Delay: -1, Archive: tt.then})
			n := 0
			for _, rec := range corpustest.Archived(t, s.Dir, corpus.ArchiveFolder, "*.warc.gz") {
				if rec.Type == "response" {
					n++
				}
			}
			if n != tt.want {
				t.Errorf("%d responses in the archive, want %d", n, tt.want)
			}
		})
	}
}
