package step_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	webpage "sluice/shared/web/page"
)

// weighing is an archive that knows nothing, and notes how large the heap gets
// and how many are in turn.
type weighing struct {
	entered      sync.Mutex
	mu           sync.Mutex
	calls        int
	inTurn, most int
	heap         uint64
}

func (w *weighing) Digest(*ledger.Entry) string {
	w.mu.Lock()
	w.calls++
	w.inTurn++
	w.most = max(w.most, w.inTurn)
	w.mu.Unlock()

	w.entered.Lock()
	w.heap = max(w.heap, heap())
	w.entered.Unlock()

	w.mu.Lock()
	w.inTurn--
	w.mu.Unlock()
	return ""
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// No more trees are alive than pages may be read at a time, of any number of
// pages. No other test runs meanwhile.
func TestParsersBoundTrees(t *testing.T) { //nolint:paralleltest // it weighs the heap
	const tasks = 10
	large := "<title>股市 银行</title>" + mainText("http://large.test/") + strings.Repeat("<br>", 35_000)
	before := heap()
	var trees [8]any // many: what other tests leave behind goes meanwhile
	for i := range trees {
		tree, err := webpage.Tree([]byte(large))
		if err != nil {
			t.Fatal(err)
		}
		trees[i] = tree
	}
	one := (heap() - before) / uint64(len(trees))
	runtime.KeepAlive(trees)

	for _, parsers := range []int{1, 2} {
		t.Run(fmt.Sprint(parsers), func(t *testing.T) { //nolint:paralleltest // it weighs the heap
			w := newWorld(t, "")
			var links []frontier.Link
			for i := range tasks {
				links = append(links, link(fmt.Sprintf("http://h%d.test/", i)))
				w.web.pages[links[i].URL] = "<title>股市 银行</title>$TEXT"
				w.run(t, links[i])
			}
			changed := map[string]string{}
			for _, l := range links {
				changed[l.URL] = large
			}
			w.refresh(t, changed)
			w.ports.Prior = forgetfulPrior{w.ports.Prior}
			scales := &weighing{}
			w.ports.Archive, w.opts.Parsers = scales, parsers
			s := step.New(w.plan, w.ports, w.opts)
			empty := heap()
			var all sync.WaitGroup
			for _, l := range links {
				task := w.task(t, l)
				all.Go(func() {
					if _, err := s.Run(t.Context(), task, step.Grant{Owner: task.ID}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if scales.calls != tasks || scales.most > parsers {
				t.Errorf("%d pages were read, up to %d at a time, want %d and %d", scales.calls, scales.most, tasks, parsers)
			}
			if grown := scales.heap - min(scales.heap, empty); grown > uint64(parsers+2)*one {
				t.Errorf("the heap grew by %d bytes, a tree takes %d", grown, one)
			}
		})
	}
}
