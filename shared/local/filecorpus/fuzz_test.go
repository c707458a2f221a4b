package filecorpus

import (
	"os"
	"path/filepath"
	"testing"

	"sluice/shared/state/corpus"
	"sluice/shared/state/corpus/corpustest"
)

// FuzzOpenDamagedTail puts bytes after the whole records. Open removes none of
// these. It may refuse the folder, and then changes nothing.
func FuzzOpenDamagedTail(f *testing.F) {
	f.Add([]byte{}, []byte{}, []byte{})
	f.Add([]byte{0x1f, 0x8b, 8, 0}, []byte(`{"v":1,"id":`), []byte("\x00\x00\x00"))
	f.Add([]byte("WARC/1.1\r\n"), []byte("{}\n"), []byte("null\n{"))
	whole := f.TempDir()
	write(f, whole, 2)
	files := map[kind][]byte{}
	for _, k := range []kind{warcKind, docKind, rejectKind} {
		b, err := os.ReadFile(filepath.Join(whole, k.path(1)))
		if err != nil {
			f.Fatal(err)
		}
		files[k] = b
	}
	f.Add(files[warcKind][:200], files[docKind][:50], files[rejectKind])
	f.Fuzz(func(t *testing.T, warcTail, docTail, rejectTail []byte) {
		dir := t.TempDir()
		tails := map[kind][]byte{warcKind: warcTail, docKind: docTail, rejectKind: rejectTail}
		for k, b := range files {
			path := filepath.Join(dir, k.path(1))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, append(b[:len(b):len(b)], tails[k]...), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c, err := Open(dir, Options{})
		for k, b := range files {
			got, readErr := os.ReadFile(filepath.Join(dir, k.path(1)))
			if readErr != nil {
				t.Fatal(readErr)
			}
			if len(got) < len(b) || string(got[:len(b)]) != string(b) {
				t.Errorf("%s lost whole records: %d of %d bytes are left", k.dir, len(got), len(b))
			}
			if err != nil && len(got) != len(b)+len(tails[k]) {
				t.Errorf("%s was changed though Open refused it: %v", k.dir, err)
			}
		}
		if err != nil {
			return
		}
		defer kill(c)
		for i := range 2 {
			_, d := corpustest.Page(i)
			if _, ok := c.find(keyOf(d.Key())); !ok {
				t.Errorf("document %d is forgotten", i)
			}
		}
		if got := readLines[corpus.Document](t, dir, docKind); len(got) < 2 {
			t.Errorf("%d documents are left, want 2", len(got))
		}
		readRecords(t, filepath.Join(dir, warcKind.path(1)))
	})
}
