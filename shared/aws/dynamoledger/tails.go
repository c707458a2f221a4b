package dynamoledger

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/state/frontier"
)

// mostInVain is how many packs a look for the best links of a host reads in vain before
// it moves what is left of them.
const mostInVain = 8

// moveTails moves the links of packs that Best has read in vain: their best links are
// gone, and the others are not among the best. Sorted into new packs, these are read
// when it is their turn. The items of their URLs are not written, which would cost a
// unit each: they name the old pack, and checkPlaces finds out.
//
// New packs are written before the old ones are deleted, so that a crash leaves twins,
// never a gap. If another process takes a link out of an old pack meanwhile, that remains
// in the new one, and its task finds it done.
func (b *Backlog) moveTails(ctx context.Context, crawl, host string, read []found, best []frontier.Link) error {
	wanted := make(map[string]bool, len(best))
	for i := range best {
		wanted[best[i].URL] = true
	}
	useful, tails := map[string]bool{}, map[string][]*waiting{} // by place
	for _, f := range read {
		useful[f.at.place] = useful[f.at.place] || wanted[f.link.URL] || !slices.Contains(f.at.gone, 0)
		tails[f.at.place] = append(tails[f.at.place], &waiting{key: urlKey(crawl, f.link.URL), host: host, url: f.link.URL, link: f.link, was: f.at})
	}
	var deletions []types.WriteRequest
	once := map[string]*waiting{} // of twins the better one
	for place, tail := range tails {
		if useful[place] {
			continue
		}
		deletions = append(deletions, deletion(backlogKey(crawl, host, place)))
		for _, w := range tail {
			if twin := once[w.key]; twin == nil || w.link.Better(&twin.link) {
				once[w.key] = w
			}
		}
	}
	if len(deletions) <= mostInVain {
		return nil
	}
	left := slices.Collect(maps.Values(once))
	b.s.listing.drop()
	puts, err := b.packUp(crawl, left)
	if err == nil {
		err = b.s.write(ctx, b.s.opts.Backlog, puts)
	}
	if err == nil {
		err = b.s.write(ctx, b.s.opts.Backlog, deletions)
	}
	if err != nil {
		return err
	}
	for _, w := range left {
		b.s.spots.Change(w.key, func(at []spot) []spot {
			at = slices.DeleteFunc(slices.Clone(at), func(s spot) bool { return tails[s.place] != nil && !useful[s.place] })
			return append(at, w.at)
		})
	}
	return nil
}
