package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"sluice/e2e/programs"
)

// Usage errors end with exit code 2, are described, and leave no files.
func TestUsage(t *testing.T) {
	t.Parallel()
	abroad := []string{"--seed", "http://www.example.com/"}
	for _, test := range []struct {
		name string
		args []string
		says string
	}{
		{"no contact", append([]string{"--topic", topicFinance}, abroad...), "--contact"},
		{"no contact, one seed abroad", append([]string{"--topic", topicFinance, "--seed", "http://127.0.0.1:1/"}, abroad...), "www.example.com"},
		{"no contact, a host like the demo's", []string{"--topic", topicFinance, "--seed", "http://notdemo.test/"}, "notdemo.test"},
		{"no contact, the topic's seeds", []string{"--topic", topicFinance}, "--contact"},
		{"invalid contact", append([]string{"--topic", topicFinance, "--contact", "me"}, abroad...), "contact"},
		{"no topic", abroad, "--topic"},
		{"missing topic file", append([]string{"--topic", "missing.yaml"}, abroad...), "missing.yaml"},
		{"unknown flag", append([]string{"--topic", topicFinance, "--depht", "3"}, abroad...), "--depht"},
		{"bad number", append([]string{"--topic", topicFinance, "--max-pages", "many"}, abroad...), "many"},
		{"negative budget", append([]string{"--topic", topicFinance, "--max-pages", "-1", "--contact", contact}, abroad...), "--max-pages"},
		{"bad delay", append([]string{"--topic", topicFinance, "--delay", "200"}, abroad...), "200"},
		{"bad proxy", append([]string{"--topic", topicFinance, "--proxy", "here", "--contact", contact}, abroad...), "--proxy"},
		{"bad seed", []string{"--topic", topicFinance, "--seed", "ftp://127.0.0.1/"}, "ftp://127.0.0.1/"},
		{"argument", append([]string{"http://127.0.0.1/", "--topic", topicFinance}, abroad...), "http://127.0.0.1/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			r := sluice(t, append([]string{"crawl", "--out", out}, test.args...)...)
			if r.code != exitUsage || !strings.Contains(r.stderr, test.says) {
				t.Errorf("exit code %d, want 2 and stderr to name %q; it says:\n%s", r.code, test.says, r.stderr)
			}
			if programs.Exist(out) {
				t.Errorf("%s was made", out)
			}
		})
	}
	t.Run("no crawl in the folder", func(t *testing.T) {
		for _, args := range [][]string{{"status", t.TempDir()}, {"explain", t.TempDir(), "http://www.example.com/"}} {
			if r := sluice(t, args...); r.code != exitUsage {
				t.Errorf("%v: exit code %d, want 2", args, r.code)
			}
		}
	})
}

// A server on this machine is crawled without a contact.
func TestLoopbackNeedsNoContact(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" || isSiteFile(r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<html><head><title>银行股票上涨，基金增持</title></head><body><h1>银行股票上涨，基金增持</h1><p>%s</p>
			<a href="/a.html">证券市场：股票基金</a></body></html>`, "本地服务器上的证券新闻说，银行股票今天上涨，基金继续增持。分析的人认为，上涨的原因是利率下降，"+
			"而且不少公司的业绩比年初的预期要好。也有人提醒，这样的行情未必能持续到下个月。"+r.URL.Path)
	}))
	defer site.Close()
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"crawl", "--json", "--topic", topicFinance, "--seed", site.URL + "/", "--out", out, "--delay", "0"}
	if sum := sluice(t, args...).summary(t, exitDone); sum.Kept != 2 || sum.StopReason != "frontier_empty" {
		t.Errorf("%d kept, stop reason %q; want both pages and frontier_empty", sum.Kept, sum.StopReason)
	}

	if r := sluice(t, args...); r.code != exitUsage || !strings.Contains(r.stderr, "--resume") {
		t.Errorf("again in the same folder: exit code %d, want 2 and a hint at --resume:\n%s", r.code, r.stderr)
	}
	again := sluice(t, "crawl", "--json", "--resume", "--out", out).summary(t, exitDone)
	if again.Fetched != 2 || again.Kept != 2 {
		t.Errorf("resumed when all was done: %d fetched, %d kept in all; want 2, 2", again.Fetched, again.Kept)
	}
}
