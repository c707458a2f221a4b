package body

import (
	"testing"
	"time"
)

func TestPublished(t *testing.T) {
	const undated = "http://www.example.test/a.html"
	tests := map[string]struct {
		head, line, url string
		want            string // RFC 3339, "" for none
		text            string
	}{
		"chinese with time":      {"", "2020年03月30日 10:21　来源：新闻网", undated, "2020-03-30T10:21:00+08:00", "2020年03月30日 10:21"},
		"behind an address":      {"", "http://www.example.test 2020年03月30日 10:21", undated, "2020-03-30T10:21:00+08:00", "2020年03月30日 10:21"},
		"dashes":                 {"", "发布时间：2020-03-30", undated, "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"slashes":                {"", "2020/3/30 9:05:07", undated, "2020-03-30T09:05:07+08:00", "2020/3/30 9:05:07"},
		"afternoon":              {"", "2020年3月30日 下午3:20", undated, "2020-03-30T15:20:00+08:00", "2020年3月30日 下午3:20"},
		"weekday between":        {"", "2020年3月30日 星期一 10:21", undated, "2020-03-30T10:21:00+08:00", "2020年3月30日 星期一 10:21"},
		"full-width digits":      {"", "２０２０年３月３０日", undated, "2020-03-30T00:00:00+08:00", "2020年3月30日"},
		"day alone, year in url": {"", "3月30日 10:21", "http://www.example.test/gn/2020/03-30/9142537.shtml", "2020-03-30T10:21:00+08:00", "3月30日 10:21"},
		"day alone, this year":   {"", "3月30日 10:21", undated, "2021-03-30T10:21:00+08:00", "3月30日 10:21"},
		"day alone, last year":   {"", "12月30日 10:21", undated, "2020-12-30T10:21:00+08:00", "12月30日 10:21"},
		"day alone, of today":    {"", "6月1日 23:50", undated, "2021-06-01T23:50:00+08:00", "6月1日 23:50"},
		"day alone, leap":        {"", "2月29日 10:21", undated, "2020-02-29T10:21:00+08:00", "2月29日 10:21"},
		"day alone, not in url":  {"", "2月29日 10:21", "http://www.example.test/2019/a.html", "2020-02-29T10:21:00+08:00", "2月29日 10:21"},
		"revised before issued":  {"", "更新时间：2021-01-01 发布时间：2020-03-30", undated, "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"issued before revised":  {"", "发表于 2020-03-30 最后修改：2021-01-01 10:00", undated, "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"revised in a line":      {"", "编辑于 2021-01-01 10:00<br>2020-03-30", undated, "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"revised alone":          {"", "更新：2020-03-30 10:21", undated, "2020-03-30T10:21:00+08:00", "2020-03-30 10:21"},
		"issued after an event":  {"", "活动时间：2020-05-01 时间：2020-03-30", undated, "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"english":                {"", "March 30, 2020", undated, "2020-03-30T00:00:00+08:00", "March 30, 2020"},
		"english with time":      {"", "Posted on Mar. 30, 2020 at 3:20 PM", undated, "2020-03-30T15:20:00+08:00", "Mar. 30, 2020 at 3:20 PM"},
		"english, day first":     {`<meta name="pubdate" content="Mon, 30 Mar 2020 10:21:00 GMT">`, "", undated, "2020-03-30T10:21:00Z", "30 Mar 2020 10:21:00 GMT"},
		"url: year and day":      {"", "", "http://www.example.test/gn/2020/03-30/9142537.shtml", "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"url: year and four":     {"", "", "http://www.example.test/2020/0330/1.shtml", "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"url: day folder":        {"", "", "http://www.example.test/2020-03-30/1.shtml", "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"url: eight digits":      {"", "", "http://www.example.test/yw/202003/t20200330_190989.html", "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"url: no date in an id":  {"", "", "http://www.example.test/20209930.html", "", ""},
		"meta":                   {`<meta property="article:published_time" content="2020-03-30T10:21:00+09:00">`, "", undated, "2020-03-30T10:21:00+09:00", "2020-03-30T10:21:00+09:00"},
		"meta in utc":            {`<meta name="publishdate" content="2020-03-30T10:21:00Z">`, "", undated, "2020-03-30T10:21:00Z", "2020-03-30T10:21:00Z"},
		"meta, compact":          {`<meta name="PubDate" content="20200330102100">`, "", undated, "2020-03-30T10:21:00+08:00", "20200330102100"},
		"meta day, time on page": {`<meta name="pubdate" content="2020-03-30">`, "2020年03月30日 10:21", undated, "2020-03-30T10:21:00+08:00", "2020年03月30日 10:21"},
		"meta empty":             {`<meta name="PubDate" content=" ">`, "2020年03月30日 10:21", undated, "2020-03-30T10:21:00+08:00", "2020年03月30日 10:21"},
		"itemprop":               {`<meta itemprop="datePublished" content="2020-03-30 10:21">`, "", undated, "2020-03-30T10:21:00+08:00", "2020-03-30 10:21"},
		"linked data":            {`<script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","datePublished":"2020-03-30T10:21:00+08:00"}]}</script>`, "", undated, "2020-03-30T10:21:00+08:00", "2020-03-30T10:21:00+08:00"},
		"time element":           {"", `<time datetime="2020-03-30T10:21">昨天</time>`, undated, "2020-03-30T10:21:00+08:00", "2020-03-30T10:21"},
		"tomorrow is too late":   {"", "2021年06月03日", undated, "", ""},
		"before the web":         {"", "1949年10月01日", undated, "", ""},
		"no such day":            {"", "2020年02月30日", undated, "", ""},
		"no such time":           {"", "2020年03月30日 25:61", undated, "2020-03-30T00:00:00+08:00", "2020年03月30日 25:61"},
		"last of many labels":    {"", "来源：新闻网 作者：张三 责任编辑：王五 发布时间：2020-03-30 10:21", undated, "2020-03-30T10:21:00+08:00", "2020-03-30 10:21"},
		"between labels":         {"", "浏览次数：12345 来源：办公室 发布日期：2020-03-30 字体：[大 中 小] 打印", undated, "2020-03-30T00:00:00+08:00", "2020-03-30"},
		"beside buttons":         {"", "字号：大 中 小 打印　发布时间：2020-03-30 10:21", undated, "2020-03-30T10:21:00+08:00", "2020-03-30 10:21"},
		"no label, but bars":     {"", "来源：中国新闻网 | 2020年03月30日 10:21 | 记者 阿不都热合曼·买买提", undated, "2020-03-30T10:21:00+08:00", "2020年03月30日 10:21"},
		"a list of names":        {"", "新闻网　撰文：刘一、关二、张三、赵四　时间：2020-3-30", undated, "2020-03-30T00:00:00+08:00", "2020-3-30"},
		"of an event, in a text": {"", "<p>会议发布时间：2020-03-30，随后主办方宣布，博览会的门票仍然有效。</p>", undated, "", ""},
		"of another text":        {"", "<p>该论文发表于2020年3月30日，引起了学界的关注，也引起了争议。</p>", undated, "", ""},
		"none":                   {"", "来源：新闻网", undated, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			html := tt.head + newsPage("博览会拟推迟一年举行", tt.line, paragraphs(para1, "1998年5月4日，首届博览会举行，盛况空前。", para2))
			b, err := extract(t, html, tt.url)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if !b.Published.IsZero() {
				got = b.Published.Format(time.RFC3339)
			}
			if got != tt.want || b.PublishedText != tt.text {
				t.Errorf("published %q from %q, want %q from %q", got, b.PublishedText, tt.want, tt.text)
			}
		})
	}
}

func TestPublishedIgnoresHeadline(t *testing.T) {
	b, err := extract(t, newsPage("4月28日起恢复开放，时间至2019年4月30日", "2020年04月01日 14:38　来源：新闻网", paragraphs(para1, para2)), "http://www.example.test/a.html")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := b.Published.Format(time.RFC3339), "2020-04-01T14:38:00+08:00"; got != want {
		t.Errorf("published %s, want %s", got, want)
	}
}

func TestByline(t *testing.T) {
	tests := map[string]struct {
		head, line, last string
		author, source   string
	}{
		"source":               {"", "2020年03月30日 23:37　来源：中国某网　参与互动", "", "", "中国某网"},
		"source and author":    {"", "2020-03-30 来源: 某某日报 作者: 张三丰 责任编辑：李四", "", "张三丰", "某某日报"},
		"editor is no author":  {"", "2020-03-30 责任编辑：李四", "", "", ""},
		"reporter in the line": {"", "2020-03-30 本报记者 王小明", "", "王小明", ""},
		"reporter at the end":  {"", "2020-03-30", "博览会筹备工作仍在继续，门票有效。（记者 王小明）", "王小明", ""},
		"记者 as a word":         {"", "2020-03-30", "记者了解到，博览会筹备工作仍在继续。", "", ""},
		"meta":                 {`<meta name="author" content="张三"><meta name="ContentSource" content="某某网站">`, "2020-03-30", "", "张三", "某某网站"},
		"line over meta":       {`<meta name="author" content="网站">`, "作者：张三", "", "张三", ""},
		"meta of the system":   {`<meta name="author" content="admin">`, "2020-03-30", "", "", ""},
		"meta of the site":     {`<meta name="author" content="新闻网">`, "2020-03-30", "", "", ""},
		"meta of the host":     {`<meta name="author" content="Example">`, "2020-03-30", "", "", ""},
		"meta of keywords":     {`<meta name="author" content="新闻,财经,example">`, "2020-03-30", "", "", ""},
		"meta in the title":    {`<title>博览会拟推迟一年举行_某某新闻中心</title><meta name="author" content="某某">`, "2020-03-30", "", "", ""},
		"meta with a label":    {`<meta name="author" content="记者张三">`, "2020-03-30", "", "张三", ""},
		"source, button":       {"", "2020-03-30 [来源：某某日报参与互动]", "", "", "某某日报"},
		"source in brackets":   {"", "2020-03-30 [来源：红旗网]", "", "", "红旗网"},
		"linked data":          {`<script type="application/ld+json">[{"author":[{"@type":"Person","name":"张三"}]}]</script>`, "2020-03-30", "", "张三", ""},
		"agency line":          {"", "2020-03-30", "新华网北京3月30日电(记者郭翔)博览会筹备工作仍在继续，门票有效。", "郭翔", ""},
		"bracket with a gap":   {"", "2020-03-30", "博览会筹备工作仍在继续，门票有效。（本报记者 郭翔）", "郭翔", ""},
		"bracket of two":       {"", "2020-03-30（记者郭翔、李四）", "", "郭翔", ""},
		"bracket, no name":     {"", "2020-03-30", "博览会筹备工作仍在继续，门票有效。（记者手记）", "", ""},
		"bracket, a sentence":  {"", "2020-03-30", "博览会筹备工作仍在继续（记者了解到），门票有效。", "", ""},
		"source in marks":      {"", "2020-03-30 来源：《人民日报》", "", "", "人民日报"},
		"source, edition":      {"", "2020-03-30 来源：《人民日报》海外版", "", "", "人民日报海外版"},
		"slashes":              {"", "文/张三 来源/央视", "", "张三", "央视"},
		"traditional":          {"", "2020-03-30 來源：某某時報", "", "", "某某時報"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			article := []string{para1, para2}
			if tt.last != "" {
				article = append(article, tt.last)
			}
			b, err := extract(t, tt.head+newsPage("博览会拟推迟一年举行", tt.line, paragraphs(article...)), "http://www.example.test/a.html")
			if err != nil {
				t.Fatal(err)
			}
			if b.Author != tt.author || b.Source != tt.source {
				t.Errorf("author %q, source %q; want %q, %q", b.Author, b.Source, tt.author, tt.source)
			}
		})
	}
}

func TestWithoutSiteTail(t *testing.T) {
	tests := map[string]struct{ title, want string }{
		"underscore":           {"博览会拟推迟举行_新浪网", "博览会拟推迟举行"},
		"section and site":     {"博览会拟推迟举行_新闻中心_新浪网", "博览会拟推迟举行"},
		"dash":                 {"博览会拟推迟举行-中新网", "博览会拟推迟举行"},
		"spaced bar":           {"Expo may be put off for a year | Example Times", "Expo may be put off for a year"},
		"full-width bar":       {"博览会拟推迟举行｜某某日报", "博览会拟推迟举行"},
		"domain":               {"博览会拟推迟举行 - example.com", "博览会拟推迟举行"},
		"dash in the headline": {"北京-上海高铁今日开通", "北京-上海高铁今日开通"},
		"quotation after dash": {"专访——他说：明年一定举行", "专访——他说：明年一定举行"},
		"column before a bar":  {"深度关注 | 严查借快递送礼", "深度关注 | 严查借快递送礼"},
		"nothing left":         {"首页_新闻网", "首页_新闻网"},
		"long dash":            {"博览会拟推迟举行————头条——某某部门网站", "博览会拟推迟举行"},
		"english site":         {"博览會擬推遲一年舉行 - Example News Online", "博览會擬推遲一年舉行"},
		"keywords":             {"博览会拟推迟举行-博览会,推迟,门票,疫情,某某市,指导委员会,筹备工作-某某网", "博览会拟推迟举行"},
		"words after a space":  {"博览会拟推迟举行 - 门票, 疫情, 筹备", "博览会拟推迟举行"},
		"subtitle in english":  {"An expo of everything - what it is, and why it may be put off", "An expo of everything - what it is, and why it may be put off"},
		"no tail":              {"博览会拟推迟举行", "博览会拟推迟举行"},
		"empty":                {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := withoutSiteTail(tt.title); got != tt.want {
				t.Errorf("withoutSiteTail(%q) = %q, want %q", tt.title, got, tt.want)
			}
		})
	}
}

// TestTitleTail reads pages that show no heading: the tail is told from words of
// the headline by what else the page says.
func TestTitleTail(t *testing.T) {
	const headline = "博览会拟推迟一年举行"
	tests := map[string]struct{ title, head, line, want string }{
		"behind colons":           {headline + "::青岭在线", "", "", headline},
		"declared name":           {headline + " 青岭那些事儿", `<meta property="og:site_name" content="青岭那些事儿">`, "", headline},
		"declared headline":       {headline + "-青岭那些事儿", `<meta property="og:title" content="` + headline + `">`, "", headline},
		"name in the host":        {headline + " Example", "", "", headline},
		"line of the headline":    {headline + "-青岭那些事儿", "", headline, headline},
		"section and company":     {headline + "-公司新闻-青岭华瑞机械股份有限公司", "", headline, headline},
		"line of the whole title": {headline + "-何去何从", "", headline + "-何去何从", headline + "-何去何从"},
		"words of the text":       {"多国宣布参加大型博览会-委员会", "", "", "多国宣布参加大型博览会-委员会"},
		"a question":              {"博览会宣布推迟一年举行——市场怎么看", "", "", "博览会宣布推迟一年举行——市场怎么看"},
		"part of a series":        {"博览会推迟一年的幕后故事-上篇", "", "", "博览会推迟一年的幕后故事-上篇"},
		"a number":                {"我国空军今日正式列装战机歼-20", "", "", "我国空军今日正式列装战机歼-20"},
		"short before a dash":     {"中国-东盟", "", "", "中国-东盟"},
		"a fair of two":           {"中国-东盟博览会今日在南宁开幕", "", "", "中国-东盟博览会今日在南宁开幕"},
		"a column before a bar":   {"A股|收评：三大指数集体高开", "", "", "A股|收评：三大指数集体高开"},
		"published in a paper":    {"主办方署名文章今日刊于《青岭日报》", "", "", "主办方署名文章今日刊于《青岭日报》"},
		"words behind a space":    {"公安机关打击电信诈骗 织密防护网", "", "", "公安机关打击电信诈骗 织密防护网"},
		"a name with a dot":       {"今天我们在这里怀念史蒂夫·乔布斯先生", "", "", "今天我们在这里怀念史蒂夫·乔布斯先生"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			html := "<head><title>" + tt.title + "</title>" + tt.head + "</head><div>" + tt.line + "</div>" + paragraphs(para1, para2, para3)
			b, err := extract(t, html, "http://www.example.test/a.html")
			if err != nil {
				t.Fatal(err)
			}
			if b.Title != tt.want {
				t.Errorf("title %q, want %q", b.Title, tt.want)
			}
		})
	}
}
