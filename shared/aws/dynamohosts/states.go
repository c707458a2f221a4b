package dynamohosts

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/klauspost/compress/zstd"

	"sluice/shared/aws/attr"
	"sluice/shared/web/hosts"
)

// Bounds of a host's item. DynamoDB allows 400 KB and bills each write by the
// size of the whole item.
const (
	fewCrawls = 50                  // up to this number, all states are kept
	rest      = 30 * 24 * time.Hour // above, states unused for longer are dropped
	maxItem   = 128 << 10           // bytes; above, the longest unused states are dropped
	maxState  = 32 << 10            // bytes of one; above, it loses its digests
	maxDrops  = 100                 // in one write: an expression has 4 KB
	plainMax  = 300                 // bytes of JSON that are not worth packing
)

// states are the packed states of a host by crawl: a byte for the encoding,
// four bytes of time (seconds since 1970), and the state.
type states map[string][]byte

// How a value is packed.
const (
	plainJSON = 'j'
	zstdJSON  = 'z'

	headBytes = 5
)

var errPacked = errors.New("not a packed value")

// statesOf returns the states in an item.
func statesOf(it item) states {
	m, ok := it["c"].(*types.AttributeValueMemberM)
	if !ok {
		return nil
	}
	all := make(states, len(m.Value))
	for crawl, v := range m.Value {
		all[crawl] = attr.BlobOf(v)
	}
	return all
}

// overdue returns the crawls whose states to drop, longest unused first, to
// make room for the state of a crawl, which is not among them.
func (all states) overdue(crawl string, now time.Time) []string {
	size, others := maxState, make([]string, 0, len(all))
	for other, packed := range all {
		if other != crawl {
			others = append(others, other)
			size += entryBytes(other, packed)
		}
	}
	if len(others) < fewCrawls && size <= maxItem {
		return nil
	}
	slices.SortFunc(others, func(a, b string) int {
		return cmp.Or(written(all[a]).Compare(written(all[b])), cmp.Compare(a, b))
	})
	last := now.Add(-rest)
	n := 0
	for n < min(len(others), maxDrops) {
		packed := all[others[n]]
		old := len(others) >= fewCrawls && written(packed).Before(last)
		if !old && size <= maxItem {
			break
		}
		size -= entryBytes(others[n], packed)
		n++
	}
	return others[:n]
}

// entryBytes is the size that DynamoDB counts for a map entry.
func entryBytes(name string, value []byte) int { return len(name) + len(value) + 1 }

// written returns when a state was packed; a time long ago if it is not a
// state.
func written(packed []byte) time.Time {
	if len(packed) < headBytes {
		return time.Time{}
	}
	return time.Unix(int64(binary.BigEndian.Uint32(packed[1:])), 0)
}

// pack encodes a state. One that is too large loses its digests, which find
// mirrors, but keeps its counts, which enforce budgets.
func pack(s *hosts.State, now time.Time) ([]byte, error) {
	packed, err := packJSON(s, now)
	if err == nil && len(packed) > maxState {
		small := *s
		small.Digests = nil
		return packJSON(&small, now)
	}
	return packed, err
}

func packJSON(s *hosts.State, now time.Time) ([]byte, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode state: %w", err)
	}
	how, body := squeeze(body)
	head := binary.BigEndian.AppendUint32([]byte{how}, uint32(now.Unix()))
	return append(head, body...), nil
}

// unpack decodes a state.
func unpack(packed []byte) (s hosts.State, err error) {
	if len(packed) < headBytes {
		return s, fmt.Errorf("decode state: %w", errPacked)
	}
	body, err := unsqueeze(packed[0], packed[headBytes:])
	if err == nil {
		err = json.Unmarshal(body, &s)
	}
	if err != nil {
		return hosts.State{}, fmt.Errorf("decode state: %w", err)
	}
	return s, nil
}

// squeeze compresses JSON if that makes it smaller.
func squeeze(body []byte) (byte, []byte) {
	if len(body) > plainMax {
		if small := zstd.EncodeTo(nil, body); len(small) < len(body) {
			return zstdJSON, small
		}
	}
	return plainJSON, body
}

// unsqueeze returns the JSON that squeeze was given.
func unsqueeze(how byte, body []byte) ([]byte, error) {
	switch how {
	case plainJSON:
		return body, nil
	case zstdJSON:
		return zstd.DecodeTo(nil, body)
	}
	return nil, errPacked
}
