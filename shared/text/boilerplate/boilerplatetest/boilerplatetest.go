// Package boilerplatetest is the conformance suite of boilerplate.Store.
package boilerplatetest

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"sluice/shared/conformance"
	"sluice/shared/text/boilerplate"
)

// Run checks an adapter against the contract of boilerplate.Store. Each check
// gets a fresh one. open may be called more than once with the same t, for
// another process on the same state; an adapter for one process returns the
// same store.
func Run(t *testing.T, start func(t *testing.T) (open func() boilerplate.Store)) {
	conformance.Run(t, checks, start)
}

type check = conformance.Check[func() boilerplate.Store]

var checks = []check{
	// The first page of a host finds nothing.
	{Name: "a new host has an empty sketch", Check: checkNew},
	// What is learned counts for the page that brought it, too.
	{Name: "update returns what is learned, its pages included", Check: checkLearns},
	// Events come again, and in another order.
	{Name: "the sketch is that of the set of pages", Check: checkSet},
	// Another process continues with what one has written.
	{Name: "what is written is seen by all", Check: checkShared},
	// Functions scale out; no page may be lost in a race.
	{Name: "concurrent updates all count", Check: checkRace},
	{Name: "hosts are apart", Check: checkHosts},
	{Name: "crawls are apart", Check: checkCrawls},
	// A host of long pages fills its sketch to the last byte.
	{Name: "the largest sketch fits", Check: checkLarge},
}

const footer = "欢迎订阅本站每日早报，第一时间获取最新资讯与深度报道内容"

// Pages returns n pages of a host that have a footer, and nothing else, in
// common.
func Pages(host string, n int) []boilerplate.Page {
	pages := make([]boilerplate.Page, n)
	for i := range pages {
		pages[i] = boilerplate.Page{
			URL:   fmt.Sprintf("http://%s/%d.html", host, i),
			Title: fmt.Sprintf("第%d号新闻", i),
			Text:  fmt.Sprintf("这是第%d号新闻的正文，它的内容与其他各号都不相同。\n%s\n", i, footer),
		}
	}
	return pages
}

func of(pages ...boilerplate.Page) *boilerplate.Sketch {
	s := new(boilerplate.Sketch)
	s.Add(pages...)
	return s
}

func update(t *testing.T, s boilerplate.Store, crawl, host string, pages ...boilerplate.Page) *boilerplate.Learned {
	t.Helper()
	l, err := s.Update(t.Context(), crawl, host, pages)
	if err != nil {
		t.Fatalf("Update of %s: %v", host, err)
	}
	return l
}

// wantSketch fails the test unless the host has the sketch of these pages.
func wantSketch(t *testing.T, s boilerplate.Store, crawl, host string, pages ...boilerplate.Page) {
	t.Helper()
	got, err := s.Sketch(t.Context(), crawl, host)
	if err != nil {
		t.Fatalf("Sketch of %s: %v", host, err)
	}
	if want := of(pages...); !bytes.Equal(got.Encode(), want.Encode()) {
		t.Errorf("%s of %s has a sketch of %d pages that is not the one of %d pages", host, crawl, got.Pages(), want.Pages())
	}
}

func checkNew(t *testing.T, open func() boilerplate.Store) {
	s := open()
	wantSketch(t, s, "c", "a.test")
	if v := update(t, s, "c", "a.test").Version(); v != "" {
		t.Errorf("learned %q of no pages", v)
	}
	wantSketch(t, s, "c", "a.test")
}

func checkLearns(t *testing.T, open func() boilerplate.Store) {
	s := open()
	pages := Pages("a.test", 20)
	for i, p := range pages {
		got, want := update(t, s, "c", "a.test", p).Version(), of(pages[:i+1]...).Learned().Version()
		if got != want {
			t.Fatalf("after %d pages: learned %q, want %q", i+1, got, want)
		}
	}
	if update(t, s, "c", "a.test", pages[0]).Version() == "" {
		t.Error("a page that is known learns nothing")
	}
}

func checkSet(t *testing.T, open func() boilerplate.Store) {
	s := open()
	pages := Pages("a.test", 150)
	for i := len(pages) - 1; i >= 0; i-- {
		update(t, s, "c", "a.test", pages[i], pages[(i*7)%len(pages)])
	}
	update(t, s, "c", "a.test", pages...)
	wantSketch(t, s, "c", "a.test", pages...)
}

func checkShared(t *testing.T, open func() boilerplate.Store) {
	pages := Pages("a.test", 100)
	one, other := open(), open()
	for i, p := range pages {
		update(t, []boilerplate.Store{one, other}[i%2], "c", "a.test", p)
	}
	wantSketch(t, one, "c", "a.test", pages...)
	wantSketch(t, other, "c", "a.test", pages...)
	wantSketch(t, open(), "c", "a.test", pages...)
}

func checkRace(t *testing.T, open func() boilerplate.Store) {
	pages := Pages("a.test", 96)
	var wg sync.WaitGroup
	for i := range 8 {
		s := open()
		wg.Go(func() {
			for j := i; j < len(pages); j += 8 {
				if _, err := s.Update(t.Context(), "c", "a.test", pages[j:j+1]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	wantSketch(t, open(), "c", "a.test", pages...)
}

func checkHosts(t *testing.T, open func() boilerplate.Store) {
	s := open()
	for i := range 30 {
		host := fmt.Sprintf("h%d.test", i)
		update(t, s, "c", host, Pages(host, i)...)
	}
	for i := range 30 {
		host := fmt.Sprintf("h%d.test", i)
		wantSketch(t, s, "c", host, Pages(host, i)...)
	}
}

func checkCrawls(t *testing.T, open func() boilerplate.Store) {
	s := open()
	pages := Pages("a.test", 10)
	update(t, s, "one", "a.test", pages[:5]...)
	update(t, s, "other", "a.test", pages[5:]...)
	wantSketch(t, s, "one", "a.test", pages[:5]...)
	wantSketch(t, s, "other", "a.test", pages[5:]...)
	wantSketch(t, s, "third", "a.test")
}

func checkLarge(t *testing.T, open func() boilerplate.Store) {
	pages := Pages("a.test", 80)
	for i := range pages {
		for j := range 50 {
			pages[i].Text += fmt.Sprintf("第%d号第%d行\n", i, j)
		}
	}
	if n := len(of(pages...).Encode()); n != boilerplate.MaxEncoded {
		t.Fatalf("the sketch is encoded as %d bytes, not %d", n, boilerplate.MaxEncoded)
	}
	s := open()
	update(t, s, "c", "a.test", pages...)
	wantSketch(t, s, "c", "a.test", pages...)
}
