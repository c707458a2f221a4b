package corpus

// Reject is a page that was fetched, or refused, and is not in the corpus: a
// line of rejects/*.jsonl. Empty fields are unknown.
type Reject struct {
	V        int    `json:"v"` // set by AppendJSON
	URL      string `json:"url"`
	FinalURL string `json:"final_url"`
	Rule     string `json:"rule"`   // short stable name: "description_threshold", "http_404"
	Detail   string `json:"detail"` // for people: the value that broke the rule
	Status   int    `json:"status"` // of HTTP, 0 without a response
	Title    string `json:"title"`
	Date     Date   `json:"date"`
	Depth    int    `json:"depth"`
	Parent   string `json:"parent"`
	Anchor   string `json:"anchor"`
	Topic    string `json:"topic"`
	Previous string `json:"previous"` // ID of the removed document; "" for none
	*OffTopic

	// Outlinks are those of an Exchange, for a rejected page whose links were
	// read.
	Outlinks []string `json:"-"`

	// Exchange is that of a page that may be judged again: a store keeps it. nil
	// for others.
	Exchange *Exchange `json:"-"`

	// WARC is the place of the page's response in the archive, empty if that does
	// not have it. Store.Reject sets it for a reject with an Exchange.
	WARC Location `json:"warc"`

	// Segment is the WARC file that holds the record; "" in a store that keeps
	// rejects apart.
	Segment string `json:"-"`
}

// OffTopic is the text of an off-topic page: the background for refining a
// topic. Only a sample of these pages has it, and all that may be judged again.
type OffTopic struct {
	Description  string `json:"description"`    // title, description and keywords
	Text         string `json:"text"`           // main text; "" if none
	SampledOneIn int    `json:"sampled_one_in"` // this page represents so many off topic; 0: it is not in the sample
}

// Key identifies the reject in a store: its URL and the document that it
// removes. A page is rejected once, by the first rule that refused it; the
// reject of another page that redirects to it does not hide its removal.
func (r *Reject) Key() string {
	if r.Previous == "" {
		return escapeURI(r.URL)
	}
	return escapeURI(r.URL) + " " + r.Previous
}

// Check returns a Poison fault when the reject names no URL or no rule, or could
// not be stored so that it leads back to its exchange. Every Store calls it first.
func (r *Reject) Check() error {
	switch {
	case r.URL == "":
		return malformed("reject has no URL")
	case r.Rule == "":
		return malformed("reject of %q has no rule", r.URL)
	case r.Exchange != nil:
		return r.Exchange.check("reject", r.FinalURL)
	}
	return nil
}

// AppendJSON appends the record to dst as one line of JSON, as
// Document.AppendJSON does. r itself is not changed.
func (r *Reject) AppendJSON(dst []byte) ([]byte, error) {
	rec := *r
	rec.V = Version
	for _, s := range []*string{&rec.URL, &rec.FinalURL, &rec.Parent} {
		*s = escapeURI(*s)
	}
	for _, s := range []*string{&rec.Rule, &rec.Detail, &rec.Title, &rec.Anchor, &rec.Topic, &rec.Previous} {
		*s = cleanLine(*s)
	}
	var about OffTopic
	if r.OffTopic != nil {
		about = *r.OffTopic
	}
	about.Description, about.Text = cleanLine(about.Description), CleanText(about.Text)
	rec.OffTopic = &about // also without contents: every field is in every line
	return appendLine(dst, &rec)
}
