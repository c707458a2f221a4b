package boilerplate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sluice/shared/fault"
)

// A sketch is a function of the set of pages: however they are ordered and
// repeated, and whichever of two versions of a page came first.
func TestSketchIsAFunctionOfTheSet(t *testing.T) {
	pages := plainSite(200, nil, []string{disclaimer})
	for i := range 20 {
		changed := pages[i*7]
		changed.Text = "another version\n" + changed.Text
		pages = append(pages, changed)
	}
	var all Sketch
	all.Add(pages...)
	want := all.Encode()
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var s Sketch
		for _, i := range append(rng.Perm(len(pages)), rng.Perm(len(pages))...) {
			s.Add(pages[i])
		}
		if !bytes.Equal(s.Encode(), want) {
			t.Fatalf("seed %d: another order ends in another sketch", seed)
		}
		if s.Add(pages...) {
			t.Fatalf("seed %d: pages that are there change the sketch", seed)
		}
	}
}

func TestAddTellsChange(t *testing.T) {
	var s Sketch
	changes := 0
	for _, p := range plainSite(5000, nil, nil) {
		before := s.Encode()
		changed := s.Add(p)
		if changed == bytes.Equal(before, s.Encode()) {
			t.Fatalf("Add of %s = %v", p.URL, changed)
		}
		if changed {
			changes++
		}
	}
	if s.Pages() != maxPages || changes > 1000 {
		t.Errorf("%d pages in the sample, %d changes of 5000", s.Pages(), changes)
	}
}

func TestClone(t *testing.T) {
	var s Sketch
	s.Add(plainSite(10, nil, nil)...)
	before := s.Encode()
	s.Clone().Add(plainSite(80, nil, nil)...)
	if !bytes.Equal(before, s.Encode()) {
		t.Error("a change of the clone changed the sketch")
	}
}

// A sketch of any pages fits the stores.
func TestEncodedSize(t *testing.T) {
	var s Sketch
	for i := range 300 {
		text := strings.Repeat(fmt.Sprintf("%d 行\n", i), 5000)
		s.Add(Page{URL: fmt.Sprint("http://a.test/", i), Title: fmt.Sprint(i), Text: text})
	}
	if got := len(s.Encode()); got != MaxEncoded || got > 16<<10 {
		t.Errorf("encoded as %d bytes, want MaxEncoded = %d, at most 16 KiB", got, MaxEncoded)
	}
}

func TestDecode(t *testing.T) {
	var s Sketch
	s.Add(plainSite(70, nil, []string{disclaimer})...)
	whole := s.Encode()
	got, err := Decode(whole)
	if err != nil {
		t.Fatal(err)
	}
	old := []byte{oldFormat, byte(got.Pages())}
	for i := range got.pages {
		b := got.pages[i].append(nil)
		old = append(append(append(old, b[:8]...), 1, 2, 3, 4, 5), b[8:18]...)
		old = append(append(old, 6, 7, 8, 9, 10), b[18:]...)
	}
	if again, err := Decode(old); err != nil || !bytes.Equal(again.Encode(), whole) {
		t.Errorf("the old format: error %v", err)
	}
	if !bytes.Equal(got.Encode(), whole) || got.Learned().Version() != s.Learned().Version() {
		t.Error("Decode is no inverse of Encode")
	}
	swapped := bytes.Clone(whole)
	swapped[2] ^= 0xff // the first address is no longer the smallest
	for name, b := range map[string][]byte{
		"nothing": nil, "no count": {format}, "another format": append([]byte{format + 1}, whole[1:]...),
		"too many pages": {format, maxPages + 1}, "cut off": whole[:len(whole)-1], "too long": append(bytes.Clone(whole), 0),
		"out of order": swapped,
	} {
		if _, err := Decode(b); err == nil || fault.Of(err).Class != fault.Permanent {
			t.Errorf("%s: error %v, want a Permanent fault", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	var s Sketch
	f.Add(s.Encode())
	s.Add(plainSite(3, nil, []string{share})...)
	f.Add(s.Encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Decode(b)
		if err != nil {
			return
		}
		if b[0] == format && !bytes.Equal(s.Encode(), b) {
			t.Error("a sketch has two encodings")
		}
		s.Learned().Remove(string(b))
	})
}

// Hostile pages of a host cost no panic, and the same removal twice is one.
func FuzzRemove(f *testing.F) {
	f.Add("第一段。\n"+share+"\n", "标题", 5)
	f.Add("a\n\n---\nb", "", 64)
	f.Fuzz(func(t *testing.T, text, title string, n int) {
		var s Sketch
		n = min(max(n, 0), 70)
		for i := range n {
			s.Add(Page{URL: fmt.Sprint("http://a.test/", i), Title: fmt.Sprint(title, i), Text: fmt.Sprintf("第%d段落的文字内容不同。\n%s", i, text)})
		}
		l := s.Learned()
		rest, removed := l.Remove(text)
		if (removed.Lines == 0) != (rest == text) && removed.Lines == 0 {
			t.Errorf("nothing removed, yet %q became %q", text, rest)
		}
		if len(rest) > len(text) {
			t.Errorf("%q grew to %q", text, rest)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	pages := plainSite(500, nil, []string{disclaimer, share})
	var s Sketch
	for i := 0; b.Loop(); i++ {
		s.Add(pages[i%len(pages)])
	}
}

func BenchmarkLearned(b *testing.B) {
	var s Sketch
	s.Add(plainSite(64, []string{subscribe}, []string{disclaimer, share})...)
	for b.Loop() {
		s.Learned()
	}
}

func BenchmarkRemove(b *testing.B) {
	pages := plainSite(64, nil, []string{disclaimer, share})
	l := learn(pages)
	b.SetBytes(int64(len(pages[0].Text)))
	for b.Loop() {
		l.Remove(pages[0].Text)
	}
}
