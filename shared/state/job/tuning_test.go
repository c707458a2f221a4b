package job

import (
	"math"
	"slices"
	"testing"
)

// adaptive is a crawl that begins with the threshold .4.
func adaptive() *Job {
	return &Job{Thresholds: &Thresholds{Priority: .4, Description: .3}, Tuning: NewTuning(.4, .01)}
}

// The threshold follows what came in each interval (METHOD B3), however long that was,
// within its bounds; to be told of an interval twice changes nothing.
func TestTune(t *testing.T) {
	for _, tt := range []struct {
		name string
		came []Progress
		want float64
		rule string // of the last change; "" if there is none
	}{
		{"an interval goes on", []Progress{{Fetched: 99, Kept: 99}}, .4, ""},
		{"as many as expected", []Progress{{Fetched: 100, Kept: 40, Below: 50}}, .4, ""},
		{"more", []Progress{{Fetched: 100, Kept: 40, Below: 40}}, .4 * 1.05, "raise"},
		{"more, and few of them kept", []Progress{{Fetched: 100, Kept: 17, Below: 40}}, .4 * 1.3, "raise_more"},
		{"fewer", []Progress{{Fetched: 100, Kept: 40, Below: 60}}, .4 * .95, "lower"},
		{"an interval of 300 pages", []Progress{{Fetched: 300, Kept: 51, Below: 120}}, .4 * 1.3, "raise_more"},
		{"again", []Progress{{Fetched: 100, Kept: 40, Below: 60}, {Fetched: 100, Kept: 40, Below: 60}}, .4 * .95, "lower"},
		{"an older count", []Progress{{Fetched: 200, Kept: 40, Below: 120}, {Fetched: 100, Kept: 40}}, .4 * .95, "lower"},
		{"two", []Progress{{Fetched: 100, Kept: 40, Below: 60}, {Fetched: 200, Kept: 40, Below: 120}}, .4 * .95 * .95, "lower"},
		{"fewer after many", []Progress{{Fetched: 100, Kept: 40}, {Fetched: 200, Kept: 40, Below: 60}}, .4 * 1.05, "raise"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := adaptive()
			for _, p := range tt.came {
				j.tuned(p)
			}
			rule := ""
			if n := len(j.Tuning.Log); n > 0 {
				rule = j.Tuning.Log[n-1].Rule
				if got := j.Tuning.Log[n-1].Threshold; got != j.Thresholds.Priority {
					t.Errorf("noted %v, set %v", got, j.Thresholds.Priority)
				}
			}
			if got := j.Thresholds.Priority; math.Abs(got-tt.want) > 1e-12 || rule != tt.rule || j.Thresholds.Description != .3 {
				t.Errorf("%+v by %q, want %v by %q", j.Thresholds, rule, tt.want, tt.rule)
			}
		})
	}
	plain := &Job{}
	if plain.tuned(Progress{Fetched: 1000}); plain.Thresholds != nil {
		t.Errorf("a strategy that does not adapt got %+v", plain.Thresholds)
	}
}

// tuned tunes a crawl that learns no words.
func (j *Job) tuned(p Progress) {
	if a := j.Tune(p); a != nil {
		j.Adapt(a, nil)
	}
}

// A crawl of a million pages keeps its threshold within bounds, the intervals that count
// and the last changes; its record stays small.
func TestTuneLong(t *testing.T) {
	low, high := adaptive(), adaptive()
	low.Tuning.Floor = .3999 // does not divide the steps
	var p Progress
	for range 10_000 {
		p.Fetched += 100
		high.tuned(p)
		p.Below += 100
		low.tuned(p)
	}
	if low.Thresholds.Priority != .3999 || len(low.Tuning.Log) != 1 {
		t.Errorf("lowered to %v in %d steps", low.Thresholds.Priority, len(low.Tuning.Log))
	}
	for i := range 400 { // up and down
		if p.Fetched += 100; i/8%2 == 0 {
			p.Below += 100
		}
		high.tuned(p)
	}
	body, err := high.MarshalJSON()
	if err != nil || len(body) > 24<<10 || len(high.Tuning.Past) > 5 || len(high.Tuning.Log) != mostAdjustments {
		t.Errorf("%d bytes, %d intervals, %d changes, %v", len(body), len(high.Tuning.Past), len(high.Tuning.Log), err)
	}
}

// Words are to be learned after 200 pages, and when these have doubled; each time once. A
// crawl that learns some has the thresholds of their topic, and its intervals begin anew.
func TestAdapt(t *testing.T) {
	j := adaptive()
	j.Topic = "topics/t.yaml"
	words := &Words{Key: "learned/c/1.topic", Version: "1", Thresholds: Thresholds{Priority: .4, Description: .2, Body: .1}, Learned: []Learned{{Word: "国债"}}}
	var due []int64
	for fetched := int64(100); fetched <= 1000; fetched += 100 {
		now := Progress{Fetched: fetched, Kept: fetched / 2}
		a := j.Tune(now)
		if a == nil {
			continue
		}
		if j.Tune(now) != nil {
			t.Errorf("words are to be learned twice after %d pages", fetched)
		}
		if due = append(due, fetched); len(due) != 2 {
			before := j.Thresholds.Priority
			if j.Adapt(a, nil); j.Thresholds.Priority <= before {
				t.Errorf("nothing is learned after %d pages: threshold %v", fetched, j.Thresholds.Priority)
			}
			continue
		}
		j.Adapt(a, words)
		last := j.Tuning.Log[len(j.Tuning.Log)-1]
		if *j.Thresholds != words.Thresholds || len(j.Tuning.Past) != 0 || last.Rule != "keep" || last.Topic != "1" || last.Body != .1 || len(last.Words) != 1 {
			t.Errorf("%+v, %+v", j.Thresholds, j.Tuning)
		}
		words.Thresholds.Priority = .7 // is a copy
	}
	if !slices.Equal(due, []int64{200, 400, 800}) || j.TopicKey() != words.Key {
		t.Errorf("due after %v, topic %s", due, j.TopicKey())
	}
	j.Unlearn()
	for _, a := range j.Tuning.Log {
		if a.Words != nil {
			t.Errorf("%+v after Unlearn", a)
		}
	}
	if j.TopicKey() != "topics/t.yaml" || !j.Tuning.Due(200) {
		t.Errorf("topic %s, %+v", j.TopicKey(), j.Tuning)
	}
}

// Of learned words those of the last time count.
func TestNote(t *testing.T) {
	var so Tuning
	so.Note(&Adjustment{Fetched: 200, Words: []Learned{{Word: "国债"}}}, 9)
	so.Note(&Adjustment{Fetched: 300}, 9)
	if len(so.Log) != 2 || so.Log[0].Words == nil {
		t.Errorf("noted %+v", so.Log)
	}
	so.Note(&Adjustment{Fetched: 400, Words: []Learned{{Word: "央行"}}}, 2)
	if len(so.Log) != 2 || so.Log[0].Fetched != 300 || so.Log[1].Words[0].Word != "央行" {
		t.Errorf("noted %+v", so.Log)
	}
}
