// Package dynamocrawls keeps the crawls of a stack, what they have spent and what
// their documents cover, in one DynamoDB table:
//
//	p          s       attributes
//	job        crawl   d: the job as JSON, rev: its revision, t: tokens of the last writes
//	spend#ID   0 … 7   u:ITEM: how much of it was used
//	coverage   crawl   d: hashes of its documents, w: of their words
//
// All crawls share one partition: they are few, change once a minute and are
// listed by one query.
package dynamocrawls

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
	"sluice/shared/state/job"
)

// Client is the subset of *dynamodb.Client that the package uses.
type Client interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
}

// Options are optional settings of a Registry.
type Options struct {
	Now func() time.Time // nil for time.Now
}

// Registry implements job.Registry.
type Registry struct {
	client Client
	table  string
	now    func() time.Time
}

var _ job.Registry = (*Registry)(nil)

// New returns the registry in the Crawls table of a stack.
func New(client Client, table string, opts Options) *Registry {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Registry{client: client, table: table, now: opts.Now}
}

// jobs is the partition of all jobs.
const jobs = "job"

func key(p, s string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"p": attr.Text(p), "s": attr.Text(s)}
}

// Create implements job.Registry.
func (r *Registry) Create(ctx context.Context, j *job.Job) error {
	stored := *j
	stored.Revision = 0
	_, err := r.put(ctx, &entry{Job: &stored})
	if errors.Is(err, errBehind) {
		err = job.ErrExists
	}
	if err != nil {
		return fmt.Errorf("create crawl %s: %w", j.ID, err)
	}
	j.Revision, j.Updated = stored.Revision, stored.Updated
	return nil
}

// entry is a job as it is stored.
type entry struct {
	*job.Job

	tokens string // of its last writes, newest first
}

func (r *Registry) get(ctx context.Context, id string) (*entry, error) {
	if job.CheckID(id) != nil {
		return nil, fmt.Errorf("get crawl %.100q: %w", id, job.ErrUnknown) // DynamoDB refuses some as keys
	}
	out, err := r.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &r.table, Key: key(jobs, id), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return nil, awsfault.Wrap("get crawl "+id, err)
	}
	if out.Item == nil {
		return nil, fmt.Errorf("get crawl %q: %w", id, job.ErrUnknown)
	}
	return decode(out.Item)
}

// Get implements job.Registry.
func (r *Registry) Get(ctx context.Context, id string) (*job.Job, error) {
	e, err := r.get(ctx, id)
	if err != nil {
		return nil, err
	}
	return e.Job, nil
}

// List implements job.Registry.
func (r *Registry) List(ctx context.Context) ([]*job.Job, error) {
	var all []*job.Job
	err := query(ctx, r.client, r.table, jobs, func(item map[string]types.AttributeValue) error {
		e, err := decode(item)
		if err != nil {
			return err
		}
		all = append(all, e.Job)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list crawls: %w", err)
	}
	return all, nil
}

// Update implements job.Registry.
func (r *Registry) Update(ctx context.Context, id string, change func(*job.Job) error) (*job.Job, error) {
	e, err := r.get(ctx, id)
	if err != nil {
		return nil, err
	}
	for try := range maxTries {
		revision := e.Revision
		if err := change(e.Job); err != nil {
			return nil, err
		}
		if e.ID != id {
			return nil, fmt.Errorf("update crawl %s: its id became %q", id, e.ID)
		}
		e.Revision = revision
		newer, err := r.put(ctx, e)
		switch {
		case err == nil:
			return e.Job, nil
		case !errors.Is(err, errBehind):
			return nil, fmt.Errorf("update crawl %s: %w", id, err)
		case newer == nil:
			return nil, fmt.Errorf("update crawl %s: %w", id, job.ErrUnknown) // removed by hand
		}
		e = newer
		if err := fault.Pause(ctx, fault.Backoff(firstWait, maxWait, try)); err != nil {
			return nil, fmt.Errorf("update crawl %s: %w", id, err)
		}
	}
	return nil, fmt.Errorf("update crawl %s: %w", id, job.ErrContest)
}

// tokenSize is how many characters of a random text tell the writes of a job
// apart.
const tokenSize = 8

// errBehind says that another revision of the job is stored.
var errBehind = errors.New("another revision is stored")

// put stores a job as the revision after its own (1 for a new job) in one write.
// If another revision is stored, it returns that job and errBehind.
//
// The token identifies our own write: if its answer was lost, the SDK sends it
// again and finds a newer revision, its own or one that others have written since.
func (r *Registry) put(ctx context.Context, e *entry) (*entry, error) {
	before := e.Revision
	e.Revision++
	e.Updated = r.now().UTC()
	if err := e.Validate(); err != nil {
		return nil, fault.New(fault.Permanent, "bad_crawl", err)
	}
	body, err := e.MarshalJSON()
	if err != nil {
		return nil, fault.New(fault.Permanent, "bad_crawl", err)
	}
	token := rand.Text()[:tokenSize]
	tokens := (token + e.tokens)[:min(len(token+e.tokens), maxTries*tokenSize)]
	in := &dynamodb.UpdateItemInput{
		TableName: &r.table, Key: key(jobs, e.ID),
		UpdateExpression:    aws.String("SET d = :d, rev = :rev, t = :t"),
		ConditionExpression: aws.String("attribute_not_exists(rev)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":d": attr.Text(string(body)), ":rev": attr.Number(e.Revision), ":t": attr.Text(tokens),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if before > 0 {
		in.ConditionExpression = aws.String("rev = :before")
		in.ExpressionAttributeValues[":before"] = attr.Number(before)
	}
	_, err = r.client.UpdateItem(ctx, in)
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	switch {
	case !ok:
		return nil, awsfault.Wrap("write crawl", err)
	case failed.Item == nil:
		return nil, errBehind
	}
	newer, err := decode(failed.Item)
	switch {
	case err != nil:
		return nil, err
	case strings.Contains(newer.tokens, token):
		return nil, nil
	}
	return newer, errBehind
}

// decode reads the item of a job.
func decode(item map[string]types.AttributeValue) (*entry, error) {
	e := &entry{Job: new(job.Job), tokens: attr.TextOf(item["t"])}
	if err := json.Unmarshal([]byte(attr.TextOf(item["d"])), e.Job); err != nil {
		return nil, fault.New(fault.Permanent, "bad_crawl", fmt.Errorf("decode crawl %s: %w", attr.TextOf(item["s"]), err))
	}
	return e, nil
}
