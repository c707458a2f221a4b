package compile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"sluice/shared/state/corpus"
	"sluice/shared/topic/textfile"
)

// samplesAtOnce is how many texts are cut into words at the same time, by all
// cores, before they are added in their order.
const samplesAtOnce = 256

// ReadSamples reads samples from files of text, as textfile.Open does. From a
// crawl's folder, which has the folders corpus and rejects, it reads the
// documents as Kept and the off-topic pages with recorded text that represent some as
// PassedOver or Disputed.
// Words splits texts and is called concurrently.
//
// It skips damaged texts and reports why to skipped. The error is that of
// opening the files, of ctx, or that there is no text.
func ReadSamples(ctx context.Context, paths []string, o textfile.Options, words func(string) []string, skipped func(error)) (*Samples, error) {
	opened := slices.DeleteFunc(slices.Clone(paths), noDocuments)
	if len(opened) > 0 {
		if _, err := textfile.Open(opened, o); err != nil {
			return nil, fmt.Errorf("read samples: %w", err)
		}
	}
	s := &Samples{}
	b := &sampleBatch{samples: s, words: words}
	var texts []iter.Seq2[text, error]
	for _, path := range paths {
		if noDocuments(path) {
			texts = append(texts, offTopic(ctx, path))
			continue
		}
		source, err := textfile.Open([]string{path}, o)
		if err != nil {
			return nil, fmt.Errorf("read samples: %w", err)
		}
		if !ofCrawl(path) {
			texts = append(texts, documents(source.Documents(ctx), Unjudged))
			continue
		}
		texts = append(texts, documents(source.Documents(ctx), Kept), offTopic(ctx, path))
	}
	for _, part := range texts {
		for t, err := range part {
			switch {
			case ctx.Err() != nil:
				return nil, fmt.Errorf("read samples: %w", ctx.Err())
			case err != nil:
				skipped(err)
			default:
				b.add(t)
			}
		}
	}
	b.flush()
	if s.Len() == 0 {
		return nil, fmt.Errorf("read samples: %w: these files have no text: give texts on the topic and others", ErrFewTexts)
	}
	return s, nil
}

// Lines returns the records of a part of a crawl, its folder of documents or that of rejects,
// as lines of JSON. A line is valid until the next.
type Lines func(ctx context.Context, part string) iter.Seq2[[]byte, error]

// FolderLines are those of a crawl's folder.
func FolderLines(dir string) Lines {
	return func(ctx context.Context, part string) iter.Seq2[[]byte, error] {
		return recorded(ctx, dir, part, func(line []byte) ([]byte, bool, error) { return line, true, nil })
	}
}

// ReadCrawl reads the samples of a crawl, with the words of whole pages, and the links of all:
// page returns those of the page archived at a place, none if it cannot be read, and its words
// if they are wanted. Words and page are called concurrently. It passes over damaged records. A crawl with fewer than ten pages off topic is ErrFewTexts.
func ReadCrawl(ctx context.Context, lines Lines, words func(string) []string, page readPage) (*Samples, error) {
	rejects, documents := parsed(lines(ctx, corpus.RejectFolder), parseReject), parsed(lines(ctx, corpus.DocumentFolder), parseDocument)
	if !hasOffTopic(rejects) && ctx.Err() == nil {
		return nil, fmt.Errorf("%w: hardly any page is off the topic", ErrFewTexts)
	}
	s := &Samples{most: maxWhole}
	b := &sampleBatch{samples: s, words: words, page: page}
	for _, part := range []iter.Seq[text]{rejects, documents} {
		for t := range part {
			b.add(t)
		}
	}
	b.flush()
	return s, context.Cause(ctx)
}

// parsed are the records with the text of a page; parse returns false for the others.
func parsed(lines iter.Seq2[[]byte, error], parse func(line []byte) (text, bool, error)) iter.Seq[text] {
	return func(yield func(text) bool) {
		for line, err := range lines {
			if err != nil {
				continue
			}
			if t, ok, err := parse(line); ok && err == nil && !yield(t) {
				return
			}
		}
	}
}

// text is the text read for a sample.
type text struct {
	title, description, text string
	times                    int // 0: only the links of the page matter
	fate                     Fate
	url                      string          // "" if unknown
	at                       corpus.Location // of its page; zero if unknown
}

// ofCrawl reports whether path is the folder of a crawl.
func ofCrawl(path string) bool {
	for _, part := range []string{corpus.DocumentFolder, corpus.RejectFolder} {
		if info, err := os.Stat(filepath.Join(path, part)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// noDocuments reports whether path is the folder of a crawl that has kept nothing.
func noDocuments(path string) bool {
	if !ofCrawl(path) {
		return false
	}
	entries, err := os.ReadDir(filepath.Join(path, corpus.DocumentFolder))
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".jsonl" })
}

// documents are those of text files, all of one fate.
func documents(docs iter.Seq2[textfile.Document, error], fate Fate) iter.Seq2[text, error] {
	return func(yield func(text, error) bool) {
		for doc, err := range docs {
			if !yield(text{title: doc.Title, description: doc.Description, text: doc.Text, times: 1, fate: fate, url: doc.ID}, err) {
				return
			}
		}
	}
}

// readPage reads the page archived at a place.
type readPage = func(at corpus.Location, cut bool) (words []string, links []Address)

// sampleBatch cuts texts into words in parallel and adds them in their order,
// which the choice among too many depends on.
type sampleBatch struct {
	samples *Samples
	words   func(string) []string
	page    readPage // nil: pages do not matter
	texts   []text
}

func (b *sampleBatch) add(t text) {
	if b.texts = append(b.texts, t); len(b.texts) == samplesAtOnce {
		b.flush()
	}
}

func (b *sampleBatch) flush() {
	cut := make([]Sample, len(b.texts))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, t := range b.texts {
		group.Go(func() error {
			cut[i] = newSample(t.title, t.description, t.text, b.words)
			cut[i].Times, cut[i].Fate, cut[i].Place = t.times, t.fate, placeOf(t.url)
			if b.page != nil && t.at.Length > 0 {
				cut[i].Page, cut[i].Links = b.page(t.at, t.times > 0)
				cut[i].At, cut[i].Kind, cut[i].Address = t.at, kindOf(t.url), AddressOf(t.url)
			}
			return nil
		})
	}
	_ = group.Wait() // cutting does not fail
	for _, sample := range cut {
		b.samples.Add(sample)
	}
	b.texts = b.texts[:0]
}

// offTopic reads the pages off topic of a crawl's folder.
func offTopic(ctx context.Context, path string) iter.Seq2[text, error] {
	return recorded(ctx, path, corpus.RejectFolder, parseReject)
}

// recorded reads the records in a part of a crawl's folder that carry the text of a page;
// parse returns false for the others.
func recorded[T any](ctx context.Context, path, part string, parse func(line []byte) (T, bool, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		entries, err := os.ReadDir(filepath.Join(path, part))
		if err != nil {
			yield(none, fmt.Errorf("read texts of a crawl: %w", err))
			return
		}
		for _, entry := range entries { // in the order of their names
			if ctx.Err() != nil {
				yield(none, ctx.Err())
				return
			}
			if filepath.Ext(entry.Name()) != ".jsonl" {
				continue
			}
			for t, err := range records(filepath.Join(path, part, entry.Name()), parse) {
				if !yield(t, err) {
					return
				}
			}
		}
	}
}

// hasOffTopic reports whether a crawl has passed over the pages that LearnFeedback
// needs. It reads no more rejects than that takes, and splits no text.
func hasOffTopic(rejects iter.Seq[text]) bool {
	pages := 0
	for t := range rejects {
		if t.fate == PassedOver {
			pages += max(t.times, 1)
		}
		if pages >= fewTexts {
			return true
		}
	}
	return false
}

// records reads those of one file.
func records[T any](path string, parse func(line []byte) (T, bool, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		file, err := os.Open(path)
		if err != nil {
			yield(none, err)
			return
		}
		defer func() { _ = file.Close() }() // only read
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, textfile.MaxDocument)
		lines.Split(scanWhole)
		for number := 1; lines.Scan(); number++ {
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			t, ok, err := parse(lines.Bytes())
			if err != nil {
				err = fmt.Errorf("%s:%d: read record: %w", path, number, err)
			}
			if (ok || err != nil) && !yield(t, err) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(none, fmt.Errorf("read %s: %w", path, err))
		}
	}
}

// scanWhole splits at line feeds. It ignores an incomplete last line, which a
// running crawl is still writing.
func scanWhole(data []byte, _ bool) (advance int, token []byte, err error) {
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		return end + 1, data[:end], nil
	}
	return 0, nil, nil
}

// bodyRule is the rule of reading that refuses a page whose head is on the topic
// for its main text.
const bodyRule = "body_threshold"

// parseDocument reads a document.
func parseDocument(line []byte) (text, bool, error) {
	var doc corpus.Document
	if err := json.Unmarshal(line, &doc); err != nil {
		return text{}, false, err
	}
	return text{title: doc.Title, text: doc.Text, times: 1, fate: Kept, url: doc.URL, at: doc.WARC}, doc.Text != "", nil
}

// parseReject reads a reject; without text for one that represents none, false too if its page
// is not in the archive.
func parseReject(line []byte) (text, bool, error) {
	var reject corpus.Reject
	if err := json.Unmarshal(line, &reject); err != nil {
		return text{}, false, err
	}
	if reject.OffTopic == nil || reject.SampledOneIn == 0 || reject.Description == "" && reject.Text == "" {
		return text{url: reject.URL, at: reject.WARC}, reject.WARC.Length > 0, nil
	}
	fate := PassedOver
	if reject.Rule == bodyRule {
		fate = Disputed
	}
	return text{reject.Title, reject.Description, reject.Text, reject.SampledOneIn, fate, reject.URL, reject.WARC}, true, nil
}
