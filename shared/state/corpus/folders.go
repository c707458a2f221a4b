package corpus

// The folders of a corpus, on a disk and in a bucket.
const (
	DocumentFolder = "corpus"  // documents, in JSON lines
	RejectFolder   = "rejects" // pages that did not stay, in JSON lines
	ArchiveFolder  = "warc"    // what went over the wire, on a disk
	RawFolder      = "raw"     // the same in a bucket
)
