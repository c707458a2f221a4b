package dynamohosts

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/attr"
	"sluice/shared/web/urlnorm"
)

// Bounds of the rules stored in a host's item ("riders"), in bytes. Writes are
// billed by the KB: riders do not extend the item beyond the first KB, unless
// the crawl's state grew since.
const (
	fullItem  = 1000    // with riders; larger rules get a separate item
	usualItem = 400     // without, at least: the state of a crawl grows with its pages
	itemHead  = 150     // of that: keys, owner and times
	maxRider  = 4 << 10 // of JSON: packed rules can be large in memory
)

// rider are rules in the item of their host.
type rider struct {
	known
	packed []byte
}

// ridersOf returns the rules in a host's item by authority. Bad says that they
// do not decode; then nothing is known.
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

// board stores rules in the item if there is room.
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

// hostOf returns the host whose lease covers an authority, "" for a key in an
// unknown form.
func hostOf(authority string) string {
	u, err := urlnorm.Parse(authority)
	if err != nil || u.Scheme()+"://"+u.Authority() != authority {
		return ""
	}
	return u.Host()
}
