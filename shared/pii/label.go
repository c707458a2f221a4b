package pii

import "strings"

// before returns what is before start in its line, at most window bytes.
func (f *finder) before(start int) string {
	s := f.text[max(f.last, start-window):start]
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// behind returns what is behind end in its line, at most window bytes.
func (f *finder) behind(end int) string {
	s := f.text[end:min(len(f.text), end+window)]
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	return s
}

// The labels of numbers that are nobody's, at the end of which a 码 may follow.
var impersonal = []string{
	"订单", "訂單", "订单号", "訂單號", "单号", "單號", "流水号", "流水號", "序列号", "序列號", "序号", "序號",
	"编号", "編號", "编码", "編碼", "货号", "貨號", "批号", "批號", "型号", "型號", "文号", "文號", "案号", "案號",
	"条码", "條碼", "条形码", "條形碼", "二维码", "代码", "代碼", "识别码", "識別碼", "识别号", "識別號", "税号", "稅號",
	"备案", "備案", "备案号", "備案號", "安备", "安備", "ICP备", "许可证", "許可證", "许可证号", "許可證號", "准字", "执照", "執照",
	"发票", "發票", "发票号", "發票號", "合同号", "合同號", "专利号", "專利號", "申请号", "登记号", "登記號", "注册号", "註冊號",
	"证书号", "證書號", "注册证号", "准考证号", "考号", "学号", "學號", "工号", "工號", "房号", "保单号", "车架号", "设备号", "時間戳", "时间戳",
	"金额", "金額", "总额", "總額", "合计", "合計", "共计", "共計",
	"ISBN", "ISSN", "IMEI", "MEID", "IMSI", "ICCID", "EAN", "UPC", "UUID", "UID", "SN", "S/N",
	"order no", "order number", "order id", "tracking", "tracking no", "tracking number", "serial", "serial number", "timestamp",
}

// phoneless are further labels of numbers that only look like a phone's.
var phoneless = []string{"QQ", "QQ号", "QQ號", "QQ群", "群", "群号", "群號", "商品号", "卡号", "卡號"}

// vague labels are phoneless where no phone is mentioned.
var vague = []string{"ID", "ID号", "ID號", "No", "№", "number"}

// phoneWords stand near phone numbers, even of those that a unit seems to
// follow.
var phoneWords = []string{
	"电话", "電話", "手机", "手機", "行動", "微信", "致电", "致電", "拨打", "撥打", "联系", "聯繫", "聯絡", "热线", "熱線",
	"tel", "phone", "mobile", "call", "wechat", "whatsapp",
}

// identityWords stand near identity numbers.
var identityWords = []string{"身份", "身分", "证件", "證件", "居民证", "公民", "ID card", "identity"}

// cardWords stand near card numbers.
var cardWords = []string{"卡", "账号", "帐号", "帳號", "账户", "帳戶", "card", "visa"}

// labelled says whether one of the words is the last before a number, with no
// more than a colon, a verb or a bracket between them.
func labelled(before string, words ...[]string) bool {
	const between = " \t\u3000:：=（([【「“\"'＃#*，,、"
	before = strings.TrimRight(before, between)
	for _, verb := range [...]string{"为", "為", "是", "系"} {
		before = strings.TrimRight(strings.TrimSuffix(before, verb), between)
	}
	before = strings.TrimSuffix(before, ".")
	short := strings.TrimSuffix(strings.TrimSuffix(before, "码"), "碼")
	for _, list := range words {
		for _, word := range list {
			if endsWith(before, word) || endsWith(short, word) {
				return true
			}
		}
	}
	return false
}

// endsWith says whether s ends with the word, a Latin one in any case and as a
// word by itself: not behind a letter or a hyphen.
func endsWith(s, word string) bool {
	start := len(s) - len(word)
	if start < 0 || s[len(s)-1]|0x20 != word[len(word)-1]|0x20 || !strings.EqualFold(s[start:], word) {
		return false
	}
	return start == 0 || !isLatin(word[0]) || !isLatin(s[start-1]) && s[start-1] != '-'
}

// mentions says whether one of the words is in s, Latin ones in any case and
// as words by themselves.
func mentions(s string, words []string) bool {
	for _, word := range words {
		if !isLatin(word[0]) {
			if strings.Contains(s, word) {
				return true
			}
			continue
		}
		for end := len(word); end <= len(s); end++ {
			if endsWith(s[:end], word) && (end == len(s) || !isLatin(s[end])) {
				return true
			}
		}
	}
	return false
}

// isAmount says whether the number at text[start:end] counts money or goods.
func (f *finder) isAmount(start, end int) bool {
	before := strings.TrimRight(f.before(start), " ")
	for _, sign := range [...]string{"¥", "￥", "€", "£", "₩", "$", "＄", "RMB", "CNY", "USD", "HKD"} {
		if strings.HasSuffix(before, sign) {
			return true
		}
	}
	return startsWith(strings.TrimLeft(f.behind(end), " "),
		"元", "圆", "圓", "万", "萬", "亿", "億", "美元", "美金", "欧元", "歐元", "港元", "港币", "港幣", "日元", "日圓", "韩元", "英镑",
		"卢布", "卢比", "人民币", "股", "吨", "噸", "公斤", "千克", "千瓦", "立方", "平方", "桶", "字节", "yuan", "rmb", "usd", "dollars", "bytes",
	) && !mentions(before, phoneWords)
}

// startsWith says whether s starts with one of the words, in any case.
func startsWith(s string, words ...string) bool {
	for _, word := range words {
		if len(word) <= len(s) && strings.EqualFold(s[:len(word)], word) {
			return true
		}
	}
	return false
}
