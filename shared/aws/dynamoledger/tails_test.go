package dynamoledger

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
)

// packTable is the packs of one host in memory, for crawls too long for an emulator.
type packTable struct {
	Client
	mu     sync.Mutex
	places []string // sorted
	items  map[string]item
	read   int // packs
	writes int // units
}

func (p *packTable) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return &dynamodb.GetItemOutput{}, nil
}

func (p *packTable) Query(_ context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	from, _ := slices.BinarySearch(p.places, attr.TextOf(in.ExpressionAttributeValues[":from"]))
	if in.ExclusiveStartKey != nil {
		at, there := slices.BinarySearch(p.places, attr.TextOf(in.ExclusiveStartKey["s"]))
		if from = at; there {
			from++
		}
	}
	out := &dynamodb.QueryOutput{}
	for _, place := range p.places[from:min(from+int(*in.Limit), len(p.places))] {
		out.Items = append(out.Items, p.items[place])
		out.LastEvaluatedKey = p.items[place]
	}
	p.read += len(out.Items)
	return out, nil
}

func (p *packTable) BatchWriteItem(_ context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, requests := range in.RequestItems {
		for _, r := range requests {
			p.writes++
			if r.DeleteRequest != nil {
				place := attr.TextOf(r.DeleteRequest.Key["s"])
				at, _ := slices.BinarySearch(p.places, place)
				p.places = slices.Delete(p.places, at, at+1)
				delete(p.items, place)
				continue
			}
			place := attr.TextOf(r.PutRequest.Item["s"])
			at, _ := slices.BinarySearch(p.places, place)
			p.places = slices.Insert(p.places, at, place)
			p.items[place] = r.PutRequest.Item
		}
	}
	return &dynamodb.BatchWriteItemOutput{}, nil
}

func (p *packTable) UpdateItem(_ context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writes++
	it := p.items[attr.TextOf(in.Key["s"])]
	it["g"] = marksOf(append(goneOf(it), goneOf(item{"g": in.ExpressionAttributeValues[":gone"]})...))
	return &dynamodb.UpdateItemOutput{Attributes: item{"g": it["g"]}}, nil
}

// longCrawl fetches the pages of one host, 25 in a visit. Each page has seven new links;
// those of five pages are stored together. It returns the packs of the last looks, on
// average, and the write units of a page: without the items of the URLs.
func longCrawl(t *testing.T, pages int) (packs, writes float64) {
	t.Helper()
	table := &packTable{items: map[string]item{}}
	b := New(table, Options{}).Backlog()
	rng := rand.New(rand.NewPCG(1, 4))
	const visit, together, fresh, last = 25, 5, 7, 10
	looks := 0
	for done := 0; done < pages; done += visit {
		for range visit / together {
			var links []frontier.Link
			for range together * fresh {
				l := realLink(rng)
				l.URL, l.Priority = fmt.Sprintf("http://a.test/%x/%x.html", rng.Uint32(), rng.Uint64()), rng.Float64()
				links = append(links, l)
			}
			todo, err := b.encode("c", links)
			if err != nil {
				t.Fatal(err)
			}
			puts, err := b.packUp("c", todo)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.s.write(t.Context(), "", puts); err != nil {
				t.Fatal(err)
			}
		}
		if pages-done <= last*visit {
			looks++
		}
		if looks == 1 {
			table.read = 0
		}
		links, err := b.Best(t.Context(), "c", "a.test", 0, visit)
		if err != nil || len(links) != visit {
			t.Fatalf("%d links, %v", len(links), err)
		}
		remove(t, b.s, frontier.URLs(links)...)
	}
	return float64(table.read) / float64(looks), float64(table.writes) / float64(pages)
}

// However long a crawl of one host is, a look reads about as many packs, for a fraction of
// a write unit a page.
func TestLooksOfALongCrawl(t *testing.T) {
	pages := 1000
	if text := os.Getenv("SLUICE_HOST_PAGES"); text != "" {
		var err error
		if pages, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	packs, writes := longCrawl(t, pages)
	t.Logf("%d pages: %.1f packs a look, %.2f write units a page", pages, packs, writes)
	if packs > 30 || writes > 2 {
		t.Errorf("after %d pages a look reads %.0f packs, and a page has cost %.2f write units", pages, packs, writes)
	}
}

// oldPacks stores 60 packs of two links, and takes out the better one of each. It returns
// the others, the best first.
func oldPacks(t *testing.T, s *Store) (tails []frontier.Link) {
	t.Helper()
	var heads []string
	for i := range 60 {
		head := frontier.Link{URL: fmt.Sprintf("http://a.test/%02d", i), Priority: float64(100 + i)}
		tail := frontier.Link{URL: head.URL + "/tail", Priority: float64(60 - i)}
		add(t, s, head, tail)
		heads, tails = append(heads, head.URL), append(tails, tail)
	}
	remove(t, s, heads...)
	return tails
}

// What is left of old packs is moved by the look that has read them in vain, and nothing is
// lost, raised or removed any differently in that process.
func TestTailsMove(t *testing.T) {
	s, p, _ := metered(t)
	tails := oldPacks(t, s)
	if got, err := s.Backlog().Best(t.Context(), "c", "a.test", 0, 5); err != nil || !cmp.Equal(tails[:5], got) {
		t.Errorf("best: %v, %v", got, err)
	}
	if n := items(t, s); n > 5+(60-5)/5 {
		t.Errorf("%d packs are left of 60", n)
	}
	remove(t, s, tails[0].URL)
	up := tails[40]
	up.Priority = 200
	if err := s.Backlog().Raise(t.Context(), "c", []frontier.Link{up}); err != nil {
		t.Fatal(err)
	}
	want := slices.Concat([]frontier.Link{up}, tails[1:40], tails[41:])
	p.reset()
	got, err := s.Backlog().Best(t.Context(), "c", "a.test", 0, 100)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("waiting (-want +got): %v\n%s", err, diff)
	}
	if p.writes > 0 {
		t.Errorf("a look that wants all has written %v units", p.writes)
	}
	remove(t, s, frontier.URLs(want)...)
	if n := items(t, s); n != 0 {
		t.Errorf("%d items are left", n)
	}
}

// A process may die while it moves links, and others look at the same time.
func TestTailsMoveInTrouble(t *testing.T) {
	s, p, _ := metered(t)
	tails := oldPacks(t, s)
	p.setOdds(.1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			b := another(s).Backlog()
			for range 3 {
				_, _ = b.Best(t.Context(), "c", "a.test", 0, 5) // it fails, or does not
			}
		})
	}
	wg.Wait()
	p.setOdds(0)
	b := another(s).Backlog()
	if got, err := b.Best(t.Context(), "c", "a.test", 0, 100); err != nil || !cmp.Equal(tails, got) {
		t.Errorf("waiting: %v\n%s", err, cmp.Diff(tails, got))
	}
	if err := b.Remove(t.Context(), "c", "a.test", frontier.URLs(tails)); err != nil {
		t.Fatal(err)
	}
	if n := items(t, s); n != 0 {
		t.Errorf("%d items are left", n)
	}
}
