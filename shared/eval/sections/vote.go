package sections

import (
	"fmt"
	"math/rand/v2"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/rank/urlshape"
)

const (
	leastTopic = 50 // labelled pages of a label that counts as a topic
	sampleSize = 25 // URLs of the history that vote, as in a crawl by default
)

// Vote is the result of the structure vote for a web (METHOD A10), for one
// form: the share of URLs that it calls alike, on and off topic, as a mean over
// the labels, each taken as topic.
type Vote struct {
	Web    string        `json:"web"`
	Form   urlshape.Form `json:"form"`
	Topics int           `json:"topics"`
	On     float64       `json:"on"`
	Off    float64       `json:"off"`
}

// Votes takes each label of a web in turn for the topic of a crawl that has its
// pages in the history, and lets samples of the history vote on every URL of
// the web: pages without label, lists and media are off topic.
func Votes(w *frozenweb.Web, params urlshape.Params, seed uint64) (Vote, error) {
	vote := Vote{Web: w.Name, Form: params.Form}
	shapes := make([]urlshape.Shape, len(w.Pages))
	for i := range w.Pages {
		var err error
		if shapes[i], err = urlshape.Of(w.Pages[i].URL); err != nil {
			return vote, fmt.Errorf("vote on %s: %w", w.Name, err)
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	for _, label := range w.Labels() {
		var history []urlshape.Shape
		for i := range w.Pages {
			if p := &w.Pages[i]; p.Label == label && p.Kind != "list" {
				history = append(history, shapes[i])
			}
		}
		if len(history) < leastTopic {
			continue
		}
		var yes, all [2]float64 // off topic, on topic
		for i := range w.Pages {
			sample := make([]urlshape.Shape, sampleSize)
			for j := range sample {
				sample[j] = history[random.IntN(len(history))]
			}
			on := 0
			if w.Pages[i].Label == label {
				on = 1
			}
			all[on]++
			if urlshape.Vote(params, shapes[i], sample) {
				yes[on]++
			}
		}
		vote.Topics++
		vote.On += yes[1] / all[1]
		vote.Off += yes[0] / max(all[0], 1)
	}
	if vote.Topics > 0 {
		vote.On /= float64(vote.Topics)
		vote.Off /= float64(vote.Topics)
	}
	return vote, nil
}
