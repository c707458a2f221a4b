package step

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/bubble"
	"sluice/shared/state/frontier"
)

func links(urls ...string) []frontier.Link {
	out := make([]frontier.Link, len(urls))
	for i, u := range urls {
		out[i].URL = u
	}
	return out
}

// A link that another task is offering is waited for; a page that has one twice
// does not wait for itself.
func TestOffers(t *testing.T) {
	bubble.Test(t, func(t *testing.T) {
		o := newOffers()
		first, none := o.begin(links("http://a.test/1", "http://a.test/2", "http://a.test/1"))
		if len(first) != 3 || len(none) != 0 {
			t.Fatalf("first takes %v and waits for %v", first, none)
		}
		second, others := o.begin(links("http://a.test/2", "http://a.test/3"))
		if diff := cmp.Diff(links("http://a.test/3"), second); diff != "" {
			t.Errorf("second takes (-want +got):\n%s", diff)
		}
		waited := make(chan []frontier.Link)
		go func() {
			back, err := o.wait(t.Context(), others)
			if err != nil {
				t.Error(err)
			}
			waited <- back
		}()
		bubble.Wait()
		select {
		case <-waited:
			t.Fatal("it did not wait")
		default:
		}
		o.end(first)
		if diff := cmp.Diff(links("http://a.test/2"), <-waited); diff != "" {
			t.Errorf("comes back (-want +got):\n%s", diff)
		}
		o.end(second)
		if len(o.now) != 0 {
			t.Errorf("%d links are still offered", len(o.now))
		}
	})
}

func TestOffersGiveUp(t *testing.T) {
	o := newOffers()
	o.begin(links("http://a.test/1"))
	_, others := o.begin(links("http://a.test/1"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := o.wait(ctx, others); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
