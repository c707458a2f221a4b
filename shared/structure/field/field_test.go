package field_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/antchfx/htmlquery"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

var base = &url.URL{Scheme: "https", Host: "shop.test", Path: "/p/1.html"}

func pageOf(t testing.TB, text string) field.Page {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return field.Page{Root: root, Base: field.BaseOf(root, base)}
}

func load(t testing.TB, name string) *template.Template {
	t.Helper()
	got, err := template.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// texts are the values of what was found.
func texts(found []field.Found) map[string]string {
	values := map[string]string{}
	for _, f := range found {
		values[f.Name] = f.Text
	}
	return values
}

func subset(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s = %q, want %q", name, got[name], value)
		}
	}
}

// product is the detail page of a shop, in which labels stand in another order
// on every page.
func product(n int) string {
	names := []string{"索尼 MDR-EX15LP 耳机", "华为 Mate 手机", "联想 小新 笔记本"}
	rows := []string{"<li>品牌：<a href=/b>%[2]s</a></li>", "<li><span>商品编号</span><i>%[3]d</i></li>", "<li>产地：中国大陆</li>"}
	rows[0], rows[n%3] = rows[n%3], rows[0]
	return fmt.Sprintf(`<title>%[1]s - 测试商城</title><div class=top><a href=/>测试商城</a><span class=price-tip>价格说明</span></div>
<div id=detail><h1 class=sku-name>%[1]s</h1>
<div class=summary><del>￥%[4]d.00</del><p><span>促销价</span><i>￥</i><b>%[5]d</b><em>.50</em></p></div>
<ul class=params>`+strings.Join(rows, "")+`</ul>
<img id=main-pic class=product-image width=400 src=//img.test/%[3]d.jpg></div>
<div class=footer>￥0 运费</div>`, names[n%3], strings.Fields(names[n%3])[0], 9000+n, 1000+100*n, 900+n)
}

func TestAnalyzeShop(t *testing.T) {
	var pages []field.Page
	for n := range 3 {
		pages = append(pages, pageOf(t, product(n)))
	}
	shop := load(t, "shop")
	found := field.Analyze(shop, pages)
	want := map[string]string{
		"name": "索尼 MDR-EX15LP 耳机", "price": "￥900.50", "list_price": "￥1000.00", "brand": "索尼", "sku": "9000", "image": "https://img.test/9000.jpg",
	}
	subset(t, texts(found), want)

	// The paths give the same fields of a page that was not seen.
	x, err := field.NewExtractor(shop, found)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name, v := range x.Extract(pageOf(t, product(4))) {
		got[name] = v.Text
	}
	subset(t, got, map[string]string{
		"name": "华为 Mate 手机", "price": "￥904.50", "list_price": "￥1400.00", "brand": "华为", "sku": "9004", "image": "https://img.test/9004.jpg",
	})
	if v := x.Extract(pageOf(t, product(4)))["price"]; v.Amount == nil || *v.Amount != 904.5 || v.Currency != "CNY" {
		t.Errorf("price is %+v", v)
	}
}

// What a value has beside it, on single pages.
func TestAnalyzeLabels(t *testing.T) {
	for name, test := range map[string]struct {
		template, page string
		want           map[string]string
	}{
		"a table of two columns": {"job", "<h1>工程师</h1><table><tr><th>工作地点</th><td>北京</td></tr><tr><th>公司</th><td>测试公司</td></tr></table>", map[string]string{"location": "北京", "company": "测试公司"}},
		"a table with a head":    {"camera", "<h1>X</h1><table><tr><th>Model<th>Brand<th>Our Price<tr><td>D90<td>Nikon<td>$900</table>", map[string]string{"manufacturer": "Nikon", "price": "$900"}},
		"a definition list":      {"book", "<h1>Emma</h1><dl><dt>Author:<dd>Jane Austen<dt>Publisher:<dd>Test Press</dl>", map[string]string{"author": "Jane Austen", "publisher": "Test Press"}},
		"within a text":          {"book", "<h1>Emma</h1><ul><li>ISBN-13: 978-0307269997<li>出版社：测试出版社</ul>", map[string]string{"isbn_13": "978-0307269997", "publisher": "测试出版社"}},
		"in front of a text":     {"book", "<h1>Emma</h1><p><b>Publisher:</b> Test Press (May 25, 2010)<br><b>Pages:</b> 420", map[string]string{"publisher": "Test Press (May 25, 2010)", "publication_date": "May 25, 2010", "pages": "420"}},
		"behind it":              {"book", "<h1>Emma</h1><div><a href=/a>Jane Austen</a> (Author)</div>", map[string]string{"author": "Jane Austen"}},
		"of a notice":            {"notice", "<h1>关于放假的通知</h1><table><tr><td>索引号：</td><td>000014349/2024-00021</td><td>发文机关：</td><td>测试办公厅</td></tr><tr><td>发文字号：</td><td>测发〔2024〕3号</td><td>成文日期：</td><td>2024年03月26日</td></tr></table>", map[string]string{"title": "关于放假的通知", "index": "000014349/2024-00021", "department": "测试办公厅", "number": "测发〔2024〕3号", "date": "2024年03月26日"}},
		"captions":               {"shop", "<h1>耳机</h1><div><div><p>索尼</p><p>品牌</p></div><div><p>A-1</p><p>货号</p></div><div><p>上海</p><p>产地</p></div></div>", map[string]string{"brand": "索尼", "sku": "A-1"}},
		"by its form":            {"restaurant", "<h1>测试饭店</h1><p>中山路 5 号</p><p>(702) 214-3500</p>", map[string]string{"name": "测试饭店", "phone": "(702) 214-3500"}},
		"by what it usually is":  {"restaurant", "<h1>Test</h1><p><b>Italian</b></p>", map[string]string{"cuisine": "Italian"}},
		"by its usual form":      {"job", "<h1>工程师</h1><p><b>1.5-2万/月</b><p><a href=/c>蓝天科技有限公司</a><p>五年", map[string]string{"salary": "1.5-2万/月", "company": "蓝天科技有限公司"}},
		"of pay":                 {"job", "<h1>Nurse</h1><div>$21 - $25 an hour</div>", map[string]string{"salary": "$21 - $25 an hour"}},
		"a line of several":      {"news", "<h1>标题</h1><p>时间：2024-03-26 10:05　来源：新华社　作者：张伟　编辑：李</p>", map[string]string{"date": "2024-03-26 10:05", "source": "新华社", "author": "张伟"}},
		"around a date":          {"book", "<h1>Emma</h1><div><p>First published January 1, 1990</p><p>210 pages, Paperback</p></div>", map[string]string{"publication_date": "January 1, 1990", "pages": "210"}},
		"by class, id and name":  {"recipe", "<div class=recipe-title>红烧肉</div><div id=yongliao>五花肉</div><div data-servings>4 人</div>", map[string]string{"name": "红烧肉", "ingredients": "五花肉", "servings": "4 人"}},
		"of two kinds":           {"shop", "<h1>手机</h1><p><b>市场价格：</b><i>￥1200元</i> <b>本店售价：</b><i>￥1000元</i></p><span class=sale-price>￥1000元</span>", map[string]string{"price": "￥1000元", "list_price": "￥1200元", "sales": ""}},
		"beside a menu":          {"shop", "<div class=top-nav><p>品牌：</p><a href=/b>全部</a></div><footer>品牌：<i>页脚</i></footer><h1>耳机</h1><p class=unavailable>品牌：<b>索尼</b>", map[string]string{"brand": "索尼"}},
		"not of the site":        {"university", "<base href=http://www.college.test/><a href=/>college.test</a><a href=http://www.adams.edu>www.adams.edu</a>", map[string]string{"website": "www.adams.edu"}},
		"beside another":         {"shop", "<h1>耳机</h1><p class=price>运费：￥10</p><p class=price>￥99</p><p>Phone: 1", map[string]string{"price": "￥99"}},
		"by microdata":           {"shop", `<div itemscope><b itemprop=name>耳机</b><meta itemprop=price content=99.00><span itemprop=brand>索尼</span></div>`, map[string]string{"name": "耳机", "price": "99.00", "brand": "索尼"}},
		"by nested microdata":    {"shop", `<div itemscope><div itemprop=brand itemscope><b itemprop=name>索尼</b></div><b itemprop=name>耳机</b><p itemprop=offers itemscope><b itemprop=price content=99>99 块</b></div>`, map[string]string{"name": "耳机", "price": "99 块", "brand": "索尼"}},
		"by Open Graph":          {"news", `<meta property=og:title content=标题><meta property=article:published_time content=2024-03-26T08:05:00+08:00>`, map[string]string{"title": "标题", "date": "2024-03-26T08:05"}},
		"by JSON-LD":             {"shop", `<script type=application/ld+json>{"@graph":[{"@type":"WebSite","name":"商城"},{"@type":"Product","name":"耳机","offers":[{"price":99.5}],"brand":{"name":"索尼"}}]}</script><p>此外无字`, map[string]string{"name": "耳机", "price": "99.5", "brand": "索尼"}},
		"by both":                {"shop", `<script type=application/ld+json>{"name":"耳机","offers":{"price":"99.50"}}</script><div><u>耳机</u><u>￥99.50</u><u>￥19.00</u></div>`, map[string]string{"name": "耳机", "price": "￥99.50"}},
	} {
		t.Run(name, func(t *testing.T) {
			tm := load(t, test.template)
			p := pageOf(t, test.page)
			found := field.Analyze(tm, []field.Page{p})
			subset(t, texts(found), test.want)
			x, err := field.NewExtractor(tm, found)
			if err != nil {
				t.Fatal(err)
			}
			read := x.Extract(p)
			for _, f := range found {
				if diff := cmp.Diff(f.Value, read[f.Name]); diff != "" {
					t.Errorf("%s by its path %s (-want +got):\n%s", f.Name, f.XPath, diff)
				}
			}
		})
	}
}

// A label is found again where its ending or its place is another.
func TestAnalyzeEndings(t *testing.T) {
	var pages []field.Page
	for _, text := range []string{
		"<h1>A</h1><table><tr><td>Director:<td>Ann Lee<tr><td>Genre:<td>Drama</table>",
		"<h1>B</h1><table><tr><td>Genres:<td>Comedy<tr><td>Directors:<td>Bob Ray</table>",
		"<h1>C</h1><table><tr><td>Year:<td>1999<tr><td>Director:<td>Cat Fox<tr><td>Genre(s):<td>Drama</table>",
	} {
		pages = append(pages, pageOf(t, text))
	}
	movie := load(t, "movie")
	x, err := field.NewExtractor(movie, field.Analyze(movie, pages))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2]string{{"Ann Lee", "Drama"}, {"Bob Ray", "Comedy"}, {"Cat Fox", "Drama"}} {
		if got := x.Extract(pages[i]); got["director"].Text != want[0] || got["genre"].Text != want[1] {
			t.Errorf("page %d: %+v, want %q", i, got, want)
		}
	}
}

func TestAnalyzeRecords(t *testing.T) {
	p := pageOf(t, `<ul><li><a href=/1.html><img src=/1.jpg></a><div class=p-price><em>¥</em><i>55.00</i></div><div class=p-name><a href=/1.html title="甲 耳机">甲 <font>耳机</font></a></div>
<li><a href=/2.html><img src=/2.jpg></a><div class=p-price><em>¥</em><i>279.00</i></div><div class=p-name><a href=/2.html title="乙 耳机">乙 <font>耳机</font></a></div></ul>
<dl><dt><a href=/a.html>第一条新闻的标题</a><dd>2024-03-26<dt><a href=/b.html>第二条新闻的标题</a><dd>2024-03-25</dl>`)
	records := func(xpath string) (pages []field.Page) {
		for _, n := range htmlquery.Find(p.Root, xpath) {
			pages = append(pages, field.Page{Root: n, Base: base})
		}
		return pages
	}
	products := records("//li")
	found := field.Analyze(load(t, "shop"), products)
	subset(t, texts(found), map[string]string{"name": "甲 耳机", "price": "¥55.00", "image": "https://shop.test/1.jpg", "link": "https://shop.test/1.html"})
	for _, f := range found {
		if !strings.HasPrefix(f.XPath, ".") {
			t.Errorf("%s of a record is at %s", f.Name, f.XPath)
		}
	}
	x, err := field.NewExtractor(load(t, "shop"), found)
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Extract(products[1]); got["price"].Text != "¥279.00" || got["name"].Text != "乙 耳机" || got["link"].Text != "https://shop.test/2.html" {
		t.Errorf("second record is %+v", got)
	}

	// The link of a record is that of its heading.
	section := pageOf(t, "<p><a class=c href=/society/>社会</a> <a href=/5.html>一条很长的新闻标题在这里</a> <a href=/5.html#c>评论</a><p><a class=c href=/sport/>体育</a> <a href=/6.html>另一条很长的新闻标题在这里</a> <a href=/6.html#c>评论</a>")
	var rows []field.Page
	for _, n := range htmlquery.Find(section.Root, "//p") {
		rows = append(rows, field.Page{Root: n, Base: base})
	}
	subset(t, texts(field.Analyze(load(t, "news"), rows)), map[string]string{"title": "一条很长的新闻标题在这里", "link": "https://shop.test/5.html"})

	// A record of several siblings.
	news := records("//dt")
	for i := range news {
		news[i].Rest = []*html.Node{news[i].Root.NextSibling}
	}
	found = field.Analyze(load(t, "news"), news)
	subset(t, texts(found), map[string]string{"title": "第一条新闻的标题", "date": "2024-03-26", "link": "https://shop.test/a.html"})
	if x, err = field.NewExtractor(load(t, "news"), found); err != nil {
		t.Fatal(err)
	}
	if got := x.Extract(news[1]); got["date"].Date != "2024-03-25" || got["title"].Text != "第二条新闻的标题" {
		t.Errorf("second record is %+v", got)
	}
}

// A page that has nothing of a template has no fields.
func TestAnalyzeNothing(t *testing.T) {
	for _, text := range []string{"", "<p>", "<script>var price = 1</script>", "<!-- price: 1 -->", "<textarea>价格：￥1</textarea>"} {
		if found := field.Analyze(load(t, "shop"), []field.Page{pageOf(t, text)}); len(found) > 0 {
			t.Errorf("%q has %+v", text, found)
		}
	}
	if found := field.Analyze(load(t, "shop"), nil); len(found) > 0 {
		t.Errorf("no page has %+v", found)
	}
}

// A path that was edited by hand is any XPath.
func TestExtractAnyXPath(t *testing.T) {
	p := pageOf(t, `<div class="a b">一</div><div class="b c">二</div><p lang=zh>价格 <b>￥5</b></p><script type=application/ld+json>{"sku":"77"}</script>`)
	tm := load(t, "shop")
	found := []field.Found{
		{Name: "name", XPath: "(//div[contains(@class,'b')])[last()]"}, {Name: "price", XPath: "//p/b | //i"}, {Name: "brand", XPath: "//p/@lang"},
		{Name: "sku", XPath: "//script", Data: "SKU"}, {Name: "stock", XPath: "//nothing"},
	}
	x, err := field.NewExtractor(tm, found)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name, v := range x.Extract(p) {
		got[name] = v.Text
	}
	if diff := cmp.Diff(map[string]string{"name": "二", "price": "￥5", "brand": "zh", "sku": "77"}, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if _, err := field.NewExtractor(tm, []field.Found{{Name: "name", XPath: "//["}}); err == nil || !strings.Contains(err.Error(), "path of field name") {
		t.Errorf("error of a path that is none: %v", err)
	}
	if _, err := field.NewExtractor(tm, []field.Found{{Name: "colour", XPath: "//b"}}); err == nil || !strings.Contains(err.Error(), `"colour" is not in template shop`) {
		t.Errorf("error of a field that is none: %v", err)
	}
}

// A text that is a label elsewhere is a value if a template calls it one, also in front of a
// button; the heading of reviews does not make a number of a name and a date.
func TestUsualValue(t *testing.T) {
	p := pageOf(t, `<h1>Blue kettle</h1><div class="price">$34.90</div><div class="stock"><span>In stock</span> <button>Add to cart</button></div>
		<div class="reviews"><h2>Reviews</h2><div class="review"><b>buyer0</b><time>2026-10-10</time><p>Good kettle, it boils fast.</p></div></div>`)
	got := texts(field.Analyze(load(t, "shop"), []field.Page{p}))
	subset(t, got, map[string]string{"name": "Blue kettle", "stock": "In stock", "reviews": ""})
}

// What a label and its value may both say is the value, unless a mark or its element says
// that it is the label.
func TestUsualValueIsNoLabel(t *testing.T) {
	for text, want := range map[string]string{
		"<p class=stock>In stock</p><form><label>Mug quantity</label></form>":           "In stock",
		"<p class=stock>12 in stock</p><form><label>Mug quantity</label></form>":        "12 in stock",
		"<div><span>In stock</span></div><div>Ships today</div>":                        "In stock",
		"<div><b>In stock:</b> <span>14</span></div>":                                   "14",
		"<table><tr><th>In stock</th><td>Yes</td></tr><tr><th>Size</th><td>4</td></tr>": "Yes",
	} {
		p := pageOf(t, "<title>Mug</title><h1>Mug</h1><div class=price>£18.00</div>"+text)
		if got := texts(field.Analyze(load(t, "shop"), []field.Page{p}))["stock"]; got != want {
			t.Errorf("%s: stock = %q, want %q", text, got, want)
		}
	}
}

// A page is named by its headline, also where its text has a label for names. Without a
// headline the label does.
func TestHeadlineBeforeLabel(t *testing.T) {
	const body = "<p>采购人信息</p><p>名 称：某县医院</p><table><tr><td>项目名称</td><td>设备采购</td></tr></table>"
	for _, head := range []string{"<h2>某县医院设备采购公告</h2>", "<div><h3>某县医院设备采购公告</h3></div>", "<p>某县医院设备采购公告</p>"} {
		p := pageOf(t, "<title>某县医院设备采购公告 - 采购网</title>"+head+body)
		subset(t, texts(field.Analyze(load(t, "notice"), []field.Page{p})), map[string]string{"title": "某县医院设备采购公告"})
	}
	p := pageOf(t, "<title>Catalogue</title><table><tr><td>Title</td><td>The Salt Road</td></tr><tr><td>Publisher</td><td>Knopf</td></tr></table>")
	subset(t, texts(field.Analyze(load(t, "book"), []field.Page{p})), map[string]string{"title": "The Salt Road"})
}

// What a page tells programs is no price of now if the page shows it only struck out.
func TestPastPriceForPrograms(t *testing.T) {
	const data = `<meta property=og:price:amount content=64.00><script type=application/ld+json>{"@type":"Product","offers":{"price":"64.00"}}</script>`
	for text, want := range map[string][2]string{
		"<p class=price><del>£64.00</del> <ins>£52.00</ins></p>":           {"£52.00", "£64.00"},
		"<p><b style='text-decoration:line-through'>£64.00</b> £52.00</p>": {"£52.00", "£64.00"},
		"<p class=price>£64.00</p><div>Jug <s>£64.00</s> £48.00</div>":     {"£64.00", ""},
		"<p class=price><del>£64.00</del> Sold out</p>":                    {"£64.00", ""},
	} {
		got := texts(field.Analyze(load(t, "shop"), []field.Page{pageOf(t, "<title>Plane</title>"+data+"<h1>Plane</h1>"+text)}))
		subset(t, got, map[string]string{"price": want[0], "list_price": want[1]})
	}
}
