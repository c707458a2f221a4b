// Package dynamoboilerplate keeps, in the Hosts table of a stack, the lines
// that recur on the pages of hosts, and which segments were cleaned by which
// version of them:
//
//	p                       s            attributes
//	lesson#CRAWL#HOST       -            d: sketch, r: revision, v: version, e: edition, a: the edition announced,
//	                                     c: its first segments, by the version that each was cleaned by
//	lesson#CRAWL#HOST       seg#SEGMENT  v: version that it was cleaned by
//	cleaning#CRAWL#SEGMENT  -            n: cleanings, b: who has claimed the next, m: claims, f: folders
//
// All items have a ttl, in seconds since 1970. Cleaning a segment costs two writes
// and a read, and for each host with documents in it a read and a write. A host with
// many segments costs another read, and another write of some KB for each page that
// enters its sketch, as the first 64 do.
package dynamoboilerplate

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/crawl/clean"
)

// Client is the subset of *dynamodb.Client that the package uses.
type Client interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
}

// keep is how long boilerplate outlives the last page: as long as the data of
// hosts.
const keep = 365 * 24 * time.Hour

// Store implements clean.Lessons and clean.Cleanings.
type Store struct {
	client Client
	table  string
	now    func() time.Time
}

var (
	_ clean.Lessons   = (*Store)(nil)
	_ clean.Cleanings = (*Store)(nil)
)

// New returns the store in the Hosts table of a stack; now may be nil.
func New(client Client, table string, now func() time.Time) *Store {
	if now == nil {
		now = time.Now
	}
	return &Store{client: client, table: table, now: now}
}

func (s *Store) ttl() types.AttributeValue { return attr.Number(s.now().Add(keep).Unix()) }

// item is a DynamoDB item or a part of one.
type item = map[string]types.AttributeValue

// Sort keys. Keys of segments share a prefix, to list them.
const (
	whole      = "-"
	bySegment  = "seg#"
	ttlName    = "#ttl" // "ttl" is a reserved word
	ttlSetting = ", #ttl = :ttl"
)

func lessonKey(crawl, host, sort string) item {
	return item{"p": attr.Text("lesson#" + crawl + "#" + host), "s": attr.Text(sort)}
}

func cleaningKey(crawl, segment string) item {
	return item{"p": attr.Text("cleaning#" + crawl + "#" + segment), "s": attr.Text(whole)}
}

// textsOf returns the texts of a map, nil for any other attribute.
func textsOf(v types.AttributeValue) map[string]string {
	m, ok := v.(*types.AttributeValueMemberM)
	if !ok {
		return nil
	}
	texts := make(map[string]string, len(m.Value))
	for name, v := range m.Value {
		texts[name] = attr.TextOf(v)
	}
	return texts
}
