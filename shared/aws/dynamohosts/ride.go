package dynamohosts

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/web/urlnorm"
)

// Bounds of the rules stored within a host's item ("riders"), in bytes. The
// writes of the item are billed by the KB: riders never bring it to a second
// one, unless a crawl has learned much about the host since they were added.
const (
	fullItem  = 1000    // with riders; larger rules get a separate item
	usualItem = 400     // without, at least: the state of a crawl grows with its pages
	itemHead  = 150     // of that: keys, owner and times
	maxRider  = 4 << 10 // of JSON, which packed well may be much in memory
)

// rider are rules in the item of their host.
type rider struct {
	known
	packed []byte
}

// ridersOf returns the rules in a host's item by authority. Bad are those that
// do not decode: nothing is known then.
func ridersOf(it item) (riders map[string]rider, bad bool) {
	riders = map[string]rider{}
	if m, ok := it["r"].(*types.AttributeValueMemberM); ok {
		for authority, v := range m.Value {
			k, err := unpackRules(attr.BlobOf(v))
			if err != nil {
				bad = true
				continue
			}
			riders[authority] = rider{k, attr.BlobOf(v)}
		}
	}
	return riders, bad
}

// board takes rules in, where there is room.
func (v *visit) board(authority string, k rider, now time.Time) bool {
	size := v.size + entryBytes(authority, k.packed)
	for other, k := range v.riders {
		if other != authority && k.rules.Hold(now, time.Time{}) {
			size += entryBytes(other, k.packed)
		}
	}
	if k.size > maxRider || size > fullItem {
		return false
	}
	v.riders[authority], v.changed = k, true
	return true
}

// hostOf returns the host whose lease covers an authority, "" for a key in
// another form than crawls write.
func hostOf(authority string) string {
	u, err := urlnorm.Parse(authority)
	if err != nil || u.Scheme()+"://"+u.Authority() != authority {
		return ""
	}
	return u.Host()
}
