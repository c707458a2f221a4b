package demo

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// hazardHost has most of the hazards for a crawler:
//
//	/calendar/?year=…&month=…  every year links to the next
//	/huodong/1.html            links carry a new session id on every page
//	/yilan/1/                  one page under a dozen URLs
//	/shipin/1.html             a video and no text
//	/xiazai/…                  a PDF and a PNG
//	/zhuan/a                   redirects in a circle
//	/go/haidao                 redirects to another host
//	/neibu/                    forbidden by robots.txt, yet linked to
//	/yangshi/2023.html         gone
//	/baoliu/…                  text that is not for training, said in five ways
//
// and a link to the metadata service of a cloud.
const hazardHost = "zhuanti." + Domain

const (
	salons      = 6     // pages behind session ids
	mirrors     = 12    // URLs of the mirrored page
	lastYear    = 99999 // of the calendar
	metadataURL = "http://169.254.169.254/latest/meta-data/"
)

// plant adds the hazards and the links that lure to them.
func plant(all []*site) {
	byHost := map[string]*site{}
	for _, s := range all {
		byHost[s.host] = s
	}
	zhuanti, caijing, chenbao, ribao, haidao := byHost[hazardHost], byHost["www.caijing."+Domain], byHost["www.chenbao."+Domain],
		byHost["ribao."+Domain], byHost["www.haidao."+Domain]

	zhuanti.plantPages(haidao)
	caijing.routes["/neibu/yanbao.html"] = caijing.forbidden
	caijing.extra = []block{{link: link{Text: "各地财经", URL: chenbao.url("/caijing/")}, Links: elsewhere(caijing, all)}, {
		link: link{Text: "财经服务", URL: zhuanti.url("/")},
		Links: []link{
			{"财经服务专题：股市日历、银行产品一览", zhuanti.url("/")},
			{"银行股内部研报（会员专享）", "/neibu/yanbao.html"},
			{"去年股市十大新闻", "/a/20230101/9999.shtml"}, // gone
		},
	}}
	chenbao.routes["/caijing"] = redirect(http.StatusMovedPermanently, "/caijing/")
	chenbao.routes["/old/318.html"] = redirect(http.StatusMovedPermanently, chenbao.sections[0].articles[3].path())
	chenbao.routes["/zhuanzai/7.html"] = redirect(http.StatusFound, caijing.url(caijing.sections[0].articles[5].path()))
	chenbao.extra = []block{{
		link: link{Text: "财经频道", URL: "/caijing"},
		Links: []link{
			{"旧版链接：本报股市回顾", "/old/318.html"},
			{"转载：望川财经谈银行与投资", "/zhuanzai/7.html"},
		},
	}}
	ribao.routes["/index.htm"] = redirect(http.StatusMovedPermanently, "/")
	ribao.extra = []block{{
		link:  link{Text: "更多", URL: "/index.htm"},
		Links: []link{{"往年债券发行公告", "/2019-01/04/content_77.htm"}}, // gone
	}}
}

// elsewhere returns links to finance articles and bridges of other hosts.
func elsewhere(s *site, all []*site) []link {
	var out []link
	for _, other := range all {
		if other == s {
			continue
		}
		for _, sec := range other.sections {
			listed := sec.listed()
			if sec.topic {
				for _, a := range listed[:min(2, len(listed))] {
					out = append(out, s.linkTo(a))
				}
			} else if sec.bridges > 0 {
				out = append(out, s.linkTo(listed[0]))
			}
		}
	}
	return out
}

// plantPages adds the pages of the hazard host.
func (s *site) plantPages(haidao *site) {
	s.extra = []block{{
		link: link{Text: "财经服务", URL: "/"},
		Links: []link{
			{"2024年股市休市日历", "/calendar/?year=2024&month=1"},
			{"投资者沙龙：与基金经理面对面", "/huodong/1.html" + session("/")},
			{"银行理财产品一览表", "/yilan/1/"},
			{"视频：三分钟看懂股市收盘", "/shipin/1.html"},
			{"上市公司年报样本（PDF）", "/xiazai/nianbao.pdf"},
			{"股市走势图（PNG）", "/xiazai/zoushi.png"},
			{"债券行情跳转", "/zhuan/a"},
			{"海岛财经：银行与利率", "/go/haidao"},
			{"基金内部评级", "/neibu/pingji.html"},
			{"2023年央行利率专题", "/yangshi/2023.html"}, // gone
			{"银行股行情接口", metadataURL},
			{"保留权利：股市评论（一）", reservedPath(1)},
			{"保留权利：股市评论（二）", reservedPath(2)},
			{"保留权利：股市评论（三）", reservedPath(3)},
			{"保留权利：股市评论（四）", reservedPath(4)},
			{"保留权利：股市评论（五）", reservedPath(5)},
		},
	}}
	s.routes["/shipin/1.html"] = s.video
	s.routes["/xiazai/nianbao.pdf"] = pdf
	s.routes["/xiazai/zoushi.png"] = picture
	s.routes["/zhuan/a"] = redirect(http.StatusFound, "/zhuan/b")
	s.routes["/zhuan/b"] = redirect(http.StatusFound, "/zhuan/a")
	s.routes["/go/haidao"] = redirect(http.StatusFound, haidao.url(haidao.sections[0].path(0)))
	s.routes["/neibu/pingji.html"] = s.forbidden
	for n := range mirrors {
		s.routes[fmt.Sprintf("/yilan/%d/", n+1)] = func() response { return s.mirror(n + 1) }
	}
	s.plantReserved()
	s.lazy = s.endless
}

// endless serves the pages that there are too many of to lay out.
func (s *site) endless(u *url.URL) (response, bool) {
	if u.Path == "/calendar/" {
		q := u.Query()
		year, errYear := strconv.Atoi(q.Get("year"))
		month, errMonth := strconv.Atoi(q.Get("month"))
		if u.RawQuery == "" {
			return s.calendar(2024, 1), true
		}
		if errYear != nil || errMonth != nil || year < 1 || year > lastYear || month < 1 || month > 12 {
			return response{}, false
		}
		return s.calendar(year, month), true
	}
	var n int
	if _, err := fmt.Sscanf(u.Path, "/huodong/%d.html", &n); err != nil || n < 1 || n > salons || u.Path != salonPath(n) {
		return response{}, false
	}
	return s.salon(n, u.RequestURI()), true
}

// calendar is a page of an endless calendar.
func (s *site) calendar(year, month int) response {
	p := s.page(fmt.Sprintf("%d年%d月股市休市日历_%s", year, month, s.name), fmt.Sprintf("%d年%d月股市、债券市场与银行间市场休市安排。", year, month), "股市, 休市, 日历", nil)
	p.Heading = fmt.Sprintf("%d年%d月股市休市日历", year, month)
	p.Body = []string{fmt.Sprintf("%d年%d月，股市周末休市，其余安排以交易所公告为准。", year, month)}
	if year < lastYear {
		p.Related = []link{{fmt.Sprintf("%d年%d月股市休市日历", year+1, month), fmt.Sprintf("/calendar/?year=%d&month=%d", year+1, month)}}
	}
	return s.render("notice", p)
}

func salonPath(n int) string { return fmt.Sprintf("/huodong/%d.html", n) }

// salon is a page whose links carry a session id that depends on its own URL:
// new on every step, the same on every run.
func (s *site) salon(n int, asked string) response {
	title := fmt.Sprintf("投资者沙龙第%s期：与基金经理面对面", numeral(n))
	p := s.page(title+"_"+s.name, "投资者沙龙邀请基金经理与银行理财顾问，现场讲解股票、债券与资产配置。", "投资者, 基金, 银行, 沙龙", nil)
	p.Heading = title
	p.Body = []string{
		fmt.Sprintf("第%s期投资者沙龙安排在周六下午，地点为望川市图书馆二楼，凭预约码入场，座位先到先得。", numeral(n)),
		"基金经理将用四十分钟讲解如何读懂一只基金的季度报告，其余时间留给提问。主办方不推荐任何产品，也不接受现场开户。",
		"往期沙龙的文字记录可以在本页下方找到，参加者也可以向工作人员索取银行理财产品的风险提示手册。",
	}
	for i := range salons {
		p.Related = append(p.Related, link{fmt.Sprintf("投资者沙龙第%s期", numeral(i+1)), salonPath(i+1) + session(asked)})
	}
	return s.render("notice", p)
}

func session(from string) string {
	return fmt.Sprintf("?PHPSESSID=%016x%016x", hash(from), hash(from+"#"))
}

// mirror is one page under many URLs, each with links to two others.
func (s *site) mirror(n int) response {
	p := s.page("银行理财产品一览表_"+s.name, "汇总各家银行在售理财产品的期限、业绩比较基准与风险等级，供投资者参考。", "银行, 理财, 投资", nil)
	p.Heading = "银行理财产品一览表"
	p.Body = []string{
		"本表汇总望川银行、青岭农商银行、棠湾银行等六家银行在售的理财产品，按期限由短到长排列，每月更新一次。",
		"望川银行“安鑫”三个月期产品业绩比较基准为2.3%，棠湾银行“潮平”半年期产品为2.6%，青岭农商银行“山居”一年期产品为2.9%。",
		"业绩比较基准不是收益承诺。投资者购买之前应当阅读产品说明书，了解投资范围、费用和最大可能损失。",
	}
	p.Related = []link{
		{"银行理财产品一览表（下一页）", fmt.Sprintf("/yilan/%d/", n%mirrors+1)},
		{"银行理财产品一览表（打印版）", fmt.Sprintf("/yilan/%d/", (n*5+3)%mirrors+1)},
	}
	return s.render("notice", p)
}

// video is a page without text.
func (s *site) video() response {
	p := s.page("视频：三分钟看懂股市收盘_"+s.name, "视频：股市收盘点评，股票与债券市场一览。", "视频, 股市, 股票", nil)
	p.Video = "/xiazai/shoupan.mp4"
	return s.render("notice", p)
}

// forbidden is a page that robots.txt forbids.
func (s *site) forbidden() response {
	p := s.page("内部研报_"+s.name, "会员专享的银行股与基金研究报告。", "研报, 银行, 基金", nil)
	p.Heading = "内部研报"
	p.Body = []string{"本页只对会员开放，请勿转载。遵守本站约定的访客不会看到这一页。"}
	return s.render("notice", p)
}

func redirect(status int, to string) func() response {
	return func() response {
		return response{status: status, mime: "text/html; charset=utf-8", location: to}
	}
}

// pdf returns a small document of one empty page.
func pdf() response {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, obj := range []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj%sendobj\n", i+1, obj)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, table)
	return response{status: http.StatusOK, mime: "application/pdf", body: []byte(b.String())}
}

// picture returns a small drawing of a price that goes up and down.
func picture() response {
	img := image.NewGray(image.Rect(0, 0, 96, 48))
	for x := range 96 {
		for y := range 48 {
			if y > 40-(x*7%31) {
				img.SetGray(x, y, color.Gray{Y: 200})
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return failed(err)
	}
	return response{status: http.StatusOK, mime: "image/png", body: b.Bytes()}
}
