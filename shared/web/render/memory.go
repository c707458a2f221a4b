package render

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// watchEvery is how often the memory of the processes of pages is read.
const watchEvery = 100 * time.Millisecond

// watch kills the process of a page that takes too much memory: its page reports a
// crash, the others go on. It returns when the browser ends.
func (b *Browser) watch(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if len(b.places) == 0 {
			continue
		}
		info, err := chromedp.CallBrowser(ctx, systeminfo.GetProcessInfo, cdp.Empty{})
		if err != nil {
			if lost(ctx) {
				return
			}
			continue
		}
		for _, p := range info.ProcessInfo {
			if p.Type == "renderer" && resident(int(p.ID)) > b.options.MaxMemory {
				if process, err := os.FindProcess(int(p.ID)); err == nil {
					_ = process.Kill() // it may have ended meanwhile
				}
			}
		}
	}
}

// resident returns the memory of a process in bytes, 0 where it cannot be read.
func resident(pid int) int64 {
	statm, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
