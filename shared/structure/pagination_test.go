package structure_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/structure"
)

// numbers links the numbered pages of a pager.
func numbers(format string, of ...int) string {
	var s strings.Builder
	for _, n := range of {
		fmt.Fprintf(&s, "<a href=\""+format+"\">%d</a> ", n, n)
	}
	return "<div class=pager>" + s.String() + "</div>"
}

func TestFindPagination(t *testing.T) {
	const site = "http://www.example.com"
	article := "<h1>博览会拟推迟一年举行</h1><p>" + strings.Repeat("博览会今日宣布推迟一年，门票仍然有效。", 9) + "</p>"
	tests := map[string]struct {
		at, markup string
		want       *structure.Pagination
	}{
		"a label":               {"/news/", `<a href="/news/index_2.html">下一页</a>`, &structure.Pagination{Next: site + "/news/index_2.html"}},
		"a label with an arrow": {"/news/", `<a href="?p=2">下一页&gt;&gt;</a>`, &structure.Pagination{Next: site + "/news/?p=2"}},
		"a link of the head":    {"/news/", `<link rel="next" href="/news/page/2/">`, &structure.Pagination{Next: site + "/news/page/2/"}},
		"numbers and a span": {"/news/", `<div><span>1</span><a href="/news/list_2.html">2</a><a href="/news/list_3.html">3</a></div>`,
			&structure.Pagination{Next: site + "/news/list_2.html", Current: 1, Pattern: site + "/news/list_{page}.html", Step: 1}},
		"numbers alone": {"/news/page/3/", numbers("/news/page/%d/", 1, 2, 3, 4, 5),
			&structure.Pagination{Next: site + "/news/page/4/", Current: 3, Pattern: site + "/news/page/{page}/", Step: 1}},
		"the last page": {"/news/page/5/", numbers("/news/page/%d/", 1, 2, 3, 4, 5),
			&structure.Pagination{Current: 5, Pattern: site + "/news/page/{page}/", Step: 1}},
		"records instead of pages": {"/top", `<div><em>1</em><a href="?start=25">2</a><a href="?start=50">3</a></div>`,
			&structure.Pagination{Next: site + "/top?start=25", Current: 1, Pattern: site + "/top?start={page}", Step: 25, Offset: -25}},
		"numbered from zero": {"/list1.html", `<div><a href="/list0.html">1</a><a href="/list1.html">2</a><a href="/list2.html">3</a></div>`,
			&structure.Pagination{Next: site + "/list2.html", Current: 2, Pattern: site + "/list{page}.html", Step: 1, Offset: -1}},
		"the first page without a number": {"/tag/go/page/2/", `<div><a href="/tag/go/">1</a><span class=current>2</span><a href="/tag/go/page/3/">3</a></div>`,
			&structure.Pagination{Next: site + "/tag/go/page/3/", Current: 2}},
		"texts that are only read aloud": {"/news", `<ul><li><a href="?page=0" aria-current=page><span class=visually-hidden>Current page</span>1</a><li><a href="?page=1"><span class=visually-hidden>Page</span>2</a><li><a href="?page=2"><span class=visually-hidden>Page</span>3</a><li><a href="?page=1"><span class=visually-hidden>Next page</span> <span>Next ›</span></a></ul>`,
			&structure.Pagination{Next: site + "/news?page=1", Current: 1, Pattern: site + "/news?page={page}", Step: 1, Offset: -1}},
		"a note behind the number": {"/c", `<ul><li><a href="/c?page=1">1 <span class=sr-only>(current)</span></a><li><a href="/c?page=2">2</a></ul>`,
			&structure.Pagination{Next: site + "/c?page=2", Current: 1, Pattern: site + "/c?page={page}", Step: 1}},
		"two pages":             {"/tag/go/", `<div><span>1</span><a href="/tag/go/page/2/">2</a></div>`, &structure.Pagination{Next: site + "/tag/go/page/2/", Current: 1}},
		"an arrow by a pager":   {"/b", numbers("/b?page=%d", 7, 8, 9) + `<div class=pager><a href="/b?page=6">&lt;</a><a href="/b?page=10">›</a></div>`, &structure.Pagination{Next: site + "/b?page=10", Pattern: site + "/b?page={page}", Step: 1}},
		"a button that leads":   {"/c/phones", `<a href="/c/phones?p=2">加载更多</a>`, &structure.Pagination{Next: site + "/c/phones?p=2"}},
		"more of another page":  {"/", `<a href="/c/phones">查看更多</a>`, nil},
		"a button":              {"/news/", `<button>加载更多</button>`, &structure.Pagination{Scripted: true}},
		"a script":              {"/news/", `<a href="javascript:toPage(2)">下一页</a>`, &structure.Pagination{Scripted: true}},
		"the end of a script":   {"/news/", `<a href="javascript:;" class="disabled">下一页</a>`, nil},
		"none":                  {"/news/", `<ul><li><a href="/1">一条新闻的标题，说了些什么</a></li></ul>`, nil},
		"the next article":      {"/a/2024/12.html", article + `<a href="/b/2024/77.html">下一篇</a> <a href="/b/2024/78.html">Next</a>`, nil},
		"references":            {"/a/12.html", article + `<p>See <a href="/a/3.html">1</a> <a href="/a/977.html">2</a> <a href="/a/41.html">3</a></p>`, nil},
		"notes":                 {"/a/12.html", article + `<p>See <a href="#f1">1</a> <a href="#f2">2</a> <a href="#f3">3</a></p>`, nil},
		"the pages of a record": {"/board-2-1", `<p><a href="/topic-7-1">The pump of the north well</a> ` + numbers("/topic-7-%d", 2, 3) + `</p>`, nil},
		"pages of a titled list": {"/board-2-2", `<a href="/board-2-1">General help</a> ` + numbers("/board-2-%d", 1, 2, 3),
			&structure.Pagination{Next: site + "/board-2-3", Current: 2, Pattern: site + "/board-2-{page}", Step: 1}},
		"a number behind another": {"/index.php?board=2.0", `<div><b>1</b> <a href="/index.php?board=2.20">2</a></div>`, &structure.Pagination{Next: site + "/index.php?board=2.20", Current: 1}},
		"how many on a page": {"/c/0", `Show <a href="/c/0?limit=24">24</a> <a href="/c/0?limit=48">48</a> <ul class="pagination"><li class="active"><span>1</span></li><li><a href="/c/0?page=2">2</a></li><li><a href="/c/0?page=2">Next</a></li></ul>`,
			&structure.Pagination{Next: site + "/c/0?page=2", Current: 1}},
		"session ids": {"/list.php?cat=0", `<div><b>1</b> <a href="/list.php?cat=0&pn=20&PHPSESSID=k7d0q1">2</a> <a href="/list.php?cat=0&pn=40&PHPSESSID=k7d0q1">3</a></div>`,
			&structure.Pagination{Next: site + "/list.php?cat=0&pn=20", Current: 1, Pattern: site + "/list.php?cat=0&pn={page}", Step: 20, Offset: -20}},
		"a folder of pages":    {"/expose/0", `<div><b>1</b> <a href="/expose/0/pn/2">2</a> <a href="/expose/0/pn/3">3</a></div>`, &structure.Pagination{Next: site + "/expose/0/pn/2", Current: 1, Pattern: site + "/expose/0/pn/{page}", Step: 1}},
		"a list with a number": {"/cat/57", `<p><b>1</b> <a href="/cat/57?page=2">2</a></p>`, &structure.Pagination{Next: site + "/cat/57?page=2", Current: 1}},
		"a page of several":    {"/c?p=1", `<p><b>Page 1 of 2</b> <a href="/c?p=2">Page 2 of 2</a></p>`, &structure.Pagination{Next: site + "/c?p=2", Current: 1}},
		"the next events":      {"/on", `<a href="/on?start=15">Next Events »</a>`, &structure.Pagination{Next: site + "/on?start=15"}},
		"of another board":     {"/index.php?board=2.0", `<a href="/index.php?board=3.20">Next</a>`, nil},
		"other sites":          {"/a/12.html", article + `<p><a href="http://www.example.org/1">1</a> <a href="http://www.example.org/2">2</a></p>`, nil},
		"a calendar":           {"/news/", "<table><tr><td>" + strings.ReplaceAll(numbers("/2024/05/%02d", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31), " ", "</td><td>") + "</table>", nil},
		"a template of a page": {"/news/", `<a href="?page=<%= page+1 %>">下一页</a>`, &structure.Pagination{Scripted: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := paginate(t, site+tt.at, tt.markup)
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(structure.Pagination{}, "Pages")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got == nil || got.Pattern == "" || got.Current == 0 || got.Next == "" {
				return
			}
			if next := got.URL(got.Current + 1); next != got.Next {
				t.Errorf("page %d by the pattern is %s, want %s", got.Current+1, next, got.Next)
			}
		})
	}
}

// A page whose address nobody knows leads on by a label, and to more by a number.
func TestNextPageOfUnknownOrigin(t *testing.T) {
	for markup, want := range map[string]string{
		`<a href="index_2.html">下一页</a>`:                    "index_2.html",
		`<a href="?page=2">加载更多</a>`:                        "?page=2",
		`<a href="/c/phones">查看更多</a>`:                      "",
		`<a href="?start=8">→</a>`:                          "?start=8",
		`<a href="page/2"><i class="icon-angle-right"></i>`: "page/2",
		`<a class="next" href="13.html">»</a>`:              "",
		`<a href="/c/phones">»</a>`:                         "",
		`<a href="/tz/">更多&gt;&gt;</a>`:                     "",
		`<a href="http://www.example.org/?from=a">查看更多</a>`: "",
	} {
		got := ""
		if p := structure.FindPagination(parsed(t, markup), nil, nil); p != nil {
			got = p.Next
		}
		if got != want {
			t.Errorf("%s leads to %q, want %q", markup, got, want)
		}
	}
}

// The name of the second page tells what leads to it, for links that say little.
func TestNextPage(t *testing.T) {
	const second = "/x/index_2.html"
	title := "关于做好二〇二四年春季招生工作的通知"
	tests := map[string]struct {
		at, markup, want string
	}{
		"two numbers":            {"/x/", `<div><a href="/x/">1</a><a href="/x/index_2.html">2</a></div>`, second},
		"two numbered queries":   {"/x/", `<div><a href="/x/?page=1">1</a><a href="/x/?page=2">2</a></div>`, "/x/?page=2"},
		"a number in bold":       {"/x/", `<div><b>1</b> <a href="/x/index_2.html">2</a></div>`, second},
		"with the last page":     {"/x/", `<div><b>1</b> <a href="/x/index_2.html">2</a> <a href="/x/index_2.html">尾页</a></div>`, second},
		"a list by name":         {"/x/list.html", `<div><span class=current>1</span><a href="/x/list_2.html">2</a></div>`, "/x/list_2.html"},
		"a list in a directory":  {"/x/", `<div><b>1</b> <a href="/x/list_2.shtml">2</a></div>`, "/x/list_2.shtml"},
		"beside the list":        {"/x.html", `<a href="/x_2.html">Next</a>`, "/x_2.html"},
		"beside a numbered list": {"/x/list_7.html", `<a href="/x/list_7_2.html">Next</a>`, "/x/list_7_2.html"},
		"a year":                 {"/2011/page/2/", `<div><a href="/2011/">1</a><b>2</b><a href="/2011/page/3/">3</a></div>`, "/2011/page/3/"},
		"named pages":            {"/x/", `<div>第1页 <a href="/x/index_2.html">第2页</a> <a href="/x/index_3.html">第3页</a></div>`, second},
		"pages of a word":        {"/x/p2.html", `<a href="/x/p3.html">Next</a>`, "/x/p3.html"},
		"a folder":               {"/x/", `<a rel=next href="/x/page/2">Next</a>`, "/x/page/2"},
		"a folder in a folder":   {"/page/2/", `<a href="/page/300/">Next</a>`, "/page/300/"},
		"a short folder":         {"/expose/0", `<a href="/expose/0/pn/2">Next</a>`, "/expose/0/pn/2"},
		"an arrow to a folder":   {"/news-1", `<a href="/news-1/P/2">»</a>`, "/news-1/P/2"},
		"of a short folder":      {"/expose/0/pn/2", `<a href="/expose/0">Prev</a> <a href="/expose/0/pn/3">Next</a>`, "/expose/0/pn/3"},
		"next":                   {"/x/", `<a href="/x/index_2.html">Next »</a>`, second},
		"a relation":             {"/x/", `<a rel=next href="/x/list-2.html">›</a>`, "/x/list-2.html"},
		"a relation of the head": {"/x/", `<link rel=next href="/x/index_2.html">`, second},
		"quotation marks":        {"/x/", `<a href="/x/index_2.html">»</a>`, second},
		"an angle bracket":       {"/x/", `<a href="/x/index_2.html">&gt;</a>`, second},
		"two angle brackets":     {"/x/index_2.html", `<a href="/x/index_3.html">&gt;&gt;</a>`, "/x/index_3.html"},
		"an arrow to a query":    {"/x/", `<a href="?page=2">»</a>`, "/x/?page=2"},
		"a picture with a label": {"/x/", `<a href="/x/index_2.html"><img src="/i.gif" alt="下一页"></a>`, second},
		"a picture by its name":  {"/x.asp?classid=1", `<a href="x.asp?classid=1&page=2"><img src="images/next.gif"></a> <a href="x.asp?classid=1&page=3"><img src="images/last.gif"></a>`, "/x.asp?classid=1&page=2"},
		"spaces":                 {"/x/", `<a href="/x/index_2.html">下　一　页</a>`, second},
		"a number behind":        {"/x/", `<a href="/x/index_2.html">下一页（2）</a>`, second},
		"more":                   {"/x/", `<a href="/x/index_2.html">点击加载更多</a>`, second},
		"a class":                {"/x/", `<a class=next href="/x/index_2.html"><i></i></a>`, second},
		"an item of a class":     {"/x/", `<li class=next><a href="/x/index_2.html"><i></i></a></li>`, second},
		"an icon by its class":   {"/x/", `<a href="/x/index_2.html"><i class="fa fa-chevron-right"></i></a>`, second},
		"a text of a class":      {"/x/", `<a href="/x/index_2.html"><span class=next>Pagina successiva »</span></a>`, second},
		"older stories":          {"/x/", `<a href="/x/index_2.html">Older stories »</a>`, second},
		"so many":                {"/x/", `<a href="/x/index_2.html">Show next 20 items</a>`, second},
		"a page of results":      {"/x/", `<a href="/x/index_2.html">Next page of results</a>`, second},
		"French":                 {"/x/", `<a href="/x/index_2.html">Page suivante</a>`, second},
		"a menu":                 {"/x/", `<select><option value="/x/" selected>第1页</option><option value="/x/index_2.html">第2页</option></select>`, second},
		"a click":                {"/x/", `<a href="javascript:void(0)" onclick="location.href='/x/index_2.html'">下一页</a>`, second},
		"a click on a button":    {"/x/", `<button onclick="window.location='index_2.html';return false">下一页</button>`, second},
		"data of links":          {"/x/", `<div><a href="javascript:;">1</a> <a href="javascript:;" data-href="/x/index_2.html">2</a></div>`, second},
		"data of a button":       {"/x/", `<button class="load-more" data-url="/x/index_2.html">加载更多</button>`, second},

		"a menu of years":         {"/x/", `<select><option value="/x/2023/">2023</option><option value="/x/2024/">2024</option></select>`, ""},
		"a click to an article":   {"/a/105.html", `<button onclick="location='/a/106.html'">Next</button>`, ""},
		"the next article":        {"/a/105.html", `<a rel=next href="/a/106.html">Next</a> <a href="/a/106.html">»</a>`, ""},
		"its title":               {"/a/part-1.html", `<a rel=prev href="/a/part-3.html">« ` + title + `</a><a rel=next href="/a/part-2.html">` + title + `</a>`, ""},
		"its title in the head":   {"/a/part-1.html", `<link rel=next title="` + title + `" href="/a/part-2.html">`, ""},
		"the next of a day":       {"/a/t20240512_6120.html", `<a rel=next href="/a/t20240512_6177.html">Next</a><a href="/a/t20240512_6121.html">&gt;</a>`, ""},
		"the next by its label":   {"/a/12.html", `<a href="/a/13.html">下一篇</a><a href="/a/13.html">Next post</a>`, ""},
		"the next by its id":      {"/show.asp?id=12", `<a href="/show.asp?id=13">Next</a><a href="/show.asp?id=13">»</a>`, ""},
		"a record of a folder":    {"/p/12345", `<a href="/p/12344">Previous</a> <a rel=next href="/p/12346">Next</a> <a href="/p/12346">»</a>`, ""},
		"of a folder of a shop":   {"/shop/p/12345", `<a rel=next href="/shop/p/12346">Next</a> <a href="/shop/p/12346">»</a>`, ""},
		"a record of a list":      {"/shop", `<a href="/shop/p/12345">Next</a> <a href="/shop/p/12345">»</a>`, ""},
		"a record of a home":      {"/", `<a href="/p/2">Next</a> <a href="/p/2">»</a>`, ""},
		"a section of a home":     {"/", `<a href="/list_2.html">查看更多</a><a href="/list_2.html">&gt;</a>`, ""},
		"pictures of an article":  {"/a/12.html", `<a href="/b/3.html"><img src="/images/next.gif"></a>`, ""},
		"older ones elsewhere":    {"/a/12.html", `<a href="/b/">Older stories</a><a href="/b/?x=2">More <i class="fa fa-angle-right"></i></a>`, ""},
		"two of several articles": {"/a/", `<div><a href="/a/31.html">1</a><a href="/a/32.html">2</a></div>`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			const site = "http://www.example.com"
			got := ""
			if p := paginate(t, site+tt.at, tt.markup); p != nil {
				got = strings.TrimPrefix(p.Next, site)
			}
			if got != tt.want {
				t.Errorf("next page %q, want %q", got, tt.want)
			}
		})
	}
}

// The script of a government site says what pages a list has, and leaves the links to the
// browser.
func TestPagesOfScripts(t *testing.T) {
	const site = "http://www.example.com"
	trs := func(arguments string) string {
		return "<script>function createPageHTML(_nPageCount, _nCurrIndex, _sPageName, _sPageExt) {}</script><div><script>createPageHTML(" + arguments + ");</script></div>"
	}
	tests := map[string]struct {
		at, markup string
		want       *structure.Pagination
	}{
		"the first page": {"/x/", trs(`3, 0, "index", "html"`), &structure.Pagination{
			Next: site + "/x/index_1.html", Pages: []string{site + "/x/index.html", site + "/x/index_1.html", site + "/x/index_2.html"},
			Current: 1, Pattern: site + "/x/index_{page}.html", Step: 1, Offset: -1}},
		"the second page": {"/x/index_1.html", trs(`2,1,'index','html'`), &structure.Pagination{
			Pages:   []string{site + "/x/index.html", site + "/x/index_1.html"},
			Current: 2, Pattern: site + "/x/index_{page}.html", Step: 1, Offset: -1}},
		"an element and more": {"/x/list.shtml", trs(`"page_div", 2, 1, "list", "shtml", 45`), &structure.Pagination{
			Next: site + "/x/list_2.shtml", Pages: []string{site + "/x/list.shtml", site + "/x/list_2.shtml"},
			Current: 1, Pattern: site + "/x/list_{page}.shtml", Step: 1}},
		"variables": {"/x/", `<script>var countPage = 2; // pages
			var currentPage = 0;
			document.write("<a href=\"default_" + (currentPage+1) + ".htm\">下一页</a>");</script>`, &structure.Pagination{
			Next: site + "/x/default_1.htm", Pages: []string{site + "/x/default.htm", site + "/x/default_1.htm"},
			Current: 1, Pattern: site + "/x/default_{page}.htm", Step: 1, Offset: -1}},
		"one page":       {"/x/", trs(`1, 0, "index", "html"`), nil},
		"past the end":   {"/x/", trs(`3, 7, "index", "html"`), nil},
		"no numbers":     {"/x/", trs(`count, current, "index", "html"`), nil},
		"a foreign name": {"/x/", trs(`3, 0, "//www.example.org/index", "html"`), nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, paginate(t, site+tt.at, tt.markup)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Hostile pages cost no more than their size.
func TestPaginationOfHostilePages(t *testing.T) {
	for name, markup := range map[string]string{
		"many numbers": numbers("/%d", make([]int, 1000)...) + strings.Repeat(`<a href="?p=1">1</a><a href="?p=2">2</a>`, 50_000),
		"deep":         strings.Repeat("<b><span>", 200) + `<a href="?p=2">下一页</a>`,
		"large number": `<a href="?p=99999999999999999999">2</a><a href="?p=99999999999999999998">3</a>`,
	} {
		t.Run(name, func(t *testing.T) { paginate(t, "http://www.example.com/", markup) })
	}
}

// paginate finds the pagination of a page at an address.
func paginate(t *testing.T, at, markup string) *structure.Pagination {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	return structure.FindPagination(parsed(t, markup), u, u)
}
