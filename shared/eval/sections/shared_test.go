package sections

import (
	"testing"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/evaldata"
	"sluice/shared/rank/urlshape"
)

// The shipped constants on the webs that they are judged by. The webs are not
// part of the project: without them there is nothing to test, except where the
// project is built for good.
func TestShippedConstants(t *testing.T) {
	webs := make(map[string]*frozenweb.Web)
	for _, name := range []string{"zh-news", "webkb-dev"} {
		var err error
		if webs[name], err = frozenweb.LoadIndex(evaldata.Path(t, "webs/"+name+".web.jsonl.zst")); err != nil {
			t.Fatal(err)
		}
	}
	all, named := newSet(t, webs["zh-news"], webs["webkb-dev"]), newSet(t, webs["zh-news"])
	rows, err := Table(all, named, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, least := range []float64{0.97, 0.93, 0.93} {
		if got := rows[i].Shipped.Mean; got < least {
			t.Errorf("%s: %.3f right at the shipped constants, want %.2f", rows[i].Setting, got, least)
		}
	}
	vote, err := Votes(webs["zh-news"], urlshape.DefaultParams(urlshape.FormPath), 1)
	if err != nil {
		t.Fatal(err)
	}
	if vote.On < 0.82 || vote.Off > 0.05 {
		t.Errorf("votes are %+v: want at least 0.82 on topic and at most 0.05 off", vote)
	}
}
