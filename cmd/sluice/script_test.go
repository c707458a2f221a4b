package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sluice/shared/short"
	"sluice/topics"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sluice": main, "exits": exits})
}

// The scripts run the program on the demo web, each on its own. Besides
// testscript's own commands they have:
//
//	exec exits CODE PROGRAM ARG…   run a program that must end with this code
//	await N                        wait until N pages were asked for since the last signal
//	signal INT|TERM|HUP            signal the last program in the background
//	turn                           the pages of the news host change
//	json FILE KEY[=VALUE]…         FILE is one JSON object with these keys
//
// $PROXY serves the web, finance.yaml is the shipped topic, semantic.yaml the same by that strategy, $SEMEMES the folder
// of the small sememe lexicon.
func TestScripts(t *testing.T) {
	t.Parallel()
	dir, files := filepath.Join("testdata", "script"), []string(nil)
	busy := []string{"control", "crawl", "demo", "interrupt", "sift", "watch"} // much happens at a time
	all, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if short.Of(t, len(all), len(busy)) == len(busy) {
		for _, name := range busy {
			files = append(files, filepath.Join(dir, name+".txtar"))
		}
		dir = ""
	}
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			web := newWeb()
			env.Defer(web.close)
			env.Values[webKey{}] = web
			env.Setenv("PROXY", web.server.URL)
			sememes, err := filepath.Abs(filepath.Join("..", "..", "topics", "sememes"))
			if err != nil {
				return err
			}
			env.Setenv("SEMEMES", sememes)
			semantic := append([]byte("strategy: semantic\n"), topics.Finance...)
			return errors.Join(os.WriteFile(filepath.Join(env.WorkDir, "finance.yaml"), topics.Finance, 0o644),
				os.WriteFile(filepath.Join(env.WorkDir, "semantic.yaml"), semantic, 0o644))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"await": await, "signal": sendSignal, "json": checkJSON, "turn": turn,
		},
	})
}

// exits is a program that runs another and fails unless that ends with the
// code it has to. Signals are passed on.
func exits() {
	if err := runExits(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "exits:", err)
		os.Exit(1)
	}
}

func runExits(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: exits CODE PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	cmd := exec.Command(args[1], args[2:]...) //nolint:noctx // the script ends it
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s) // it may have ended
		}
	}()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		return fmt.Errorf("exit code %d, want %d", got, want)
	}
	return nil
}

// await waits until a number of pages were asked for since the last signal: a
// program that was just started handles signals then.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await N")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	web := scriptWeb(ts)
	for deadline := time.Now().Add(time.Minute); web.pages.Load() < int64(want); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("the web has been asked for %d pages, not %d", web.pages.Load(), want)
		}
	}
}

// turn lets the pages of the news host change.
func turn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: turn")
	}
	scriptWeb(ts).turns.Add(1)
}

func scriptWeb(ts *testscript.TestScript) *web {
	w, ok := ts.Value(webKey{}).(*web)
	if !ok {
		ts.Fatalf("the script has no web")
	}
	return w
}

// sendSignal signals the last program that the script started in the
// background.
func sendSignal(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}
	running := ts.BackgroundCmds()
	if neg || len(args) != 1 || signals[args[0]] == nil || len(running) == 0 {
		ts.Fatalf("usage: signal INT|TERM|HUP, with a program in the background")
	}
	scriptWeb(ts).pages.Store(0)
	ts.Check(running[len(running)-1].Process.Signal(signals[args[0]]))
}
