// Package sitefolder keeps what is known of sites in a folder, a file for each host,
// which people may correct.
package sitefolder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sluice/shared/local/filecorpus"
	"sluice/shared/structure/site"
)

// Default is the folder that all crawls share.
const Default = "out/sites"

// Folder is a site.Store in a folder, which is made when something is kept.
type Folder string

var _ site.Store = Folder("")

// Path returns the file of a host, in any case. It fails on what is no name of a host.
func (f Folder) Path(host string) (string, error) {
	name, err := site.FileName(host)
	return filepath.Join(string(f), name), err
}

// Site implements site.Store.
func (f Folder) Site(_ context.Context, host string) (*site.Site, error) {
	path, err := f.Path(host)
	if err != nil {
		return nil, err
	}
	s, err := read(path, host)
	if _, invalid := errors.AsType[*site.InvalidError](err); invalid {
		return nil, err
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = site.ErrUnknown
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return s, nil
}

func read(path, host string) (*site.Site, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case info.Size() > site.MaxBytes:
		return nil, fmt.Errorf("it is larger than %d KiB", site.MaxBytes>>10)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return site.Parse(data, path, host)
}

// Update implements site.Store.
func (f Folder) Update(ctx context.Context, found *site.Site) (*site.Site, error) {
	path, err := f.Path(found.Host)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(string(f), 0o755); err != nil {
		return nil, err
	}
	lock, err := f.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = lock.Close() }() // the file is written
	old, err := f.Site(ctx, found.Host)
	if err != nil && !errors.Is(err, site.ErrUnknown) {
		return nil, err
	}
	s := site.Update(old, found)
	data, err := s.Marshal()
	if err == nil {
		err = filecorpus.Write(path, data)
	}
	return s, err
}

// lock waits until no other update is under way.
func (f Folder) lock(ctx context.Context) (io.Closer, error) {
	for {
		lock, err := filecorpus.Lock(string(f))
		if !errors.Is(err, filecorpus.ErrBusy) {
			return lock, err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
