package demo

import (
	"net/url"
	"strings"
	"time"
)

// site is one host of the web.
type site struct {
	host    string
	name    string
	hant    string // name in traditional characters
	motto   string
	seed    bool
	charset string // as declared; gb2312 is really GB18030, as so often
	silent  bool   // only <meta> declares the charset, the header does not
	classic bool   // tables and font tags instead of the newer layout
	address string // pattern of an article's path, see article.path
	date    func(time.Time) string

	sections []*section
	disallow []string // path prefixes
	delay    string   // Crawl-delay in seconds
	feed     bool     // RSS at /rss.xml, sitemap at /sitemap.xml

	// Filled in by build.
	views    *views
	articles []*article
	extra    []block // of the home page, after the sections
	routes   map[string]func() response
	pages    int
	lazy     func(*url.URL) (response, bool) // pages that no route names
}

// section is one list of articles of a site.
type section struct {
	slug, title, desc, keys string
	subject                 string
	count                   int  // articles of the subject's stories
	bridges                 int  // its first articles are bridges
	hidden                  int  // of count, those which no list and no related link names
	topic                   bool // finance

	articles []*article
}

const (
	financeDesc = "汇集股市、银行、基金、债券与利率的最新消息，解读央行政策和上市公司动态。"
	financeKeys = "财经, 股市, 银行, 基金, 债券"
)

// sites returns the plan of the web: who publishes what, how much of it, and in
// which layout. A host has at most 25 finance articles, so that a polite crawl
// ends while one watches.
func sites() []*site {
	return []*site{
		{
			host: "www.chenbao." + Domain, name: "澜江晨报网", hant: "瀾江晨報網", motto: "每天清晨与你见面", seed: true,
			charset: "utf-8", address: "/{section}/{ymd}/{id}.html", date: isoHan,
			sections: []*section{
				{slug: "caijing", title: "财经要闻", desc: financeDesc, keys: financeKeys, subject: "finance", count: 14, topic: true},
				{slug: "bendi", title: "本地新闻", desc: "街道、公交、天气，身边的大事小事。", keys: "本地, 民生, 社区", subject: "local", count: 18},
				{slug: "wenhua", title: "文化副刊", desc: "展览、戏剧、老手艺与书店。", keys: "文化, 展览, 戏剧", subject: "culture", count: 16},
			},
		},
		{
			host: "www.caijing." + Domain, name: "望川财经", hant: "望川財經", motto: "看清每一笔账", seed: true,
			charset: "utf-8", address: "/a/{ymd}/{id}.shtml", date: isoTime, feed: true, disallow: []string{"/neibu/"},
			sections: []*section{
				{slug: "gushi", title: "股市银行要闻", desc: financeDesc, keys: financeKeys, subject: "finance", count: 22, topic: true},
				{slug: "shenghuo", title: "食在人间", desc: "老店、家常菜与菜市场。", keys: "美食, 菜谱, 老店", subject: "food", count: 12},
				{slug: "jiankang", title: "健康周刊", desc: "门诊、锻炼与饮食。", keys: "健康, 门诊, 营养", subject: "health", count: 10},
			},
		},
		{
			host: "ribao." + Domain, name: "青岭日报", hant: "青嶺日報", motto: "山城的记录者", seed: true,
			charset: "gb2312", silent: true, classic: true, address: "/{y-m}/{d}/content_{id}.htm", date: dayHan,
			sections: []*section{
				{slug: "jinrong", title: "金融财经", desc: financeDesc, keys: financeKeys, subject: "finance", count: 12, topic: true},
				{slug: "shehui", title: "社会新闻", desc: "街谈巷议，百姓生活。", keys: "社会, 民生", subject: "local", count: 14},
				{slug: "xuetang", title: "学堂内外", desc: "校园里的人和事。", keys: "教育, 校园", subject: "education", count: 10},
			},
		},
		{
			host: "www.haidao." + Domain, name: "海岛新闻网", hant: "海島新聞網", motto: "島上的每一天",
			charset: "big5", classic: true, address: "/news.php?id={id}", date: slashes, delay: "0.5",
			sections: []*section{
				{slug: "caijing", title: "財經要聞", desc: "股市、銀行、基金與利率的每日焦點。", keys: "財經, 股市, 銀行, 基金", subject: "finance-hant", count: 8, topic: true},
				{slug: "shenghuo", title: "島嶼生活", desc: "節慶、小吃、步道與老戲院。", keys: "生活, 節慶, 小吃", subject: "life-hant", count: 24},
			},
		},
		{
			host: "tiyu." + Domain, name: "体坛半周", hant: "體壇半週", motto: "看台上的第一排",
			charset: "utf-8", address: "/n/{id}/", date: isoTime,
			sections: []*section{
				{slug: "saichang", title: "赛场内外", desc: "联赛、田径、马拉松与社区比赛。", keys: "体育, 联赛, 马拉松", subject: "sports", count: 28, bridges: 2},
				{slug: "chanye", title: "产业财经", desc: "体育产业背后的银行、基金与上市公司。", keys: "产业, 银行, 基金, 上市公司", subject: "finance", count: 3, hidden: 2, topic: true},
			},
		},
		{
			host: "jiaoyu." + Domain, name: "学堂在线报", hant: "學堂線上報", motto: "陪孩子慢慢长大",
			charset: "utf-8", silent: true, address: "/html/{y}/{md}/{id}.html", date: numerals,
			sections: []*section{
				{slug: "xiaoyuan", title: "校园故事", desc: "课堂、阅读、社团与招生。", keys: "教育, 课堂, 阅读", subject: "education", count: 24, bridges: 2},
				{slug: "licai", title: "家庭财经", desc: "写给家长的银行、基金和利率常识。", keys: "财经, 银行, 基金, 利率", subject: "finance", count: 3, hidden: 2, topic: true},
			},
		},
		{
			host: "lvyou." + Domain, name: "慢行旅游网", hant: "慢行旅遊網", motto: "走得慢，看得多",
			charset: "utf-8", address: "/youji/{id}", date: isoHan,
			sections: []*section{
				{slug: "luxian", title: "路线与风景", desc: "慢行路线、民宿与骑行。", keys: "旅行, 路线, 民宿", subject: "travel", count: 28, bridges: 2},
				{slug: "chihe", title: "一路吃喝", desc: "路上的小店和味道。", keys: "美食, 小吃", subject: "food", count: 14},
				{slug: "caijing", title: "旅业财经", desc: "旅游业的股票、债券与银行贷款消息。", keys: "股票, 债券, 银行", subject: "finance", count: 3, hidden: 2, topic: true},
			},
		},
		{
			host: "keji." + Domain, name: "松岫科技评论", hant: "松岫科技評論", motto: "把复杂的事讲明白",
			charset: "utf-8", address: "/{section}/t{ymd}_{id}.htm", date: isoTime,
			sections: []*section{
				{slug: "chuangxin", title: "创新现场", desc: "实验室、开源与日用技术。", keys: "科技, 开源, 研发", subject: "technology", count: 28},
				{slug: "yiyao", title: "医学前沿", desc: "门诊与研究里的新发现。", keys: "医学, 健康", subject: "health", count: 14},
				{slug: "jinrong", title: "数字金融", desc: "银行、证券与基金行业的技术和经营消息。", keys: "金融, 银行, 证券, 基金", subject: "finance", count: 6, topic: true},
			},
		},
		{
			host: hazardHost, name: "财经服务专题", hant: "財經服務專題", motto: "日历、沙龙与资料下载",
			charset: "utf-8", date: isoTime, disallow: []string{"/neibu/"},
		},
	}
}

// The forms in which the sites print a date.

func isoHan(t time.Time) string  { return t.Format("2006年01月02日 15:04") }
func isoTime(t time.Time) string { return t.Format("2006-01-02 15:04:05") }
func dayHan(t time.Time) string  { return t.Format("1月2日") }
func slashes(t time.Time) string { return t.Format("2006/01/02 15:04") }

// numerals writes 二〇二四年三月三十日.
func numerals(t time.Time) string {
	year := strings.NewReplacer("0", "〇", "1", "一", "2", "二", "3", "三", "4", "四",
		"5", "五", "6", "六", "7", "七", "8", "八", "9", "九").Replace(t.Format("2006"))
	return year + "年" + numeral(int(t.Month())) + "月" + numeral(t.Day()) + "日"
}

// numeral writes 1 to 99.
func numeral(n int) string {
	digits := []string{"", "一", "二", "三", "四", "五", "六", "七", "八", "九"}
	tens := ""
	switch n / 10 {
	case 0:
	case 1:
		tens = "十"
	default:
		tens = digits[n/10] + "十"
	}
	return tens + digits[n%10]
}
