package operator

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

func TestList(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(`<urlset><url><loc>http://a.test/1</loc></url></urlset>`)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, data string
		want       []string
		plain      bool
		wrong      []string
	}{
		{name: "lines", data: "\ufeffhttp://A.test:80/\r\n\n# a note\n  http://b.test/?x=1#y  \nhttp://a.test/\n", want: []string{"http://a.test/", "http://b.test/?x=1"}, plain: true},
		{name: "nothing", data: "# none\n", plain: true},
		{name: "mistakes", data: "http://a.test/\nfile:///etc/passwd\nnonsense\n", plain: true, wrong: []string{"list:2: ", "list:3: ", "file"}},
		{name: "sitemap", data: `<?xml version="1.0"?><urlset><url><loc>http://a.test/1</loc></url><url><loc>/relative</loc></url></urlset>`, want: []string{"http://a.test/1"}},
		{name: "packed sitemap", data: packed.String(), want: []string{"http://a.test/1"}},
		{name: "feed", data: `<rss><channel><item><title>x</title><link>http://a.test/2</link></item></channel></rss>`, want: []string{"http://a.test/2"}},
		{name: "too large", data: strings.Repeat("x", maxObject+1), wrong: []string{"more than 50 MiB"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			urls, plain, err := (&List{Name: "list", Data: []byte(tt.data)}).urls()
			if errors.Is(err, ErrRequest) != (tt.wrong != nil) {
				t.Fatalf("error %v", err)
			}
			for _, part := range tt.wrong {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
			if diff := cmp.Diff(tt.want, urls); diff != "" || plain != tt.plain {
				t.Errorf("plain %v, urls (-want +got):\n%s", plain, diff)
			}
		})
	}
}

// The list of mistakes is truncated.
func TestListOfMistakes(t *testing.T) {
	t.Parallel()
	_, _, err := (&List{Name: "l", Data: []byte(strings.Repeat("nonsense\n", 1000))}).urls()
	if err == nil || !strings.Contains(err.Error(), "and 980 more") || strings.Count(err.Error(), "\n") != maxProblems {
		t.Errorf("error: %v", err)
	}
}

func FuzzList(f *testing.F) {
	for _, seed := range []string{"http://a.test/\n#\n", "<rss>", "\x1f\x8b", "\ufeff<urlset><url><loc>http://a.test/</loc>", "\xff\n\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		urls, _, err := (&List{Name: "l", Data: data}).urls()
		again, err2 := canonical(urls, func(i int) string { return fmt.Sprint(i) })
		if err == nil && err2 != nil {
			t.Fatalf("%q: %v", data, err2)
		}
		if diff := cmp.Diff(urls, again); err == nil && diff != "" {
			t.Errorf("not canonical, or twice (-want +got):\n%s", diff)
		}
	})
}

const (
	topicYAML  = "name: money\nwords: [bank, stock]\nlanguage: en\nseeds: [http://topic.test/]\n"
	otherYAML  = "name: money\nwords: [bank, stock, bond]\nlanguage: en\nseeds: [http://topic.test/]\n"
	seedless   = "name: bare\nwords: [bank]\nlanguage: en\n"
	moneyTopic = "topics/money.topic"
)

func file(data string) *TopicFile { return &TopicFile{Name: "money.yaml", Data: []byte(data)} }

func (s *testStack) seed(t *testing.T, order Order) *Seeded {
	t.Helper()
	prepared, err := s.Prepare(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	out, err := prepared.Send(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The message sent is that of the user guide.
func TestSeedStarts(t *testing.T) {
	s := newStack(t)
	delay := 250 * time.Millisecond
	out := s.seed(t, Order{
		Message: job.Message{
			Crawl: "c", Seeds: []string{"http://A.test", "http://b.test/", "http://a.test/"}, Limits: limits.Limits{MaxPages: 500, MaxPagesPerHost: 50, MaxDepth: 3, MaxDuration: time.Hour},
			MaxCost: 2.5, Delay: &delay, Contact: "a@example.com", RandomSeed: 7, Scope: &limits.Scope{Mode: "host"},
		},
		TopicFile: file(topicYAML),
		List:      &List{Name: "l", Data: []byte("http://c.test/\nhttp://b.test/\n")},
	})
	want := `{"v":1,"crawl":"c","topic":"topics/money.topic","seeds":["http://a.test/","http://b.test/","http://c.test/"],"scope":{"mode":"host"},` +
		`"max_pages":500,"max_pages_per_host":50,"max_depth":3,"max_duration":"1h0m0s","max_cost":2.5,"delay":"250ms","contact":"a@example.com","random_seed":7}`
	if diff := cmp.Diff([]string{want}, s.Messages(t, s.Outputs["SeedsQueue"])); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	if !out.Started || out.Topic != moneyTopic || !out.Uploaded || out.Seeds != 3 || string(out.Message) != want || len(out.Objects) != 0 || out.Crawl != "c" || out.Stack != s.Name {
		t.Errorf("Seeded is %+v", out)
	}
	if f := out.Forecast; f == nil || f.Pages != 500 || f.Hosts != 3 || f.DelayS != 0.25 || f.Dollars <= 0 || f.Dollars > 1 {
		t.Errorf("forecast is %+v", f)
	}
	if data, err := s.parts.Objects.Get(t.Context(), moneyTopic, 1<<20); err != nil || string(data) != topicYAML {
		t.Errorf("topic in the bucket: %q, %v", data, err)
	}
}

// A topic never changes under a crawl that uses it.
func TestSeedTopics(t *testing.T) {
	s := newStack(t)
	order := func(data string) Order { return Order{Message: job.Message{Crawl: "new"}, TopicFile: file(data)} }
	s.PutObject(t, moneyTopic, topicYAML)
	if out := s.seed(t, order(topicYAML)); out.Uploaded || out.Topic != moneyTopic || out.Seeds != 0 {
		t.Errorf("the same topic: %+v", out)
	}
	if out := s.seed(t, order(otherYAML)); !out.Uploaded || out.Topic != moneyTopic {
		t.Errorf("another topic that replaces one without crawls: %+v", out)
	}
	s.Create(t, job.Message{Crawl: "old", Topic: moneyTopic})
	out := s.seed(t, order(topicYAML))
	if !out.Uploaded || !strings.HasPrefix(out.Topic, "topics/money-") || len(out.Topic) != len("topics/money-.topic")+12 {
		t.Errorf("another topic beside one in use: %+v", out)
	}
	if data, err := s.parts.Objects.Get(t.Context(), moneyTopic, 1<<20); err != nil || string(data) != otherYAML {
		t.Errorf("the topic in use: %q, %v", data, err)
	}
	if out := s.seed(t, Order{Message: job.Message{Crawl: "new", Topic: moneyTopic}}); out.Uploaded || out.Topic != moneyTopic {
		t.Errorf("a topic by its key: %+v", out)
	}
}

// Seeds for an existing crawl carry no settings of a start.
func TestSeedAdds(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	out := s.seed(t, Order{Message: job.Message{Crawl: "c", Seeds: []string{"http://a.test/"}, Contact: "a@example.com"}})
	if diff := cmp.Diff([]string{`{"v":1,"crawl":"c","seeds":["http://a.test/"]}`}, s.Messages(t, s.Outputs["SeedsQueue"])); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	if out.Started || out.Topic != "" || out.Forecast != nil {
		t.Errorf("Seeded is %+v", out)
	}
}

func TestSeedRefuses(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "there"})
	seeds := []string{"http://a.test/"}
	for _, tt := range []struct {
		name  string
		order Order
		is    error
		want  string
	}{
		{"no id", Order{Message: job.Message{Crawl: "No"}}, ErrRequest, "lower-case"},
		{"no crawl, no topic", Order{Message: job.Message{Crawl: "c", Seeds: seeds}}, job.ErrUnknown, "name a topic"},
		{"no such topic", Order{Message: job.Message{Crawl: "c", Topic: "topics/none.topic"}}, ErrRequest, "the bucket has no topic topics/none.topic"},
		{"bad topic", Order{Message: job.Message{Crawl: "c"}, TopicFile: file("name: x")}, ErrRequest, "words"},
		{"bad seeds", Order{Message: job.Message{Crawl: "c", Seeds: []string{"file:///etc/passwd", "x"}}, TopicFile: file(topicYAML)}, ErrRequest, "file:///etc/passwd"},
		{"no seeds", Order{Message: job.Message{Crawl: "c"}, TopicFile: file(seedless)}, ErrRequest, "names none"},
		{"bad contact", Order{Message: job.Message{Crawl: "c", Contact: "me"}, TopicFile: file(topicYAML)}, job.ErrBadMessage, "contact"},
		{"bad scope", Order{Message: job.Message{Crawl: "c", Scope: &limits.Scope{Mode: "world"}}, TopicFile: file(topicYAML)}, job.ErrBadMessage, "world"},
		{"nothing to give", Order{Message: job.Message{Crawl: "there"}}, ErrRequest, "give it seeds"},
		{"other topic", Order{Message: job.Message{Crawl: "there", Seeds: seeds}, TopicFile: file(topicYAML)}, ErrRequest, "with topic topics/t.topic"},
		{"late budget", Order{Message: job.Message{Crawl: "there", Seeds: seeds, Limits: limits.Limits{MaxPages: 5}}}, ErrRequest, "resume"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := s.Prepare(t.Context(), tt.order)
			if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
	if got := s.Messages(t, s.Outputs["SeedsQueue"]); got != nil {
		t.Errorf("refused orders sent %q", got)
	}
}

// longList is a list of so many seeds on two hosts.
func longList(n int) *List {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "http://h%d.test/%d\n", i%2, i)
	}
	return &List{Name: "l", Data: []byte(b.String())}
}

// The long list of a start follows once the crawl exists.
func TestSeedLongList(t *testing.T) {
	s := newStack(t)
	prepared, err := s.Prepare(t.Context(), Order{Message: job.Message{Crawl: "c"}, TopicFile: file(topicYAML), List: longList(12_000)})
	if err != nil {
		t.Fatal(err)
	}
	waited := 0
	out, err := prepared.Send(t.Context(), func() {
		waited++
		s.Create(t, job.Message{Crawl: "c", Topic: moneyTopic})
	})
	if err != nil {
		t.Fatal(err)
	}
	if out.Seeds != 12_000 || len(out.Objects) != 2 || waited != 1 {
		t.Fatalf("Seeded is %d seeds, objects %q, waited %d times", out.Seeds, out.Objects, waited)
	}
	all := map[string]bool{}
	m, err := job.ParseMessage(out.Message)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range m.Seeds {
		all[u] = true
	}
	for _, key := range out.Objects {
		data, err := s.parts.Objects.Get(t.Context(), key, 1<<20)
		if err != nil || !strings.HasPrefix(key, "seeds/c/") {
			t.Fatalf("object %s: %v", key, err)
		}
		for line := range strings.Lines(string(data)) {
			all[strings.TrimSpace(line)] = true
		}
	}
	if len(all) != 12_000 || len(m.Seeds) != headSeeds {
		t.Errorf("%d seeds were sent, %d in the message", len(all), len(m.Seeds))
	}

	// For an existing crawl, all of a long list goes as objects, with the same
	// names each time.
	first := s.seed(t, Order{Message: job.Message{Crawl: "c"}, List: longList(12_000)})
	again := s.seed(t, Order{Message: job.Message{Crawl: "c"}, List: longList(12_000)})
	if first.Message != nil || len(first.Objects) != 2 {
		t.Errorf("Seeded is %+v", first)
	}
	if diff := cmp.Diff(first.Objects, again.Objects); diff != "" {
		t.Errorf("objects (-first +again):\n%s", diff)
	}
}

// A sitemap is put unchanged, to keep the data of its entries.
func TestSeedSitemap(t *testing.T) {
	s := newStack(t)
	s.Create(t, job.Message{Crawl: "c"})
	list := &List{Name: "l", Data: []byte(`<urlset><url><loc>http://a.test/1</loc></url></urlset>`)}
	out := s.seed(t, Order{Message: job.Message{Crawl: "c"}, List: list})
	if len(out.Objects) != 1 || out.Message != nil || out.Seeds != 1 {
		t.Fatalf("Seeded is %+v", out)
	}
	if data, err := s.parts.Objects.Get(t.Context(), out.Objects[0], 1<<20); err != nil || !bytes.Equal(data, list.Data) {
		t.Errorf("object: %q, %v", data, err)
	}
}

func TestFitting(t *testing.T) {
	t.Parallel()
	urls := []string{"http://a.test/", "http://b.test/"} // 17 bytes each in a message
	for _, tt := range []struct{ most, bytes, want int }{{9, 99, 2}, {1, 99, 1}, {9, 34, 2}, {9, 33, 1}, {9, 0, 0}, {0, 99, 0}} {
		if got := fitting(urls, tt.most, tt.bytes); got != tt.want {
			t.Errorf("fitting(%d, %d) = %d, want %d", tt.most, tt.bytes, got, tt.want)
		}
	}
}
