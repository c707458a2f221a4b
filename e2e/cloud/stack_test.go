//go:build linux

package cloud_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dbtypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"sluice/e2e/lambdahost"
	"sluice/shared/aws/assembly"
	"sluice/shared/aws/meter"
	"sluice/shared/aws/stack"
)

// cloud is a stack: the resources of template.yaml, created by hand, and
// functions under our own Runtime API server and pump.
type cloud struct {
	*assembly.Parts
	cfg   aws.Config
	sqs   *sqs.Client
	rules *eventbridge.Client
	env   map[string]string

	visibility time.Duration
	memory     int
	kill       map[string]func(n int, payload []byte) time.Duration // by function, see lambdahost.Options
	image      string                                               // in place of the binary of render
	fns        map[string]*lambdahost.Function
	logs       map[string]string // files, by function
}

// cloudOptions are the settings of a test.
type cloudOptions struct {
	proxy       string
	contact     string
	delayMS     int
	concurrency int // of crawl; 0: 10
	batch       int // messages of an invocation; 0: 10, or 40 with a window of a second
	faults      lambdahost.Faults
	visibility  time.Duration // of all queues; 0: 90 s
	endpoint    string        // for the functions, in place of the emulator's
	window      time.Duration // of all mappings; 0: 100 ms
	look        time.Duration // between two looks of keeper; 0: 1 s
	lease       time.Duration // of hosts and URLs, twice the timeout of crawl; 0: 48 s
	browser     string        // of the function render; "": there is no such function …
	image       string        // … or this program is it
	guarded     bool          // requests that a function's role does not allow are reported
}

// defaultLease is a fraction of the stack's 3 minutes: for half of it, tasks of a crawl
// that has ended stay in their queue.
const defaultLease = 48 * time.Second

const (
	account = "123456789012"
	region  = "us-east-1"
)

// newCloud creates a stack for a test.
func newCloud(t *testing.T, o cloudOptions) *cloud {
	t.Helper()
	endpoint := os.Getenv("AWS_ENDPOINT_URL")
	if endpoint == "" {
		t.Skip("no emulator: AWS_ENDPOINT_URL is not set (make test-aws sets it up)")
	}
	ctx := t.Context()
	m := meter.New()
	cfg, err := stack.Config(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	c := &cloud{cfg: cfg, sqs: sqs.NewFromConfig(cfg), rules: eventbridge.NewFromConfig(cfg), visibility: o.visibility, memory: 256, image: o.image, kill: map[string]func(int, []byte) time.Duration{}, fns: map[string]*lambdahost.Function{}, logs: map[string]string{}}
	c.visibility = cmp.Or(c.visibility, 90*time.Second)
	name := "t" + strings.ReplaceAll(uuid.NewString(), "-", "")[:10]
	c.env = map[string]string{
		"SLUICE_STACK": name, "SLUICE_BUCKET": name, "SLUICE_SCHEDULE": name,
		"SLUICE_CONTACT": o.contact, "SLUICE_PROXY": o.proxy, "SLUICE_MAX_PAGES": "10000", "SLUICE_DELAY_MS": strconv.Itoa(o.delayMS),
		"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": region,
	}
	c.tables(t, name)
	c.queues(t, name)
	c.bucket(t, name)
	switch {
	case o.browser != "":
		c.env["SLUICE_BROWSER"], c.env["HOME"] = o.browser, t.TempDir()
	case o.image == "":
		delete(c.env, "SLUICE_RENDER_QUEUE")
	}
	if _, err := c.rules.PutRule(ctx, &eventbridge.PutRuleInput{Name: &name, ScheduleExpression: aws.String("rate(1 minute)"), State: "DISABLED"}); err != nil {
		t.Fatal(err)
	}
	r, err := stack.FromEnv(func(k string) string { return c.env[k] })
	if err != nil {
		t.Fatal(err)
	}
	c.Parts = assembly.New(cfg, m, r)
	c.env["SLUICE_AGAIN_S"] = "5"
	c.env["SLUICE_LEASE_S"] = strconv.Itoa(int(cmp.Or(o.lease, defaultLease).Seconds()))
	if o.guarded {
		o.endpoint = newGuard(t, name).URL
	}
	if o.endpoint != "" {
		c.env["AWS_ENDPOINT_URL"] = o.endpoint
	}
	return c
}

func (c *cloud) tables(t *testing.T, name string) {
	t.Helper()
	db := dynamodb.NewFromConfig(c.cfg)
	key := func(name string, kind dbtypes.KeyType) dbtypes.KeySchemaElement {
		return dbtypes.KeySchemaElement{AttributeName: &name, KeyType: kind}
	}
	for _, table := range []struct {
		env, name string
		keys      []string
	}{
		{"SLUICE_URLS_TABLE", name + "-urls", []string{"k"}},
		{"SLUICE_BACKLOG_TABLE", name + "-backlog", []string{"p", "s"}},
		{"SLUICE_HOSTS_TABLE", name + "-hosts", []string{"p", "s"}},
		{"SLUICE_CRAWLS_TABLE", name + "-crawls", []string{"p", "s"}},
	} {
		c.env[table.env] = table.name
		in := &dynamodb.CreateTableInput{TableName: &table.name, BillingMode: dbtypes.BillingModePayPerRequest}
		attributes := table.keys
		in.KeySchema = append(in.KeySchema, key(table.keys[0], dbtypes.KeyTypeHash))
		if len(table.keys) > 1 {
			in.KeySchema = append(in.KeySchema, key(table.keys[1], dbtypes.KeyTypeRange))
		} else {
			attributes = append(attributes, "hc", "hk")
			in.GlobalSecondaryIndexes = []dbtypes.GlobalSecondaryIndex{{
				IndexName:  aws.String("history"),
				KeySchema:  []dbtypes.KeySchemaElement{key("hc", dbtypes.KeyTypeHash), key("hk", dbtypes.KeyTypeRange)},
				Projection: &dbtypes.Projection{ProjectionType: dbtypes.ProjectionTypeInclude, NonKeyAttributes: []string{"u", "r"}},
			}}
		}
		for _, a := range attributes {
			in.AttributeDefinitions = append(in.AttributeDefinitions, dbtypes.AttributeDefinition{AttributeName: &a, AttributeType: dbtypes.ScalarAttributeTypeS})
		}
		_, err := db.CreateTable(t.Context(), in)
		if _, again := errors.AsType[*dbtypes.ResourceInUseException](err); err != nil && !again { // a retry of the SDK
			t.Fatal(err)
		}
	}
}

func (c *cloud) queues(t *testing.T, name string) {
	t.Helper()
	visibility := strconv.Itoa(int(c.visibility.Seconds()))
	queue := func(suffix string) string {
		out, err := c.sqs.CreateQueue(t.Context(), &sqs.CreateQueueInput{
			QueueName: aws.String(name + "-" + suffix), Attributes: map[string]string{"VisibilityTimeout": visibility},
		})
		if err != nil {
			t.Fatal(err)
		}
		return *out.QueueUrl
	}
	c.env["SLUICE_FRONTIER_QUEUES"] = strings.Join([]string{queue("high"), queue("normal"), queue("low")}, ",")
	for _, q := range []string{"RENDER", "FRONTIER_DEAD", "SEEDS", "SEEDS_DEAD", "CLEAN", "CLEAN_DEAD", "STRUCTURE", "STRUCTURE_DEAD"} {
		c.env["SLUICE_"+q+"_QUEUE"] = queue(strings.ToLower(strings.ReplaceAll(q, "_", "-")))
	}
}

func (c *cloud) bucket(t *testing.T, name string) {
	t.Helper()
	client := stack.S3(c.cfg)
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name}); err != nil {
		t.Fatal(err)
	}
	to := func(queue, prefix string) s3types.QueueConfiguration {
		return s3types.QueueConfiguration{
			QueueArn: aws.String(arn(c.env[queue])), Events: []s3types.Event{"s3:ObjectCreated:*"},
			Filter: &s3types.NotificationConfigurationFilter{Key: &s3types.S3KeyFilter{
				FilterRules: []s3types.FilterRule{{Name: s3types.FilterRuleNamePrefix, Value: &prefix}},
			}},
		}
	}
	_, err := client.PutBucketNotificationConfiguration(t.Context(), &s3.PutBucketNotificationConfigurationInput{
		Bucket: &name,
		NotificationConfiguration: &s3types.NotificationConfiguration{QueueConfigurations: []s3types.QueueConfiguration{
			to("SLUICE_CLEAN_QUEUE", "raw/"), to("SLUICE_SEEDS_QUEUE", "seeds/"),
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func arn(queueURL string) string {
	return fmt.Sprintf("arn:aws:sqs:%s:%s:%s", region, account, filepath.Base(queueURL))
}

// function returns a function under the Runtime API server.
func (c *cloud) function(t *testing.T, name string, memory int, concurrency int, timeout time.Duration) *lambdahost.Function {
	t.Helper()
	logs, err := os.Create(filepath.Join(t.TempDir(), name+".log"))
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(functions, name)
	if name == "render" && c.image != "" {
		binary = c.image
	}
	env := maps.Clone(c.env)
	env["AWS_ACCESS_KEY_ID"] = name // see guard
	fn, err := lambdahost.New(name, binary, lambdahost.Options{
		Env: env, Region: region, MemoryMB: memory, Timeout: timeout, Concurrency: concurrency, Log: logs, Kill: c.kill[name],
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := fn.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() || os.Getenv("SLUICE_LOGS") != "" {
			if data, err := os.ReadFile(logs.Name()); err == nil {
				t.Logf("log of %s:\n%s", name, tail(data, 4000))
			}
		}
		_ = logs.Close()
	})
	c.fns[name], c.logs[name] = fn, logs.Name()
	return fn
}

func tail(b []byte, n int) []byte { return b[max(0, len(b)-n):] }

// run pumps the queues into the functions and calls keeper again and again,
// until done says so.
func (c *cloud) run(t *testing.T, o cloudOptions, done func() bool) map[string]*lambdahost.Pump {
	t.Helper()
	o.concurrency = cmp.Or(o.concurrency, 10)
	o.lease = cmp.Or(o.lease, defaultLease)
	o.look = cmp.Or(o.look, time.Second)
	o.window = cmp.Or(o.window, 100*time.Millisecond)
	batch := cmp.Or(o.batch, 10) // as many as a mapping takes that does not wait
	if o.window >= time.Second {
		batch = 40
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := c.Resources
	pumps := map[string]*lambdahost.Pump{}
	ended := make(chan error, 4)
	type part struct {
		name        string
		queues      []string
		memory      int
		batch       int
		concurrency int
		timeout     time.Duration
	}
	parts := []part{
		{"crawl", r.FrontierQueues, 256, batch, o.concurrency, o.lease / 2},
		{"clean", []string{r.CleanQueue}, 384, 10, 2, time.Minute},
		{"seed", []string{r.SeedsQueue}, 256, 10, 2, time.Minute},
		{"structure", []string{r.StructureQueue}, 1769, 1, 2, time.Minute},
	}
	if r.RenderQueue != "" {
		parts = append(parts, part{"render", []string{r.RenderQueue}, 2048, 2, 2, o.lease / 2})
	}
	for _, p := range parts {
		fn := c.function(t, p.name, p.memory, p.concurrency*len(p.queues), p.timeout)
		faults, hidden := o.faults, time.Duration(0)
		switch p.name {
		case "seed":
			faults.Kill = 0
		case "structure":
			faults.Duplicate = 1             // few messages, each of much work
			hidden = 2*o.lease + time.Second // longer than the lease of a site, as deployed
		}
		pump, err := lambdahost.NewPump(c.sqs, fn, p.queues, lambdahost.PumpOptions{
			BatchSize: p.batch, Window: o.window, MaxConcurrency: p.concurrency, Visibility: hidden, Faults: faults,
		})
		if err != nil {
			t.Fatal(err)
		}
		pumps[p.name] = pump
		go func() { ended <- pump.Run(ctx) }()
	}
	keeper := c.function(t, "keeper", 512, 1, time.Minute)
	event, err := json.Marshal(map[string]any{"version": "0", "id": "1", "detail-type": "Scheduled Event", "source": "aws.events", "account": account, "time": "2026-11-21T08:00:00Z", "region": region, "resources": []string{}, "detail": map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	for !done() {
		if t.Context().Err() != nil {
			break
		}
		time.Sleep(o.look)
		res, err := keeper.Invoke(ctx, event)
		if err != nil {
			t.Fatal(err)
		}
		if res.Error != nil {
			t.Logf("keeper: %v", res.Error)
		}
	}
	cancel()
	for range pumps {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	return pumps
}
