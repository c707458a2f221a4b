package frontier

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func newTask(urls ...string) *Task {
	t := &Task{V: 1, ID: "t1", Crawl: "c", Host: "a.test", FirstEnqueued: time.Date(2020, 3, 30, 8, 0, 0, 0, time.UTC)}
	for _, u := range urls {
		t.Links = append(t.Links, Link{URL: u, Priority: 0.5, Anchor: "党建", Parts: Parts{Anchor: 0.1}})
	}
	return t
}

func TestTaskRoundTrip(t *testing.T) {
	want := newTask("http://a.test:8080/", "https://a.test:8080/x?y=%E5%85%9A")
	want.Bounces = 2
	body, err := want.Encode()
	if err != nil {
		t.Fatalf("Encode: %v", err)
	}
	got, err := DecodeTask(body)
	if err != nil {
		t.Fatalf("DecodeTask: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("task (-encoded +decoded):\n%s", diff)
	}
}

func TestEncodeSetsVersion(t *testing.T) {
	task := newTask("http://a.test/")
	task.V = 0
	body, err := task.Encode()
	if err != nil {
		t.Fatalf("Encode: %v", err)
	}
	if _, err := DecodeTask(body); err != nil {
		t.Errorf("DecodeTask: %v", err)
	}
	if task.V != 0 {
		t.Errorf("Encode changed its task: V = %d", task.V)
	}
}

func TestEncodeErrors(t *testing.T) {
	large := newTask("http://a.test/")
	large.Links[0].Anchor = strings.Repeat("党", MaxTaskBytes/3)
	if _, err := large.Encode(); err == nil || !strings.Contains(err.Error(), "at most 204800") {
		t.Errorf("Encode of a task that is too large: %v", err)
	}
	nan := newTask("http://a.test/")
	nan.Links[0].Priority = math.NaN()
	if _, err := nan.Encode(); err == nil {
		t.Error("Encode of a priority that is no number succeeded")
	}
}

func TestDecodeBareURL(t *testing.T) {
	for _, raw := range []string{"http://a.test", "HTTP://A.test:80/#x", " http://a.test/ \n"} {
		got, err := DecodeTask([]byte(raw))
		if err != nil {
			t.Errorf("DecodeTask(%q): %v", raw, err)
			continue
		}
		want := &Task{V: 1, Host: "a.test", Links: []Link{{URL: "http://a.test/", Seed: "http://a.test/", IsSeed: true}}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("DecodeTask(%q) (-want +got):\n%s", raw, diff)
		}
	}
}

func TestDecodeBadTask(t *testing.T) {
	many := newTask()
	for i := range MaxLinks + 1 {
		many.Links = append(many.Links, Link{URL: fmt.Sprintf("http://a.test/%d", i)})
	}
	tooMany, err := many.Encode()
	if err != nil {
		t.Fatal(err)
	}
	const good = `{"v":1,"crawl":"c","host":"a.test","links":[{"url":"http://a.test/"}]}`
	if _, err := DecodeTask([]byte(good)); err != nil {
		t.Fatalf("DecodeTask(%s): %v", good, err)
	}
	for name, c := range map[string]struct{ body, want string }{
		"nothing":          {"", "neither JSON nor a URL"},
		"not UTF-8":        {"\xff" + good, "not UTF-8"},
		"too large":        {strings.Repeat(" ", MaxTaskBytes+1), "at most 204800"},
		"half":             {good[:40], "unexpected end"},
		"two":              {good + good, "after top-level value"},
		"array":            {"[" + good + "]", "neither JSON nor a URL"},
		"other scheme":     {"ftp://a.test/", "neither JSON nor a URL"},
		"no version":       {strings.Replace(good, `"v":1,`, "", 1), "version 0, want 1"},
		"later version":    {strings.Replace(good, `"v":1`, `"v":2`, 1), "version 2, want 1"},
		"crawl too long":   {strings.Replace(good, `"crawl":"c"`, `"crawl":"`+strings.Repeat("c", 129)+`"`, 1), "crawl of 129 bytes, at most 128"},
		"id too long":      {strings.Replace(good, `"crawl"`, `"part":"x","id":"`+strings.Repeat("i", 1024)+`","crawl"`, 1), "id and part of 1025 bytes, at most 1024"},
		"no links":         {`{"v":1,"host":"a.test","links":[]}`, "no links"},
		"too many links":   {string(tooMany), "26 links, at most 25"},
		"another host":     {strings.Replace(good, "//a.test/", "//b.test/", 1), `not of host "a.test"`},
		"not canonical":    {strings.Replace(good, "//a.test/", "//A.test/", 1), "not in canonical form"},
		"no URL":           {strings.Replace(good, "http://a.test/", "a.test", 1), "parse url"},
		"number too large": {strings.Replace(good, `"url"`, `"depth":1e99,"url"`, 1), "cannot unmarshal"},
	} {
		_, err := DecodeTask([]byte(c.body))
		if !errors.Is(err, ErrBadTask) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want ErrBadTask with %q", name, err, c.want)
		}
	}
}

func TestTaskBest(t *testing.T) {
	for name, c := range map[string]struct {
		priorities []float64
		want       float64
	}{
		"none":     {nil, 0},
		"one":      {[]float64{0.3}, 0.3},
		"several":  {[]float64{0.1, 7, 2}, 7},
		"negative": {[]float64{-1}, 0},
	} {
		task := new(Task)
		for _, p := range c.priorities {
			task.Links = append(task.Links, Link{Priority: p})
		}
		if got := task.Best().Priority; got != c.want {
			t.Errorf("%s: Best() = %v, want %v", name, got, c.want)
		}
	}
}

// FuzzDecodeTask holds that every message is a task or ErrBadTask, and that a
// task survives being sent again.
func FuzzDecodeTask(f *testing.F) {
	for _, seed := range []string{
		"", "http://a.test/", "HTTP://用户.test:80/a b?c#d", "{", "{}", "null", "[1]", `"http://a.test/"`,
		`{"v":1,"id":"1","crawl":"c","host":"a.test","links":[{"url":"http://a.test/","priority":0.5,"parts":{"structure":1}}],"first_enqueued":"2020-03-30T08:00:00Z"}`,
		`{"v":1,"host":"a.test","links":[{"url":"http://a.test:8080/%E5%85%9A?q=1"},{"url":"http://a.test:8080/2"}]}`,
		`{"v":1,"host":"[::1]","links":[{"url":"http://[::1]/"}]}`,
		`{"v":1,"V":2,"host":"a.test","links":[{"URL":"http://a.test/","depth":-1}]}`,
		`{"v":1,"links":[{}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		task, err := DecodeTask(body)
		if err != nil {
			if !errors.Is(err, ErrBadTask) || task != nil {
				t.Fatalf("task %v, error %v", task, err)
			}
			return
		}
		if len(task.Links) == 0 || len(task.Links) > MaxLinks {
			t.Fatalf("task has %d links", len(task.Links))
		}
		again, err := task.Encode()
		if err != nil {
			return // grew beyond the limit by escapes
		}
		back, err := DecodeTask(again)
		if err != nil {
			t.Fatalf("DecodeTask(%s): %v", again, err)
		}
		if diff := cmp.Diff(task, back); diff != "" {
			t.Fatalf("task sent again (-first +second):\n%s", diff)
		}
	})
}
