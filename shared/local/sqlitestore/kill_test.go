package sqlitestore

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/urlnorm"
)

// killFile tells a child process which store to write to; it prints the URLs
// of pages whose writes were all acknowledged.
const killFile = "SLUICE_TEST_KILL_FILE"

// TestKill kills a process that writes, again and again, and checks after each
// time that everything that was acknowledged is there.
func TestKill(t *testing.T) {
	if path := os.Getenv(killFile); path != "" {
		writeUntilKilled(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "state.db")
	rng := rand.New(rand.NewPCG(9, 9))
	acked := map[string]bool{}
	for range 5 {
		runChild(t, path, 1+rng.IntN(60), acked)
		checkAcked(t, path, acked)
	}
}

// runChild runs a child and kills it once it has acknowledged n pages.
func runChild(t *testing.T, path string, n int, acked map[string]bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKill$", "-test.timeout=2m") //nolint:gosec // this test
	cmd.Env = append(os.Environ(), killFile+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for i := 0; lines.Scan(); i++ {
		url, ok := strings.CutPrefix(lines.Text(), "acked ")
		if !ok {
			t.Errorf("child says %q", lines.Text())
			break
		}
		acked[url] = true
		if i == n {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the child ended by itself")
	}
}

// writeUntilKilled writes pages from several goroutines.
func writeUntilKilled(t *testing.T, path string) {
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Recover(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	run := time.Now().UnixNano()
	stop := make(chan error)
	for w := range 8 {
		go func() {
			for i := 0; ; i++ {
				url := fmt.Sprintf("http://h%d.test/%d/%d/%d", i%5, run, w, i)
				if err := writePage(t.Context(), s, url); err != nil {
					stop <- err
					return
				}
				// One write, so that a line is never halved.
				_, _ = io.WriteString(os.Stdout, "acked "+url+"\n")
			}
		}()
	}
	t.Fatal(<-stop)
}

func writePage(ctx context.Context, s *Store, url string) error {
	links := []frontier.Link{{URL: url + "/a", Priority: 1, Round: 1}, {URL: url + "/b", Priority: 2, Round: 2}}
	if err := s.Backlog().Add(ctx, "kill", links); err != nil {
		return err
	}
	if err := s.Ledger().MarkQueued(ctx, "kill", []string{url + "/a", url + "/b"}); err != nil {
		return err
	}
	task := &frontier.Task{ID: "t", Crawl: "kill", Host: urlnorm.HostOf(url), Links: links[:1]}
	if err := s.Queue().Send(ctx, []frontier.Outgoing{{Task: task}}); err != nil {
		return err
	}
	if err := s.Backlog().Remove(ctx, "kill", urlnorm.HostOf(url), []string{url + "/a"}); err != nil {
		return err
	}
	e := &ledger.Entry{Verdict: ledger.Kept, Fetched: true, Relevant: true, Enqueued: 2, Round: len(url) % 2}
	return complete(ctx, s, "kill", url, e)
}

// checkAcked reads everything back; open's cleanup checks the rest.
func checkAcked(t *testing.T, path string, acked map[string]bool) {
	t.Helper()
	s := openAt(t, path, Options{})
	defer closeStore(t, s)
	tasks := 0
	err := s.read(t.Context(), func(c *conn) error {
		return c.query("SELECT body FROM messages", func(r row) error {
			_, err := frontier.DecodeTask(r.bytes(0))
			tasks++
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if tasks < len(acked) {
		t.Errorf("%d tasks are queued, %d were sent", tasks, len(acked))
	}
	if n, err := s.Queue().Queued(t.Context(), "kill", ""); err != nil || n != tasks {
		t.Errorf("%d links are queued (%v), want %d", n, err, tasks)
	}
	for url := range acked {
		trail, err := s.Explain(t.Context(), "kill", url)
		if err != nil {
			t.Fatal(err)
		}
		if trail.State != ledger.Done || trail.Entry == nil || trail.Entry.Enqueued != 2 {
			t.Errorf("%s was completed and is %+v", url, trail)
		}
		states, err := s.Ledger().States(t.Context(), "kill", []string{url + "/a", url + "/b"})
		if err != nil {
			t.Fatal(err)
		}
		if states[0] != ledger.Queued || states[1] != ledger.Queued {
			t.Errorf("links of %s were marked and are %v", url, states)
		}
	}
}
