package main

import (
	"strings"
	"testing"

	"sluice/cmd/sluice/cli"
	"sluice/shared/aws/operator/operatortest"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// A page is taken out of a crawl of a stack, unless that is running.
func TestStackForget(t *testing.T) {
	s := operatortest.New(t)
	s.Create(t, job.Message{Crawl: "c"})
	s.End(t, "c", ledger.End{URL: "http://a.test/x", Entry: &ledger.Entry{Verdict: ledger.Kept, Segment: "raw/c/1.warc.gz"}})
	line, err := (&corpus.Document{URL: "http://a.test/x", FinalURL: "http://a.test/x"}).AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.PutObject(t, "corpus/c/1.jsonl", string(line))
	args := []string{"forget", "--stack", s.Name, "c", "https://A.test/x", "--yes"}
	_, said := sluice(t, cli.ExitUsage, "", args...)
	wantSaid(t, said, "crawl c is running: pause it first (sluice pause --stack "+s.Name+" c)")
	sluice(t, cli.ExitDone, "", "pause", "--stack", s.Name, "c")
	out, _ := sluice(t, cli.ExitDone, "", append(args[:len(args)-1:len(args)-1], "--dry-run")...)
	wantSaid(t, out, "c of stack "+s.Name+": would go, by target", "objects to rewrite\n  corpus/c/1.jsonl\n")
	out, _ = sluice(t, cli.ExitDone, "", append(args, "--json")...)
	if crawls, ok := document(t, out)["crawls"].([]any); !ok || len(crawls) != 1 || !strings.Contains(out, `"documents":1`) {
		t.Errorf("stdout is %s", out)
	}
	out, _ = sluice(t, cli.ExitDone, "", "explain", "--stack", s.Name, "c", "http://a.test/x")
	wantSaid(t, out, "removed by sluice forget")
	out, _ = sluice(t, cli.ExitDone, "", args...)
	wantSaid(t, out, "c of stack "+s.Name+": nothing was found")
	out, _ = sluice(t, cli.ExitDone, "", "forget", "--stack", s.Name, "--all", "https://A.test/x", "--yes")
	wantSaid(t, out, "c of stack "+s.Name+": nothing was found")
	_, said = sluice(t, cli.ExitUsage, "", "forget", "--stack", s.Name, "other", "https://A.test/x", "--yes")
	wantSaid(t, said, "other")
}
