package dynamoledger

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/attr"
	"sluice/shared/fault"
	"sluice/shared/state/ledger"
)

// threeEnds returns ends of three URLs.
func threeEnds(e *ledger.Entry) (urls []string, ends []ledger.End) {
	for i := range 3 {
		urls = append(urls, fmt.Sprintf("http://a.test/%d", i))
		ends = append(ends, ledger.End{URL: urls[i], Entry: e})
	}
	return urls, ends
}

func keptTotals(n int64) *ledger.Totals {
	if n == 0 {
		return &ledger.Totals{}
	}
	return &ledger.Totals{Fetched: n, Relevant: n, Enqueued: 2 * n, Verdicts: map[ledger.Verdict]int64{ledger.Kept: n}}
}

// wantOnce holds that the URLs are complete, each once.
func wantOnce(t *testing.T, l *Ledger, urls []string) {
	t.Helper()
	wantTotals(t, l, keptTotals(int64(len(urls))))
	entries, err := l.Entries(t.Context(), "c", urls)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range entries {
		if diff := cmp.Diff(&keptEntry, e); diff != "" {
			t.Errorf("entry of %s (-want +got):\n%s", urls[i], diff)
		}
	}
	history, err := l.Sample(t.Context(), "c", 0, 2*len(urls), rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(history)
	if diff := cmp.Diff(urls, history); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

// journals returns the stored journals.
func journals(t *testing.T, s *Store) (found []item) {
	t.Helper()
	err := s.query(t.Context(), dynamodb.QueryInput{
		TableName: &s.opts.Crawls, ConsistentRead: ptr(true),
		KeyConditionExpression:    ptr("p = :p"),
		ExpressionAttributeValues: item{":p": attr.Text(journalPartition("c"))},
	}, 0, func(it item) bool {
		found = append(found, it)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// readersMeet lets two readers read and settle the totals at once. Either may
// miss what the other settles; neither counts it twice.
func readersMeet(t *testing.T, s *Store, most int64) {
	t.Helper()
	err := each(t.Context(), 2, func(ctx context.Context, _ int) error {
		got, err := another(s).Ledger().Totals(ctx, "c")
		if err == nil && got.Fetched > most {
			t.Errorf("one of two readers has %d pages, want at most %d", got.Fetched, most)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCompleteCrash checks that, anywhere in Complete that a writer fails or dies,
// the totals are the sums of the entries at once, and stay so after another
// writer has completed the same.
func TestCompleteCrash(t *testing.T) {
	client := emulator(t)
	crashes(t, client, 6, func(t *testing.T, f *fuse) {
		c, opts := newClock(), tables(t, client)
		opts.Now = c.Now
		counted := &openings{Client: client}
		f.Client = counted
		s := New(counted, opts)
		l := s.Ledger()
		urls, ends := threeEnds(&keptEntry)

		_, err := New(f, opts).Ledger().Complete(t.Context(), "c", ends)
		states, stErr := l.States(t.Context(), "c", urls)
		if stErr != nil {
			t.Fatal(stErr)
		}
		done := int64(0)
		for _, st := range states {
			if st == ledger.Done {
				done++
			}
		}
		if err == nil && done != 3 {
			t.Errorf("%d of 3 URLs are complete without an error", done)
		}
		wantTotals(t, l, keptTotals(done))

		refused, err := another(s).Ledger().Complete(t.Context(), "c", ends)
		if err != nil {
			t.Fatal(err)
		}
		for i, err := range refused {
			if (err != nil) != (states[i] == ledger.Done) || err != nil && !errors.Is(err, ledger.ErrDone) {
				t.Errorf("completion of %s, which was in state %d: %v", urls[i], states[i], err)
			}
		}
		wantOnce(t, l, urls)
		if n, opened := len(journals(t, s)), int(counted.n.Load()); n >= opened {
			t.Errorf("%d journals of %d are left, want those of the one who failed at most", n, opened)
		}

		c.Advance(journalTime)
		readersMeet(t, s, 3)
		wantOnce(t, l, urls)
		if left := journals(t, s); len(left) > 0 {
			t.Errorf("journals are left after their time: %v", left)
		}
	})
}

// openings is a client that counts opened journals: a batch opens more than one
// if a connection breaks, as on a busy emulator.
type openings struct {
	Client
	n atomic.Int64
}

func (c *openings) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if in.ExpressionAttributeValues[":hashes"] != nil {
		c.n.Add(1)
	}
	return c.Client.UpdateItem(ctx, in, opts...)
}

// unsettling is a client that dies with the transaction that settles a journal.
type unsettling struct{ Client }

func (unsettling) TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return nil, errDead
}

// leaveJournal completes URLs, but dies before their journal is settled.
func leaveJournal(t *testing.T, s *Store, ends []ledger.End) {
	t.Helper()
	if _, err := New(unsettling{s.client}, s.opts).Ledger().Complete(t.Context(), "c", ends); !errors.Is(err, errDead) {
		t.Fatalf("completion by one who dies: %v", err)
	}
}

// TestSettleCrash checks that readers settle a journal once, anywhere that the first
// of them fails or dies.
func TestSettleCrash(t *testing.T) {
	client := emulator(t)
	crashes(t, client, 5, func(t *testing.T, f *fuse) {
		c, opts := newClock(), tables(t, client)
		opts.Now = c.Now
		s := New(client, opts)
		urls, ends := threeEnds(&keptEntry)
		leaveJournal(t, s, ends)
		c.Advance(journalTime)

		got, err := New(f, opts).Ledger().Totals(t.Context(), "c")
		if err == nil && got.Fetched != 3 {
			t.Errorf("the first reader has %d pages, want 3", got.Fetched)
		}
		readersMeet(t, s, 3)
		wantOnce(t, s.Ledger(), urls)
		if left := journals(t, s); len(left) > 0 {
			t.Errorf("journals are left: %v", left)
		}
	})
}

// interloper is a client that lets another act before one of its queries.
type interloper struct {
	Client
	at, n int
	act   func()
}

func (c *interloper) Query(ctx context.Context, in *dynamodb.QueryInput, opts ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if c.n == c.at {
		c.act()
	}
	c.n++
	return c.Client.Query(ctx, in, opts...)
}

// TestSettledMeanwhile checks that ends settled while the totals are read count
// once.
func TestSettledMeanwhile(t *testing.T) {
	for at, want := range []int64{3, 0} { // before totals and before journals are read
		c := newClock()
		s := open(t, c)
		_, ends := threeEnds(&keptEntry)
		leaveJournal(t, s, ends)
		c.Advance(journalTime)
		settle := func() { wantTotals(t, s.Ledger(), keptTotals(3)) }
		l := New(&interloper{Client: s.client, at: at, act: settle}, s.opts).Ledger()
		wantTotals(t, l, keptTotals(want))
		wantTotals(t, l, keptTotals(3))
	}
}

// TestJournalInTime checks that readers do not settle a journal while its
// writer may be at work.
func TestJournalInTime(t *testing.T) {
	c := newClock()
	s := open(t, c)
	urls, ends := threeEnds(&keptEntry)
	leaveJournal(t, s, ends)
	c.Advance(journalTime - time.Millisecond)
	wantOnce(t, s.Ledger(), urls)
	if left := journals(t, s); len(left) != 1 || attr.BlobOf(left[0]["k"]) == nil {
		t.Errorf("journals before their time: %v, want one with its list", left)
	}
}

// TestEndsTriedAgain checks that ends written by an earlier try of the same
// call are not refused, and count once.
func TestEndsTriedAgain(t *testing.T) {
	client := emulator(t)
	crashes(t, client, 6, func(t *testing.T, f *fuse) {
		c, opts := newClock(), tables(t, client)
		opts.Now = c.Now
		s := New(client, opts)
		urls, ends := threeEnds(&keptEntry)
		var tried []*ending
		for _, end := range ends {
			body, err := s.codec.packEntry(end.Entry)
			if err != nil {
				t.Fatal(err)
			}
			tried = append(tried, &ending{End: end, key: urlKey("c", end.URL), body: body})
		}
		_ = New(f, opts).Ledger().complete(t.Context(), "c", tried)
		if err := s.Ledger().complete(t.Context(), "c", tried); err != nil {
			t.Fatal(err)
		}
		for _, e := range tried {
			if e.refused != nil {
				t.Errorf("completion of %s: %v", e.URL, e.refused)
			}
		}
		wantOnce(t, s.Ledger(), urls)
	})
}

// TestReviveUnsettled checks that an end is taken back only when it is in the
// totals.
func TestReviveUnsettled(t *testing.T) {
	client := emulator(t)
	crashes(t, client, 6, func(t *testing.T, f *fuse) {
		c, opts := newClock(), tables(t, client)
		opts.Now = c.Now
		s := New(client, opts)
		l := s.Ledger()
		urls, ends := threeEnds(&deadEntry)
		leaveJournal(t, s, ends)

		err := l.Revive(t.Context(), "c", urls)
		if fault.Of(err) == nil || fault.Of(err).Class != fault.Retryable || !strings.Contains(err.Error(), "2020-03-30T08:15:00Z") {
			t.Errorf("before the time: %v, want an error to try again after, with that time", err)
		}
		c.Advance(journalTime)
		_ = New(f, opts).Ledger().Revive(t.Context(), "c", urls)
		if err := l.Revive(t.Context(), "c", urls); err != nil {
			t.Fatal(err)
		}
		wantTotals(t, l, keptTotals(0))
		wantStates(t, l, urls, ledger.Queued, ledger.Queued, ledger.Queued)
		complete(t, l, urls, keptEntry)
		wantOnce(t, l, urls)
	})
}
