package structure

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// titles are headlines of different length.
var titles = []string{
	"Harvest of the northern orchards begins a week early", "Ferry line to the islands gets two new ships",
	"City council votes for longer opening hours of the library", "River gauge reaches its lowest mark in ten years",
	"Old mill becomes a museum of paper", "Night trains return to the coast in summer and in autumn",
	"Bakers of the valley meet for the first time", "School garden wins the prize of the province", "A bridge for cyclists opens", "Weather station moves uphill",
}

// items writes n pieces of a page; %[1]d is the number, %[2]s a headline.
func items(n int, format string) string {
	return generated(n, func(i int) string { return fmt.Sprintf(format, i, titles[i%len(titles)]) })
}

const (
	news    = `<li><a href="/%[1]d.html">%[2]s</a><span>2024-05-0%[1]d</span></li>`
	product = `<div class="card"><a href="/%[1]d"><img src="/%[1]d.jpg"></a><h3><a href="/%[1]d">%[2]s</a></h3><b>$1%[1]d</b></div>`
	menu    = `<div class="nav"><ul><li><a href="/">Home</a></li><li><a href="/n">News</a></li><li><a href="/s">Sports</a></li><li><a href="/c">Contact</a></li></ul></div>`
	foot    = `<div class="footer"><a href="/i">Imprint</a> <a href="/p">Privacy</a> <a href="/j">Jobs</a></div>`
	prose   = `<p>The old mill at the river has been empty for thirty years. Now a group of citizens wants to make a museum of it, where visitors see how paper was made, and try it themselves.</p>`
)

// inRows ends the row of a grid behind each third of its records.
var inRows = strings.NewReplacer("<!--2-->", "</tr><tr>", "<!--5-->", "</tr><tr>", "<!--8-->", "</tr><tr>")

// whole is a page with a menu and a foot around a piece of it.
func whole(piece string) string { return inRows.Replace(`<!doctype html><body>` + menu + piece + foot) }

// pages are pages with lists of all kinds, and pages without.
var pages = []struct {
	name, page string
	records    []int  // of each list
	path       string // of the records of the first
	text       string // of its last record
}{
	{
		name: "headlines", page: `<ul id="list">` + items(8, news) + `</ul>`,
		records: []int{8}, path: "//ul[@id='list']/li", text: "School garden wins the prize of the province 2024-05-07",
	},
	{
		name: "icons in rows of two colours",
		page: `<ul id="list">` + generated(10, func(i int) string {
			class, icon := []string{"even", "odd"}[i%2], ""
			if i < 3 {
				class, icon = "first "+class, `<img src="/new.gif">`
			}
			return fmt.Sprintf(`<li class="%s"><a href="/%d">%s</a>%s<span>2024-05-1%d</span></li>`, class, i, titles[i], icon, i)
		}) + `</ul>`,
		records: []int{10}, path: "//ul[@id='list']/li", text: "Weather station moves uphill 2024-05-19",
	},
	{
		name:    "classes of rows and places",
		page:    `<div class="list">` + items(9, `<div class="row row-%[1]d"><h3><a href="/%[1]d">%[2]s</a></h3><p>Summary</p></div>`) + `<div class="row row-9 last"><h3><a href="/9">Last of them all</a></h3></div></div>`,
		records: []int{10}, path: "//div[" + hasClass("list") + "]/div", text: "Last of them all",
	},
	{
		name:    "divided by advertisements",
		page:    `<div class="feed">` + items(4, `<div class="post"><a href="/%[1]d">%[2]s</a><p>Summary of it</p></div>`) + `<div class="ad-slot"><iframe></iframe>Advertisement</div>` + items(4, `<div class="post"><a href="/a%[1]d">%[2]s</a><p>Summary of it</p></div>`) + `</div>`,
		records: []int{8}, path: "//div[" + hasClass("feed") + "]/div[" + hasClass("post") + "]", text: "River gauge reaches its lowest mark in ten years Summary of it",
	},
	{
		name:    "page numbers behind the records",
		page:    `<div id="content">` + items(10, `<div class="post clearfix post-%[1]d"><h2><a href="/%[1]d">%[2]s</a></h2><p>Summary of it</p></div>`) + `<div class="navigation clearfix">Page 1 of 3 <a href="?p=2">2</a> <a href="?p=3">3</a></div></div>`,
		records: []int{10}, path: "//div[@id='content']/div[" + hasClass("post") + "]", text: "Weather station moves uphill Summary of it",
	},
	{
		name: "others of the class of the records",
		page: `<div class="slot"><div class="item head"><h2>Results</h2></div>` + items(8, `<div class="item hit"><h3><a href="/%[1]d">%[2]s</a></h3><p>Summary of it</p></div>`) +
			`<div class="item box"><h2>More</h2><p>See the page of each.</p></div><div class="item wide"><div class="x-pagination-box"><span>Previous</span><a href="?p=2">2</a></div></div></div>`,
		records: []int{8}, path: "//div[" + hasClass("slot") + "]/div[" + hasClass("hit") + "]", text: "School garden wins the prize of the province Summary of it",
	},
	{
		name:    "a banner among products",
		page:    `<div class="grid">` + items(4, product) + `<div class="tile"><a href="/sale"><img src="/s.jpg"></a><h3><a href="/sale">All of the summer</a></h3><b>See it</b></div>` + items(4, `<div class="card"><a href="/a%[1]d"><img src="/%[1]d.jpg"></a><h3><a href="/a%[1]d">%[2]s</a></h3><b>$2%[1]d</b></div>`) + `</div>`,
		records: []int{8}, path: "//div[" + hasClass("grid") + "]/div[" + hasClass("card") + "]", text: "River gauge reaches its lowest mark in ten years $23",
	},
	{
		name: "heads of a list in parts",
		page: `<div class="boards">` + generated(3, func(i int) string {
			return fmt.Sprintf(`<ul class="topics"><li class="header"><dl><dt>Part %d</dt><dd>Topics</dd><dd>Posts</dd></dl></li>`, i) + items(3, `<li class="row"><dl><dt><a href="/%[1]d">%[2]s</a></dt><dd>%[1]d2</dd><dd>%[1]d7</dd></dl></li>`) + `</ul>`
		}) + `</div>`,
		records: []int{9}, path: "//div[" + hasClass("boards") + "]/ul/li[" + hasClass("row") + "]", text: "City council votes for longer opening hours of the library 22 27",
	},
	{
		name:    "what is recommended, nothing else",
		page:    `<div id="w"><div class="m"><h3>热门资讯</h3><ul id="a">` + items(8, news) + `</ul></div><div class="m"><h3>热点精选</h3><ul id="b">` + items(4, news) + `</ul></div></div>`,
		records: []int{12}, path: "//div[@id='w']/div/ul/li", text: "River gauge reaches its lowest mark in ten years 2024-05-03",
	},
	{
		name:    "a sidebar longer than the list",
		page:    `<table id="t">` + items(9, `<tr><td><a href="/%[1]d">%[2]s</a></td></tr>`) + `</table><div class="sidebar">` + items(13, `<div class="box">An event of the week <a href="/e%[1]d">%[2]s</a><p>at nine</p></div>`) + `</div>`,
		records: []int{9, 13}, path: "//table[@id='t']/descendant::tr", text: "A bridge for cyclists opens",
	},
	{
		name: "an article in parts", page: `<div class="story">` + strings.Repeat(`<div class="part">`+prose+`<p>It would open in <a href="/may">May</a>, they say, if the council agrees.</p></div>`, 6) + `</div>`,
	},
	{
		name:    "divided by headings",
		page:    `<div class="days"><h2>Monday</h2><ul>` + items(4, news) + `</ul><h2>Tuesday</h2><ul>` + items(5, news) + `</ul><h2>Friday</h2><ul>` + items(3, news) + `</ul></div>`,
		records: []int{12}, path: "//div[" + hasClass("days") + "]/ul/li", text: "City council votes for longer opening hours of the library 2024-05-02",
	},
	{
		name:    "headings among the records",
		page:    `<div id="hits"><h4>Monday</h4>` + items(4, `<div><a href="/%[1]d">%[2]s</a><i>9 am</i></div>`) + `<h4>Tuesday</h4>` + items(3, `<div><a href="/%[1]d">%[2]s</a><i>9 am</i></div>`) + `<h4>Friday</h4>` + items(5, `<div><a href="/%[1]d">%[2]s</a><i>9 am</i></div>`) + `</div>`,
		records: []int{12}, path: "//div[@id='hits']/div", text: "Old mill becomes a museum of paper 9 am",
	},
	{
		name:    "table with head and pager",
		page:    `<table id="t"><thead><tr><th>No</th><th>Title</th><th>Date</th></tr></thead>` + items(9, `<tr><td>%[1]d</td><td><a href="/%[1]d">%[2]s</a></td><td>2024</td></tr>`) + `<tr><td colspan="3"><a href="?p=2">2</a> <a href="?p=3">3</a></td></tr></table>`,
		records: []int{9}, path: "//table[@id='t']/descendant::tr[td[3]]", text: "8 A bridge for cyclists opens 2024",
	},
	{
		name:    "several records in a row",
		page:    `<table id="g"><tr>` + items(12, `<td><a href="/%[1]d"><img src="/%[1]d.jpg"></a><p><a href="/%[1]d">%[2]s</a></p><b>9.90</b></td><!--%[1]d-->`) + `</table>`,
		records: []int{12}, path: "//table[@id='g']/descendant::tr/td", text: "Ferry line to the islands gets two new ships 9.90",
	},
	{
		name:    "table without links",
		page:    `<table class="data"><tr><td>Rank</td><td>Name</td><td>Points</td></tr>` + items(8, `<tr><td>%[1]d</td><td>%[2]s</td><td>%[1]d0</td></tr>`) + `</table>`,
		records: []int{8}, path: "//table[" + hasClass("data") + "]/descendant::tr[position()>1]", text: "7 School garden wins the prize of the province 70",
	},
	{
		name:    "terms and their details",
		page:    `<dl id="d">` + items(8, `<dt><a href="/%[1]d">%[2]s</a></dt><dd>The details of it, which take a line.</dd>`) + `</dl>`,
		records: []int{8}, path: "//dl[@id='d']/dt", text: "School garden wins the prize of the province The details of it, which take a line.",
	},
	{
		name:    "headings and texts",
		page:    `<div id="h">` + items(6, `<h3><a href="/%[1]d">%[2]s</a></h3><p>A summary of what the page says.</p>`) + `</div>`,
		records: []int{6}, path: "//div[@id='h']/h3", text: "Night trains return to the coast in summer and in autumn A summary of what the page says.",
	},
	{
		name:    "pairs of rows",
		page:    `<table id="p">` + items(8, `<tr class="title"><td>%[1]d.</td><td><a href="/%[1]d">%[2]s</a></td></tr><tr><td></td><td>12 points by <a href="/u">someone</a></td></tr>`) + `</table>`,
		records: []int{8}, path: "//table[@id='p']/descendant::tr[" + hasClass("title") + "]", text: "7. School garden wins the prize of the province 12 points by someone",
	},
	{
		name: "lists in records",
		page: `<ol id="c">` + generated(5, func(i int) string {
			return fmt.Sprintf(`<li><a href="/u%d">User %d</a><p>%s</p><ul>%s</ul></li>`, i, i, titles[i], items(i%3, `<li><a href="/r%[1]d">Other</a><p>Thanks</p></li>`))
		}) + `</ol>`,
		records: []int{5}, path: "//ol[@id='c']/li", text: "User 4 Old mill becomes a museum of paper Other Thanks",
	},
	{
		name:    "without links",
		page:    `<ul id="s">` + items(6, `<li><img src="/%[1]d.jpg"><h3>Person %[1]d</h3><p>%[2]s</p></li>`) + `</ul>`,
		records: []int{6}, path: "//ul[@id='s']/li", text: "Person 5 Night trains return to the coast in summer and in autumn",
	},
	{
		name:    "two lists",
		page:    `<div id="main">` + items(8, `<div class="hit"><a href="/%[1]d">%[2]s</a><p>What is found on that page.</p></div>`) + `</div><ul id="new">` + items(4, `<li><a href="/n%[1]d">%[2]s</a></li>`) + `</ul>`,
		records: []int{8, 4}, path: "//div[@id='main']/div", text: "School garden wins the prize of the province What is found on that page.",
	},
	{
		name:    "links between line breaks",
		page:    `<table id="t"><tr><td><a href="/">Home</a><br><a href="/n">News</a><br><a href="/d">Diary</a></td><td>` + items(8, `<a href="/%[1]d">%[2]s</a> (2024-05-0%[1]d)<br>`) + `<a href="/p1">1</a> <a href="/p2">2</a> <a href="/p2">Next</a></td></tr></table>`,
		records: []int{8}, path: "//table[@id='t']/descendant::tr/td[2]/a[following-sibling::a[3]]", text: "School garden wins the prize of the province",
	},
	{
		name: "products behind a menu in columns",
		page: `<div class="all">` + generated(6, func(i int) string {
			return fmt.Sprintf(`<div class="col"><h5>Part %d</h5><ul>%s</ul></div>`, i, items(8, `<li><a href="/c/%[1]d">Tools %[1]d</a></li>`))
		}) + `</div><div class="grid">` + items(3, product) + `</div>`,
		records: []int{3, 6}, path: "//div[" + hasClass("grid") + "]/div", text: "City council votes for longer opening hours of the library $12",
	},
	{
		name:    "cards that wait for products",
		page:    `<div class="grid">` + items(5, product) + strings.Repeat(`<div class="card skeleton"><div class="line"></div><div class="line"></div></div>`, 12) + `</div>`,
		records: []int{5}, path: "//div[" + hasClass("grid") + "]/div[not(" + hasClass("skeleton") + ")]", text: "Old mill becomes a museum of paper $14",
	},
	{
		name: "an index by letters",
		page: `<div class="index">` + generated(6, func(i int) string {
			return fmt.Sprintf(`<div class="part"><h3>%c</h3><ul>%s</ul></div>`, 'A'+i, items(1+i%4, fmt.Sprintf(`<li><a href="/%[1]c%%[1]d">%[1]cnn no. %%[1]d</a></li>`, 'A'+i)))
		}) + `</div>`,
		records: []int{13}, path: "//div[" + hasClass("index") + "]/div/ul/li", text: "Fnn no. 1",
	},
	{
		name:    "products before filters",
		page:    `<div class="grid">` + items(3, product) + `</div><div class="filters"><h4>Brand</h4><ul>` + items(20, `<li><a href="?brand=%[1]d">Brand %[1]d</a> (%[1]d)</li>`) + `</ul></div>`,
		records: []int{3, 20}, path: "//div[" + hasClass("grid") + "]/div", text: "City council votes for longer opening hours of the library $12",
	},
	{
		name:    "many short names",
		page:    `<dl class="chapters"><dt>Chapters</dt>` + items(40, `<dd><a href="/%[1]d">第%[1]d章 开始</a></dd>`) + `</dl>`,
		records: []int{40}, path: "//dl[" + hasClass("chapters") + "]/dd", text: "第39章 开始",
	},
	{name: "article", page: `<h1>Old mill</h1>` + strings.Repeat(prose, 6) + `<div class="related"><ul>` + items(5, news) + `</ul></div>`},
	{name: "caption inside", page: `<h1>Old mill</h1>` + prose + `<div class="x"><div class="y"><span>相关新闻</span> <a href="/m">更多</a></div><ul>` + items(6, news) + `</ul></div>`},
	{name: "caption before", page: `<h1>Old mill</h1>` + prose + `<h4>You may also like</h4><ul>` + items(6, news) + `</ul>`},
	{name: "login", page: `<form><label>Name</label><input name="n"><label>Password</label><input type="password"><button>Log in</button></form>`},
	{name: "product", page: `<h1>Paper mill kit</h1><div class="price">19.90</div>` + strings.Repeat(prose, 3) + `<table>` + items(6, `<tr><th>Size %[1]d</th><td>%[1]d cm</td></tr>`) + `</table>`},
	{name: "tags", page: `<div class="words">` + items(40, `<a href="/t%[1]d">word%[1]d</a> `) + `</div>`},
	{name: "menus only", page: `<div class="breadcrumb"><a href="/">Home</a> &gt; <a href="/n">News</a></div>`},
	{name: "empty"},
}

func TestAnalyze(t *testing.T) {
	t.Parallel()
	for _, tt := range pages {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := parse(t, whole(tt.page))
			lists := Analyze(root, nil).Lists
			var records []int
			for _, l := range lists {
				records = append(records, len(l.Records))
			}
			if diff := cmp.Diff(tt.records, records); diff != "" {
				t.Fatalf("records (-want +got):\n%s", diff)
			}
			if len(lists) == 0 {
				return
			}
			main := lists[0]
			if diff := cmp.Diff(tt.path, main.RecordXPath); diff != "" {
				t.Errorf("path (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.text, main.Records[len(main.Records)-1].Text()); diff != "" {
				t.Errorf("last record (-want +got):\n%s", diff)
			}
		})
	}
}

// A later page of a list may have two records; where nothing says that a page is one, two
// are no list.
func TestAnalyzeLater(t *testing.T) {
	t.Parallel()
	card := `<div class="card"><a href="/p/%[1]d"><img src="/i/%[1]d.jpg"></a><h3><a href="/p/%[1]d">Garden chair %[1]d</a></h3><p class="price">$ %[1]d.50</p></div>`
	root := parse(t, whole(`<h1>Chairs</h1><div class="grid">`+items(2, card)+`</div><p><a href="?p=3">3</a> <b>4</b></p>`))
	for current, want := range []int{0, 0, 2} {
		records := 0
		for _, l := range Analyze(root, &Pagination{Current: current}).Lists {
			records += len(l.Records)
		}
		if records != want {
			t.Errorf("page %d: %d records, want %d", current, records, want)
		}
	}
	part := parse(t, whole(`<h1>Old mill</h1>`+strings.Repeat(prose, 6)+`<div class="related">`+items(2, card)+`</div>`))
	if lists := Analyze(part, &Pagination{Current: 2}).Lists; len(lists) > 0 {
		t.Errorf("a part of an article has the list %s", lists[0].RecordXPath)
	}
}
