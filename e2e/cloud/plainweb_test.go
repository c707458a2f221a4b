//go:build linux

package cloud_test

import (
	"fmt"
	"net/http"
	"testing"

	"sluice/shared/state/job"
)

// plainWeb has every page of every host, all different, without links.
var plainWeb = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" || isSiteFile(r.URL.Path) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<html><head><title>%[1]s</title></head><body><p>%[2]s</p></body></html>",
		r.URL, "股市今日在 "+r.URL.String()+" 的带动下上涨，成交的金额也比前一天多了一成。分析的人认为，"+
			"原因是利率下降，而且不少公司的业绩比年初的预期要好。也有人提醒，这样的行情未必能持续到下个月。")
})

// pages are addresses of a plain web: so many of each host.
func pages(name string, hosts, each int) []string {
	var urls []string
	for p := range each {
		for h := range hosts {
			urls = append(urls, fmt.Sprintf("http://%s%d.test/%d", name, h, p))
		}
	}
	return urls
}

// begin starts a crawl of pages.
func (c *cloud) begin(t *testing.T, m *job.Message, seeds []string) {
	t.Helper()
	m.Topic, m.Seeds = c.putTopic(t, "../../topics/finance.topic"), seeds
	body, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	c.send(t, string(body))
}

func (c *cloud) put(t *testing.T, key string, data []byte) {
	t.Helper()
	if err := c.Objects.Put(t.Context(), key, data, "application/octet-stream"); err != nil {
		t.Fatal(err)
	}
}
