package pii

import "strings"

// counted are the labels of how many or how much there is of something: of
// readers, people, goods and money.
var counted = []string{
	"数", "數", "额", "額",
	"阅读", "閱讀", "浏览", "瀏覽", "播放", "点赞", "點讚", "粉丝", "粉絲", "人气", "人氣", "热度", "熱度",
	"阅读量", "閱讀量", "浏览量", "瀏覽量", "播放量", "点击量", "點擊量", "访问量", "訪問量", "观看量", "收看量", "曝光量", "展示量", "展现量",
	"搜索量", "下载量", "下載量", "安装量", "转发量", "轉發量", "评论量", "收藏量", "点赞量", "互动量", "关注量", "粉丝量", "订阅量",
	"人口", "面积", "面積", "体积", "體積", "长度", "距离", "里程", "重量", "总重", "年龄", "年齡",
	"数量", "數量", "总量", "總量", "存量", "储量", "容量", "流量", "库存", "库存量", "产量", "產量", "销量", "銷量", "销售量", "銷售量",
	"成交量", "交易量", "出货量", "发货量", "发行量", "发电量", "用电量", "用水量", "排放量", "保有量", "吞吐量", "货运量", "客运量", "客流量",
	"产值", "產值", "市值", "估值", "净值", "总价", "總價", "单价", "售价", "票房", "营收", "營收", "收入", "利润", "利潤", "资产", "資產",
	"负债", "資本", "资本", "预算", "GDP", "总值", "總值", "增加值", "规模", "規模",
	"views", "hits", "reads", "likes", "downloads", "followers", "population", "total", "count", "amount", "quantity", "pv", "uv",
}

// clicked are labels as well, but only with a colon: 点击13800138000拨打 is said
// of a phone.
var clicked = []string{
	"点击", "點擊", "转发", "轉發", "下载", "下載", "访问", "訪問", "观看", "觀看", "收藏", "围观", "圍觀", "成交",
}

// counting are words between a label and a count, each before those that it
// ends with.
var counting = []string{
	"超过", "超過", "达到", "達到", "高达", "高達", "突破", "累计", "累計", "总计", "總計", "共有", "已有",
	"约", "約", "近", "逾", "超", "达", "達", "已", "共", "有", "了", "至", "到", "仅", "僅",
}

// reaching are those of them that are said of amounts alone.
var reaching = []string{"超过", "超過", "达到", "達到", "高达", "高達", "已达", "已達", "将达", "將達", "突破", "累计", "累計", "总计", "總計"}

// isCount says whether the label says that the number counts something.
// A comma ends what is counted: 请告知姓名及人数，13800138000.
func (l label) isCount() bool {
	if strings.ContainsAny(l.gap, "，,、") {
		return false
	}
	return endsWithAny(trimCounting(l.name), counted) || strings.ContainsAny(l.gap, ":：") && endsWithAny(l.name, clicked)
}

// trimCounting returns s without the words at its end that are before a count.
func trimCounting(s string) string {
	for range 3 {
		n := len(s)
		for _, word := range counting {
			s = strings.TrimSuffix(s, word)
		}
		if len(s) == n {
			break
		}
	}
	return s
}

// Signs before amounts and units behind them.
var (
	currencies = []string{"¥", "￥", "€", "£", "₩", "$", "＄", "RMB", "CNY", "USD", "HKD"}

	moneyUnits = []string{
		"元", "圆", "圓", "万", "萬", "亿", "億", "美元", "美金", "欧元", "歐元", "港元", "港币", "港幣", "日元", "日圓", "韩元", "英镑",
		"卢布", "卢比", "人民币", "股", "吨", "噸", "公斤", "千克", "千瓦", "立方", "平方", "桶", "字节", "yuan", "rmb", "usd", "dollars", "bytes",
	}

	// clearUnits start no other word.
	clearUnits = []string{
		"人次", "人份", "人民幣", "户次", "台次", "架次", "车次", "班次", "辆", "輛", "艘", "枚", "亩", "畝", "公里", "公顷", "公頃", "英里", "海里",
		"千米", "厘米", "毫米", "微米", "纳米", "平米", "英亩", "光年", "年前", "年来", "小时", "分钟", "秒", "赫兹", "比特", "毫升", "公升",
		"people", "persons", "users", "views", "times", "copies", "units", "tons", "tonnes", "hits", "downloads", "likes", "km", "kg",
	}

	// measures are units only as words by themselves.
	measures = []string{"KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "Kbps", "Mbps", "kW", "MW", "kWh", "MWh", "Hz"}

	// shortUnits start other words, too: 人事部, 次日, 台州, 户籍, 件号.
	shortUnits = []string{
		"人", "次", "户", "戶", "台", "臺", "件", "个", "個", "名", "位", "家", "只", "隻", "头", "頭", "条", "條", "篇", "票", "字", "份",
		"册", "冊", "本", "部", "套", "架", "座", "栋", "棟", "间", "間", "颗", "顆", "粒", "株", "棵", "双", "雙", "对", "對", "箱", "瓶", "袋", "盒",
		"笔", "筆", "起", "例", "项", "項", "宗", "种", "種", "页", "頁", "步", "层", "層", "米", "克", "升", "度", "倍", "岁", "歲", "年", "天",
	}
)

// isAmount says whether the number at text[start:end] counts money or goods.
func (f *finder) isAmount(start, end int) bool {
	before := strings.TrimRight(f.before(start), " ")
	for _, sign := range currencies {
		if strings.HasSuffix(before, sign) {
			return true
		}
	}
	if endsWithAny(before, reaching) {
		return true
	}
	behind := strings.TrimLeft(f.behind(end), " ")
	if behind == "" {
		return false
	}
	return startsWith(behind, moneyUnits...) && !mentions(before, phoneWords) ||
		isCounted(before, behind) && !labelOf(before).isCalled()
}

// isCounted says whether a unit of what is counted is behind a number: one
// that starts no other word here, since no character of its script follows it
// or one that counts is before the number.
func isCounted(before, behind string) bool {
	if startsWith(behind, clearUnits...) || startsWithWord(behind, measures) {
		return true
	}
	_, size := glyphAt(behind, 0)
	if g, _ := glyphAt(behind, size); g == han && !endsWithAny(before, counting) {
		return false
	}
	return startsWith(behind, shortUnits...)
}

// isCalled says whether the label is a phone's. That one is
// only mentioned is not enough where something is counted: 手机用户达 … 户.
func (l label) isCalled() bool {
	name, _ := cutAny(l.name, "号码", "號碼", "号", "號")
	return endsWithAny(name, phoneWords)
}
