package dynamoledger

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
)

// A pack is an item of Backlog: links of one host and round, best first, as many as one
// write unit pays for. Its sort key is the place of its first link, but ends at random. A pack
// gets no more links. Those that are gone are marked by their index, in the set g, and
// the last one takes the item with it.
//
// Earlier versions stored each link in an item of its own. These are packs of one.
type pack struct {
	place string
	links []frontier.Link
	gone  []int
}

const (
	writeUnit  = 1 << 10 // bytes that one pays for
	mostInPack = 25
	packFrame  = 16 // bytes of an item besides its keys, links and marks
	markBytes  = 2  // of a mark
)

// spot is where a link waits: its place in the backlog, its index in the pack there, and
// the number of links in that.
type spot struct {
	place       string
	index, size int
	gone        []int // of the pack, as it was read
}

// String is what the item of a URL holds in w.
func (s spot) String() string { return fmt.Sprintf("%d/%d %s", s.index, s.size, s.place) }

// spotOf reads the spot of a URL's rank. Ranks of earlier versions are their own places.
func spotOf(text, rank, url string) spot {
	if numbers, place, ok := strings.Cut(text, " "); ok {
		index, size, _ := strings.Cut(numbers, "/")
		i, err := strconv.Atoi(index)
		n, err2 := strconv.Atoi(size)
		if err == nil && err2 == nil {
			return spot{place: place, index: i, size: n}
		}
	}
	return spot{place: placeOf(rank, url), size: 1}
}

// packUp gives links their spots in new packs, and returns the items of these.
func (b *Backlog) packUp(crawl string, todo []*waiting) ([]types.WriteRequest, error) {
	todo = slices.SortedFunc(slices.Values(todo), func(a, b *waiting) int {
		return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(a.link.Round, b.link.Round), frontier.BestFirst(a.link, b.link))
	})
	var puts []types.WriteRequest
	for len(todo) > 0 {
		first := todo[0]
		n := slices.IndexFunc(todo, func(w *waiting) bool { return w.host != first.host || w.link.Round != first.link.Round })
		if n < 0 {
			n = len(todo)
		}
		tail := hex16(rand.Uint64()) + hex16(rand.Uint64())[:lenChain]
		place := placeOf(head(first.link.Round, first.link.Order())+" "+tail, first.url)
		it := backlogKey(crawl, first.host, place)
		n, body, err := b.fit(todo[:min(n, mostInPack)], writeUnit-packFrame-len(backlogPartition(crawl, first.host))-len(place))
		if err != nil {
			return nil, err
		}
		it["l"], it["n"] = attr.Blob(body), attr.Number(int64(n))
		puts = append(puts, putting(it))
		for i, w := range todo[:n] {
			w.at = spot{place: place, index: i, size: n}
		}
		todo = todo[n:]
	}
	return puts, nil
}

// fit packs as many links, from the first, as have room, at least one.
func (b *Backlog) fit(todo []*waiting, room int) (n int, body []byte, err error) {
	for n = len(todo); ; {
		links := make([]*frontier.Link, n)
		for i, w := range todo[:n] {
			links[i] = &w.link
		}
		text, err := json.Marshal(links)
		if err != nil {
			return 0, nil, permanent("encode links of "+todo[0].host, err)
		}
		body = b.s.codec.pack(text)
		size := len(body) + n*markBytes
		if size <= room || n == 1 {
			return n, body, nil
		}
		n = max(1, min(n-1, n*room/size))
	}
}

// readPack reads an item of the backlog.
func (c *codec) readPack(it item) (*pack, error) {
	p := &pack{place: attr.TextOf(it["s"]), gone: goneOf(it)}
	text, err := c.unpack(attr.BlobOf(it["l"]))
	switch {
	case err != nil:
	case bytes.HasPrefix(text, []byte("[")):
		err = json.Unmarshal(text, &p.links)
	default:
		p.links = make([]frontier.Link, 1)
		if err = json.Unmarshal(text, &p.links[0]); err == nil {
			p.links[0].URL = cmp.Or(attr.TextOf(it["u"]), urlOf(p.place))
		}
	}
	if err != nil {
		return nil, permanent("decode waiting links at "+p.place, err)
	}
	return p, nil
}

// each calls f for the links of a pack that are not gone.
func (p *pack) each(f func(l frontier.Link, at spot)) {
	for i, l := range p.links {
		if !slices.Contains(p.gone, i) {
			f(l, spot{place: p.place, index: i, size: len(p.links), gone: p.gone})
		}
	}
}

// goneOf returns the marks of a pack.
func goneOf(it item) (gone []int) {
	if g, ok := it["g"].(*types.AttributeValueMemberNS); ok {
		for _, text := range g.Value {
			if i, err := strconv.Atoi(text); err == nil {
				gone = append(gone, i)
			}
		}
	}
	return gone
}

func marksOf(indexes []int) types.AttributeValue {
	set := &types.AttributeValueMemberNS{}
	for _, i := range indexes {
		set.Value = append(set.Value, strconv.Itoa(i))
	}
	return set
}
