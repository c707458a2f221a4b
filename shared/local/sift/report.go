package sift

import (
	"path"

	"sluice/shared/crawl/plan"
	"sluice/shared/state/corpus"
)

// Report has the results of the inputs, in the order in which they were named;
// the keys are stable.
type Report struct {
	Topic        string    `json:"topic"`
	TopicVersion string    `json:"topic_version"`
	Out          string    `json:"out"`
	Inputs       []*Result `json:"inputs"`
	Total        Counts    `json:"total"`
	Failed       int       `json:"failed"` // inputs that cannot be read
}

// Result is the result of one input.
type Result struct {
	Name    string `json:"name"`    // by which records know it: the last element of its path, with a number where another has it
	File    string `json:"file"`    // its path, as it was named
	Size    int64  `json:"size"`    // bytes, as it is stored
	Kind    Kind   `json:"kind"`    // "" where it cannot be read
	Corpus  string `json:"corpus"`  // its documents, in the folder
	Rejects string `json:"rejects"` // its rejects, in the folder
	Counts
	Before bool   `json:"done_before"` // by an earlier run
	Error  string `json:"error"`       // why it cannot be read
}

// Counts are the numbers of an input, or of all. Each page is kept or rejected;
// rejected are also the damaged places.
type Counts struct {
	Records  int64            `json:"records"`       // that could be read: of the archive, or lines
	Pages    int64            `json:"pages"`         // of these: responses, conversions, lines
	Kept     int64            `json:"kept"`          // lines of the corpus
	Rejected int64            `json:"rejected"`      // lines of the rejects
	Damaged  int64            `json:"damaged"`       // of these: places that cannot be read
	Rules    map[string]int64 `json:"rules"`         // rejected, by rule
	Skipped  int64            `json:"skipped"`       // records that are no pages
	Types    map[string]int64 `json:"skipped_types"` // these, by their WARC type
	Bytes    int64            `json:"bytes_read"`    // as they are stored
}

func newCounts() Counts { return Counts{Rules: map[string]int64{}, Types: map[string]int64{}} }

func newResult(in input) *Result {
	return &Result{
		Name: in.name, File: in.path, Counts: newCounts(),
		Corpus: path.Join(corpus.DocumentFolder, in.out+lines), Rejects: path.Join(corpus.RejectFolder, in.out+lines),
	}
}

// fail notes that an input cannot be read: nothing of it counts.
func (r *Result) fail(err error) {
	r.Counts, r.Kind, r.Error = newCounts(), "", err.Error()
	r.Corpus, r.Rejects = "", ""
}

// reject counts a reject.
func (c *Counts) reject(rule string) {
	c.Rejected++
	c.Rules[rule]++
	if rule == corpus.RuleDamaged || rule == RuleDamaged {
		c.Damaged++
	}
}

// skip counts a record that is not a page.
func (c *Counts) skip(kind string) {
	c.Skipped++
	c.Types[kind]++
}

// plus adds other counts.
func (c *Counts) plus(o *Counts) {
	c.Records += o.Records
	c.Pages += o.Pages
	c.Kept += o.Kept
	c.Rejected += o.Rejected
	c.Damaged += o.Damaged
	c.Skipped += o.Skipped
	c.Bytes += o.Bytes
	for rule, n := range o.Rules {
		c.Rules[rule] += n
	}
	for kind, n := range o.Types {
		c.Types[kind] += n
	}
}

func (s *Sift) newReport() *Report {
	return &Report{
		Topic: s.spec.Topic.File.Name, TopicVersion: plan.TopicVersion(s.spec.Topic), Out: s.spec.Dir,
		Inputs: []*Result{}, Total: newCounts(),
	}
}

func (r *Report) add(result *Result) {
	r.Inputs = append(r.Inputs, result)
	r.Total.plus(&result.Counts)
	if result.Error != "" {
		r.Failed++
	}
}
