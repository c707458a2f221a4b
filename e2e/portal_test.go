package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// portal is a web of pages of the size that real portals have, some 40 KB: a
// head with style and script, navigation, an article, lists of links and a
// footer. It is the same in every run.
type portal struct {
	seeds []string // the front page of each host

	mu   sync.Mutex
	urls []string // requested
}

const (
	portalHosts = 4
	portalPages = 250 // of a host
	portalLists = 12  // of a page, with so many links each
	portalLinks = 25
)

// portalWords make the titles and sentences of the portal.
var portalWords = strings.Fields(`经济 发展 市场 企业 公司 政府 会议 代表 问题 工作 社会 国家 人民 全国 地区 城市 农村 教育 学校 学生
	技术 科学 研究 产品 服务 质量 管理 改革 开放 投资 银行 股票 基金 利率 增长 下降 提高 建设 项目 工程 环境 保护 安全 生产 交通 运输
	文化 体育 比赛 球队 冠军 记者 报道 消息 昨天 今天 明年 以来 已经 正在 表示 认为 指出 要求 进行 开始 完成 通过 实现 加强 推动`)

// newPortal serves a portal until the test ends.
func newPortal(t testing.TB) *portal {
	t.Helper()
	p := &portal{}
	hosts := make([]string, portalHosts)
	for i := range hosts {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", fmt.Sprintf("127.0.0.%d:0", i+2))
		if err != nil {
			t.Skipf("this machine has one loopback address only: %v", err)
		}
		hosts[i] = "http://" + l.Addr().String()
		p.seeds = append(p.seeds, hosts[i]+"/0.html")
		pages := make([]string, portalPages)
		for n := range pages {
			pages[n] = portalPage(rand.New(rand.NewPCG(uint64(i), uint64(n))), n)
		}
		server := &http.Server{Handler: p.serve(hosts[i], pages)} //nolint:gosec // the test is its only client
		go func() { _ = server.Serve(l) }()
		t.Cleanup(func() { _ = server.Close() })
	}
	return p
}

func (p *portal) serve(host string, pages []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d.html", &n); err != nil || n >= len(pages) {
			http.NotFound(w, r)
			return
		}
		p.mu.Lock()
		p.urls = append(p.urls, host+r.URL.Path)
		p.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(pages[n]))
	}
}

// asked returns the pages requested since the last call.
func (p *portal) asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	urls := p.urls
	p.urls = nil
	return urls
}

// portalPage makes page n of a host.
func portalPage(r *rand.Rand, n int) string {
	var b strings.Builder
	words := func(count int) {
		for range count {
			b.WriteString(portalWords[r.IntN(len(portalWords))])
		}
	}
	b.WriteString(`<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>`)
	words(6)
	b.WriteString(`_新闻频道_门户网</title><meta name="description" content="`)
	words(20)
	b.WriteString(`"><style>`)
	for i := range 60 {
		fmt.Fprintf(&b, ".mod-%d li a{margin:%dpx 0;color:#%06x}\n", i, i%7, r.IntN(1<<24))
	}
	b.WriteString(`</style><script>var conf={};`)
	for i := range 40 {
		fmt.Fprintf(&b, "conf.k%d=%q;\n", i, strings.Repeat("x", r.IntN(60)))
	}
	b.WriteString(`</script></head><body><div class="wrap"><h1>`)
	words(6)
	b.WriteString(`</h1><div class="info">2024-03-26 08:30 来源：门户网</div><div class="article">`)
	for range 12 {
		b.WriteString("<p>")
		for range 4 {
			words(5 + r.IntN(8))
			b.WriteString("，")
			words(5 + r.IntN(8))
			b.WriteString("。")
		}
		b.WriteString("</p>\n")
	}
	b.WriteString("</div>")
	for i := range portalLists {
		fmt.Fprintf(&b, `<div class="mod mod-%d"><h3>频道</h3><ul>`, i)
		for j := range portalLinks {
			to := (n*7 + i*portalLinks + j + 1) % portalPages
			fmt.Fprintf(&b, `<li class="item"><a href="/%d.html" target="_blank" title="`, to)
			words(7)
			b.WriteString(`">`)
			words(7)
			b.WriteString("</a></li>\n")
		}
		b.WriteString("</ul></div>")
	}
	b.WriteString(`<div class="footer">版权所有 门户网</div></div></body></html>`)
	return b.String()
}
