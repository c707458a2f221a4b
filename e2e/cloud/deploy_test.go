//go:build linux

package cloud_test

import (
	"net/http/httptest"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/meter"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/aws/stack"
	"sluice/shared/demo"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
	"sluice/shared/state/limits"
)

// deployedCrawl is the crawl of infra/local/start.json.
const deployedCrawl = "finance-demo"

// openDeployed opens the stack that infra/local/up has deployed, as the command
// line does.
func openDeployed(t *testing.T) *cloud {
	t.Helper()
	name := os.Getenv("SLUICE_DEPLOYED")
	if name == "" {
		t.Skip("no stack: SLUICE_DEPLOYED names none (make test-aws deploys one)")
	}
	m := meter.New()
	cfg, err := stack.Config(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := stack.FromOutputs(t.Context(), cloudformation.NewFromConfig(cfg), name)
	if err != nil {
		t.Fatal(err)
	}
	return &cloud{Parts: assembly.New(cfg, m, r), cfg: cfg, sqs: sqs.NewFromConfig(cfg), rules: eventbridge.NewFromConfig(cfg)}
}

// A stack without a crawl, before the first and after the last, polls only the
// seed queue. The end of the last crawl also switches the stack off, at the
// latest a minute later.
func TestDeployedIdle(t *testing.T) {
	c := openDeployed(t)
	var on []string
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Second) {
		if on = c.switchedOn(t); len(on) == 0 {
			return
		}
	}
	t.Errorf("still on: %v", on)
}

// switchedOn returns the parts of the stack that are on without need.
func (c *cloud) switchedOn(t *testing.T) []string {
	t.Helper()
	var on []string
	client := lambda.NewFromConfig(c.cfg)
	for _, id := range append([]string{c.Resources.StructureMapping}, c.Resources.Mappings...) {
		m, err := client.GetEventSourceMapping(t.Context(), &lambda.GetEventSourceMappingInput{UUID: &id})
		if err != nil {
			t.Fatal(err)
		}
		if state := aws.ToString(m.State); state != "Disabled" {
			on = append(on, aws.ToString(m.EventSourceArn)+" is "+state)
		}
	}
	rule, err := c.rules.DescribeRule(t.Context(), &eventbridge.DescribeRuleInput{Name: &c.Resources.Schedule})
	if err != nil {
		t.Fatal(err)
	}
	if rule.State != "DISABLED" {
		on = append(on, c.Resources.Schedule+" is "+string(rule.State))
	}
	return on
}

// One message to the deployed template leads to a completed crawl, raw segments
// and, by the bucket's events, the corpus that a local crawl produces.
func TestDeployedCrawl(t *testing.T) {
	c := openDeployed(t)
	j, err := c.Jobs.Get(t.Context(), deployedCrawl)
	if err != nil {
		t.Fatal(err)
	}
	if j.State != job.Done || j.Reason != job.ReasonFrontierEmpty {
		t.Errorf("crawl is %s (%s), want done (%s)", j.State, j.Reason, job.ReasonFrontierEmpty)
	}
	there := c.documents(t, deployedCrawl)
	totals, err := c.Store.Ledger().Totals(t.Context(), deployedCrawl)
	if err != nil {
		t.Fatal(err)
	}
	if kept := totals.Verdicts[ledger.Kept] - j.Look.Refused; int64(len(there)) != kept || kept == 0 {
		t.Errorf("%d documents in the corpus, %d in the ledger", len(there), kept)
	}
	srv := httptest.NewServer(demo.New())
	defer srv.Close()
	here := crawlHere(t, srv.URL, "../../topics/finance.topic", &job.Message{Seeds: j.Seeds, Limits: limits.Limits{MaxPages: j.MaxPages}})
	wantSame(t, withoutMirrors(here), withoutMirrors(there))

	raw, cleaned := c.segments(t, "raw"), c.segments(t, "corpus")
	for name := range c.segments(t, "rejects") {
		cleaned[name] = true
	}
	if diff := cmp.Diff(raw, cleaned); diff != "" || len(raw) == 0 {
		t.Errorf("segments in raw/ (-) and cleaned (+):\n%s", diff)
	}
	for _, dead := range []string{c.Resources.FrontierDeadQueue, c.Resources.SeedsDeadQueue, c.Resources.CleanDeadQueue, c.Resources.StructureDeadQueue} {
		depth, err := sqsqueue.DepthOf(t.Context(), c.sqs, dead)
		if err != nil {
			t.Fatal(err)
		}
		if depth != (sqsqueue.Depth{}) {
			t.Errorf("dead letters in %s: %+v", dead, depth)
		}
	}
}

// segments returns the names of a crawl's segments in a folder of the bucket.
func (c *cloud) segments(t *testing.T, folder string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for o, err := range c.Objects.List(t.Context(), folder+"/"+deployedCrawl+"/") {
		if err != nil {
			t.Fatal(err)
		}
		name := path.Base(o.Key)
		for _, ending := range []string{".warc.gz", ".jsonl"} {
			name = strings.TrimSuffix(name, ending)
		}
		names[name] = true
	}
	return names
}
