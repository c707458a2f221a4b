package clean_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/crawl/clean"
	"sluice/shared/short"
	"sluice/shared/state/corpus"
	"sluice/shared/text/boilerplate"
)

// siteLines follow the articles of a host: all of them, or some.
var siteLines = []string{
	"本报每天清晨为读者送上过去一天里最值得了解的事情，并由编辑部逐条核对其中的人名、地名与数字。",
	"本报资料室每周一至周五上午九点至下午五点对外开放欢迎预约查阅",
	"本报读者之友会员凭借书证可在全市各门市部领取纪念书签一枚",
	"本报征集老照片与老物件的故事来信请寄编辑部并注明联系方式",
}

// archive is a page as another crawler has it, so that it needs no end.
func archive(url, title string, paragraphs ...string) *corpus.Exchange {
	var b strings.Builder
	fmt.Fprintf(&b, "<meta charset=utf-8><title>%s</title><article>", title)
	for _, p := range paragraphs {
		fmt.Fprintf(&b, "<p>%s</p>", p)
	}
	return &corpus.Exchange{
		URL: url, Date: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), RequestHead: []byte("GET / HTTP/1.1\r\n\r\n"),
		ResponseHead: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"), Body: []byte(b.String()),
	}
}

// archives puts segments with pages of two hosts. Articles of the first end
// with lines of the site, which are recognised one after the other; some of its
// pages have nothing else.
func archives(t *testing.T, s *stack, segments int) (keys []string) {
	t.Helper()
	places := strings.Split("河流 山谷 码头 麦田 车站 灯塔 果园 桥梁 剧院 学堂 渔港 茶园 牧场 集市 渡口 水库", " ")
	n := 0
	for i := range segments {
		var enc corpus.Encoder
		data := corpus.AppendInfo(nil, &corpus.Info{Filename: "x.warc.gz"}, &enc)
		for range 2 {
			host, place, other := "a.test", places[n%len(places)], places[(n*5+3)%len(places)]
			text := []string{
				fmt.Sprintf("股市消息传到%s，银行的营业厅里第%d次排起了长队，来办事的人从早上等到傍晚。", place, n),
				fmt.Sprintf("一位住在%s附近的老人说，过去要走很远的路，如今下楼就能把事情办完，省下不少时间。", other),
				fmt.Sprintf("银行的店长介绍，今后还会在%s那边再开%d家，并且把营业时间延长到晚上八点。", other, n+2),
			}
			if n%6 == 5 {
				host = "c.test"
			} else {
				for i, line := range siteLines {
					if n%(i+1) == 0 {
						text = append(text, line)
					}
				}
			}
			if n%9 == 3 || n/2 == 4 { // these are all of their segment
				text = siteLines[:2]
			}
			x := archive(fmt.Sprintf("http://%s/%d.html", host, n), fmt.Sprintf("股市与%s之%d", place, n), text...)
			data, _ = corpus.AppendExchange(data, x, &enc)
			n++
		}
		key := fmt.Sprintf("raw/one/%04d.warc.gz", i)
		s.objects[key] = data
		keys = append(keys, key)
	}
	return keys
}

// made returns the objects of corpus/ and rejects/.
func made(s *stack) map[string]string {
	out := map[string]string{}
	for key, data := range s.objects {
		if !strings.HasPrefix(key, "raw/") && len(data) > 0 {
			out[key] = string(data)
		}
	}
	return out
}

// gate lets one effect of one cleaner happen at a time, and kills cleaners: some
// before an effect, some after. Who comes next is drawn at random; with bursts it
// often is the same one many times, as races are lost to those who come from
// behind.
type gate struct {
	rng     *rand.Rand
	waiting chan turn
	kills   int // left
	bursts  bool
	last    *life
	burst   int // of last, left
}

// turn is what a cleaner waits for at the gate.
type turn struct {
	of     *life
	effect func()
	answer chan fate
}

// next draws one of those who wait.
func (g *gate) next(waiting []turn) int {
	if i := slices.IndexFunc(waiting, func(t turn) bool { return t.of == g.last }); i >= 0 && g.burst > 0 {
		g.burst--
		return i
	}
	i := g.rng.IntN(len(waiting))
	g.last, g.burst = waiting[i].of, 0
	if g.bursts && g.rng.IntN(3) == 0 {
		g.burst = g.rng.IntN(20)
	}
	return i
}

type fate int

const (
	goOn fate = iota
	dieBefore
	dieAfter
)

var errKilled = errors.New("killed")

// life is one run of a cleaner; it is in its context.
type life struct {
	number int
	over   atomic.Bool
}

type lifeKey struct{}

// do passes an effect through the gate.
func (g *gate) do(ctx context.Context, effect func()) error {
	l, _ := ctx.Value(lifeKey{}).(*life)
	if l.over.Load() {
		return errKilled
	}
	answer := make(chan fate)
	g.waiting <- turn{l, effect, answer}
	if f := <-answer; f != goOn {
		l.over.Store(true)
		return errKilled
	}
	return nil
}

// gated is a stack whose effects pass through a gate.
type gated struct {
	*stack
	gate *gate
}

func (s gated) Open(ctx context.Context, key string) (body io.ReadCloser, err error) {
	if gerr := s.gate.do(ctx, func() { body, err = s.stack.Open(ctx, key) }); gerr != nil {
		return nil, gerr
	}
	return body, err
}

func (s gated) Put(ctx context.Context, key string, data []byte, _ string) error {
	return s.gate.do(ctx, func() { s.objects[key] = bytes.Clone(data) })
}

func (s gated) Again(ctx context.Context, key string, _ int64) error {
	return s.gate.do(ctx, func() { s.again = append(s.again, key) })
}

// play has cleaners work on messages until there are none: those of the
// segments, some of them twice, and those that they send. A message whose
// cleaner was killed comes again.
func play(t *testing.T, s *stack, messages []string, seed uint64, cleaners, kills int) {
	t.Helper()
	g := &gate{rng: rand.New(rand.NewPCG(seed, 9)), waiting: make(chan turn), kills: kills, bursts: seed%2 == 1}
	s.lessons.do = g.do
	gs := gated{s, g}
	ports := s.ports()
	ports.Objects, ports.Again = gs, gs
	c := clean.New(ports, clean.Options{})

	type end struct {
		message string
		err     error
	}
	ended := make(chan end)
	var waiting []turn
	for working, lives := 0, 0; ; {
		for working < cleaners && len(messages) > 0 {
			i := g.rng.IntN(len(messages))
			message := messages[i]
			messages = slices.Delete(messages, i, i+1)
			working, lives = working+1, lives+1
			ctx := context.WithValue(t.Context(), lifeKey{}, &life{number: lives})
			go func() {
				ended <- end{message, c.Segment(ctx, message, false)}
			}()
		}
		if working == 0 {
			return
		}
		for len(waiting) < working { // all but those at the gate are on their way to it
			select {
			case next := <-g.waiting:
				waiting = append(waiting, next)
			case e := <-ended:
				working--
				switch {
				case errors.Is(e.err, errKilled):
					messages = append(messages, e.message)
				case e.err != nil:
					t.Errorf("clean %s: %v", e.message, e.err)
				}
			}
		}
		messages, s.again = append(messages, s.again...), nil
		if len(waiting) == 0 {
			continue
		}
		slices.SortFunc(waiting, func(a, b turn) int { return a.of.number - b.of.number }) // they come in any order
		i := g.next(waiting)
		f := goOn
		if g.kills > 0 && g.rng.IntN(12) == 0 {
			g.kills--
			f = dieBefore + fate(g.rng.IntN(2))
		}
		next := waiting[i]
		waiting = slices.Delete(waiting, i, i+1)
		if f != dieBefore {
			next.effect()
		}
		next.answer <- f
	}
}

// After the last message the corpus is a function of the segments: for any order of
// the events and any number of their repeats, with cleaners that get into each
// other's way and are killed anywhere.
func TestOrderChangesNothing(t *testing.T) {
	const segments = 9
	plain := newStack(t)
	keys := archives(t, plain, segments)
	play(t, plain, slices.Clone(keys), 0, 1, 0)
	want := made(plain)
	wantClean(t, want)

	for seed := range uint64(short.Of(t, 100, 4)) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 1))
			s := newStack(t)
			s.objects = maps.Clone(plain.objects)
			maps.DeleteFunc(s.objects, func(key string, _ []byte) bool { return !strings.HasPrefix(key, "raw/") })
			messages := slices.Clone(keys)
			for _, key := range keys {
				for range rng.IntN(3) {
					messages = append(messages, key)
				}
			}
			play(t, s, messages, seed, 1+rng.IntN(6), rng.IntN(8))
			if diff := cmp.Diff(want, made(s)); diff != "" {
				t.Errorf("another corpus (-want +got):\n%s", diff)
			}
		})
	}
}

// wantClean checks that the order that others are compared with is right.
func wantClean(t *testing.T, objects map[string]string) {
	t.Helper()
	documents, removed, only := 0, 0, 0
	for key, data := range objects {
		if strings.HasPrefix(key, "rejects/") {
			only += strings.Count(data, `"rule":"`+boilerplate.Rule)
			continue
		}
		for line := range strings.Lines(data) {
			documents++
			if !strings.Contains(line, `"boilerplate":{"lines":0,`) {
				removed++
			}
			if strings.Contains(line, siteLines[0]) {
				t.Errorf("%s has lines of the site's: %s", key, line)
			}
		}
	}
	if documents < 10 || removed < 8 || only == 0 {
		t.Errorf("%d documents, of %d something was removed, %d pages had nothing else", documents, removed, only)
	}
}

// overtaken is a stack on which another cleaner comes to the end of the segment
// before the first one writes.
type overtaken struct {
	*stack
	by func()
}

func (o *overtaken) Put(ctx context.Context, key string, data []byte, contentType string) error {
	if by := o.by; by != nil {
		o.by = nil
		by()
	}
	return o.stack.Put(ctx, key, data, contentType)
}

// A cleaner that was overtaken wrote last, perhaps by an older lesson: it has
// the segment cleaned again.
func TestOvertaken(t *testing.T) {
	s := newStack(t)
	keys := archives(t, s, 1)
	ports := s.ports()
	o := &overtaken{stack: s}
	ports.Objects = o
	c := clean.New(ports, clean.Options{})
	o.by = func() {
		if err := c.Segment(t.Context(), keys[0], false); err != nil || len(s.again) > 0 {
			t.Errorf("the faster one: %v, asked for %v", err, s.again)
		}
	}
	if err := c.Segment(t.Context(), keys[0], false); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.again, keys) {
		t.Errorf("asked for %v, want %v", s.again, keys)
	}
	s.again = nil
	if err := c.Segment(t.Context(), keys[0], false); err != nil || len(s.again) > 0 {
		t.Errorf("the last one: %v, asked for %v", err, s.again)
	}
}

// A cleaner that claims a segment at work, and dies before it asks for it, may find
// no reason to when it comes back: the segment sees to itself.
func TestClaimedByTheDead(t *testing.T) {
	s := newStack(t)
	keys := archives(t, s, 1)
	ports := s.ports()
	o := &overtaken{stack: s, by: func() {
		if mine, _, err := s.lessons.Claim(t.Context(), "one", strings.TrimPrefix(keys[0], "raw/one/"), "dead"); err != nil || !mine {
			t.Errorf("Claim = %v, %v", mine, err)
		}
	}}
	ports.Objects = o
	if err := clean.New(ports, clean.Options{}).Segment(t.Context(), keys[0], false); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.again, keys) {
		t.Errorf("asked for %v, want %v", s.again, keys)
	}
}
