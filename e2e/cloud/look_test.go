//go:build linux

package cloud_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sluice/shared/aws/operator"
	"sluice/shared/crawl/reading"
	"sluice/shared/state/corpus"
	"sluice/shared/state/job"
	"sluice/shared/state/limits"
)

// market is a site about money, in two sections, and the weather. Of the pages in each
// section some are not what the words of the author make of them.
func market() http.Handler {
	const money = "央行公布利率，贷款和存款都有增加，投资者关注收益和风险，基金和债券的价格上涨，分析师认为行情还会持续"
	const weather = "天气晴朗，气温上升，公园里的游客很多，孩子们在湖边放风筝，老人在树下下棋，傍晚才慢慢散去"
	const fillers = "，昨天下午记者来到现场看见许多群众排队等候工作人员介绍说准备充分大家耐心配合秩序良好没有发生意外"
	pages := map[string]string{}
	var home strings.Builder
	for _, part := range []struct {
		name, text string
		pages      int
	}{
		{"stocks", "股市和银行：" + money, 15},
		{"banks", "股市和银行：" + money, 15},
		{"off", weather, 30},
		{"found", money + "，记者从股市了解到" + strings.Repeat(fillers, 2), 5}, // too few words of the author
		{"passing", weather + "，路过一家银行和股市，回家了", 5},                     // enough of them
		{"named", weather + "，路过一家银行" + strings.Repeat(fillers, 3), 5}, // too few, rightly
	} {
		for i := range part.pages {
			at := fmt.Sprintf("/%s/%d.html", part.name, i)
			fmt.Fprintf(&home, "<a href=%s>更多</a>", at)
			pages[at] = fmt.Sprintf("<title>通知%d</title><article><p>%s。</p><p>这是第%d篇。</p></article>", i, part.text, i)
		}
	}
	pages["/"] = "<title>首页</title>" + home.String()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	})
}

const marketTopic = `
name: money
words: [股市, 银行]
seeds: ["http://market.test/"]
scope: {mode: domain}
strategy: best-first
thresholds: {description: 0.3, priority: 0.45, body: 0.04}
budgets: {max_pages: 200, max_pages_per_host: 200, max_depth: 3}
`

// At its end a crawl on a stack judges its pages again, as one on one machine does, also if
// the function that does is killed; and later cleanings keep to that.
func TestSecondLook(t *testing.T) {
	needEmulator(t)
	t.Parallel()
	srv := httptest.NewServer(market())
	defer srv.Close()
	topic := filepath.Join(t.TempDir(), "money.yaml")
	if err := os.WriteFile(topic, []byte(marketTopic), 0o600); err != nil {
		t.Fatal(err)
	}
	o := cloudOptions{proxy: srv.URL, contact: "mailto:ops@example.com", visibility: 15 * time.Second, lease: 24 * time.Second, guarded: true}
	m := &job.Message{Crawl: "market", Seeds: []string{"http://market.test/"}, Limits: limits.Limits{MaxPages: 200}, Contact: o.contact}
	c := newCloud(t, o)
	moments := []time.Duration{50 * time.Millisecond, 300 * time.Millisecond}
	c.kill["structure"] = func(_ int, message []byte) time.Duration {
		if !bytes.Contains(message, []byte(`\"look\"`)) {
			t.Errorf("structure was called for %s", message)
		}
		if killed := c.fns["structure"].Usage().Errors; killed < len(moments) {
			return moments[killed]
		}
		return 0
	}
	c.start(t, topic, m)
	c.runTwice(t, o, m.Crawl, 8*time.Minute)
	there := c.documents(t, m.Crawl)
	wantSame(t, crawlHere(t, srv.URL, topic, m), there)

	rejects := lines(t, c, "rejects/"+m.Crawl+"/", func(r corpus.Reject) string { return r.FinalURL })
	if len(there) != 35 || len(rejects) != 41 {
		t.Errorf("%d documents, %d rejects; want 35 and 41", len(there), len(rejects))
	}
	for url := range there {
		if _, both := rejects[url]; both {
			t.Errorf("%s is a document and a reject", url)
		}
	}
	console := operator.Of(c.cfg, c.Parts)
	st, err := console.Status(t.Context(), m.Crawl)
	if err != nil || st.SecondLook == nil {
		t.Fatalf("status %+v, %v", st, err)
	}
	if l := st.SecondLook; l.Added != 5 || l.Removed != 5 || l.On != 35 || l.Threshold <= 0 || len(l.Words) == 0 {
		t.Errorf("second look %+v", l)
	}
	if st.State != job.Done || st.Kept != 35 || st.Fetched != 76 || st.Rejected != 41 || st.RefusedLater != 5 || st.Rules[reading.RuleSecondLook] != 5 {
		t.Errorf("%s: %d fetched, %d kept, %d rejected, %d of them later, by rules %v", st.State, st.Fetched, st.Kept, st.Rejected, st.RefusedLater, st.Rules)
	}
	for path, kept := range map[string]bool{"/found/1.html": true, "/passing/1.html": false} {
		x, err := console.Explain(t.Context(), m.Crawl, "http://market.test"+path)
		if err != nil || x.Kept != kept || x.Rule != reading.RuleSecondLook {
			t.Errorf("%s: %+v, %v", path, x, err)
		}
	}
	exported, err := console.Export(t.Context(), m.Crawl, t.TempDir(), operator.ExportOptions{})
	if err != nil || exported.Documents != 35 || exported.Missing != 0 || exported.Kept != 40 {
		t.Errorf("exported %+v, %v", exported, err)
	}
	if n := c.fns["structure"].Usage().Errors; n == 0 {
		t.Error("structure was never killed")
	}
	t.Logf("structure: %+v", c.fns["structure"].Usage())
}

// On the frozen news, where links are followed in another order, most of what one keeps the
// other does.
func TestSecondLookFrozen(t *testing.T) {
	needEmulator(t)
	needNightly(t)
	t.Parallel()
	m := &job.Message{Crawl: "news", Seeds: []string{"http://www.portal.test/"}, Limits: limits.Limits{MaxPages: 2000}, Contact: "mailto:ops@example.com"}
	o := cloudOptions{proxy: replayNews(t).URL, contact: m.Contact}
	c := newCloud(t, o)
	c.start(t, "../../topics/finance.yaml", m)
	c.run(t, o, c.ended(t, 15*time.Minute, m.Crawl))
	there := c.documents(t, m.Crawl)
	st, err := operator.Of(c.cfg, c.Parts).Status(t.Context(), m.Crawl)
	if err != nil || st.SecondLook == nil || st.Kept != int64(len(there)) {
		t.Fatalf("status %+v, %v; %d documents", st, err, len(there))
	}
	here := crawlHere(t, replayNews(t).URL, "../../topics/finance.yaml", m)
	both := 0
	for url := range there {
		if _, ok := here[url]; ok {
			both++
		}
	}
	t.Logf("%d documents here, %d there, %d in both; there the second look added %d and removed %d of %d pages",
		len(here), len(there), both, st.SecondLook.Added, st.SecondLook.Removed, st.Fetched)
	t.Logf("structure: %+v", c.fns["structure"].Usage())
	if all := len(here) + len(there) - both; float64(both) < 0.7*float64(all) {
		t.Errorf("%d documents in both of %d", both, all)
	}
}
