package gather_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/gather"
	"sluice/shared/demo"
	"sluice/shared/fault"
	"sluice/shared/local"
	"sluice/shared/local/sitefolder"
	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
	"sluice/shared/structure/site"
	"sluice/shared/topic"
	"sluice/shared/web/fetch"
	"sluice/shared/web/hosts"
)

// crawled is a structured crawl of a shop on this machine: what a stack should make of
// its pages is in its folder.
type crawled struct {
	dir, host, learned string
	topic              *topic.Compiled
	counts             map[string]int // of its records
}

// crawl crawls a shop once for all tests.
var crawl = sync.OnceValues(func() (*crawled, error) {
	web := demo.New()
	server := httptest.NewServer(web)
	defer server.Close()
	proxy, err := url.Parse(server.URL)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sluice-gather-")
	if err != nil {
		return nil, err
	}
	shop := web.Shops()[0]
	source := topic.ForSite("shop", shop.Lists()[0], "shop")
	compiled, err := topic.Read("shop", source)
	if err != nil {
		return nil, err
	}
	c := &crawled{dir: filepath.Join(dir, "shop"), host: shop.Host, learned: filepath.Join(dir, "sites"), topic: compiled}
	run, err := local.Open(context.Background(), local.Spec{
		Dir: c.dir, Topic: compiled, Source: source, Contact: "tests@example.org", Version: "test", Proxies: fetch.Proxies{proxy}, Sites: c.learned,
		Limits: limits.Limits{MaxPages: 60},
	})
	if err != nil {
		return nil, err
	}
	sum, err := run.Run(context.Background(), context.Background())
	if err = errors.Join(err, run.Close()); err != nil {
		return nil, err
	}
	c.counts = sum.Records
	return c, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if c, err := crawl(); err == nil {
		_ = os.RemoveAll(filepath.Dir(c.dir))
	}
	os.Exit(code)
}

// stack is what a Gatherer sees of a stack on which the crawl has run. Its effects may
// fail.
type stack struct {
	*jobtest.Memory
	*crawled
	sites sitefolder.Folder
	kept  int

	mu      sync.Mutex
	objects map[string][]byte
	lost    map[string]bool // URLs that another segment has
	owner   map[string]string

	effects int  // so far
	fails   int  // the effect that fails
	applied bool // although it is applied
	before  func()
}

var errEffect = errors.New("an effect failed")

func newStack(t *testing.T) *stack {
	t.Helper()
	c, err := crawl()
	if err != nil {
		t.Fatal(err)
	}
	s := &stack{
		Memory: jobtest.NewMemory(time.Now), crawled: c, sites: sitefolder.Folder(t.TempDir()),
		objects: map[string][]byte{}, lost: map[string]bool{}, owner: map[string]string{},
	}
	for pattern, folder := range map[string]string{"warc/*": "raw/shop/", "corpus/*.jsonl": "corpus/shop/"} {
		files, err := filepath.Glob(filepath.Join(c.dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if folder == "corpus/shop/" {
				s.kept += bytes.Count(data, []byte("\n"))
				data = bytes.ReplaceAll(data, []byte(`"warc":{"file":"warc/`), []byte(`"warc":{"file":"raw/shop/`))
			}
			s.objects[folder+path.Base(file)] = data
		}
	}
	j, err := (&job.Message{Crawl: "shop", Topic: "topics/shop.yaml"}).Job(job.Defaults{MaxPages: 1000, Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	j.Structured = true
	if err := s.Create(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	return s
}

// end ends the crawl, and asks for the records as the keeper does.
func (s *stack) end(t *testing.T) {
	t.Helper()
	s.change(t, func(j *job.Job) error { return j.Finish(job.ReasonFrontierEmpty) })
	s.change(t, func(j *job.Job) error { j.Records = job.Records{s.host: {}}; return nil })
}

func (s *stack) change(t *testing.T, change func(j *job.Job) error) *job.Job {
	t.Helper()
	j, err := s.Memory.Update(t.Context(), "shop", change)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func (s *stack) job(t *testing.T) *job.Job { return s.change(t, func(*job.Job) error { return nil }) }

// message delivers the message about the shop.
func (s *stack) message(t *testing.T, opts gather.Options, last bool) error {
	t.Helper()
	g := gather.New(gather.Ports{Jobs: s, Topics: structured{s}, Ledger: s, Objects: s, Sites: known{s}, Leases: s}, opts)
	m := &job.SiteMessage{Crawl: "shop", Host: s.host}
	if s.job(t).State == job.Done {
		m.Kept = s.kept
	}
	return g.Message(t.Context(), m, 1, last)
}

// effect carries out an effect, unless it is the one that fails.
func (s *stack) effect(do func() error) error {
	s.mu.Lock()
	s.effects++
	fails := s.effects == s.fails
	s.mu.Unlock()
	if !fails {
		return do()
	}
	if s.applied {
		if err := do(); err != nil {
			return err
		}
	}
	return errEffect
}

// records are the objects of the records, but for the versions of the site.
func (s *stack) records() map[string]string {
	made := map[string]string{}
	for key, data := range s.objects {
		if name, ok := strings.CutPrefix(key, "records/shop/"); ok {
			made[name] = string(data)
		}
	}
	return made
}

// want are the records of the crawl on one machine.
func (s *stack) want(t *testing.T) map[string]string {
	t.Helper()
	want := map[string]string{}
	folder := filepath.Join(s.dir, local.RecordsFolder)
	for _, name := range []string{"list/00001.jsonl", "list/schema.json", "detail/00001.jsonl", "detail/schema.json"} {
		name = s.host + "/" + name
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		want[name] = string(bytes.ReplaceAll(data, []byte(`"warc":{"file":"warc/`), []byte(`"warc":{"file":"raw/shop/`)))
	}
	return want
}

func (s *stack) wantWhole(t *testing.T, when string) {
	t.Helper()
	if diff := cmp.Diff(s.want(t), s.records()); diff != "" {
		t.Errorf("%s: records (-want +got):\n%.2000s", when, diff)
	}
	if j := s.job(t); !j.Records.Whole() || !cmp.Equal(j.Records.Counts(), s.counts) {
		t.Errorf("%s: noted %+v, want %v", when, j.Records[s.host], s.counts)
	}
}

func (s *stack) Update(ctx context.Context, id string, change func(*job.Job) error) (j *job.Job, err error) {
	if s.before != nil {
		s.before()
		s.before = nil
	}
	err = s.effect(func() error {
		j, err = s.Memory.Update(ctx, id, change)
		return err
	})
	return j, err
}

func (s *stack) Entries(_ context.Context, _ string, urls []string) ([]*ledger.Entry, error) {
	all := make([]*ledger.Entry, len(urls))
	for i, u := range urls {
		if !bytes.Contains(s.objects["corpus/shop/00001.jsonl"], []byte(`"final_url":"`+u+`"`)) {
			continue
		}
		if all[i] = (&ledger.Entry{Verdict: ledger.Kept, Segment: "raw/shop/00001.warc.gz"}); s.lost[u] {
			all[i].Segment = "raw/shop/00002.warc.gz"
		}
	}
	return all, nil
}

func (s *stack) Keys(_ context.Context, prefix string) (keys []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.objects {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

func (s *stack) Open(_ context.Context, key string) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.objects[key]
	if !ok {
		return nil, fault.New(fault.Permanent, "no_object", errors.New(key))
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

func (s *stack) Put(_ context.Context, key string, data []byte, _ string) error {
	return s.effect(func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.objects[key] = bytes.Clone(data)
		return nil
	})
}

// Acquire gives out leases without an end.
func (s *stack) Acquire(_ context.Context, _, host, owner string, _ time.Duration) (l *hosts.Lease, err error) {
	err = s.effect(func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.owner[host] != "" {
			return fmt.Errorf("acquire: %w", &hosts.BusyError{Host: host, Until: time.Now().Add(time.Minute)})
		}
		s.owner[host] = owner
		l = &hosts.Lease{Host: host, Owner: owner}
		return nil
	})
	return l, err
}

func (s *stack) Release(_ context.Context, _ string, l *hosts.Lease) error {
	return s.effect(func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.owner, l.Host)
		return nil
	})
}

// expire ends all leases.
func (s *stack) expire() { clear(s.owner) }

// known is the site.Store of a stack.
type known struct{ s *stack }

func (k known) Site(ctx context.Context, host string) (*site.Site, error) {
	return k.s.sites.Site(ctx, host)
}

func (k known) Update(ctx context.Context, found *site.Site) (updated *site.Site, err error) {
	err = k.s.effect(func() error {
		updated, err = k.s.sites.Update(ctx, found)
		return err
	})
	return updated, err
}

// structured is the topic of the shop.
type structured struct{ s *stack }

func (t structured) Get(context.Context, string) (*topic.Compiled, error) { return t.s.topic, nil }

type topical struct{}

func (topical) Get(context.Context, string) (*topic.Compiled, error) {
	file, err := topic.Parse("finance.yaml", []byte("name: finance\nlanguage: zh\nwords: [股市]\n"))
	if err != nil {
		return nil, err
	}
	return file.Compiled(), nil
}
