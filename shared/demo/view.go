package demo

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

//go:embed templates/*.html
var templateFiles embed.FS

// views holds the two layouts. Each defines the templates home, list,
// article and notice.
type views struct {
	modern, classic *template.Template
}

func newViews() (*views, error) {
	modern, err := template.ParseFS(templateFiles, "templates/modern.html")
	if err != nil {
		return nil, fmt.Errorf("parse template: %w", err)
	}
	classic, err := template.ParseFS(templateFiles, "templates/classic.html")
	if err != nil {
		return nil, fmt.Errorf("parse template: %w", err)
	}
	return &views{modern: modern, classic: classic}, nil
}

type link struct{ Text, URL string }

// block is a titled group of links.
type block struct {
	link
	Links []link
}

// page is the data of the templates.
type page struct {
	Charset           string
	Host              string
	Site, Motto       string
	ICP               string
	Title, Desc, Keys string
	Robots            string
	Feed              string
	L                 labels
	Nav               []link
	Friends           []link
	Crumb             link
	Heading           string
	Date, Byline      string
	Body              []string
	Video             string
	Focus             *link
	Blocks            []block
	Items             []item
	Pager             []link
	Related           []link
}

// item is an entry of a section list.
type item struct {
	link
	Desc, Date string
}

// labels are the words of the furniture.
type labels struct {
	Lang, Home, Here, Source, Reporter, Share, Related, Friends, Top, Print, Fiction, Missing string
}

func labelsOf(s *site) labels {
	if s.charset == "big5" {
		return labels{"zh-TW", "首頁", "目前位置", "來源", "記者", "分享到", "相關閱讀", "友站連結", "回頂端", "列印本頁", "本站為演示之用，文字皆屬虛構", "找不到網頁"}
	}
	return labels{"zh-CN", "首页", "当前位置", "来源", "记者", "分享到", "相关阅读", "友情链接", "返回顶部", "打印本页", "本站为演示之用，文字均属虚构", "页面不存在"}
}

// page returns the furniture that every page of the site has.
func (s *site) page(title, desc, keys string, friends []link) page {
	p := page{
		Charset: s.charset, Host: s.host, Site: s.localName(), Motto: s.motto, L: labelsOf(s),
		ICP:   fmt.Sprintf("演ICP備%08d號", hash(s.host)%1e8),
		Title: title, Desc: desc, Keys: keys, Friends: friends,
	}
	if s.charset != "big5" {
		p.ICP = strings.NewReplacer("備", "备", "號", "号").Replace(p.ICP)
	}
	if s.feed {
		p.Feed = "/rss.xml"
	}
	for _, sec := range s.sections {
		p.Nav = append(p.Nav, link{Text: sec.title, URL: sec.path(0)})
	}
	return p
}

func (s *site) localName() string {
	if s.charset == "big5" {
		return s.hant
	}
	return s.name
}

func (s *site) home(friends []link) response {
	var keys []string
	for _, sec := range s.sections {
		keys = append(keys, sec.title)
	}
	p := s.page(s.localName()+" - "+s.motto, s.localName()+"，"+s.motto+"。", strings.Join(keys, ","), friends)
	for _, sec := range s.sections {
		b := block{link: link{Text: sec.title, URL: sec.path(0)}}
		for _, a := range ring(sec.listed(), 0, min(8, len(sec.listed()))) {
			b.Links = append(b.Links, s.linkTo(a))
		}
		p.Blocks = append(p.Blocks, b)
	}
	if len(s.articles) > 0 {
		focus := s.linkTo(s.articles[0])
		p.Focus = &focus
	}
	p.Blocks = append(p.Blocks, s.extra...)
	return s.render("home", p)
}

func (s *site) list(sec *section, n int, friends []link) response {
	title := sec.title
	if n > 0 {
		title = fmt.Sprintf("%s(%d)", sec.title, n+1)
	}
	p := s.page(title+"_"+s.localName(), sec.desc, sec.keys, friends)
	p.Heading = sec.title
	p.Crumb = link{Text: sec.title, URL: sec.path(0)}
	listed := sec.listed()
	for _, a := range listed[n*perList : min((n+1)*perList, len(listed))] {
		p.Items = append(p.Items, item{link: s.linkTo(a), Desc: a.desc, Date: a.when.Format("01-02 15:04")})
	}
	for i := range sec.lists() {
		p.Pager = append(p.Pager, link{Text: fmt.Sprintf("%s %d", sec.title, i+1), URL: sec.path(i)})
	}
	return s.render("list", p)
}

func (s *site) article(a *article, friends []link) response {
	p := s.page(a.title+"_"+a.section.title+"_"+s.localName(), a.desc, strings.Join(a.keys, ","), friends)
	p.Heading, p.Body = a.title, a.body
	p.Crumb = link{Text: a.section.title, URL: a.section.path(0)}
	p.Date, p.Byline = s.date(a.when), a.reporter
	for _, r := range a.related {
		p.Related = append(p.Related, s.linkTo(r))
	}
	return s.render("article", p)
}

// missing is the site's error page.
func (s *site) missing() response {
	l := labelsOf(s)
	p := s.page("404 "+l.Missing, "", "", nil)
	p.Heading = l.Missing
	res := s.render("notice", p)
	res.status = http.StatusNotFound
	return res
}

// linkTo returns the link to an article as this site sets it: links to other
// hosts are absolute and carry a tracking parameter.
func (s *site) linkTo(a *article) link {
	if a.site == s {
		return link{Text: a.title, URL: a.path()}
	}
	u := a.site.url(a.path())
	if strings.Contains(u, "?") {
		return link{Text: a.title, URL: u + "&utm_source=" + s.host}
	}
	return link{Text: a.title, URL: u + "?utm_source=" + s.host}
}

// render fills in a template and encodes the page as the site does.
func (s *site) render(name string, p page) response {
	layout := s.views.modern
	if s.classic {
		layout = s.views.classic
	}
	var b bytes.Buffer
	if err := layout.ExecuteTemplate(&b, name, p); err != nil {
		return failed(err)
	}
	body, err := s.encode(b.Bytes())
	if err != nil {
		return failed(err)
	}
	res := response{status: http.StatusOK, mime: "text/html", body: body}
	if !s.silent {
		res.mime += "; charset=" + s.charset
	}
	return res
}

func (s *site) encode(utf8 []byte) ([]byte, error) {
	var e encoding.Encoding
	switch s.charset {
	case "gb2312":
		e = simplifiedchinese.GB18030
	case "big5":
		e = traditionalchinese.Big5
	default:
		return utf8, nil
	}
	body, err := e.NewEncoder().Bytes(utf8)
	if err != nil {
		return nil, fmt.Errorf("encode page: %w", err)
	}
	return body, nil
}

// failed answers for a page that can't be built. It never happens: the tests
// visit every page.
func failed(err error) response {
	return response{status: http.StatusInternalServerError, mime: "text/plain; charset=utf-8", body: []byte(err.Error() + "\n")}
}
