//go:build linux

package lambdahost

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// peakRSS returns the largest resident memory of a process since its start, in
// bytes, or zero when the process is gone.
func peakRSS(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		if value, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			value = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(value), []byte("kB")))
			kb, err := strconv.ParseInt(string(value), 10, 64)
			if err != nil {
				return 0
			}
			return kb << 10
		}
	}
	return 0 // a zombie has no memory
}

// limitMemory puts a process into a new group below parent that may use mb
// MiB, without swap, and returns the group. An empty parent limits nothing.
func limitMemory(parent string, pid, mb int) (string, error) {
	if parent == "" {
		return "", nil
	}
	group := filepath.Join(parent, "lambdahost-"+strconv.Itoa(pid))
	if err := os.Mkdir(group, 0o755); err != nil {
		return "", fmt.Errorf("make memory cgroup: %w", err)
	}
	return group, confine(group, pid, mb)
}

// confine sets the limits of a group before the process gets into it.
func confine(group string, pid, mb int) error {
	limit := strconv.Itoa(mb << 20)
	memory, swap, noSwap := "memory.max", "memory.swap.max", "0"
	if _, err := os.Stat(filepath.Join(group, memory)); err != nil { // version 1
		memory, swap, noSwap = "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", limit
	}
	if err := write(filepath.Join(group, memory), limit); err != nil {
		return fmt.Errorf("limit memory to %d MB: %w", mb, err)
	}
	// Kernels that do not account for swap have no such file.
	if err := write(filepath.Join(group, swap), noSwap); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forbid swap: %w", err)
	}
	if err := write(filepath.Join(group, "cgroup.procs"), strconv.Itoa(pid)); err != nil {
		return fmt.Errorf("move process into memory cgroup: %w", err)
	}
	return nil
}

// write sets a control file, which the kernel must have created.
func write(path, value string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}
