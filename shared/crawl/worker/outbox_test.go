package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/step"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// desk is what an outbox works on: it notes what goes where, by host.
type desk struct {
	frontier.Backlog
	ledger.Ledger
	standings map[string]frontier.Standing
	fails     string // the call that fails
	breaks    int    // the task before which Send fails, its hosts booked; 0: none
	meanwhile func() // happens while links are stored

	mu      sync.Mutex
	sent    map[string]int
	delay   time.Duration
	waiting map[string]int
	marked  int
	held    int // by marks
	parked  map[string]int
	late    bool // tasks have ended when links are parked
}

var errDesk = errors.New("desk is closed")

func (d *desk) do(call string, f func()) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fails == call {
		return errDesk
	}
	f()
	return nil
}

func (d *desk) Queued(context.Context, string, string) (int, error) { panic("not asked") }

// parker is the desk where links are parked.
type parker struct{ *desk }

func (parker) End(context.Context, frontier.Mark) (frontier.Standing, error) { panic("not asked") }

func (d parker) Park(_ context.Context, marks []frontier.Mark) (after []frontier.Standing, err error) {
	err = d.do("park", func() {
		for _, m := range marks {
			d.parked[m.Host] += len(m.Held)
			st := d.standings[m.Host]
			if d.late {
				st.Queued = 0
			}
			after = append(after, st)
		}
	})
	return after, err
}

func (d *desk) Standing(_ context.Context, _, host string, _ bool) (st frontier.Standing, err error) {
	err = d.do("standing", func() { st = d.standings[host] })
	return st, err
}

func (d *desk) Send(_ context.Context, out []frontier.Outgoing) error {
	if d.meanwhile != nil {
		d.meanwhile()
	}
	if d.breaks > 0 && len(d.sent) == d.breaks {
		for _, o := range out {
			d.standings[o.Task.Host] = frontier.Standing{Queued: len(o.Task.Links)}
		}
		return errDesk
	}
	return d.do("send", func() {
		for _, o := range out {
			d.sent[o.Task.Host] += len(o.Task.Links)
			if o.Task.Held {
				d.held += len(o.Task.Links)
			}
			d.delay = o.Delay
			d.standings[o.Task.Host] = frontier.Standing{Queued: len(o.Task.Links)}
		}
	})
}

func (d *desk) Add(_ context.Context, _ string, links []frontier.Link) error {
	if d.meanwhile != nil {
		d.meanwhile()
	}
	return d.do("add", func() {
		for _, l := range links {
			d.waiting[l.Anchor]++
		}
	})
}

func (d *desk) MarkQueued(_ context.Context, _ string, urls []string) error {
	return d.do("mark", func() { d.marked += len(urls) })
}

// openBox returns an outbox and its desk.
func openBox(direct bool, budget int64) (*outbox, *desk) {
	d := &desk{standings: map[string]frontier.Standing{}, sent: map[string]int{}, parked: map[string]int{}, waiting: map[string]int{}}
	left := new(atomic.Int64)
	left.Store(budget)
	opts := Options{Now: time.Now}
	return newOutbox(&Ports{Queue: d, Backlog: d, Ledger: d, Gauge: d, Tracker: parker{d}}, &opts, "c", left, direct), d
}

// linksOf returns links of a host, whose name is their anchor.
func linksOf(host string, n int) (links []frontier.Link) {
	for i := range n {
		links = append(links, frontier.Link{URL: fmt.Sprintf("http://%s/%d", host, i), Anchor: host, Priority: 1})
	}
	return links
}

// Links leave as a task of their host where it has none; all others wait in the
// backlog, and their hosts are to be fed.
func TestOutbox(t *testing.T) {
	type counts = map[string]int
	for _, tt := range []struct {
		name    string
		rounds  bool
		budget  int64
		links   counts
		sent    counts
		waiting counts
	}{
		{"idle", false, 100, counts{"idle.test": 3}, counts{"idle.test": 3}, counts{}},
		{"under way", false, 100, counts{"busy.test": 3}, counts{}, counts{"busy.test": 3}},
		{"closed", false, 100, counts{"closed.test": 3}, counts{}, counts{"closed.test": 3}},
		{"in rounds", true, 100, counts{"idle.test": 3}, counts{}, counts{"idle.test": 3}},
		{"more than a task", false, 100, counts{"idle.test": 30}, counts{"idle.test": 25}, counts{"idle.test": 5}},
		{"more than the budget", false, 2, counts{"idle.test": 3}, counts{"idle.test": 2}, counts{"idle.test": 1}},
		{"no budget", false, -3, counts{"idle.test": 3}, counts{}, counts{"idle.test": 3}},
		{"all at once", false, 100, counts{"idle.test": 1, "busy.test": 2, "closed.test": 3}, counts{"idle.test": 1}, counts{"busy.test": 2, "closed.test": 3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			box, d := openBox(!tt.rounds, tt.budget)
			d.standings["busy.test"] = frontier.Standing{Queued: 1}
			d.standings["closed.test"] = frontier.Standing{Closed: "host_budget"}
			all := 0
			for host, n := range tt.links {
				links := linksOf(host, n)
				for range 2 { // the second time they are known
					if fresh, err := box.Take(t.Context(), "c", links); err != nil || fresh != n {
						t.Errorf("took %d links, %v, want %d", fresh, err, n)
					}
					all, n = all+n, 0
				}
			}
			if len(d.sent)+len(d.waiting)+d.marked > 0 {
				t.Error("links are stored before they have to be")
			}
			if err := box.Store(t.Context()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]counts{tt.sent, tt.waiting}, []counts{d.sent, d.waiting}); diff != "" {
				t.Errorf("sent and waiting (-want +got):\n%s", diff)
			}
			if d.marked+d.held != all {
				t.Errorf("%d links are marked, want %d", d.marked+d.held, all)
			}
			hosts, _ := box.toFeed()
			if len(hosts) != len(tt.waiting)-tt.waiting["closed.test"]/3 {
				t.Errorf("%v are to be fed", hosts)
			}
			if hosts, _ := box.toFeed(); len(hosts) > 0 {
				t.Errorf("%v are to be fed again", hosts)
			}
		})
	}
}

// Links that the mark of a task under way holds are known; a mark does not hold many.
func TestOutboxHeld(t *testing.T) {
	box, d := openBox(true, 100)
	d.standings["held.test"] = frontier.Standing{Queued: 2, Held: []string{"http://held.test/0", "http://held.test/2"}}
	links := append(linksOf("held.test", 3), linksOf("idle.test", 25)...)
	for range 2 {
		if _, err := box.Take(t.Context(), "c", links); err != nil {
			t.Fatal(err)
		}
		if err := box.Store(t.Context()); err != nil {
			t.Fatal(err)
		}
		links = links[:1]
	}
	type counts = map[string]int
	if diff := cmp.Diff([]counts{{"idle.test": 25}, {"held.test": 1}}, []counts{d.sent, d.waiting}); diff != "" {
		t.Errorf("sent and waiting (-want +got):\n%s", diff)
	}
	if d.marked != 26 || d.held != 0 {
		t.Errorf("%d links have hints, and marks hold %d", d.marked, d.held)
	}
}

// On a wide web links of a host that has a task are parked, if they are few.
func TestOutboxParks(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		hosts                   int
		line                    float64
		late                    bool
		parked, waiting, toFeed int
	}{
		{"wide", wide + 1, 0, false, 1, 0, 1},
		{"its task has ended", wide + 1, 0, true, 1, 0, 2},
		{"below the line", wide + 1, 2, false, 0, 0, 0},
		{"not wide", wide, 0, false, 0, 1, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			box, d := openBox(true, 1000)
			box.setLine(tt.line)
			d.late = tt.late
			d.standings["busy.test"] = frontier.Standing{Queued: 3}
			d.standings["full.test"] = frontier.Standing{Queued: 3, Held: make([]string, mostParked)}
			links := append(linksOf("busy.test", 1), linksOf("full.test", 1)...)
			for i := range tt.hosts - 2 {
				links = append(links, linksOf(fmt.Sprintf("idle%d.test", i), 1)...)
			}
			if _, err := box.Take(t.Context(), "c", links); err != nil {
				t.Fatal(err)
			}
			if err := box.Store(t.Context()); err != nil {
				t.Fatal(err)
			}
			if d.parked["busy.test"] != tt.parked || d.parked["full.test"] != 0 {
				t.Errorf("parked are %v", d.parked)
			}
			if tt.line == 0 && (d.waiting["busy.test"] != tt.waiting || d.waiting["full.test"] != 1) {
				t.Errorf("waiting are %v", d.waiting)
			}
			if hosts, _ := box.toFeed(); len(hosts) != tt.toFeed {
				t.Errorf("%v are to be fed", hosts)
			}
		})
	}
}

// Workers that don't know of each other may park the same links, and more than a task has.
func TestParkedTwice(t *testing.T) {
	_, d := openBox(true, 100)
	links := linksOf("a.test", frontier.MaxLinks+5)
	st := frontier.Standing{Parked: slices.Concat(links, links[:3]), Parks: []string{"p1", "p2"}}
	d.standings["a.test"] = st
	sent := new(outgoing)
	b := &batch{Worker: New(Ports{Queue: sent, Gauge: d}, Options{}), job: &job.Job{ID: "c"}}
	if free := b.unpark(t.Context(), 0, false, nil, "a.test"); len(free) > 0 || len(*sent) != 2 {
		t.Fatalf("%v have nothing parked, and %d tasks left", free, len(*sent))
	}
	first, last := (*sent)[0].Task, (*sent)[1].Task
	if diff := cmp.Diff(links, slices.Concat(first.Links, last.Links)); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if len(first.Links) != frontier.MaxLinks || first.Parks != nil || !slices.Equal(last.Parks, st.Parks) || !first.Held || !last.Held {
		t.Errorf("tasks are %+v and %+v", first, last)
	}
	st.Parked = slices.Concat(links[:2], links[:3])
	d.standings["a.test"] = st
	task := frontier.NewTask("c", "a.test", links[:1], time.Now())
	if err := b.takeParked(t.Context(), task); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(links[:3], task.Links); diff != "" {
		t.Errorf("taken along (-want +got):\n%s", diff)
	}
}

// Parked marks stay until there is a message with the links that a task has taken from them:
// its sender may die, or fail.
func TestParkedInRest(t *testing.T) {
	d := &restDesk{fails: true}
	b := &batch{Worker: New(Ports{Queue: d, Tracker: d}, Options{}), job: &job.Job{ID: "c"}, crawl: new(prepared)}
	b.crawl.left.Store(1)
	task := frontier.NewTask("c", "a.test", linksOf("a.test", 3), time.Now())
	task.Parks = []string{"p1", "p2"}
	rest, part := *task, *task
	rest.Hops, part.Hops, part.Part = 1, 1, ".1"
	out := &step.Outcome{Rest: []frontier.Outgoing{{Task: &rest}, {Task: &part}}}
	if err := b.HandBack(t.Context(), task, out); err == nil || len(d.ended) > 0 {
		t.Errorf("%v, and %v ended without a message", err, d.ended)
	}
	d.fails = false
	if err := b.HandBack(t.Context(), task, out); err != nil {
		t.Fatal(err)
	}
	want := []frontier.Mark{{Crawl: "c", Host: "a.test", ID: "p1", Parks: []string{"p2"}}}
	if diff := cmp.Diff(want, d.ended); diff != "" {
		t.Errorf("ended (-want +got):\n%s", diff)
	}
}

// On a wide web the end of a task says what is parked at its host: it leaves at the end of
// the batch, without another look at the host.
func TestEndTellsOfParked(t *testing.T) {
	for _, tt := range []struct {
		name   string
		closed bool
		sent   int
	}{{"open", false, 2}, {"closed by the task", true, 0}} {
		t.Run(tt.name, func(t *testing.T) {
			box, _ := openBox(true, 100)
			for i := range wide + 1 {
				box.hosts[fmt.Sprintf("h%d.test", i)] = false
			}
			sent, d := new(outgoing), &restDesk{after: frontier.Standing{Parked: linksOf("a.test", 2), Parks: []string{"p1"}}}
			b := &batch{
				Worker: New(Ports{Queue: sent, Tracker: d}, Options{}), // no gauge to look at
				job:    &job.Job{ID: "c"}, crawl: &prepared{outbox: box}, ended: map[string]frontier.Standing{},
			}
			b.crawl.left.Store(100)
			task, out := frontier.NewTask("c", "a.test", linksOf("a.test", 1), time.Now()), &step.Outcome{Closed: tt.closed}
			if err := errors.Join(b.Ended(t.Context(), task, nil, out), b.Feed(t.Context(), task, out)); err != nil {
				t.Fatal(err)
			}
			if len(*sent) > 0 {
				t.Errorf("%d tasks leave before the end of the batch", len(*sent))
			}
			b.feedFresh(t.Context())
			n := 0
			for _, o := range *sent {
				n += len(o.Task.Links)
			}
			if n != tt.sent || n > 0 && (*sent)[0].Delay != linger {
				t.Errorf("%d links were sent, want %d", n, tt.sent)
			}
		})
	}
}

// restDesk sends, and notes what ends.
type restDesk struct {
	parker
	fails bool
	ended []frontier.Mark
	after frontier.Standing // the end
}

func (d *restDesk) Send(_ context.Context, out []frontier.Outgoing) error {
	if slices.ContainsFunc(out, func(o frontier.Outgoing) bool { return o.Task.Parks != nil }) {
		return errors.New("marks go before the message")
	}
	if d.fails {
		return errDesk
	}
	return nil
}

func (d *restDesk) End(_ context.Context, mark frontier.Mark) (frontier.Standing, error) {
	d.ended = append(d.ended, mark)
	return d.after, nil
}

// outgoing notes what is sent.
type outgoing []frontier.Outgoing

func (o *outgoing) Send(_ context.Context, out []frontier.Outgoing) error {
	*o = append(*o, out...)
	return nil
}

// What could not be stored is stored by the next worker that comes.
func TestOutboxKeeps(t *testing.T) {
	for _, call := range []string{"standing", "send", "add", "mark"} {
		t.Run(call, func(t *testing.T) {
			box, d := openBox(true, 100)
			d.fails = call
			if _, err := box.Take(t.Context(), "c", linksOf("a.test", 30)); err != nil {
				t.Fatal(err)
			}
			if err := box.Store(t.Context()); !errors.Is(err, errDesk) {
				t.Fatalf("Store() = %v", err)
			}
			d.fails = ""
			if err := box.Store(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := d.sent["a.test"] + d.waiting["a.test"]; n < 30 || d.marked < 30 {
				t.Errorf("%d links are stored, %d marked, want 30 at least", n, d.marked)
			}
		})
	}
}

// A failure costs the tasks that were being sent. The hosts after them have
// theirs the next time, though the tracker has no more than these ten's.
func TestOutboxKeepsOthers(t *testing.T) {
	box, d := openBox(true, 1000)
	const hosts = 4 * hostsAtOnce
	for i := range hosts {
		if _, err := box.Take(t.Context(), "c", linksOf(fmt.Sprintf("h%02d.test", i), 1)); err != nil {
			t.Fatal(err)
		}
	}
	d.breaks = 2 * hostsAtOnce
	if err := box.Store(t.Context()); !errors.Is(err, errDesk) {
		t.Fatalf("Store() = %v", err)
	}
	d.breaks = 0
	if err := box.Store(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(d.sent) != hosts-hostsAtOnce || len(d.parked) != hostsAtOnce || len(box.held) > 0 {
		t.Errorf("%d hosts got tasks, links of %d wait, %d are held", len(d.sent), len(d.parked), len(box.held))
	}
}

// In rounds nothing depends on who was faster: a link that is bettered while it
// is stored is stored again.
func TestOutboxBetters(t *testing.T) {
	for _, direct := range []bool{false, true} {
		box, d := openBox(direct, 100)
		links := linksOf("a.test", 1)
		better := links[0]
		better.Priority++
		d.meanwhile = func() { box.hold([]frontier.Link{better}) }
		box.hold(links)
		if err := box.Store(t.Context()); err != nil {
			t.Fatal(err)
		}
		if held := box.held[better.URL] == better; held == direct {
			t.Errorf("direct: %t, the better link is held: %t", direct, held)
		}
	}
}

// A source of many links does not fill the memory, and many hosts wait for
// more before they are visited.
func TestOutboxFull(t *testing.T) {
	box, d := openBox(true, 1_000_000)
	for i := range maxHeld + 1 {
		if _, err := box.Take(t.Context(), "c", linksOf(fmt.Sprintf("h%d.test", i), 1)); err != nil {
			t.Fatal(err)
		}
	}
	if len(d.sent) != maxHeld+1 || len(box.held) != 0 {
		t.Errorf("%d hosts have tasks, %d links are held", len(d.sent), len(box.held))
	}
	if _, many := box.toFeed(); !many || d.delay != linger {
		t.Errorf("the crawl is wide: %t, tasks wait for %v", many, d.delay)
	}
}
