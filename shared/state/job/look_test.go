package job_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/job"
)

// A message asks for the analysis of a host or for a second look, never both.
func TestSiteMessage(t *testing.T) {
	for _, want := range []job.SiteMessage{
		{V: 1, Crawl: "c", Host: "a.test"}, {V: 1, Crawl: "c", Host: "a.test", Kept: 7}, {V: 1, Crawl: "c", Look: 17},
	} {
		body, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := job.ParseSite(body)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
	for _, body := range []string{
		`{"v":1,"crawl":"c"}`, `{"v":1,"crawl":"c","look":0}`, `{"v":1,"crawl":"c","look":17,"host":"a.test"}`,
		`{"v":1,"look":17}`, `{"v":2,"crawl":"c","look":17}`, `{"v":1,"crawl":"c","look":1.5}`,
	} {
		if m, err := job.ParseSite([]byte(body)); err == nil {
			t.Errorf("%s: %+v", body, m)
		}
	}
}

// A second look is asked for when a crawl is done, and again when it is so again.
func TestLacksLook(t *testing.T) {
	j := &job.Job{State: job.Running, Holds: true}
	lacks := func(want, missing bool) {
		t.Helper()
		if j.LacksLook() != want || j.Look.Missing() != missing {
			t.Errorf("%s, %+v: lacks one %t, it is missing %t", j.State, j.Look, j.LacksLook(), j.Look.Missing())
		}
	}
	lacks(false, false)
	if err := j.Finish(job.ReasonFrontierEmpty); err != nil {
		t.Fatal(err)
	}
	lacks(true, false)
	j.Look.Asked = 5
	lacks(false, true)
	j.Look.Made = 6 // by the message of another keeper, which had read a later job
	lacks(false, false)
	j.Look.Made, j.Look.Refused = 5, 3
	lacks(false, false)
	if err := j.Reopen(); err != nil {
		t.Fatal(err)
	}
	lacks(false, false)
	if want := (job.Look{Made: 5, Refused: 3}); j.Look != want {
		t.Errorf("a crawl that goes on has the look %+v", j.Look)
	}
	if err := j.Stop("enough"); err != nil {
		t.Fatal(err)
	}
	lacks(false, false)
}
