// Package operatortest creates stacks on an emulator for tests of the command
// line.
package operatortest

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	cftypes "github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dbtypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	lambdatypes "github.com/aws/aws-sdk-go-v2/service/lambda/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"

	"sluice/shared/aws/assembly"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/aws/stack"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

const arnOf = "arn:aws:%s:us-east-1:123456789012:%s"

// Stack is a stack as the command line sees it: the resources of template.yaml,
// created by hand, and a CloudFormation stack that only has outputs. It has no
// functions.
type Stack struct {
	Name    string
	Outputs map[string]string
	Parts   *assembly.Parts
	cfg     aws.Config
}

// New creates a stack for a test, with all outputs but some. Without an emulator it skips
// the test.
func New(t *testing.T, without ...string) *Stack {
	t.Helper()
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Skip("AWS_ENDPOINT_URL is not set: make test-aws runs this on an emulator")
	}
	cfg, err := stack.Config(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &Stack{Name: "t" + strings.ReplaceAll(uuid.NewString(), "-", "")[:10], cfg: cfg}
	s.Outputs = map[string]string{"Bucket": s.Name, "Schedule": s.Name}
	for _, name := range []string{"Crawl", "Clean", "Seed", "Keeper", "Structure"} {
		s.Outputs[name+"Function"] = s.Name + "-" + strings.ToLower(name)
	}
	s.makeTables(t)
	s.makeQueues(t)
	if _, err := stack.S3(cfg).CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &s.Name}); err != nil {
		t.Fatal(err)
	}
	rules := eventbridge.NewFromConfig(cfg)
	if _, err := rules.PutRule(t.Context(), &eventbridge.PutRuleInput{Name: &s.Name, ScheduleExpression: aws.String("rate(1 day)"), State: "DISABLED"}); err != nil {
		t.Fatal(err)
	}
	s.mapping(t)
	for _, output := range without {
		delete(s.Outputs, output)
	}
	s.deploy(t)
	r, err := stack.FromOutputs(t.Context(), cloudformation.NewFromConfig(cfg), s.Name)
	if err != nil {
		t.Fatal(err)
	}
	s.Parts = assembly.New(cfg, nil, r)
	return s
}

func (s *Stack) makeTables(t *testing.T) {
	t.Helper()
	db := dynamodb.NewFromConfig(s.cfg)
	key := func(name string, kind dbtypes.KeyType) dbtypes.KeySchemaElement {
		return dbtypes.KeySchemaElement{AttributeName: &name, KeyType: kind}
	}
	for output, keys := range map[string][]string{"Urls": {"k", "hc", "hk"}, "Backlog": {"p", "s"}, "Hosts": {"p", "s"}, "Crawls": {"p", "s"}} {
		in := &dynamodb.CreateTableInput{
			TableName: aws.String(s.Name + "-" + strings.ToLower(output)), BillingMode: dbtypes.BillingModePayPerRequest,
			KeySchema: []dbtypes.KeySchemaElement{key(keys[0], dbtypes.KeyTypeHash)},
		}
		if len(keys) == 2 {
			in.KeySchema = append(in.KeySchema, key(keys[1], dbtypes.KeyTypeRange))
		} else {
			in.GlobalSecondaryIndexes = []dbtypes.GlobalSecondaryIndex{{
				IndexName: aws.String("history"), KeySchema: []dbtypes.KeySchemaElement{key(keys[1], dbtypes.KeyTypeHash), key(keys[2], dbtypes.KeyTypeRange)},
				Projection: &dbtypes.Projection{ProjectionType: dbtypes.ProjectionTypeInclude, NonKeyAttributes: []string{"u", "r"}},
			}}
		}
		for _, name := range keys {
			in.AttributeDefinitions = append(in.AttributeDefinitions, dbtypes.AttributeDefinition{AttributeName: &name, AttributeType: dbtypes.ScalarAttributeTypeS})
		}
		_, err := db.CreateTable(t.Context(), in)
		// It exists if an answer was lost and the SDK retried.
		if _, exists := errors.AsType[*dbtypes.ResourceInUseException](err); err != nil && !exists {
			t.Fatal(err)
		}
		s.Outputs[output+"Table"] = *in.TableName
	}
}

func (s *Stack) makeQueue(t *testing.T, suffix string) string {
	t.Helper()
	out, err := sqs.NewFromConfig(s.cfg).CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String(s.Name + "-" + suffix)})
	if err != nil {
		t.Fatal(err)
	}
	return *out.QueueUrl
}

func (s *Stack) makeQueues(t *testing.T) {
	t.Helper()
	s.Outputs["FrontierQueues"] = s.makeQueue(t, "high") + "," + s.makeQueue(t, "normal") + "," + s.makeQueue(t, "low")
	s.Outputs["RenderQueue"] = s.makeQueue(t, "render")
	for _, name := range []string{"Frontier", "Seeds", "Clean", "Structure"} {
		s.Outputs[name+"DeadQueue"] = s.makeQueue(t, strings.ToLower(name)+"-dead")
		if name != "Frontier" {
			s.Outputs[name+"Queue"] = s.makeQueue(t, strings.ToLower(name))
		}
	}
}

// mapping creates a disabled event source mapping of an unused queue.
func (s *Stack) mapping(t *testing.T) {
	t.Helper()
	client := lambda.NewFromConfig(s.cfg)
	var code bytes.Buffer
	z := zip.NewWriter(&code)
	if _, err := z.Create("bootstrap"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := client.CreateFunction(t.Context(), &lambda.CreateFunctionInput{
		FunctionName: &s.Name, Runtime: lambdatypes.RuntimeProvidedal2023, Handler: aws.String("bootstrap"),
		Role: aws.String("arn:aws:iam::123456789012:role/test"), Code: &lambdatypes.FunctionCode{ZipFile: code.Bytes()},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := client.CreateEventSourceMapping(t.Context(), &lambda.CreateEventSourceMappingInput{
		FunctionName: &s.Name, EventSourceArn: aws.String(fmt.Sprintf(arnOf, "sqs", path.Base(s.makeQueue(t, "idle")))), Enabled: aws.Bool(false),
	})
	if err != nil {
		t.Fatal(err)
	}
	// Emulators report a new disabled mapping as enabled.
	if _, err := client.UpdateEventSourceMapping(t.Context(), &lambda.UpdateEventSourceMappingInput{UUID: m.UUID, Enabled: aws.Bool(false)}); err != nil {
		t.Fatal(err)
	}
	s.Outputs["Mappings"], s.Outputs["StructureMapping"] = *m.UUID, *m.UUID
	t.Cleanup(func() { // stop its poller
		_, _ = client.DeleteEventSourceMapping(context.WithoutCancel(t.Context()), &lambda.DeleteEventSourceMappingInput{UUID: m.UUID})
	})
}

// On reports whether the stack's rule and mapping are on.
func (s *Stack) On(t *testing.T) (rule, mapping bool) {
	t.Helper()
	r, err := eventbridge.NewFromConfig(s.cfg).DescribeRule(t.Context(), &eventbridge.DescribeRuleInput{Name: &s.Name})
	if err != nil {
		t.Fatal(err)
	}
	m, err := lambda.NewFromConfig(s.cfg).GetEventSourceMapping(t.Context(), &lambda.GetEventSourceMappingInput{UUID: aws.String(s.Outputs["Mappings"])})
	if err != nil {
		t.Fatal(err)
	}
	return r.State == "ENABLED", strings.HasPrefix(aws.ToString(m.State), "Enabl")
}

// deploy creates a CloudFormation stack of the outputs.
func (s *Stack) deploy(t *testing.T) {
	t.Helper()
	outputs := map[string]any{}
	for name, value := range s.Outputs {
		outputs[name] = map[string]string{"Value": value}
	}
	template, err := json.Marshal(map[string]any{
		"Resources": map[string]any{"Nothing": map[string]string{"Type": "AWS::CloudFormation::WaitConditionHandle"}}, "Outputs": outputs,
	})
	if err != nil {
		t.Fatal(err)
	}
	client := cloudformation.NewFromConfig(s.cfg)
	_, err = client.CreateStack(t.Context(), &cloudformation.CreateStackInput{StackName: &s.Name, TemplateBody: aws.String(string(template))})
	if _, retried := errors.AsType[*cftypes.AlreadyExistsException](err); err != nil && !retried { // if an answer was lost and the SDK retried
		t.Fatal(err)
	}
	err = cloudformation.NewStackCreateCompleteWaiter(client, func(o *cloudformation.StackCreateCompleteWaiterOptions) {
		o.MinDelay, o.MaxDelay = 50*time.Millisecond, time.Second
	}).Wait(t.Context(), &cloudformation.DescribeStacksInput{StackName: &s.Name}, 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
}

// Messages returns the bodies of the messages in a queue. They are then
// invisible for a while.
func (s *Stack) Messages(t *testing.T, url string) []string {
	t.Helper()
	var bodies []string
	for {
		out, err := s.Parts.SQS.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url, MaxNumberOfMessages: 10})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Messages) == 0 {
			return bodies
		}
		for _, m := range out.Messages {
			bodies = append(bodies, *m.Body)
		}
	}
}

// Create starts a crawl as the seed function would.
func (s *Stack) Create(t *testing.T, m job.Message) *job.Job {
	t.Helper()
	m.Topic = cmp.Or(m.Topic, "topics/t.topic")
	j, err := m.Job(job.Defaults{MaxPages: 1000, Now: time.Now().UTC()})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Parts.Jobs.Create(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	return j
}

// PutObject puts an object.
func (s *Stack) PutObject(t *testing.T, key, data string) {
	t.Helper()
	if err := s.Parts.Objects.Put(t.Context(), key, []byte(data), "text/plain"); err != nil {
		t.Fatal(err)
	}
}

// End records ends of URLs as a worker would.
func (s *Stack) End(t *testing.T, crawl string, ends ...ledger.End) {
	t.Helper()
	l := s.Parts.Store.Ledger()
	refused, err := l.Complete(t.Context(), crawl, ends)
	if err := errors.Join(append(refused, err)...); err != nil {
		t.Fatal(err)
	}
}

// Bury sends letters to the dead-letter queue of an output, each once, though an
// answer of the emulator may be lost.
func (s *Stack) Bury(t *testing.T, output string, letters ...sqsqueue.Letter) {
	t.Helper()
	once := sqs.NewFromConfig(s.cfg, func(o *sqs.Options) { o.Retryer = aws.NopRetryer{} })
	d := sqsqueue.NewDead(once, s.Outputs[output], "")
	for _, l := range letters {
		before := s.waiting(t, s.Outputs[output])
		if err := d.Put(t.Context(), l); err != nil && s.waiting(t, s.Outputs[output]) == before {
			t.Fatal(err)
		}
	}
	time.Sleep(20 * time.Millisecond) // a redrive ignores letters sent in its own millisecond
}

// waiting returns the number of visible messages in a queue.
func (s *Stack) waiting(t *testing.T, url string) string {
	t.Helper()
	const count = sqstypes.QueueAttributeNameApproximateNumberOfMessages // emulators count them exactly
	out, err := s.Parts.SQS.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: []sqstypes.QueueAttributeName{count}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Attributes[string(count)]
}
