package s3corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"sluice/shared/aws/stack"
	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
	"sluice/shared/state/ledger"
	"sluice/shared/state/ledger/ledgertest"
)

// clients are where the suites run: on a map, and over the wire of an emulator.
var clients = []struct {
	name string
	open func(t *testing.T) (client Client, bucket string)
}{
	{"map", func(*testing.T) (Client, string) { return newBucket(), "b" }},
	{"wire", openWire},
}

// openWire returns a new bucket of the emulator at AWS_ENDPOINT_URL.
func openWire(t *testing.T) (Client, string) {
	t.Helper()
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Skip("AWS_ENDPOINT_URL names no emulator: run make test-aws")
	}
	cfg, err := stack.Config(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	client := stack.S3(cfg)
	name := "s3corpus-" + keySafe(t.Name()) + strings.ToLower(rand8())
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name}); err != nil {
		t.Fatalf("create bucket: %v", err)
	}
	return client, name
}

// The suite requires that a page put again after a restart is not stored again.
// On AWS the ledger does that: a page with an entry is not fetched again, and
// of two exchanges the entry names the document. So the suite runs with a
// ledger that outlives the store.
func TestCorpusConformance(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			corpustest.Run(t, func(t *testing.T) *corpustest.Fixture {
				client, name := c.open(t)
				objects := NewObjects(client, name)
				entries := &entries{documents: map[string]corpus.Location{}, rejects: map[string]corpus.Location{}}
				open := func(*testing.T) corpus.Store {
					return newSettled(New(objects, Options{}).Store("c"), entries)
				}
				return &corpustest.Fixture{
					Store:     open(t),
					Restart:   open,
					Documents: func(t *testing.T) []corpus.Document { return entries.export(t, objects) },
					Rejects:   func(t *testing.T) []corpus.Reject { return entries.exportRejects(t, objects) },
					Records: func(t *testing.T) (all []*corpus.Record) {
						eachRecord(t, objects, func(_ string, rec, _ *corpus.Record) { all = append(all, rec) })
						return all
					},
					TargetURI: func(t *testing.T, loc corpus.Location) string {
						data, err := objects.Get(t.Context(), loc.File, 1<<20)
						if err != nil {
							t.Fatal(err)
						}
						return targetURI(t, data[loc.Offset:loc.Offset+loc.Length])
					},
				}
			})
		})
	}
}

func TestDecisionsConformance(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			ledgertest.RunDecisions(t, func(t *testing.T) *ledgertest.Harness {
				client, name := c.open(t)
				return &ledgertest.Harness{Decisions: New(NewObjects(client, name), Options{})}
			})
			t.Run("from S3", func(t *testing.T) {
				ledgertest.RunDecisions(t, func(t *testing.T) *ledgertest.Harness {
					client, name := c.open(t)
					return &ledgertest.Harness{Decisions: flushed{New(NewObjects(client, name), Options{})}}
				})
			})
		})
	}
}

// flushed writes a segment after every Drop, and then forgets it.
type flushed struct{ s *Segments }

func (f flushed) Drop(ctx context.Context, crawl string, ds []ledger.Decision) error {
	if err := f.s.Drop(ctx, crawl, ds); err != nil {
		return err
	}
	return f.s.Store(crawl).Sync(ctx)
}

func (f flushed) Dropped(ctx context.Context, crawl, url string) (*ledger.Decision, error) {
	return New(f.s.objects, Options{}).Dropped(ctx, crawl, url)
}

// entries are the places by which a ledger remembers the ends of pages.
type entries struct {
	mu        sync.Mutex
	documents map[string]corpus.Location
	rejects   map[string]corpus.Location
}

// settled is a store as the crawl's step uses it: it does not store a page that
// has an entry, and writes the entry after Sync. It puts the document into the
// exchange's metadata, where a crawl has its trace.
type settled struct {
	*Store
	ledger *entries
	own    entries // of this process, not in the ledger yet
}

func newSettled(st *Store, ledger *entries) *settled {
	return &settled{
		Store: st, ledger: ledger,
		own: entries{documents: map[string]corpus.Location{}, rejects: map[string]corpus.Location{}},
	}
}

func (s *settled) Put(ctx context.Context, x *corpus.Exchange, d *corpus.Document) (corpus.Location, error) {
	s.ledger.mu.Lock()
	loc, ok := s.ledger.documents[d.Key()]
	s.ledger.mu.Unlock()
	if ok {
		d.WARC = loc
		return loc, nil
	}
	line, err := d.AppendJSON(nil)
	if err != nil {
		return corpus.Location{}, err
	}
	with := *x
	with.Metadata = line
	if loc, err = s.Store.Put(ctx, &with, d); err != nil {
		return corpus.Location{}, err
	}
	s.own.mu.Lock()
	defer s.own.mu.Unlock()
	s.own.documents[d.Key()] = loc
	return loc, nil
}

func (s *settled) Reject(ctx context.Context, r *corpus.Reject) error {
	s.ledger.mu.Lock()
	at, ok := s.ledger.rejects[r.Key()]
	s.ledger.mu.Unlock()
	if err := r.Check(); err != nil {
		return err
	}
	if ok {
		r.Segment, r.WARC = at.File, at
		return nil
	}
	if err := s.Store.Reject(ctx, r); err != nil {
		return err
	}
	s.own.mu.Lock()
	defer s.own.mu.Unlock()
	s.own.rejects[r.Key()] = corpus.Location{File: r.Segment, Offset: r.WARC.Offset, Length: r.WARC.Length}
	return nil
}

func (s *settled) Sync(ctx context.Context) error {
	s.own.mu.Lock()
	documents, rejects := maps.Clone(s.own.documents), maps.Clone(s.own.rejects)
	s.own.mu.Unlock()
	if err := s.Store.Sync(ctx); err != nil {
		return err
	}
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	maps.Copy(s.ledger.documents, documents)
	maps.Copy(s.ledger.rejects, rejects)
	return nil
}

// export returns the documents whose exchange is the one their entry names.
func (e *entries) export(t *testing.T, objects *Objects) []corpus.Document {
	t.Helper()
	var out []corpus.Document
	eachRecord(t, objects, func(file string, rec, response *corpus.Record) {
		if reject, _ := rec.Reject(); response == nil || rec.Type != "metadata" || rec.Outlinks() != nil || reject != nil {
			return
		}
		loc := corpus.Location{File: file, Offset: response.Offset, Length: response.Length}
		var d corpus.Document
		if err := json.Unmarshal(rec.Block, &d); err != nil {
			t.Fatalf("document of %s: %v", response.TargetURI, err)
		}
		if d.WARC = loc; e.documents[d.FinalURL] == loc {
			out = append(out, d)
		}
	})
	return out
}

func (e *entries) exportRejects(t *testing.T, objects *Objects) []corpus.Reject {
	t.Helper()
	var out []corpus.Reject
	eachRecord(t, objects, func(file string, rec, response *corpus.Record) {
		r, err := rec.Reject()
		if err != nil {
			t.Fatal(err)
		}
		at := corpus.Location{File: file}
		if r != nil && response != nil {
			at.Offset, at.Length = response.Offset, response.Length
			r.WARC = at
		}
		if r != nil && e.rejects[r.URL] == at {
			out = append(out, *r)
		}
	})
	return out
}

// eachRecord calls f for every record of the crawl with the response that it
// was captured with.
func eachRecord(t *testing.T, objects *Objects, f func(file string, rec, response *corpus.Record)) {
	t.Helper()
	for obj, err := range objects.List(t.Context(), SegmentPrefix("c")) {
		if err != nil {
			t.Fatal(err)
		}
		data, err := objects.Get(t.Context(), obj.Key, 16<<20)
		if err != nil {
			t.Fatal(err)
		}
		responses := map[string]*corpus.Record{}
		first := true
		for rec, err := range corpus.ReadWARC(bytes.NewReader(data)) {
			if err != nil {
				t.Fatal(err)
			}
			if first != (rec.Type == "warcinfo") {
				t.Errorf("%s: %s record where a warcinfo record should be, or should not", obj.Key, rec.Type)
			}
			first = false
			if rec.Type == "response" {
				responses[rec.ID] = rec
			}
			f(obj.Key, rec, responses[rec.ConcurrentTo])
		}
	}
}

// The behaviour of the fake holds over the wire.
func TestObjects(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			client, name := c.open(t)
			testObjects(t, NewObjects(client, name), client, name)
		})
	}
}

func headOf(t *testing.T, client Client, bucket, key string) (contentType string, meta map[string]string) {
	t.Helper()
	wire, ok := client.(*s3.Client)
	if !ok {
		return "", nil
	}
	head, err := wire.HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: &bucket, Key: &key})
	if err != nil {
		t.Fatal(err)
	}
	return aws.ToString(head.ContentType), head.Metadata
}
