package dynamocrawls

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/awsfault"
	"sluice/shared/aws/gather"
	"sluice/shared/state/job"
)

// Coverages keeps the coverage of crawls in the Crawls table, as sets of numbers. It
// writes only what changes a sample, as far as it knows it: the larger a crawl, the
// more rarely that happens. A write of both costs some eight units, so concurrent calls share one.
type Coverages struct {
	client Client
	table  string

	mu    sync.Mutex
	known map[string]job.Coverage // by crawl, as of the last write

	calls gather.Calls[job.Coverage]
}

var _ job.Coverages = (*Coverages)(nil)

// NewCoverages returns the coverage of crawls in the Crawls table of a stack.
func NewCoverages(client Client, table string) *Coverages {
	return &Coverages{client: client, table: table, known: map[string]job.Coverage{}}
}

// coverage is the partition of the coverage of all crawls; the attributes are the sets
// of a crawl. A set may have more than the sample, which the others do not change.
const (
	coverage  = "coverage"
	documents = "d"
	words     = "w"
)

// mostKnown is of how many crawls a process remembers the coverage.
const mostKnown = 16

// Cover implements job.Coverages.
func (c *Coverages) Cover(ctx context.Context, crawl string, more job.Coverage) error {
	if c.fresh(crawl, more).empty() {
		return nil
	}
	if ctx.Err() != nil { // calls that are combined are not cancelled
		return ctx.Err()
	}
	_, err := c.calls.Do(ctx, crawl, func(all *job.Coverage) { *all = all.With(more) }, func(ctx context.Context, all job.Coverage) error {
		return c.add(ctx, crawl, all)
	})
	return err
}

// fresh returns what more adds to the coverage of a crawl.
func (c *Coverages) fresh(crawl string, more job.Coverage) sets {
	c.mu.Lock()
	known := c.known[crawl]
	c.mu.Unlock()
	all := known.With(more)
	return sets{documents: without(all.Documents, known.Documents), words: without(all.Words, known.Words)}
}

// add writes what more adds to the coverage of a crawl.
func (c *Coverages) add(ctx context.Context, crawl string, more job.Coverage) error {
	add := c.fresh(crawl, more)
	if add.empty() {
		return nil
	}
	stored, err := c.change(ctx, crawl, "ADD", add)
	if err != nil {
		return awsfault.Wrap("add to the coverage of crawl "+crawl, err)
	}
	all := stored.coverage()
	if surplus := stored.surplus(all); !surplus.empty() {
		if _, err := c.change(ctx, crawl, "DELETE", surplus); err != nil {
			return awsfault.Wrap("trim the coverage of crawl "+crawl, err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= mostKnown {
		clear(c.known)
	}
	c.known[crawl] = all
	return nil
}

// Covered implements job.Coverages.
func (c *Coverages) Covered(ctx context.Context, crawl string) (job.Coverage, error) {
	out, err := c.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &c.table, Key: key(coverage, crawl), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return job.Coverage{}, awsfault.Wrap("read the coverage of crawl "+crawl, err)
	}
	return setsOf(out.Item).coverage(), nil
}

// change adds numbers to the sets of a crawl or deletes them, and returns the sets.
func (c *Coverages) change(ctx context.Context, crawl, verb string, by sets) (sets, error) {
	in := &dynamodb.UpdateItemInput{
		TableName: &c.table, Key: key(coverage, crawl), ReturnValues: types.ReturnValueAllNew,
		ExpressionAttributeValues: map[string]types.AttributeValue{},
	}
	var parts []string
	for name, hashes := range by {
		if len(hashes) == 0 {
			continue
		}
		numbers := make([]string, len(hashes))
		for i, h := range hashes {
			numbers[i] = strconv.FormatUint(uint64(h), 10)
		}
		parts = append(parts, name+" :"+name)
		in.ExpressionAttributeValues[":"+name] = &types.AttributeValueMemberNS{Value: numbers}
	}
	in.UpdateExpression = aws.String(verb + " " + strings.Join(parts, ", "))
	out, err := c.client.UpdateItem(ctx, in)
	if err != nil {
		return nil, err
	}
	return setsOf(out.Attributes), nil
}

// sets are the sets of a crawl, by their attributes.
type sets map[string][]uint32

func setsOf(item map[string]types.AttributeValue) sets {
	s := sets{}
	for _, name := range []string{documents, words} {
		set, _ := item[name].(*types.AttributeValueMemberNS)
		if set == nil {
			continue
		}
		for _, n := range set.Value {
			if h, err := strconv.ParseUint(n, 10, 32); err == nil {
				s[name] = append(s[name], uint32(h))
			}
		}
	}
	return s
}

func (s sets) empty() bool { return len(s[documents])+len(s[words]) == 0 }

func (s sets) coverage() job.Coverage {
	return job.Coverage{}.With(job.Coverage{Documents: s[documents], Words: s[words]})
}

// surplus returns what the sets have beside the samples, if that makes them large.
func (s sets) surplus(all job.Coverage) sets {
	out := sets{}
	for name, sample := range map[string]job.Sample{documents: all.Documents, words: all.Words} {
		if len(s[name]) > 2*job.SampleSize {
			out[name] = without(s[name], sample)
		}
	}
	return out
}

// without returns the hashes that a sample lacks.
func without(hashes []uint32, sample job.Sample) (rest []uint32) {
	for _, h := range hashes {
		if _, found := slices.BinarySearch(sample, h); !found {
			rest = append(rest, h)
		}
	}
	return rest
}
