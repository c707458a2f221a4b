package records

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/structure"
)

// A page with nothing but a name has a record if a list leads to it, even if a menu has led
// to it before.
func TestGatherLinkedByMenu(t *testing.T) {
	t.Parallel()
	pages := []struct{ url, markup, layer string }{
		{"http://shop.test/p/1", "<h1>Pear</h1>", structure.DetailLayer},
		{"http://shop.test/about", "<h1>About us</h1>", structure.DetailLayer},
		{"http://shop.test/list", "<ul><li><a href=/p/1>Pear</a></li><li><a href=/p/2>Plum</a></li></ul>", structure.ListLayer},
	}
	shop := shopReader(t)
	g := &Gathering{Template: shop.template, readers: map[string]*Reader{"shop.test": shop}, seen: Seen{}, listed: map[uint64]bool{}}
	g.Each = func(_ context.Context, use func(d *corpus.Document) error) error {
		for i, p := range pages {
			d := &corpus.Document{FinalURL: p.url, Layer: p.layer, WARC: corpus.Location{Offset: int64(i)}}
			if err := use(d); err != nil {
				return err
			}
		}
		return nil
	}
	g.Read = func(_ context.Context, at corpus.Location) (*reading.Arrival, error) {
		p := pages[at.Offset]
		return arrival(t, p.url, p.markup, reading.CategoryPriority), nil
	}
	var got []string
	lost, err := g.Gather(t.Context(), func(i *corpus.Item) error {
		got = append(got, i.Layer+" "+i.URL)
		return nil
	})
	if err != nil || lost != 0 {
		t.Fatal(lost, err)
	}
	want := []string{"list http://shop.test/p/1", "list http://shop.test/p/2", "detail http://shop.test/p/1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got)\n%s", diff)
	}
}
