package s3corpus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/fault"
	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
)

func put(t *testing.T, st *Store, i int) corpus.Location {
	t.Helper()
	x, d := corpustest.Page(i)
	loc, err := st.Put(t.Context(), x, d)
	if err != nil {
		t.Fatalf("put page %d: %v", i, err)
	}
	return loc
}

func wantAt(t *testing.T, b *bucket, loc corpus.Location, i int) {
	t.Helper()
	_, d := corpustest.Page(i)
	if got := b.responseAt(t, loc); got != d.FinalURL {
		t.Errorf("at %+v there is %q, want %s", loc, got, d.FinalURL)
	}
}

// As many pages as ten host tasks bring in cost one request.
func TestGroupCommit(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		b := newBucket()
		s := New(NewObjects(b, "b"), Options{})
		st := s.Store("c")
		batch := s.Begin("c", 10)
		var wg sync.WaitGroup
		for task := range 10 {
			wg.Go(func() {
				defer batch.Done()
				time.Sleep(time.Duration(task) * 100 * time.Millisecond)
				for page := range 2 {
					put(t, st, 2*task+page)
				}
				if err := st.Reject(t.Context(), &corpus.Reject{URL: fmt.Sprintf("http://a.test/%d", task), Rule: "r"}); err != nil {
					t.Error(err)
				}
				if err := st.Sync(t.Context()); err != nil {
					t.Errorf("sync of task %d: %v", task, err)
				}
			})
		}
		began := time.Now()
		wg.Wait()
		if took := time.Since(began); took != 900*time.Millisecond {
			t.Errorf("the last of them synced after %v", took)
		}
		if b.requests() != 1 {
			t.Errorf("%d requests, want 1", b.requests())
		}
		for key, meta := range b.meta {
			if diff := cmp.Diff(map[string]string{"documents": "20", "rejects": "10", "decisions": "0"}, meta); diff != "" {
				t.Errorf("counts of %s (-want +got):\n%s", key, diff)
			}
		}
	})
}

// A page that comes again in a later batch was not completed in the earlier
// one. It is stored again, since the first segment may have been cleaned
// without it.
func TestPageOfLaterBatch(t *testing.T) {
	b := newBucket()
	s := New(NewObjects(b, "b"), Options{})
	st := s.Store("c")
	reject := func() string {
		r := corpus.Reject{URL: "http://a.test/r", Rule: "r"}
		if err := st.Reject(t.Context(), &r); err != nil {
			t.Fatal(err)
		}
		return r.Segment
	}
	files := map[string]bool{}
	for range 2 {
		batch := s.Begin("c", 1)
		loc, file := put(t, st, 1), reject()
		if put(t, st, 1) != loc || reject() != file || file != loc.File {
			t.Error("a page that comes twice in a batch is stored twice")
		}
		if err := st.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		batch.Done()
		wantAt(t, b, loc, 1)
		files[loc.File] = true
	}
	if len(files) != 2 {
		t.Errorf("pages of two batches are in %v", files)
	}
}

func TestWhenSegmentIsWritten(t *testing.T) {
	for _, tt := range []struct {
		name  string
		tasks int
		run   func(t *testing.T, s *Segments, b *Batch)
		after time.Duration // until Sync of the first task returns
	}{
		{"no other task", 1, func(*testing.T, *Segments, *Batch) {}, 0},
		{"others never sync", 3, func(*testing.T, *Segments, *Batch) {}, 2 * time.Second},
		{"others end", 3, func(_ *testing.T, _ *Segments, b *Batch) {
			time.Sleep(time.Second)
			b.Done()
			b.Done()
		}, time.Second},
		{"another crawl has tasks", 1, func(_ *testing.T, s *Segments, _ *Batch) { s.Begin("other", 5) }, 0},
		{"a page makes it full", 3, func(t *testing.T, s *Segments, _ *Batch) {
			time.Sleep(time.Second)
			x, d := corpustest.Page(7)
			x.Body = noise(20_000)
			if _, err := s.Store("c").Put(t.Context(), x, d); err != nil {
				t.Error(err)
			}
		}, time.Second},
		{"decisions make it full", 3, func(t *testing.T, s *Segments, _ *Batch) {
			time.Sleep(time.Second)
			for i := range 100 {
				d := ledger.Decision{Link: frontier.Link{URL: fmt.Sprintf("http://a.test/%d", i)}, Rule: "scope"}
				if err := s.Drop(t.Context(), "c", []ledger.Decision{d}); err != nil {
					t.Error(err)
				}
			}
		}, time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				b := newBucket()
				s := New(NewObjects(b, "b"), Options{MaxBytes: 10_000})
				batch := s.Begin("c", tt.tasks)
				loc := put(t, s.Store("c"), 0)
				began := time.Now()
				var others sync.WaitGroup
				others.Go(func() { tt.run(t, s, batch) })
				defer others.Wait()
				if err := s.Store("c").Sync(t.Context()); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took != tt.after {
					t.Errorf("sync took %v, want %v", took, tt.after)
				}
				wantAt(t, b, loc, 0)
			})
		})
	}
}

// noise is a body that does not compress.
func noise(n int) []byte {
	body := make([]byte, n)
	state := uint64(1)
	for i := range body {
		state = state*6364136223846793005 + 1442695040888963407
		body[i] = byte(state >> 56)
	}
	return body
}

func TestNothingIsNotWritten(t *testing.T) {
	b := newBucket()
	s := New(NewObjects(b, "b"), Options{})
	st := s.Store("c")
	batch := s.Begin("c", 1)
	sync := func() {
		if err := st.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	sync()
	first := put(t, st, 0)
	sync()
	if again := put(t, st, 0); again != first {
		t.Errorf("page 0 is at %+v, then at %+v", first, again)
	}
	sync()
	batch.Done()
	batch.Done()
	if b.requests() != 1 {
		t.Errorf("%d requests, want 1", b.requests())
	}
}

// Tasks that come while a segment is being written share the next one.
func TestGatherWhileWriting(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		b := newBucket()
		b.onPut = func(context.Context, string) (bool, error) {
			time.Sleep(5 * time.Second)
			return true, nil
		}
		s := New(NewObjects(b, "b"), Options{})
		st := s.Store("c")
		began := time.Now()
		var wg sync.WaitGroup
		for task := range 6 { // without a batch: Sync does not wait for others
			wg.Go(func() {
				time.Sleep(time.Duration(task) * time.Second)
				loc := put(t, st, task)
				if err := st.Sync(t.Context()); err != nil {
					t.Error(err)
				}
				wantAt(t, b, loc, task)
				want := 5 * time.Second
				if task > 0 {
					want = 10 * time.Second
				}
				if took := time.Since(began); task < 5 && took != want {
					t.Errorf("task %d ended after %v, want %v", task, took, want)
				}
			})
		}
		wg.Wait()
		if b.requests() > 3 {
			t.Errorf("%d requests", b.requests())
		}
	})
}

// Memory is bounded: a caller that adds more has to wait.
func TestPutWaitsForRoom(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		b := newBucket()
		b.onPut = func(context.Context, string) (bool, error) {
			time.Sleep(10 * time.Second)
			return true, nil
		}
		s := New(NewObjects(b, "b"), Options{MaxBytes: 10_000})
		st := s.Store("c")
		s.Begin("c", 2)
		began := time.Now()
		var took []time.Duration
		for i := range 4 {
			x, d := corpustest.Page(i)
			x.Body = noise(15_000)
			if _, err := st.Put(t.Context(), x, d); err != nil {
				t.Fatal(err)
			}
			took = append(took, time.Since(began))
		}
		want := []time.Duration{0, 0, 10 * time.Second, 20 * time.Second}
		if diff := cmp.Diff(want, took); diff != "" {
			t.Errorf("puts returned after (-want +got):\n%s", diff)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		x, d := corpustest.Page(4)
		if _, err := st.Put(ctx, x, d); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("put without room: %v", err)
		}
		if err := st.Sync(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A caller whose context ends returns at once; the others still get their
// result.
func TestSyncCanceled(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		b := newBucket()
		s := New(NewObjects(b, "b"), Options{MaxWait: time.Minute})
		st := s.Store("c")
		batch := s.Begin("c", 3)
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		loc := put(t, st, 0)
		began := time.Now()
		go func() {
			if err := st.Sync(t.Context()); err != nil {
				t.Errorf("patient task: %v", err)
			}
			wantAt(t, b, loc, 0)
			batch.Done()
		}()
		if err := st.Sync(impatient); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("impatient task after %v: %v", time.Since(began), err)
		}
		batch.Done()
		bubble.Wait()
		if b.requests() != 0 {
			t.Error("was written though a task is under way")
		}
		batch.Done()
		bubble.Wait()
		if b.requests() != 1 {
			t.Errorf("%d requests, want 1", b.requests())
		}
	})
}

// Records of tasks that ended without Sync take no memory, and are not taken
// for durable later.
func TestAbandonedRecords(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		b := newBucket()
		s := New(NewObjects(b, "b"), Options{})
		st := s.Store("c")
		batch := s.Begin("c", 2)
		ctx, cancel := context.WithCancel(t.Context())
		put(t, st, 0)
		go func() {
			_ = st.Sync(ctx)
			batch.Done()
		}()
		bubble.Wait()
		cancel()
		bubble.Wait()
		batch.Done()
		if len(s.groups) != 0 {
			t.Errorf("%d groups are left", len(s.groups))
		}
		time.Sleep(time.Minute) // its timer has nothing left to do
		batch = s.Begin("c", 1)
		loc := put(t, st, 0)
		if err := st.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		batch.Done()
		wantAt(t, b, loc, 0)
		if b.requests() != 1 {
			t.Errorf("%d requests, want 1", b.requests())
		}
	})
}

// A process forgets crawls that it no longer works on.
func TestManyCrawls(t *testing.T) {
	b := newBucket()
	s := New(NewObjects(b, "b"), Options{})
	working := s.Begin("working", 1)
	first := put(t, s.Store("working"), 0)
	for i := range 10 * maxIdle {
		name := fmt.Sprint("c", i)
		batch := s.Begin(name, 1)
		put(t, s.Store(name), i)
		if err := s.Store(name).Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		batch.Done()
	}
	if len(s.groups) > maxIdle+1 {
		t.Errorf("%d groups are remembered", len(s.groups))
	}
	if err := s.Store("working").Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	working.Done()
	wantAt(t, b, first, 0)
	if b.requests() != 10*maxIdle+1 {
		t.Errorf("%d requests", b.requests())
	}
}

// Places are kept for the latest records, in bounded memory.
func TestWindow(t *testing.T) {
	var w window[int]
	const n = 3 * windowKeys
	for i := range n {
		w.add(keyOf(fmt.Sprint(i)), i)
	}
	for i := n - windowKeys; i < n; i++ {
		if got, ok := w.find(keyOf(fmt.Sprint(i))); !ok || got != i {
			t.Fatalf("key %d: %d, %v", i, got, ok)
		}
	}
	if _, ok := w.find(keyOf("0")); ok || len(w.newer)+len(w.older) > 2*windowKeys {
		t.Errorf("remembers the first of %d, holds %d", n, len(w.newer)+len(w.older))
	}
}

func TestSyncErrorHasClass(t *testing.T) {
	b := newBucket()
	b.onPut = func(context.Context, string) (bool, error) { return false, errReset }
	st := New(NewObjects(b, "b"), Options{}).Store("c")
	put(t, st, 0)
	err := st.Sync(t.Context())
	if f := fault.Of(err); f == nil || f.Class != fault.Retryable || !errors.Is(err, errReset) {
		t.Errorf("sync: %v", err)
	}
}
