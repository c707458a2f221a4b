// Package assembly wires the adapters of a stack, once for all functions and
// the command line.
package assembly

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/eventbridge"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"sluice/shared/aws/dynamoboilerplate"
	"sluice/shared/aws/dynamocrawls"
	"sluice/shared/aws/dynamohosts"
	"sluice/shared/aws/dynamoledger"
	"sluice/shared/aws/meter"
	"sluice/shared/aws/power"
	"sluice/shared/aws/s3corpus"
	"sluice/shared/aws/s3sites"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/aws/stack"
	"sluice/shared/crawl/plan"
	"sluice/shared/state/corpus"
	"sluice/shared/web/fetch"
)

// Parts are the adapters of a stack.
type Parts struct {
	Resources *stack.Resources
	Meter     *meter.Meter
	SQS       *sqs.Client

	Jobs      *dynamocrawls.Registry
	Spend     *dynamocrawls.Spend
	Coverages *dynamocrawls.Coverages
	Store     *dynamoledger.Store
	Hosts     *dynamohosts.Store
	Lessons   *dynamoboilerplate.Store
	Queue     *sqsqueue.Queue
	Objects   *s3corpus.Objects
	Topics    *s3corpus.Topics
	Segments  *s3corpus.Segments
	Sites     *s3sites.Store
	Structure Structure
	Switch    *power.Switch
	Queues    *power.Queues

	Manners plan.Manners  // of the stack's crawls
	Lease   time.Duration // of hosts and URLs

	again time.Duration // see againIn
	audit *meter.Meter  // nil: no audit
}

// segmentWait is how long a task waits for the others of its batch to share a
// segment. The invocation lasts until they are done anyway, and each segment
// costs three writes to S3, here and in the clean function.
const segmentWait = 15 * time.Second

// New wires the parts. Their Meter counts their requests to AWS.
func New(cfg aws.Config, m *meter.Meter, r *stack.Resources) *Parts {
	return assemble(cfg, m, r, defaultLease)
}

func assemble(cfg aws.Config, m *meter.Meter, r *stack.Resources, lease time.Duration) *Parts {
	db, queues := dynamodb.NewFromConfig(cfg), sqs.NewFromConfig(cfg)
	p := &Parts{
		Resources: r, Meter: m, SQS: queues, Lease: lease, again: firstAgain,
		Jobs:  dynamocrawls.New(db, r.CrawlsTable, dynamocrawls.Options{}),
		Spend: dynamocrawls.NewSpend(db, r.CrawlsTable), Coverages: dynamocrawls.NewCoverages(db, r.CrawlsTable),
		Store: dynamoledger.New(db, dynamoledger.Options{
			Urls: r.URLsTable, Backlog: r.BacklogTable, Hosts: r.HostsTable, Crawls: r.CrawlsTable,
			StaleAfter: staleLeases * lease,
		}),
		Hosts:   dynamohosts.New(db, r.HostsTable, dynamohosts.Options{}),
		Lessons: dynamoboilerplate.New(db, r.HostsTable, nil),
		Objects: s3corpus.NewObjects(stack.S3(cfg), r.Bucket),
		Sites:   s3sites.New(stack.S3(cfg), r.Bucket),
		Switch: &power.Switch{
			Lambda: lambda.NewFromConfig(cfg), Events: eventbridge.NewFromConfig(cfg), Mappings: r.Mappings, Rule: r.Schedule,
		},
		Queues: &power.Queues{SQS: queues, URLs: r.WorkQueues()},
	}
	p.Structure = newStructure(p, lambda.NewFromConfig(cfg))
	p.Queue = sqsqueue.New(queues, r.FrontierQueues, r.FrontierDeadQueue, sqsqueue.Options{
		Tracker: p.Store.Gauge(), Poll: time.Second, Render: r.RenderQueue,
	})
	p.Topics = s3corpus.NewTopics(p.Objects, time.Now)
	p.Segments = s3corpus.New(p.Objects, s3corpus.Options{
		Info: []corpus.Field{
			{Name: "software", Value: "sluice/" + plan.Version}, {Name: "robots", Value: "obey"},
		},
		MaxWait: segmentWait,
	})
	return p
}

// Load loads the configuration of a function and puts its parts together.
func Load(ctx context.Context, getenv func(string) string) (*Parts, error) {
	r, err := stack.FromEnv(getenv)
	if err != nil {
		return nil, err
	}
	held, err := lease(getenv)
	if err != nil {
		return nil, err
	}
	again, err := seconds(getenv, againVariable, firstAgain, 0, lastAgain)
	if err != nil {
		return nil, err
	}
	m := meter.New()
	cfg, err := stack.Config(ctx, m)
	if err != nil {
		return nil, err
	}
	var audit *meter.Meter
	if getenv(auditVariable) != "" {
		audit = meter.New()
		audit.Install(&cfg)
	}
	p := assemble(cfg, m, r, held)
	p.audit, p.again = audit, again
	p.Manners = plan.Manners{Contact: r.Contact, Version: plan.Version, Inside: r.AllowAddresses}
	if p.Manners.Proxies, err = fetch.ParseProxies(strings.Fields(r.Proxy)...); err != nil {
		return nil, fmt.Errorf("proxy %w", err)
	}
	return p, nil
}
