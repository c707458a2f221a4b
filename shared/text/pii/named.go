package pii

import "strings"

// isOther says whether the label right before the number ends as names of numbers
// do, in 号 or 码, and is neither a phone's, an account's nor a person's: 会员号,
// 取件码, 中奖号码. No list holds all of them. Behind a comma the number is
// another thing's: 请先关注公众号，13800138000.
func (l label) isOther() bool {
	name := strings.TrimRight(l.name, "）)】]」”-—–－ ")
	stem, ok := cutAny(name, "号", "號", "码", "碼")
	if !ok || strings.ContainsAny(l.gap, "，,、") {
		return false
	}
	if owner, ok := cutAny(name, "号码", "號碼"); ok {
		return isName(owner) && !endsWithAny(owner, phoneWords, identityWords, personal, holders)
	}
	return isName(stem) && !endsWithAny(stem, phoneWords, identityWords, personal) && !endsWithAny(name, unnumbered)
}

// isName says whether 号 behind s may make a label of it: not behind a number,
// which is a house's or a day's then, and not behind nothing.
func isName(s string) bool {
	for _, digit := range [...]string{"一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "百", "千", "零", "〇"} {
		if strings.HasSuffix(s, digit) {
			return false
		}
	}
	g, _ := glyphBefore(s, len(s))
	return g == han || isLetter(g)
}

// personal are before 号, as words for phones and identity are, where the number
// is a phone's, a person's, or that of an account, which may be a phone's or a
// card's.
var personal = []string{
	"本机", "本機", "主叫", "被叫", "来电", "來電", "去电", "短信", "移动", "联通", "电信", "小灵通", "座机",
	"v信", "威信", "薇信", "vx", "wx", "v", "line", "telegram", "抖音", "快手", "小红书", "客服", "咨询", "支付宝", "支付寶", "陌陌", "钉钉", "飞书",
	"账", "帐", "帳", "卡", "账户", "帐户", "帳戶", "賬戶", "卡片",
	"社保", "医保", "社会保障", "社會保障", "公民身份", "居民身份", "驾驶证", "驾照", "居住证", "回乡证",
}

// holders are before 号码 where it is a phone's.
var holders = []string{
	"的", "个", "個", "这", "這", "该", "該", "此", "其", "同", "新", "旧", "舊", "老", "原", "下", "以下", "如下", "上述", "私人", "个人", "備用", "备用",
	"人", "客户", "客戶", "用户", "用戶", "机主", "機主", "经理", "先生", "女士", "小姐", "老师", "老師", "主任", "师傅", "医生", "律师", "校长", "队长", "站长", "家长", "老板", "司机", "车主", "业主", "房东", "快递员", "业务员", "管理员", "中介", "朋友", "妈妈", "爸爸", "父亲", "母亲", "儿子", "女儿",
	"服务", "服務", "諮詢", "查询", "查詢", "报警", "求助", "投诉", "举报", "紧急", "緊急", "预约", "办公", "办公室", "值班", "值班室", "家庭", "家里", "单位", "公司",
}

// unnumbered end in 号 or 码 and are no labels, or one of a second phone's.
var unnumbered = []string{
	"数码", "數碼", "扫码", "掃碼", "起码", "起碼", "挂号", "掛號", "拨号", "撥號", "报号", "字号", "字號", "信号", "信號", "同号", "同號",
	"小号", "大号", "新号", "旧号", "老号", "原号", "副号", "靓号", "私号",
}
