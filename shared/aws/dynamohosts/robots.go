package dynamohosts

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/zeebo/xxh3"

	"sluice/shared/aws/attr"
	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
	"sluice/shared/web/hosts"
)

// maxRules limits packed rules in the table. Only garbage files are larger.
// Their rules are cached only in the process that fetched them.
const maxRules = 300 << 10

// known are rules and the size of their JSON.
type known struct {
	rules *hosts.Rules
	size  int
}

// weight includes the overhead of a map entry: most sites have few rules.
func (k known) weight() int { return k.size + 256 }

// rulesBytes bounds the rules in memory, by the length of their JSON.
const rulesBytes = 4 << 20

// Robots implements hosts.RobotsCache. Rules that this process has read or put
// cost no request until they expire or newer ones are wanted, so it misses
// rules that another process puts meanwhile. While this process leases the
// host, rules in the host's item cost no request, and neither does a host that
// was never leased before; otherwise both places are read.
func (s *Store) Robots(ctx context.Context, authority string, since time.Time) (*hosts.Rules, error) {
	now := s.now()
	riding, leased, settled := s.visits.look(authority, now)
	remembered, _ := s.rules.Get(authority)
	if r := later(riding, remembered.rules); r != nil && r.Hold(now, since) {
		return r, nil
	}
	if settled {
		return nil, nil
	}
	k, err := s.apart(ctx, authority)
	if err != nil {
		return nil, err
	}
	if host := hostOf(authority); !leased && host != "" {
		other, err := s.riding(ctx, host, authority)
		if err != nil {
			return nil, err
		}
		if later(k.rules, other.rules) != k.rules {
			k = other
		}
	}
	if k.rules == nil || !k.rules.Hold(now, since) {
		return nil, nil // DynamoDB removes expired items late
	}
	s.rules.Put(authority, k)
	return k.rules, nil
}

// later returns the rules fetched later, r if equal. Either may be nil.
func later(r, other *hosts.Rules) *hosts.Rules {
	if r == nil || other != nil && other.Fetched().After(r.Fetched()) {
		return other
	}
	return r
}

// apart reads rules stored in an item of their own.
func (s *Store) apart(ctx context.Context, authority string) (known, error) {
	it, err := s.read(ctx, robotsKey(authority), authority)
	packed := attr.BlobOf(it["d"])
	if err != nil || len(packed) == 0 || attr.TextOf(it["a"]) != authority {
		return known{}, err
	}
	k, err := unpackRules(packed)
	if err != nil {
		return known{}, fault.New(fault.Permanent, "bad_robots", fmt.Errorf("decode robots of %s: %w", authority, err))
	}
	return k, nil
}

// riding reads rules that ride in the item of their host.
func (s *Store) riding(ctx context.Context, host, authority string) (known, error) {
	it, err := s.read(ctx, leaseKey(host), authority)
	riders, _ := ridersOf(it)
	return riders[authority].known, err
}

func (s *Store) read(ctx context.Context, key item, authority string) (item, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.table, Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, awsfault.Wrap("read robots of "+authority, err)
	}
	return out.Item, nil
}

// PutRobots implements hosts.RobotsCache. While this process leases the host,
// small rules stay in memory until Release writes them. If the process dies or
// loses the lease, other processes fetch them from the host again. Rules put
// without a lease are not seen under a later one, unless the host was leased
// before without riders.
func (s *Store) PutRobots(ctx context.Context, authority string, r *hosts.Rules) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fault.New(fault.Permanent, "bad_robots", fmt.Errorf("encode robots of %s: %w", authority, err))
	}
	how, small := squeeze(body)
	packed := append([]byte{how}, small...)
	k := known{r, len(body)}
	if s.visits.board(authority, rider{k, packed}, s.now()) {
		s.rules.Put(authority, k)
		return nil
	}
	it := robotsKey(authority)
	it["a"] = attr.Text(authority)
	it["ttl"] = attr.Number(r.Expires().Unix() + 1)
	if len(packed) <= maxRules {
		it["d"] = attr.Blob(packed)
	} // otherwise remove older rules from the item
	if _, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.table, Item: it}); err != nil {
		return awsfault.Wrap("write robots of "+authority, err)
	}
	s.visits.alight(authority)
	s.rules.Put(authority, k)
	return nil
}

// unpackRules decodes packed rules: a byte for the encoding, then JSON.
func unpackRules(packed []byte) (known, error) {
	if len(packed) == 0 {
		return known{}, errPacked
	}
	body, err := unsqueeze(packed[0], packed[1:])
	r := new(hosts.Rules)
	if err == nil {
		err = json.Unmarshal(body, r)
	}
	return known{r, len(body)}, err
}

// robotsKey returns the key for an authority. Few as collisions are, the item
// names its authority.
func robotsKey(authority string) item {
	h := xxh3.HashString128(authority).Bytes()
	return key("robots#" + base64.RawURLEncoding.EncodeToString(h[:]))
}
