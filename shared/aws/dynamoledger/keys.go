package dynamoledger

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"sluice/shared/aws/attr"
	"sluice/shared/rank"
)

// urlHash identifies a URL in its key and in journals, and spreads the load.
// Among 10⁹ URLs two collide with a probability of 10⁻²¹, and the later one
// would count as known. The hash is cryptographic, so that no page can choose a
// URL that hides another's.
func urlHash(url string) []byte {
	h := sha256.Sum256([]byte(url))
	return h[:lenHash]
}

const lenHash = 16

// urlKey is the key of a URL's item.
func urlKey(crawl, url string) string { return hashKey(crawl, urlHash(url)) }

func hashKey(crawl string, hash []byte) string {
	return crawl + "#" + base64.RawURLEncoding.EncodeToString(hash)
}

// onCircle is where a URL is on the history's circle: a hash of the URL alone, the same
// for every order of completion and every run.
func onCircle(url string) uint64 { return xxh3.HashString(url) }

func hex16(n uint64) string { return fmt.Sprintf("%016x", n) }

// hostShards is how many keys the host rows of a crawl are spread over.
const hostShards = 16

func hostPartition(crawl string, shard int) string {
	return "host#" + crawl + "#" + strconv.Itoa(shard)
}

// hostKey is the key of a host's row.
func hostKey(crawl, host string) item {
	shard := int(xxh3.HashString(host) % hostShards) //nolint:gosec // below 16
	return item{"p": attr.Text(hostPartition(crawl, shard)), "s": attr.Text(host)}
}

// A rank is the quality of a waiting link as a string, the better the smaller:
//
//	round (8 hex) "#" inverted priority (16 hex) " " parent " " content (16 hex) chain (8 hex)
//
// The item of a URL holds the rank of its waiting link. Content is a hash of
// the link, which orders links that are equal in frontier.Backlog's order.
// Chain is a hash of the item's previous rank: no rank ever recurs, and no late
// writer can take a new link for an old one.
//
// A place is the sort key of the link in the backlog, the best first:
//
//	round "#" inverted priority "#" URL " " content chain
//
// The blank after the URL is smaller than any character of a URL.
//
// The tie of a link that has one follows the priority in both: a tab and the
// inverted tie (16 hex) for one above 0, "~" and the same for one below. So it
// comes before, or after, a link without.
const (
	lenRound  = 8
	lenHead   = lenRound + 1 + 16
	lenTied   = lenHead + 1 + 16
	lenChain  = 8
	lenTail   = 16 + lenChain
	maxURL    = 940 // bytes of a URL in a place: a sort key has at most 1,024
	cutURL    = 900
	maxRounds = math.MaxUint32
)

// head is the start of a rank and a place.
func head(round int, o rank.Order) string {
	h := roundKey(round) + "#" + hex16(^sortable(o.Priority))
	switch {
	case o.Tie > 0:
		h += "\t" + hex16(^sortable(o.Tie))
	case o.Tie < 0:
		h += "~" + hex16(^sortable(o.Tie))
	}
	return h
}

// headLen is the length of the head of a rank or a place.
func headLen(s string) int {
	if len(s) >= lenTied && (s[lenHead] == '\t' || s[lenHead] == '~') {
		return lenTied
	}
	return lenHead
}

func roundKey(round int) string { return fmt.Sprintf("%08x", round) }

// sortable maps floats to integers of the same order; -0 is 0.
func sortable(f float64) uint64 {
	bits := math.Float64bits(f + 0)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

// placedOrder reads the order back from a place.
func placedOrder(place string) (o rank.Order, err error) {
	if len(place) < lenHead {
		return o, fmt.Errorf("place %q is too short", place)
	}
	if o.Priority, err = unsort(place[lenRound+1 : lenHead]); err == nil && headLen(place) == lenTied {
		o.Tie, err = unsort(place[lenHead+1 : lenTied])
	}
	if err != nil {
		return o, fmt.Errorf("read order of a place: %w", err)
	}
	return o, nil
}

// unsort reads what head wrote of a number.
func unsort(hex string) (float64, error) {
	n, err := strconv.ParseUint(hex, 16, 64)
	if err != nil {
		return 0, err
	}
	if bits := ^n; bits>>63 == 1 {
		return math.Float64frombits(bits &^ (1 << 63)), nil
	}
	return math.Float64frombits(n), nil // ^^n
}

// chain distinguishes ranks of one link that follow different ranks.
func chain(before string) string { return hex16(xxh3.HashString(before))[:lenChain] }

// orderOf is the part of a rank that orders links.
func orderOf(rank string) string { return rank[:max(0, len(rank)-lenChain)] }

// parentOf is the parent's URL in the order of a link.
func parentOf(order string) string {
	_, rest, _ := strings.Cut(order, " ")
	return rest[:max(0, strings.LastIndexByte(rest, ' '))]
}

// placeOf is the place of a link of that rank.
func placeOf(rank, url string) string {
	h := headLen(rank)
	if len(rank) < h+lenTail {
		return rank
	}
	if len(url) > maxURL {
		url = strings.ToValidUTF8(url[:cutURL], "") + "~" + hex16(xxh3.HashString(url))
	}
	return rank[:h] + "#" + url + " " + rank[len(rank)-lenTail:]
}
