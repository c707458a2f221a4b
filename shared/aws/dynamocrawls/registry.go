// Package dynamocrawls keeps the crawls of a stack, and what they have spent,
// in one DynamoDB table:
//
//	p          s       attributes
//	job        crawl   d: the job as JSON, rev: its revision, t: token of the last write
//	spend#ID   0 … 7   u:ITEM: how much of it was used
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
	_, err := r.put(ctx, &stored)
	if errors.Is(err, errBehind) {
		err = job.ErrExists
	}
	if err != nil {
		return fmt.Errorf("create crawl %s: %w", j.ID, err)
	}
	j.Revision, j.Updated = stored.Revision, stored.Updated
	return nil
}

// Get implements job.Registry.
func (r *Registry) Get(ctx context.Context, id string) (*job.Job, error) {
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

// List implements job.Registry.
func (r *Registry) List(ctx context.Context) ([]*job.Job, error) {
	var all []*job.Job
	err := query(ctx, r.client, r.table, jobs, func(item map[string]types.AttributeValue) error {
		j, err := decode(item)
		all = append(all, j)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list crawls: %w", err)
	}
	return all, nil
}

// Update implements job.Registry.
func (r *Registry) Update(ctx context.Context, id string, change func(*job.Job) error) (*job.Job, error) {
	j, err := r.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	for try := range maxTries {
		revision := j.Revision
		if err := change(j); err != nil {
			return nil, err
		}
		if j.ID != id {
			return nil, fmt.Errorf("update crawl %s: its id became %q", id, j.ID)
		}
		j.Revision = revision
		newer, err := r.put(ctx, j)
		switch {
		case err == nil:
			return j, nil
		case !errors.Is(err, errBehind):
			return nil, fmt.Errorf("update crawl %s: %w", id, err)
		case newer == nil:
			return nil, fmt.Errorf("update crawl %s: %w", id, job.ErrUnknown) // removed by hand
		}
		j = newer
		if err := fault.Pause(ctx, fault.Backoff(firstWait, maxWait, try)); err != nil {
			return nil, fmt.Errorf("update crawl %s: %w", id, err)
		}
	}
	return nil, fmt.Errorf("update crawl %s: %w", id, job.ErrContest)
}

// errBehind says that another revision of the job is stored.
var errBehind = errors.New("another revision is stored")

// put stores j as the revision after its own (1 for a new job) in one write. If
// another revision is stored, it returns that job and errBehind.
//
// The token identifies our own write: if its answer was lost, the SDK sends it
// again and finds a newer revision.
func (r *Registry) put(ctx context.Context, j *job.Job) (*job.Job, error) {
	before := j.Revision
	j.Revision++
	j.Updated = r.now().UTC()
	if err := j.Validate(); err != nil {
		return nil, fault.New(fault.Permanent, "bad_crawl", err)
	}
	body, err := j.MarshalJSON()
	if err != nil {
		return nil, fault.New(fault.Permanent, "bad_crawl", err)
	}
	token := rand.Text()
	in := &dynamodb.UpdateItemInput{
		TableName: &r.table, Key: key(jobs, j.ID),
		UpdateExpression:    aws.String("SET d = :d, rev = :rev, t = :t"),
		ConditionExpression: aws.String("attribute_not_exists(rev)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":d": attr.Text(string(body)), ":rev": attr.Number(j.Revision), ":t": attr.Text(token),
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
	case attr.TextOf(failed.Item["t"]) == token:
		return nil, nil
	}
	newer, err := decode(failed.Item)
	if err != nil {
		return nil, err
	}
	return newer, errBehind
}

// decode reads the item of a job.
func decode(item map[string]types.AttributeValue) (*job.Job, error) {
	j := new(job.Job)
	if err := json.Unmarshal([]byte(attr.TextOf(item["d"])), j); err != nil {
		return nil, fault.New(fault.Permanent, "bad_crawl", fmt.Errorf("decode crawl %s: %w", attr.TextOf(item["s"]), err))
	}
	return j, nil
}
