//go:build linux

package cloud_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/awslambda"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
	"sluice/shared/text/boilerplate"
)

// siteLines follow the articles of bulletins: all of them, or some. The first
// is on the topic, since otherwise a page with nothing else would not be.
var siteLines = []string{
	"本报每天清晨为读者送上过去一天里股市与银行最值得了解的事情，并由编辑部逐条核对其中的人名、地名与数字。",
	"本报资料室每周一至周五上午九点至下午五点对外开放欢迎预约查阅",
	"本报读者之友会员凭借书证可在全市各门市部领取纪念书签一枚",
}

// bulletins is a web of hosts whose articles end alike, except that one page in
// ten has nothing else. Each page links to the next three.
var bulletins = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	var n int
	if _, err := fmt.Sscanf(r.URL.Path, "/%d.html", &n); err != nil || n >= 30 {
		http.NotFound(w, r)
		return
	}
	places := strings.Split("河流 山谷 码头 麦田 车站 灯塔 果园 桥梁 剧院 学堂 渔港 茶园 牧场 集市 渡口 水库", " ")
	place, other := places[n%len(places)], places[(n*5+3)%len(places)]
	text := []string{
		fmt.Sprintf("股市的消息传到%s，银行的营业厅里第%d次排起了长队，来办事的人从早上等到傍晚。", place, n),
		fmt.Sprintf("一位住在%s附近的股民说，过去要走很远的路去银行，如今下楼就能把事情办完。", other),
		fmt.Sprintf("银行的店长介绍，股市好的时候，%s那边还会再开%d家，营业时间延长到晚上八点。", other, n+2),
	}
	for i, line := range siteLines {
		if n%(i+1) == 0 {
			text = append(text, line)
		}
	}
	if n%10 == 7 {
		text = siteLines[:2]
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<title>股市与银行：%s之%d</title><article><p>%s</p></article>", place, n, strings.Join(text, "</p><p>"))
	for i := n + 1; i < n+4; i++ {
		fmt.Fprintf(w, "<a href=/%d.html>股市 银行 基金</a>", i)
	}
})

// Boilerplate is removed from all pages of a host, the first included; local
// and cloud crawls give the same result; and afterwards repeated or reordered
// S3 events change nothing.
func TestBoilerplate(t *testing.T) {
	needEmulator(t)
	t.Parallel()
	srv := httptest.NewServer(bulletins)
	defer srv.Close()
	const topic = "../../topics/finance.topic"
	o := cloudOptions{proxy: srv.URL, contact: "mailto:ops@example.com"}
	c := newCloud(t, o)
	m := &job.Message{
		Crawl: "bulletins", Topic: c.putTopic(t, topic), Limits: limits.Limits{MaxPages: 500}, Contact: o.contact,
		Seeds: []string{"http://a.test/0.html", "http://b.test/0.html"},
	}
	c.begin(t, m, m.Seeds)
	c.runTwice(t, o, m.Crawl, 6*time.Minute)
	there := c.documents(t, m.Crawl)
	wantSame(t, crawlHere(t, srv.URL, topic, m), there)
	for url, d := range there {
		if strings.Contains(d.Text, siteLines[0]) || d.Boilerplate.Learned == "" {
			t.Errorf("%s: boilerplate %+v, text %q", url, d.Boilerplate, d.Text)
		}
	}
	only := 0
	for _, r := range lines(t, c, "rejects/"+m.Crawl+"/", func(r corpus.Reject) string { return r.URL }) {
		if r.Rule == boilerplate.Rule {
			only++
		}
	}
	if len(there) != 54 || only != 6 {
		t.Errorf("%d documents, %d pages of nothing else; want 54 and 6", len(there), only)
	}
}

// made returns the output of the clean function for a crawl, by key.
func (c *cloud) made(t *testing.T, crawl string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, folder := range []string{"corpus/", "rejects/"} {
		for o, err := range c.Objects.List(t.Context(), folder+crawl+"/") {
			if err != nil {
				t.Fatal(err)
			}
			data, err := c.Objects.Get(t.Context(), o.Key, 1<<30)
			if err != nil {
				t.Fatal(err)
			}
			out[o.Key] = string(data)
		}
	}
	return out
}

// redeliver sends the events of all segments twice, the last first.
func (c *cloud) redeliver(t *testing.T, crawl string) {
	t.Helper()
	var keys []string
	for o, err := range c.Objects.List(t.Context(), "raw/"+crawl+"/") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, o.Key, o.Key)
	}
	slices.Reverse(keys)
	for _, key := range keys {
		body, err := awslambda.S3Created(c.Resources.Bucket, key, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		in := &sqs.SendMessageInput{QueueUrl: &c.Resources.CleanQueue, MessageBody: &body}
		if _, err := c.sqs.SendMessage(context.WithoutCancel(t.Context()), in); err != nil {
			t.Fatal(err)
		}
	}
}

// runTwice runs a crawl to its end, and checks that its corpus is the same when the events of
// its segments have come again.
func (c *cloud) runTwice(t *testing.T, o cloudOptions, crawl string, within time.Duration) {
	t.Helper()
	var before map[string]string
	end := c.ended(t, within, crawl)
	c.run(t, o, steps(
		end,
		do(func() { before = c.made(t, crawl) }),
		do(func() { c.redeliver(t, crawl) }),
		end,
	))
	if diff := cmp.Diff(before, c.made(t, crawl)); diff != "" {
		t.Errorf("events that came again made another corpus (-before +after):\n%s", diff)
	}
}
