package export

import (
	"context"

	"sluice/shared/state/corpus"
)

// Folder is where the records of a crawl lie: corpus/*.jsonl, with rejects/ and
// warc/ beside it where they were kept.
type Folder struct {
	Dir    string
	Ledger Ledger // nil where every record counts: a copy that was compared already, or no crawl at all
	Open   bool   // the crawl is running, or was killed: a last line may be half
	Crawl  *Crawl // nil if there are no counts

	Rejected int64 // pages that the crawl counts as refused
}

// Crawl is what a crawl says of itself, for the card.
type Crawl struct {
	Name        string      `json:"name"`
	Topic       string      `json:"topic"`
	Fetched     int64       `json:"fetched"`
	Kept        int64       `json:"kept"`
	HarvestRate float64     `json:"harvest_rate"` // pages that were kept, also again, by pages fetched
	Rules       []Count     `json:"rules"`        // pages that did not stay, by rule, most first
	Parameters  []Parameter `json:"parameters"`
	Refreshes   int         `json:"refreshes,omitempty"`
	Refresh     []Count     `json:"refresh,omitempty"` // what the last one came to
}

// Count is how many there are of something.
type Count struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// Parameter is a setting of a crawl.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Duplicates finds documents that repeat others. Documents are numbered from 0
// in the order of Add. The result must depend on the documents alone.
type Duplicates interface {
	// Add takes the next document. It is not kept.
	Add(d *corpus.Document) error
	// Find calls repeated for each document that repeats another, with the one
	// to keep: a document that repeats none. text reads the text of a document
	// again. Add is not called after it.
	Find(ctx context.Context, text func(n int64) (string, error), repeated func(n, stays int64) error) error
	// Close releases what was gathered.
	Close() error
}
