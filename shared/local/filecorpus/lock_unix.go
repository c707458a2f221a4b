//go:build unix

package filecorpus

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile locks f or returns ErrBusy. The system releases the lock when the
// process ends for any reason.
func lockFile(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}
