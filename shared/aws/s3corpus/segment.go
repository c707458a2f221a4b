package s3corpus

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"time"

	"sluice/shared/rank"
	"sluice/shared/state/corpus"
)

// segment is a WARC file in memory.
type segment struct {
	number int // in the group
	key    string
	data   []byte
	timer  *time.Timer // runs from the first Sync on
	late   bool        // that has waited long enough

	documents, rejects int
	drops              map[string]drop // the best decision about each URL
	dropBytes          int
	finished           bool
}

// drop is a decision about a link, encoded.
type drop struct {
	order rank.Order
	line  []byte
}

func (s *Segments) newSegment(crawl string, number int) *segment {
	j := s.acquire()
	defer s.release(j)
	seg := &segment{number: number, key: s.newKey(crawl), drops: map[string]drop{}}
	seg.data = corpus.AppendInfo(nil, &corpus.Info{
		Filename: path.Base(seg.key), Date: s.opts.Now(), Fields: s.opts.Info,
	}, &j.enc)
	return seg
}

// size is the approximate memory that the segment takes.
func (seg *segment) size() int { return len(seg.data) + seg.dropBytes }

// add appends an encoded exchange or reject and returns its place.
func (seg *segment) add(data []byte, span corpus.Span) corpus.Location {
	loc := corpus.Location{File: seg.key, Offset: int64(len(seg.data)) + span.Offset, Length: span.Length}
	seg.data = append(seg.data, data...)
	return loc
}

// drop records a decision unless there is a better one.
func (seg *segment) drop(url string, d drop) {
	old, ok := seg.drops[url]
	if ok && d.order.Compare(old.order) >= 0 {
		return
	}
	if !ok {
		seg.dropBytes += len(url)
	}
	seg.dropBytes += len(d.line) - len(old.line)
	seg.drops[url] = d
}

// stop stops the timer of the segment.
func (seg *segment) stop() {
	if seg.timer != nil {
		seg.timer.Stop()
	}
}

// finish appends the records gathered for the end. Later calls do nothing: a
// segment that is written again has to be the same.
func (seg *segment) finish(now time.Time, enc *corpus.Encoder) {
	if seg.finished {
		return
	}
	seg.finished = true
	if len(seg.drops) == 0 {
		return
	}
	lines := make([][]byte, 0, len(seg.drops))
	for _, url := range slices.Sorted(maps.Keys(seg.drops)) { // neighbours compress well
		lines = append(lines, seg.drops[url].line)
	}
	seg.data, _ = corpus.AppendDecisions(seg.data, lines, now, enc)
}

// counts are the object's metadata.
func (seg *segment) counts() map[string]string {
	return map[string]string{
		"documents": strconv.Itoa(seg.documents),
		"rejects":   strconv.Itoa(seg.rejects),
		"decisions": strconv.Itoa(len(seg.drops)),
	}
}
