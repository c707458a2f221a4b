package s3corpus

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"sluice/shared/bubble"
	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
)

// Despite failed writes, the page ends up in S3 once, where Put said it would.
func TestFailedWrites(t *testing.T) {
	for _, tt := range []struct {
		name  string
		apply bool
	}{
		{"failed, not applied", false},
		{"failed, but applied", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) {
				b := newBucket()
				b.onPut = func(context.Context, string) (bool, error) { return tt.apply, errReset }
				s := New(NewObjects(b, "b"), Options{})
				st := s.Store("c")
				batch := s.Begin("c", 3)
				defer batch.Done()
				first := put(t, st, 0)
				var wg sync.WaitGroup
				for range 3 {
					wg.Go(func() {
						if err := st.Sync(t.Context()); err == nil {
							t.Error("sync returned nil")
						}
					})
				}
				wg.Wait()

				b.onPut = nil
				batch.Done() // the page's task failed, and is delivered again …
				if again := put(t, st, 0); again != first {
					t.Errorf("page 0 is at %+v, then at %+v", first, again)
				}
				batch.Done()
				second := put(t, st, 1) // … and others go on
				if err := st.Sync(t.Context()); err != nil {
					t.Fatal(err)
				}
				wantAt(t, b, first, 0)
				wantAt(t, b, second, 1)
				if len(b.keys()) != 2 || first.File == second.File || len(b.forged) > 0 {
					t.Errorf("objects are %v, replaced %v", b.keys(), b.forged)
				}
			})
		})
	}
}

// A segment that failed is written before later ones: Sync never reports
// success while earlier records are missing.
func TestFailedSegmentComesFirst(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		b := newBucket()
		var failing string
		b.onPut = func(_ context.Context, key string) (bool, error) {
			if failing == "" {
				failing = key
			}
			if key == failing {
				return false, errReset
			}
			return true, nil
		}
		s := New(NewObjects(b, "b"), Options{MaxBytes: 10_000})
		st := s.Store("c")
		s.Begin("c", 2)
		x, d := corpustest.Page(0)
		x.Body = noise(15_000)
		if _, err := st.Put(t.Context(), x, d); err != nil { // it is full: no call waits for the write
			t.Fatal(err)
		}
		bubble.Wait()
		put(t, st, 1)
		for range 3 {
			if err := st.Sync(t.Context()); err == nil {
				t.Fatal("sync returned nil though a page is missing")
			}
		}
		if len(b.keys()) != 0 {
			t.Errorf("objects are %v", b.keys())
		}
		failing = "nothing any more"
		if err := st.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(b.keys()) != 2 {
			t.Errorf("objects are %v", b.keys())
		}
	})
}

// A write that takes too long is abandoned and repeated later.
func TestSlowWrite(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		b := newBucket()
		b.onPut = func(ctx context.Context, _ string) (bool, error) {
			<-ctx.Done()
			return false, ctx.Err()
		}
		st := New(NewObjects(b, "b"), Options{}).Store("c")
		loc := put(t, st, 0)
		began := time.Now()
		if err := st.Sync(t.Context()); err == nil || time.Since(began) != writeTime {
			t.Errorf("sync after %v: %v", time.Since(began), err)
		}
		b.onPut = nil
		if err := st.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantAt(t, b, loc, 0)
	})
}

// Tasks of two crawls come and go, fail and retry, while writes fail in all
// ways: records confirmed by Sync are stored, and no object was replaced.
func TestFaultsAtRandom(t *testing.T) {
	vouched := 0
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			bubble.Test(t, func(t *testing.T) { vouched += faultsAtRandom(t, seed) })
		})
	}
	if vouched < 80 {
		t.Errorf("%d pages vouched for in all runs: too few to say anything", vouched)
	}
}

// faultsAtRandom returns for how many pages the store vouched.
func faultsAtRandom(t *testing.T, seed uint64) int {
	rng := rand.New(rand.NewPCG(seed, 1))
	var mu sync.Mutex
	chance := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return rng.IntN(n)
	}
	b := newBucket()
	b.onPut = func(context.Context, string) (bool, error) {
		time.Sleep(time.Duration(chance(5000)) * time.Millisecond)
		if chance(2) == 0 {
			return true, nil
		}
		return chance(2) == 0, errReset
	}
	s := New(NewObjects(b, "b"), Options{MaxBytes: 20_000})
	durable := map[string]corpus.Location{} // crawl and URL
	vouched := 0
	task := func(crawl string, batch *Batch) {
		defer batch.Done()
		st := s.Store(crawl)
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+chance(60))*time.Second)
		defer cancel()
		locs := map[string]corpus.Location{}
		for range 1 + chance(4) {
			time.Sleep(time.Duration(chance(1000)) * time.Millisecond)
			x, d := corpustest.Page(chance(40))
			if chance(8) == 0 {
				x.Body = noise(30_000)
			}
			loc, err := st.Put(ctx, x, d)
			if err != nil {
				return
			}
			locs[crawl+" "+d.FinalURL] = loc
		}
		if chance(10) == 0 || st.Sync(ctx) != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for page, loc := range locs {
			durable[page] = loc
			vouched++
			if got := crawl + " " + b.responseAt(t, loc); got != page {
				t.Errorf("%s: sync returned, but at %+v there is %q", page, loc, got)
			}
		}
	}
	for range 15 {
		var wg sync.WaitGroup
		for _, crawl := range []string{"c", "d"} {
			tasks := 1 + chance(6)
			batch := s.Begin(crawl, tasks)
			for range tasks {
				wg.Go(func() { task(crawl, batch) })
			}
		}
		wg.Wait()
	}
	for page, loc := range durable {
		if got := b.responseAt(t, loc); got == "" || !bytes.HasSuffix([]byte(page), []byte(" "+got)) {
			t.Errorf("%s: at the end there is %q at %+v", page, got, loc)
		}
	}
	if len(b.forged) > 0 {
		t.Errorf("replaced objects %v", b.forged)
	}
	time.Sleep(time.Hour) // lets pending writes end
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, g := range s.groups {
		if g.idle() && g.holds() {
			t.Errorf("records of %s stay in memory", name)
		}
	}
	return vouched
}
