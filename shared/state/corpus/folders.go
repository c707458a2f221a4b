package corpus

// The folders of a corpus, on a disk and in a bucket.
const (
	DocumentFolder = "corpus"  // documents, in JSON lines
	RejectFolder   = "rejects" // rejected pages, in JSON lines
	ArchiveFolder  = "warc"    // exchanges, on a disk
	RawFolder      = "raw"     // the same in a bucket
	RecordFolder   = "records" // records of a structured crawl, in JSON lines
	LookFolder     = "looks"   // what second looks have decided, in a bucket
)
