package neardup

import "testing"

// A shingle that many texts share leads each of them to the first few.
func TestPairGroup(t *testing.T) {
	for n, want := range map[int]int64{1: 0, 2: 1, fullGroup: 28, fullGroup + 1: 8 + 7 + 6 + 5} {
		f := New(Options{TempDir: t.TempDir()})
		var group []uint32
		for i := range n {
			group = append(group, uint32(i), uint32(i))
		}
		if err := f.pairGroup(t.Context(), group); err != nil {
			t.Fatal(err)
		}
		if got := f.pairs.Count(); got != want {
			t.Errorf("%d texts make %d pairs, want %d", n, got, want)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLikely(t *testing.T) {
	for _, tc := range []struct {
		a, b   uint16 // hashes in the sketches
		shared uint32
		want   bool
	}{
		{48, 48, 3, true}, {48, 48, 2, false}, {10, 512, 3, true}, {160, 512, 10, true}, {512, 160, 9, false},
	} {
		if got := likely(&entry{sketch: tc.a}, &entry{sketch: tc.b}, tc.shared); got != tc.want {
			t.Errorf("%d of %d and %d: %v", tc.shared, tc.a, tc.b, got)
		}
	}
}

// Texts are compared if they share enough of their sketches.
func TestCandidates(t *testing.T) {
	text, footer := prose(1, 6400), prose(3, 160)
	for _, tc := range []struct {
		name, a, b         string
		candidates, copies int
	}{
		{"copies", text, typos(text, 0.05, 1), 1, 1},
		{"a footer in common", text + footer, prose(2, 6400) + footer, 0, 0},
		{"half in common", text[:len(text)/2] + prose(4, 3200), text[:len(text)/2] + prose(5, 3200), 1, 0},
	} {
		s := find(t, Options{}, []Doc{{ID: "a", Text: tc.a}, {ID: "b", Text: tc.b}}).Stats
		if s.Candidates != tc.candidates || s.Copies != tc.copies || s.Docs != 2 || s.Texts != 2 {
			t.Errorf("%s: %+v, want %d candidates, %d copies", tc.name, s, tc.candidates, tc.copies)
		}
	}
}

// Of three documents two are equal: 48 bytes each, 16 for each text, and 8 for each
// hash of their sketches.
func TestStats(t *testing.T) {
	text := prose(1, 500)
	s := find(t, Options{}, []Doc{{ID: "a", Text: text}, {ID: "b", Text: prose(2, 500)}, {ID: "c", Text: text}}).Stats
	if want := (Stats{Docs: 3, Texts: 2, Memory: 3*48 + 2*16, Index: 3 * minSketch * 8}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	s = find(t, Options{}, []Doc{{ID: "a", Text: text}, {ID: "b", Text: typos(text, 0.05, 1)}}).Stats
	if s.Copies != 1 || s.Index <= 2*minSketch*8 {
		t.Errorf("%+v, want one copy, and more in the index than the sketches", s)
	}
}

// A shelf has room for what was used last, and at least for one text.
func TestShelf(t *testing.T) {
	text := newText(prose(1, 100))
	s := newShelf(2 * text.bytes())
	has := func(numbers ...uint32) {
		t.Helper()
		for n := range uint32(4) {
			want := false
			for _, x := range numbers {
				want = want || x == n
			}
			if _, ok := s.texts[n]; ok != want {
				t.Errorf("text %d is on the shelf: %v", n, ok)
			}
		}
	}
	s.put(0, text)
	s.put(1, text)
	has(0, 1)
	if s.get(0) != text || s.get(3) != nil {
		t.Error("the wrong text")
	}
	s.put(2, text)
	has(0, 2)
	large := newText(prose(2, 10_000))
	s.put(3, large)
	has(3)
	s.put(1, text)
	has(1)
}
