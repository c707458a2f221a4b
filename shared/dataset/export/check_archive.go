package export

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1" // #nosec G505: the digest that archives have; nothing rests on its strength
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sluice/shared/state/corpus"
)

// archive reads the responses of a folder by their places.
type archive struct {
	dir string
	held
}

// findArchives opens what the places of the records lead into.
func (k *checker) findArchives() {
	for _, s := range k.m.Folders {
		var a *archive
		dir := s.dir(k.out)
		switch _, err := os.Stat(dir); {
		case len(s.Archives) == 0:
			k.res.note("%s kept no archives: the places of its records were not checked", s.Label)
		case err != nil:
			k.res.note("%s is missing: the places of the records of %s were not checked", dir, s.Label)
		case k.m.Options.Format == Text:
			k.res.note("texts do not name their places: only the index was checked")
		default:
			a = &archive{dir: dir}
		}
		k.archives = append(k.archives, a)
	}
}

func (k *checker) closeArchives() {
	for _, a := range k.archives {
		if a != nil {
			a.close()
		}
	}
}

// archiveOf returns the archive of a place, nil if there is none to look into,
// and the name of the file there. A record without a place may be of any folder
// that kept no archives.
func (k *checker) archiveOf(file string) (a *archive, name string) {
	if file == "" && slices.Contains(k.archives, nil) {
		return nil, ""
	}
	for i, s := range k.m.Folders {
		label := ""
		if len(k.m.Folders) > 1 {
			label = s.Label + "/"
		}
		if name, ok := strings.CutPrefix(file, label); ok {
			return k.archives[i], name
		}
	}
	return &archive{}, file // of no folder: it is nowhere
}

// response says in what the record at a place is not the response of a URL, or
// not as it was received.
func (a *archive) response(name string, offset, length int64, url string) error {
	place := fmt.Sprintf("%s at %d", name, offset)
	if a.dir == "" || name == "" || !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return fmt.Errorf("%q is not a file of the archives", name)
	}
	if offset < 0 || length <= 0 {
		return fmt.Errorf("%d bytes of %s are not a place", length, place)
	}
	if err := a.open(filepath.Join(a.dir, filepath.FromSlash(name))); err != nil {
		return err
	}
	for rec, err := range corpus.ReadWARC(io.NewSectionReader(a.f, offset, length)) {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", place, err)
		case rec.Type != "response":
			return fmt.Errorf("%s is a %s record", place, rec.Type)
		case rec.TargetURI != url:
			return fmt.Errorf("%s is the response of %.200s", place, rec.TargetURI)
		case rec.Offset != 0 || rec.Length != length:
			return fmt.Errorf("%s has %d bytes, not %d", place, rec.Length, length)
		}
		if err := checkPayload(rec); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		return nil
	}
	return fmt.Errorf("%s is not a record", place)
}

// checkPayload compares the body of a response with its digest, where that is one
// by SHA-1: that of others is for others to check.
func checkPayload(rec *corpus.Record) error {
	want, ok := strings.CutPrefix(rec.PayloadDigest(), "sha1:")
	if !ok {
		return nil
	}
	resp, err := rec.HTTP()
	if err != nil {
		return err
	}
	sum := sha1.Sum(resp.Body) // #nosec G401
	if have := base32.StdEncoding.EncodeToString(sum[:]); have != want {
		return fmt.Errorf("its payload has the digest sha1:%s, not sha1:%.40s", have, want)
	}
	return nil
}

// index makes the index again from the archives and compares.
func (k *checker) index(ctx context.Context) (err error) {
	tmp, err := os.MkdirTemp("", "sluice-check-*")
	if err != nil {
		return fmt.Errorf("make work folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	e := &exporter{out: tmp, plan: &plan{Options: k.m.Options, Folders: k.m.Folders}, tools: Tools{Progress: k.progress}, disk: osDisk{}}
	for _, s := range k.m.Folders {
		dir := s.dir(k.out)
		if _, err := os.Stat(dir); err != nil {
			return nil // there is a note about it
		}
		e.folders = append(e.folders, &Folder{Dir: dir})
	}
	var again Manifest
	if err := e.indexArchives(ctx, &again); err != nil {
		if ctx.Err() != nil {
			return err
		}
		k.res.wrong("%s cannot be made again: %v", IndexFile, err)
		return nil
	}
	k.res.Captures = again.Index.Records
	if again.Files[0].SHA256 != k.m.file(IndexFile).SHA256 {
		k.res.wrong("%s is not what the archives come to: %s", IndexFile, firstDifference(filepath.Join(k.out, IndexFile), filepath.Join(tmp, IndexFile)))
	}
	return nil
}

// file returns what the manifest says of a file.
func (m *Manifest) file(name string) File {
	for _, f := range m.Files {
		if f.Name == name {
			return f
		}
	}
	return File{}
}

// firstDifference says in which line two files begin to differ.
func firstDifference(have, want string) string {
	a, errA := os.Open(have)
	b, errB := os.Open(want)
	if err := errors.Join(errA, errB); err != nil {
		return err.Error()
	}
	defer func() { _, _ = a.Close(), b.Close() }() // they were only read
	x, y := bufio.NewReader(a), bufio.NewReader(b)
	for n := 1; ; n++ {
		p, errX := x.ReadBytes('\n')
		q, errY := y.ReadBytes('\n')
		if !bytes.Equal(p, q) {
			return fmt.Sprintf("line %d is %.300q, the archives say %.300q", n, p, q)
		}
		if errX != nil || errY != nil {
			return fmt.Sprintf("after line %d", n)
		}
	}
}
