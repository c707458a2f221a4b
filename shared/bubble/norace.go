//go:build !race || go1.27

package bubble

func oneThread() (undo func()) { return func() {} }
