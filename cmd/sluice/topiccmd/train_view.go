package topiccmd

import (
	"fmt"
	"time"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic/wordvec"
)

// trainEvery is how often progress is shown where there is no terminal.
const trainEvery = 5 * time.Second

// trainView shows how a training goes: first the two passes over the text, then
// the training itself.
type trainView struct {
	sc    *cli.Screen
	every time.Duration // between two lines, at least
	next  time.Time     // when the next line is due
	last  wordvec.Progress
}

func newTrainView(sc *cli.Screen) *trainView {
	v := &trainView{sc: sc, every: trainEvery, next: time.Now().Add(cli.PlainFirst)}
	if sc.Live() {
		v.every, v.next = cli.LiveEvery, time.Now()
	}
	return v
}

// due reports whether it is time for a line.
func (v *trainView) due() bool {
	now := time.Now()
	if now.Before(v.next) {
		return false
	}
	v.next = now.Add(v.every)
	return true
}

// read shows how a pass over the text goes, in bytes; a total of -1 is unknown.
func (v *trainView) read(pass int, read, total int64) {
	if !v.due() {
		return
	}
	what := "counting words"
	if pass > 1 {
		what = "encoding text"
	}
	if total <= 0 {
		v.sc.Show(what, fmt.Sprintf("%.1f MB", megabytes(read)))
		return
	}
	v.sc.Show(what, fmt.Sprintf("%.1f %%", 100*float64(read)/float64(total)),
		fmt.Sprintf("%.1f of %.1f MB", megabytes(read), megabytes(total)))
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// trained shows how the training goes, what matters most first.
func (v *trainView) trained(now wordvec.Progress) {
	v.last = now
	if !v.due() {
		return
	}
	v.sc.Show(
		fmt.Sprintf("epoch %d", now.Epoch),
		fmt.Sprintf("%.1f %%", 100*float64(now.Words)/float64(max(now.TotalWords, 1))),
		fmt.Sprintf("%.0f words/s", now.WordsPerSecond),
		fmt.Sprintf("loss %.4f", now.Loss),
		"ETA "+cli.Roughly(now.ETA),
	)
}

// end takes the last line away.
func (v *trainView) end() { v.sc.Show() }
