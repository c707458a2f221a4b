//go:build unix

package filecorpus

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile locks f or returns ErrBusy. The system releases the lock when the
// process ends for any reason.
func lockFile(f *os.File) error { return flock(f, unix.LOCK_EX) }

// shareFile locks f beside others who share it, or returns ErrBusy.
func shareFile(f *os.File) error { return flock(f, unix.LOCK_SH) }

func flock(f *os.File, how int) error {
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}
