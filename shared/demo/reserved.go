package demo

import (
	"fmt"
	"net/http"
)

// plantReserved adds pages on the topic that are not for training. Each says so
// in another way: by a header, by a robots directive, or in a file of the site.
func (s *site) plantReserved() {
	policy := s.url("/")
	for n, how := range []struct {
		header map[string]string
		robots string
	}{
		{header: map[string]string{"X-Robots-Tag": "noai, noimageai"}},
		{header: map[string]string{"tdm-reservation": "1", "tdm-policy": policy}},
		{robots: "noarchive"},
		{}, // tdmrep.json
		{}, // ai.txt
	} {
		s.routes[reservedPath(n+1)] = func() response {
			res := s.reserved(n+1, how.robots)
			res.header = how.header
			return res
		}
	}
	s.routes[tdmPath] = func() response {
		return file("application/json", fmt.Sprintf(`[{"location": %q, "tdm-reservation": 1, "tdm-policy": %q}]`+"\n", reservedPath(4), policy))
	}
	s.routes[aiPath] = func() response {
		return file("text/plain; charset=utf-8", "User-Agent: *\nDisallow: "+reservedPath(5)+"\n")
	}
}

func reservedPath(n int) string { return fmt.Sprintf("/baoliu/%d.html", n) }

// reserved is a comment on the markets whose author keeps the rights.
func (s *site) reserved(n int, robots string) response {
	title := fmt.Sprintf("股市评论之%s：银行股与债券", numeral(n))
	p := s.page(title+"_"+s.name, "评论股市、银行股与债券市场，供投资者阅读，保留文本与数据挖掘的权利。", "股市, 银行, 债券, 评论", nil)
	p.Heading, p.Robots = title, robots
	p.Body = []string{
		fmt.Sprintf("股市评论第%s篇：银行股近日走强，债券收益率小幅回落，投资者对利率的看法趋于一致。", numeral(n)),
		"作者认为，基金仓位仍有余地，股票市场的成交量若能持续，银行与证券板块都会受益。",
		"本文供读者阅读，不得用于训练模型；需要授权的机构可以与本站联系。",
	}
	return s.render("notice", p)
}

// file is a robots.txt or similar file of a site.
func file(mime, text string) response {
	return response{status: http.StatusOK, mime: mime, body: []byte(text)}
}
