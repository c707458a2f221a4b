//go:build !linux && !darwin

package filecorpus

import "errors"

// exchange fails: the system cannot give two files each other's names at once.
func exchange(_, _ string) error { return errors.ErrUnsupported }
