package body

import (
	"strings"
	"testing"
)

func TestEnglishByline(t *testing.T) {
	tests := map[string]struct{ line, want string }{
		"name":                     {"By Jane Doe", "Jane Doe"},
		"capitals":                 {"BY JANE DOE", "JANE DOE"},
		"colon":                    {"By: Jane Doe", "Jane Doe"},
		"written":                  {"Written by Jane Doe", "Jane Doe"},
		"initials":                 {"By J.K. O'Neill-Smith", "J.K. O'Neill-Smith"},
		"particles":                {"By Ursula van der Berg", "Ursula van der Berg"},
		"accents":                  {"By José Ñíguez", "José Ñíguez"},
		"role":                     {"By Jane Doe, Economics Correspondent", "Jane Doe"},
		"role in small letters":    {"By Jane Doe, senior staff writer", "Jane Doe"},
		"medium":                   {"By Jane Doe for The Herald", "Jane Doe"},
		"place":                    {"By Jane Doe in New York", "Jane Doe"},
		"two":                      {"By Jane Doe and John Smith", "Jane Doe"},
		"three":                    {"By Jane Doe, John Smith and Ann Lee", "Jane Doe"},
		"dot and date":             {"By Jane Doe · March 15, 2024", "Jane Doe"},
		"date, no separator":       {"By Jane Doe March 15, 2024", "Jane Doe"},
		"published on":             {"By Jane Doe Published on Friday, March 15, 2024 8:32 am", "Jane Doe"},
		"date first":               {"Posted on March 15, 2024 by Jane Doe", "Jane Doe"},
		"bar":                      {"By Jane Doe | The Evening Herald", "Jane Doe"},
		"one word and a date":      {"By Reuters - March 15, 2024", "Reuters"},
		"one word":                 {"By Train", ""},
		"sentence":                 {"By the end of the year the bank will have cut its rates.", ""},
		"sentence with names":      {"By Jane Doe, who has been the governor of the bank since May.", ""},
		"sentence of few words":    {"By Monday Prices fell.", ""},
		"capitalised phrase":       {"By The Numbers", ""},
		"long capitalised heading": {"By Way Of Explanation Of Rates", ""},
		"date alone":               {"By March 15, 2024", ""},
		"verb":                     {"By Jane Doe says", ""},
		"too long":                 {"By Jane Doe | The board of the fair said that the expo could be put off for another year", ""},
		"chinese":                  {"By 张三", ""},
		"nothing":                  {"By ", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := englishByline(tt.line); got != tt.want {
				t.Errorf("englishByline(%q) = %q, want %q", tt.line, got, tt.want)
			}
		})
	}
}

func TestBylineOnThePage(t *testing.T) {
	tests := map[string]struct{ line, author, source string }{
		"linked name":           {`<p>By <a rel="author" href="/jane">Jane Doe</a> · March 30, 2020</p>`, "Jane Doe", ""},
		"linked name alone":     {`<p>By <a href="/jane">Jane Doe</a></p><p>March 30, 2020</p>`, "Jane Doe", ""},
		"heading":               {`<h2>By Jane Doe</h2>`, "", ""},
		"advertiser":            {`<p>by Jane Doe</p>`, "", ""},
		"behind the text":       {paragraphs(para1, para2) + `<p>By Jane Doe</p>`, "", ""},
		"reprinted from":        {`<p>03-30 10:21</p><p>转载自：青岭日报</p>`, "", "青岭日报"},
		"linked source":         {`<p>来源：<a href="/">青岭日报社网站</a></p>`, "", "青岭日报社网站"},
		"named, but a sentence": {`<div><span class="source">本文转自网络，版权归原作者。</span></div>`, "", ""},
		"named, but a date":     {`<div><span class="source">2020-03-30</span></div>`, "", ""},
		"named, behind a text":  {paragraphs(para1) + `<p><span class="source">青岭日报</span></p>`, "", ""},
		"label over element":    {`<div>来源：青岭晚报 <span class="source">青岭日报</span></div>`, "", "青岭晚报"},
		"beside the date":       {`<div>2020-03-30 10:21　青岭日报 评论(0)</div>`, "", "青岭日报"},
		"before the date":       {`<p><a href="/">青岭时报</a> <span>2020年03月30日 10:21:05</span> 来自北京</p>`, "", "青岭时报"},
		"comes from":            {`<p>本文来源于青岭通讯社 2020-03-30 10:21</p>`, "", "青岭通讯社"},
		"a section beside it":   {`<p>2020-03-30 10:21 公司新聞</p>`, "", ""},
		"a word beside it":      {`<p>2020-03-30 10:21 天气预报</p>`, "", ""},
		"no medium beside it":   {`<p>2020-03-30 10:21 东湖社区服务中心</p>`, "", ""},
		"an address":            {`<p>出处：http://www.example.test/a.html</p>`, "", ""},
		"author after a source": {`<p><span>来源：</span><a>青岭网</a><span>作者：</span>王小明</p>`, "王小明", "青岭网"},
		"reporter of our paper": {`<p>本报 记者 王小明</p>`, "王小明", ""},
		"source in brackets":    {paragraphs(para1, "（来源：青岭日报客户端）"), "", "青岭日报客户端"},
		"author, a reporter":    {`<p>来源：青岭日报　作者：记者 王小明 通讯员 李红</p>`, "王小明", "青岭日报"},
		"a reporter's question": {paragraphs("记者：今年早稻育秧和往年有什么不同？", "陈立新：气温回升快，起伏大。"), "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, newsPage("博览会拟推迟一年举行", tt.line, paragraphs(para1, para2, para3)), "http://www.example.test/a.html")
			if err != nil {
				t.Fatal(err)
			}
			if b.Author != tt.author || b.Source != tt.source {
				t.Errorf("author %q, source %q; want %q, %q", b.Author, b.Source, tt.author, tt.source)
			}
		})
	}
}

// TestDatesOfPosts holds that the dates of the posts of a thread are no text, the times
// of a chronicle are.
func TestDatesOfPosts(t *testing.T) {
	for line, want := range map[string]string{
		"发表于 2020-6-8 15:01:10":      "",
		"最后编辑于 ：2020.06.08 15:01:10": "",
		"2020年6月8日 15:01":            "2020年6月8日 15:01\n",
	} {
		b, err := extract(t, newsPage("跨河大桥", "", paragraphs(para1, line, para2)), "http://www.example.test/a.html")
		if err != nil || b.Text != para1+"\n"+want+para2 {
			t.Errorf("%s: error %v, text:\n%s", line, err, b.Text)
		}
	}
}

// A line of date, source and clicks is no part of the text, with 283 clicks and with 1,283.
func TestDateLineWithClicks(t *testing.T) {
	for _, line := range []string{
		"发布时间：2020-03-30 08:21　来源：青岭日报　点击数：283次",
		"发布时间：2020-03-30 08:21　来源：青岭日报　点击数：1,283次　字体：【大 中 小】",
		"http://www.example.org 2020-03-30　来源：青岭日报　点击：283",
	} {
		b, err := extract(t, newsPage("跨河大桥", "", paragraphs(line, para1, para2)), "http://www.example.test/a.html")
		if want := para1 + "\n" + para2; err != nil || b.Text != want || !strings.HasPrefix(b.PublishedText, "2020-03-30") {
			t.Errorf("%s: error %v, %q, text:\n%s", line, err, b.PublishedText, b.Text)
		}
	}
}
