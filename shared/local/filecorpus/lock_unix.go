//go:build unix

package filecorpus

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes the lock on f or returns ErrBusy. The system lets go of it
// when the process ends, however it ends.
func lockFile(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}
