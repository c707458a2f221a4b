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

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
	"sluice/shared/hosts"
)

// maxRules bounds packed rules in the table. Rules above it, as only a file
// made of noise can have, are kept in the memory of the process that fetched
// them: each process asks for them itself.
const maxRules = 300 << 10

// rulesBytes bounds the rules in memory, by the length of their JSON.
const rulesBytes = 4 << 20

// Robots implements hosts.RobotsCache. Rules that this process has read or put
// cost no request until they expire, or are wanted newer; what another process
// puts in their place meanwhile is seen then.
func (s *Store) Robots(ctx context.Context, authority string, since time.Time) (*hosts.Rules, error) {
	now := s.now()
	if r := s.rules.get(authority); r != nil && r.Hold(now, since) {
		return r, nil
	}
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &s.table, Key: robotsKey(authority), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return nil, awsfault.Wrap("read robots of "+authority, err)
	}
	packed := blobOf(out.Item["d"])
	if len(packed) == 0 || textOf(out.Item["a"]) != authority {
		return nil, nil
	}
	body, err := unsqueeze(packed[0], packed[1:])
	r := new(hosts.Rules)
	if err == nil {
		err = json.Unmarshal(body, r)
	}
	if err != nil {
		return nil, fault.New(fault.Permanent, "bad_robots", fmt.Errorf("decode robots of %s: %w", authority, err))
	}
	if !r.Hold(now, since) {
		return nil, nil // DynamoDB removes what has expired in its own time
	}
	s.rules.put(authority, r, len(body))
	return r, nil
}

// PutRobots implements hosts.RobotsCache.
func (s *Store) PutRobots(ctx context.Context, authority string, r *hosts.Rules) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fault.New(fault.Permanent, "bad_robots", fmt.Errorf("encode robots of %s: %w", authority, err))
	}
	it := robotsKey(authority)
	it["a"] = text(authority)
	it["ttl"] = number(r.Expires().Unix() + 1)
	how, packed := squeeze(body)
	if len(packed) <= maxRules {
		it["d"] = blob(append([]byte{how}, packed...))
	} // else the item says that nothing is kept: older rules must not stay
	if _, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.table, Item: it}); err != nil {
		return awsfault.Wrap("write robots of "+authority, err)
	}
	s.rules.put(authority, r, len(body))
	return nil
}

// robotsKey returns the key for an authority. Few as collisions are, the item
// names its authority.
func robotsKey(authority string) item {
	h := xxh3.HashString128(authority).Bytes()
	return key("robots#" + base64.RawURLEncoding.EncodeToString(h[:]))
}
