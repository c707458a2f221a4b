package filecorpus

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks f or returns ErrBusy. The system releases the lock when the
// process ends for any reason.
func lockFile(f *os.File) error { return lockEx(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// shareFile locks f beside others who share it, or returns ErrBusy.
func shareFile(f *os.File) error { return lockEx(f, 0) }

func lockEx(f *os.File, how uint32) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrBusy
	}
	return err
}
