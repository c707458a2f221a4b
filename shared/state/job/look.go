package job

// Look is the second look of a crawl on a stack: when the crawl has ended, all of its
// pages are judged again by words learned from them.
type Look struct {
	Asked int64  `json:"asked,omitempty"` // the number of the one asked for; 0: none since the crawl ended last
	Made  int64  `json:"made,omitempty"`  // the number of the last that is over
	Left  string `json:"left,omitempty"`  // why that one was left out; "": it was taken, or there were too few texts

	Refused int64 `json:"refused,omitempty"` // documents that it has refused
}

// Missing reports whether a second look is asked for and not over.
func (l *Look) Missing() bool { return l.Made < l.Asked }

// LacksLook reports whether a second look should be asked for.
func (j *Job) LacksLook() bool { return j.Holds && j.State == Done && j.Look.Asked == 0 }

// SecondLook is what judging all pages again by learned words came to, when the
// crawl last ended.
type SecondLook struct {
	On        int     `json:"learned_from_on"` // texts on the topic
	Off       int     `json:"learned_from_off"`
	Threshold float64 `json:"threshold"` // of the relevance by learned words
	Added     int64   `json:"added"`     // pages that became documents
	Removed   int64   `json:"removed"`   // documents that became rejects

	Words []Learned `json:"words"` // the best first
}
