package quality

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

const article = `本报讯（记者 林然）昨日，市图书馆新馆正式向读者开放。新馆位于河东区，建筑面积三万平方米，藏书一百二十万册，是旧馆的四倍。
馆长周敏介绍说，新馆从设计到建成用了五年时间，其中最难的是恒温书库：“纸张怕潮，也怕干，我们为此请教了许多专家。”
开馆第一天，共有八千多名读者入馆。家住附近的退休教师陈先生一早就来排队，他告诉记者，过去借一本书要坐四十分钟的公交车，现在走路就能到。
据了解，新馆每周二至周日开放，读者凭身份证即可办理借书证。儿童阅览区设在一层，并且配有专门的讲故事房间。
`

const traditionalArticle = `氣象局昨日表示，受冷氣團影響，本週北部地區的氣溫將明顯下降，最低溫可能只有九度，請民眾注意保暖，並留意家中長輩的身體狀況。
預報員說，這一波冷空氣來得快，去得也快，預計星期四以後氣溫就會逐漸回升。不過山區仍有可能出現霜凍，農民應該及早做好防寒的準備。
`

const shortArticle = `新华路昨晚发生一起两车相撞事故，所幸没有人员受伤。事故原因正在调查之中。`

const englishArticle = `The city opened its new library on Tuesday, after five years of work and a long debate about what it would cost. It holds more than a million books, and it is four times the size of the old one.
"We asked the people who use it what they wanted," said the director, who has been with the library since it was founded. "Most of them wanted light, and a place where their children can read."
`

// kept are texts that the default rules of their language pass.
var kept = []struct{ name, language, text string }{
	{"news", "zh", article},
	{"short news", "zh", shortArticle},
	{"traditional", "zh-TW", traditionalArticle},
	{"one paragraph with its author at the end", "zh", strings.ReplaceAll(article, "\n", "") + "（完）"},
	{"an interview", "zh", `问：您为什么选择回到家乡？
答：其实没有什么特别的理由，就是觉得这里的生活更适合我，家人也都在这边。
问：最困难的时候是怎么过来的？
答：那时候每天只睡三个小时，但是大家都没有放弃，我们互相鼓励，慢慢地就走出来了。
问：接下来有什么打算？
答：先把手上的事情做好，然后再考虑扩大规模，毕竟质量才是最重要的。`},
	{"figures", "zh", `统计局今天公布的数据显示，上半年全市生产总值为4512.6亿元，同比增长6.3%；其中第一产业增加值212.4亿元，增长3.1%，第二产业增加值1830.7亿元，增长5.8%，第三产业增加值2469.5亿元，增长7.0%。居民消费价格同比上涨2.1%，涨幅比上年同期扩大了0.4个百分点。`},
	{"a how-to with commands", "zh", `如果你的系统里还没有这个软件，可以先用包管理器来安装它，过程很简单：
sudo apt install htop
安装好了以后，在终端中输入它的名字就会看到一个列表，其中每一行是一个进程，按 F6 可以选择排序的方式。
htop -d 10
上面的命令会让它每秒刷新一次。如果想要退出，按 q 键即可，所有的设置都会保存下来。`},
	{"English", "en", englishArticle},
	{"German", "de", `Die Stadt hat am Dienstag ihre neue Bibliothek eröffnet, nach fünf Jahren Arbeit und einer langen Debatte darüber, was sie kosten darf. Sie hat mehr als eine Million Bücher und ist viermal so groß wie die alte.`},
	{"Thai, which ends no sentences", "th", strings.Repeat("หอสมุดแห่งใหม่เปิดให้บริการแล้ววันนี้ ", 3) + "มีหนังสือมากกว่าหนึ่งล้านเล่ม และมีที่นั่งอ่านสำหรับเด็กบนชั้นหนึ่งของอาคาร"},
	{"Swahili, which is not told", "sw", `Maktaba mpya ya mji ilifunguliwa jana baada ya kazi ya miaka mitano. Ina vitabu zaidi ya milioni moja, na ni kubwa mara nne kuliko ile ya zamani. Wasomaji wengi walifika siku ya kwanza.`},
}

// junk are texts that are not prose, each with a rule that it breaks.
func junk() []struct{ name, language, text, rule string } {
	random := rand.New(rand.NewPCG(5, 6))
	pick := func(from string) string {
		words := strings.Fields(from)
		return words[random.IntN(len(words))]
	}
	many := func(n int, separator string, one func() string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = one()
		}
		return strings.Join(all, separator)
	}
	const (
		titles = "市长视察新建地铁工地 女排三比零战胜日本队 多地房价连续三月下跌 新款手机今晚发布(图) 专家：流感高峰已过 台风今夜登陆东南沿海 高考分数线公布 股市收盘大涨百点 小学生作文感动网友 春运火车票明日开售"
		wares  = "新款 女装 连衣裙 夏季 韩版 修身 显瘦 雪纺 长裙 包邮 正品 特价 时尚 碎花 短袖 大码 潮流 品牌 折扣 爆款 批发 代理 加盟 图片"
		menu   = "首页 新闻 财经 体育 娱乐 科技 汽车 房产 教育 健康 旅游 论坛 博客 视频 图片 专题 更多>> 登录 注册 联系我们"
		latin  = "lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor incididunt ut labore et dolore magna aliqua enim minim veniam quis nostrud"
		slogan = "点击下载，立即领取红包！ 全场五折，限时抢购，欢迎选购。"
	)
	hanzi := func() string { return string(rune(0x4E00 + random.IntN(0x9FA5-0x4E00))) }
	rare := []rune("挨蔼芭拌褒碑笨毖弊鞭彪憋滨秉菠泊惭糙岑茬阐猖巢掣忱逞弛")
	everyday := func() string { return string(rare[random.IntN(len(rare))]) }
	letters := func() string {
		return many(2+random.IntN(9), "", func() string { return string(rune('a' + random.IntN(26))) })
	}
	amount := func() string { return fmt.Sprintf("%.2f", random.Float64()*9999) }
	return []struct{ name, language, text, rule string }{
		{"next to nothing", "zh", "更多内容", "quality_short_text"},
		{"list of titles", "zh", many(30, "\n", func() string { return pick(titles) }), "quality_sentences"},
		{"list of titles in a line", "zh", many(30, " ", func() string { return pick(titles) }), "quality_sentences"},
		{"navigation", "zh", many(60, " ", func() string { return pick(menu) }), "quality_sentences"},
		{"keywords", "zh", many(100, " ", func() string { return pick(wares) }), "quality_stop_words"},
		{"keywords with commas", "zh", many(100, "，", func() string { return pick(wares) }), "quality_stop_words"},
		{"random characters", "zh", many(20, "。", func() string { return many(20, "", hanzi) }), "quality_stop_words"},
		{"slogans in lines", "zh", many(30, "\n", func() string { return pick(slogan) }), "quality_duplicate_sentences"},
		{"slogans without lines", "zh", many(30, "", func() string { return pick(slogan) }), "quality_duplicate_sentences"},
		{"slogans without punctuation", "zh", strings.Repeat("不忘初心牢记使命砥砺前行", 40), "quality_repeated_10gram"},
		{"one character", "zh", strings.Repeat("的", 500), "quality_repeated_10gram"},
		{"one letter", "en", strings.Repeat("a", 500), "quality_stop_words"},
		{"exclamation marks", "zh", strings.Repeat("！", 500), "quality_han"},
		{"an article three times", "zh", strings.Repeat(article, 3), "quality_duplicate_sentences"},
		{"a table of numbers", "zh", many(20, "\n", func() string { return many(6, "\t", amount) }), "quality_digits"},
		{"a table of shares", "zh", many(20, "\n", func() string { return pick(wares) + "股份\t" + many(4, "\t", amount) }), "quality_digits"},
		{"symbols", "zh", many(200, "", func() string { return pick("★ ☆ ● ◆ 爱 你 我 们 → ♥") }), "quality_symbols"},
		{"addresses", "zh", many(20, "\n", func() string { return pick(titles) + " http://www.example.com/news/" + amount() + ".html" }), "quality_sentences"},
		{"teasers", "zh", many(20, "\n", func() string { return pick(titles) + "，" + many(9, "", hanzi) + "的……" }), "quality_ellipsis_lines"},
		{"read in the wrong charset", "zh", "\u951f\u65a4\u62f7\ufffd\ufffd" + strings.Repeat("\u951f\u65a4\u62f7", 30), "quality_garbled"},
		{"UTF-8 read as Latin 1", "zh", strings.Repeat("Ã¤Â¸\u00adÃ¥\u009bÂ½", 30), "quality_han"},
		{"English for a Chinese topic", "zh", strings.Repeat(englishArticle, 2), "quality_han"},
		{"a script", "zh", many(20, "\n", func() string {
			return "var " + letters() + " = function(e) { return e[" + letters() + "].value; }; // 返回值"
		}), "quality_code"},
		{"a style sheet", "en", many(20, "\n", func() string { return "." + letters() + " { margin: 0 auto; color: #" + letters() + "; }" }), "quality_code"},
		{"lorem ipsum", "en", many(9, " ", func() string { return many(12, " ", func() string { return pick(latin) }) + "." }), "quality_stop_words"},
		{"random letters", "en", many(9, " ", func() string { return many(12, " ", letters) + "." }), "quality_stop_words"},
		{"an encoded file", "en", many(30, "\n", func() string { return many(9, "", letters) }), "quality_stop_words"},
		{"random characters of everyday use", "zh", many(20, "。", func() string { return many(20, "", everyday) }), "quality_common_han"},
		{"a column of words", "zh", many(40, "\n", func() string { return pick(menu) }), "quality_short_lines"},
	}
}
