package dynamoledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/attr"
	"sluice/shared/state/frontier"
)

// numbered returns links of a.test, the best first.
func numbered(n int) (links []frontier.Link) {
	for i := range n {
		links = append(links, frontier.Link{URL: fmt.Sprintf("http://a.test/%02d", i), Priority: float64(100 - i)})
	}
	return links
}

func remove(t *testing.T, s *Store, urls ...string) {
	t.Helper()
	if err := s.Backlog().Remove(t.Context(), "c", "a.test", urls); err != nil {
		t.Fatal(err)
	}
}

// Each pack fits a write unit, with all its marks, and all but the last are full.
func TestPacksFitAWriteUnit(t *testing.T) {
	s := &Store{codec: newCodec()}
	rng := rand.New(rand.NewPCG(1, 6))
	var links []frontier.Link
	for range 300 {
		links = append(links, realLink(rng))
	}
	todo, err := s.Backlog().encode("finance-2026", links)
	if err != nil {
		t.Fatal(err)
	}
	puts, err := s.Backlog().packUp("finance-2026", todo)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, put := range puts {
		it := put.PutRequest.Item
		var all []int
		for i := range int(attr.NumberOf(it["n"])) {
			all = append(all, i)
		}
		it["g"] = marksOf(all)
		if size := itemSize(it); size > writeUnit {
			t.Errorf("%d links take %d bytes, more than a write unit", len(all), size)
		}
		sum += len(all)
	}
	if sum != len(todo) || len(puts) > len(todo)/4 {
		t.Errorf("%d of %d links are in %d packs", sum, len(todo), len(puts))
	}
	t.Logf("%d links in %d packs", sum, len(puts))
}

// The best of a host are the best of all packs, and those that are gone are not among them.
func TestBestOfPacks(t *testing.T) {
	s := open(t, newClock())
	rng := rand.New(rand.NewPCG(1, 7))
	left := numbered(72)
	shuffled := slices.Clone(left)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for some := range slices.Chunk(shuffled, 9) {
		add(t, s, some...)
	}
	if n := items(t, s); n != mostInVain { // a look moves none
		t.Errorf("72 links are in %d packs, want %d", n, mostInVain)
	}
	for len(left) > 0 {
		n := min(1+rng.IntN(20), len(left))
		got, err := another(s).Backlog().Best(t.Context(), "c", "a.test", 0, n)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(left[:n], got); diff != "" {
			t.Fatalf("best %d (-want +got):\n%s", n, diff)
		}
		hosts, err := another(s).Backlog().Waiting(t.Context(), "c", 0, 0, 1)
		if want := []frontier.HostDepth{{Host: "a.test", Links: len(left), Best: left[0].Priority}}; err != nil || !cmp.Equal(want, hosts) {
			t.Fatalf("waiting: %+v, %v, want %+v", hosts, err, want)
		}
		gone := rng.IntN(n)
		if rng.IntN(2) == 0 {
			best(t, s) // else the process does not know where it is
		}
		remove(t, s, left[gone].URL)
		left = slices.Delete(left, gone, gone+1)
	}
	if n := items(t, s); n != 0 {
		t.Errorf("%d items are left", n)
	}
}

// Packs whose best links are gone stand before better ones: Best does not ask for them a
// few at a time.
func TestBestBehindOldPacks(t *testing.T) {
	s, p, _ := metered(t)
	var heads []string
	for i := range 60 {
		head := frontier.Link{URL: fmt.Sprintf("http://a.test/%02d", i), Priority: float64(100 + i)}
		add(t, s, head, frontier.Link{URL: head.URL + "/tail", Priority: float64(i) / 100})
		heads = append(heads, head.URL)
	}
	remove(t, s, heads...)
	before := p.requests["Query"]
	links, err := s.Backlog().Best(t.Context(), "c", "a.test", 0, 5)
	if err != nil || len(links) != 5 || links[0].URL != "http://a.test/59/tail" {
		t.Errorf("best: %v, %v", links, err)
	}
	if n := p.requests["Query"] - before; n > 5 {
		t.Errorf("%d requests for 60 packs, want 5", n)
	}
}

// Processes that take different links out of one pack at once leave nothing of it.
func TestPackTakenByMany(t *testing.T) {
	s := open(t, newClock())
	links := numbered(20)
	add(t, s, links...)
	before := items(t, s)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			b := another(s).Backlog()
			if i%2 == 0 {
				if _, err := b.Best(t.Context(), "c", "a.test", 0, 100); err != nil {
					t.Error(err)
				}
			}
			if err := b.Remove(t.Context(), "c", "a.test", frontier.URLs(links[5*i:5*i+5])); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := items(t, s); n != 0 || before > 5 {
		t.Errorf("of %d items %d are left", before, n)
	}
}

// A link that moves to another place leaves its pack, and the others stay.
func TestMoveOutOfPack(t *testing.T) {
	s := open(t, newClock())
	links := numbered(4)
	add(t, s, links...)
	up := links[3]
	up.Priority = 200
	if err := another(s).Backlog().Raise(t.Context(), "c", []frontier.Link{up}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]frontier.Link{up, links[0], links[1], links[2]}, best(t, s)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	down := up
	down.Priority = 99.5
	if err := another(s).Backlog().Reorder(t.Context(), "c", []frontier.Link{down}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]frontier.Link{links[0], down, links[1], links[2]}, best(t, s)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	remove(t, s, frontier.URLs(links)...)
	if n := items(t, s); n != 0 {
		t.Errorf("%d items are left", n)
	}
}

// What this process has looked up may have changed since.
func TestOldLooks(t *testing.T) {
	s := open(t, newClock())
	links := numbered(3)
	look := func() {
		t.Helper()
		if _, err := s.Ledger().States(t.Context(), "c", frontier.URLs(links)); err != nil {
			t.Fatal(err)
		}
	}
	raised := func(l frontier.Link, by float64) frontier.Link {
		l.Priority += by
		return l
	}
	look()
	add(t, another(s), links[0], raised(links[1], 1000))
	add(t, s, links...) // all are new, for all it knows
	look()
	if err := another(s).Backlog().Raise(t.Context(), "c", []frontier.Link{raised(links[2], 2000)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Backlog().Raise(t.Context(), "c", []frontier.Link{raised(links[2], 3000), raised(links[0], 500)}); err != nil {
		t.Fatal(err)
	}
	want := []frontier.Link{raised(links[2], 3000), raised(links[1], 1000), raised(links[0], 500)}
	if diff := cmp.Diff(want, best(t, s)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	remove(t, s, frontier.URLs(links)...)
	if n := items(t, s); n != 0 {
		t.Errorf("%d items are left", n)
	}
}

// Two processes that store the same links do not write over each other's.
func TestSameFirstLink(t *testing.T) {
	s := open(t, newClock())
	var wg sync.WaitGroup
	links := numbered(5)
	for i := range 4 {
		wg.Go(func() {
			if err := another(s).Backlog().Add(t.Context(), "c", []frontier.Link{links[0], links[1+i]}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(links, best(t, s)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
}

// What forgetting takes out of a pack is nowhere in the table any more; the others wait as
// before.
func TestForgetInPack(t *testing.T) {
	s := open(t, newClock())
	links := numbered(4)
	add(t, s, links...)
	remove(t, s, links[1].URL) // in a task, say
	b := s.Backlog()
	for range 2 {
		if err := b.Forget(t.Context(), "c", "a.test", []string{links[0].URL, links[1].URL}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(links[2:], best(t, s)); diff != "" {
			t.Errorf("waiting (-want +got):\n%s", diff)
		}
		urls, err := b.Waits(t.Context(), "c", "a.test")
		if err != nil || !slices.Equal(urls, frontier.URLs(links[2:])) {
			t.Errorf("stored are %v, %v", urls, err)
		}
	}
	remove(t, s, frontier.URLs(links[2:])...)
	if n := items(t, s); n != 0 {
		t.Errorf("%d items are left", n)
	}
}

// Links that an earlier version stored wait among the others.
func TestOldItems(t *testing.T) {
	s := open(t, newClock())
	links := numbered(4)
	for _, l := range links[1:3] {
		rank := putOld(t, s, l)
		_, err := s.client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: &s.opts.Urls, Key: item{"k": attr.Text(urlKey("c", l.URL))},
			UpdateExpression:          ptr("SET b = :rank, s = :queued"),
			ExpressionAttributeValues: item{":rank": attr.Text(rank), ":queued": attr.Text(stateQueued)},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	add(t, s, links[0], links[3], links[2])
	if diff := cmp.Diff(links, best(t, s)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	up := links[2]
	up.Priority = 200
	if err := another(s).Backlog().Raise(t.Context(), "c", []frontier.Link{up}); err != nil {
		t.Fatal(err)
	}
	remove(t, another(s), links[1].URL)
	if diff := cmp.Diff([]frontier.Link{up, links[0], links[3]}, best(t, s)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
}
