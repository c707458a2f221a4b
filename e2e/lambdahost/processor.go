//go:build linux

package lambdahost

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// processorTime returns the time that a process has had on processors, in steps of 10 ms, or
// zero when the process is gone.
func processorTime(pid int) time.Duration {
	const userTime, systemTime = 11, 12 // after the name, which may have spaces
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= systemTime {
		return 0
	}
	ticks := 0
	for _, f := range fields[userTime : systemTime+1] {
		n, err := strconv.Atoi(string(f))
		if err != nil {
			return 0
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond // as on all machines, see sysconf(3)
}
