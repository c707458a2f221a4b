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
	"条码", "條碼", "条形码", "條形碼", "二维码", "防伪码", "激活码", "兑换码", "追溯码", "验证码", "驗證碼", "代码", "代碼", "识别码", "識別碼", "识别号", "識別號", "税号", "稅號",
	"备案", "備案", "备案号", "備案號", "安备", "安備", "ICP备", "许可证", "許可證", "许可证号", "許可證號", "准字", "执照", "執照",
	"发票", "發票", "发票号", "發票號", "合同号", "合同號", "专利号", "專利號", "申请号", "登记号", "登記號", "注册号", "註冊號",
	"证书号", "證書號", "注册证号", "公告号", "受理号", "档案号", "檔案號", "户号", "戶號", "车牌号", "刊号", "准考证号", "考号", "学号", "學號", "工号", "工號", "房号", "保单号", "车架号", "设备号", "時間戳", "时间戳",
	"合计", "合計", "共计", "共計",
	"流水", "密钥", "密鑰", "直播间", "直播間", "房间", "房間", "彩票", "车次", "車次",
	"凭证", "憑證", "票据", "票據", "保单", "保單", "运单", "運單", "工单", "工單", "批次", "回执", "回執",
	"ISBN", "ISSN", "IMEI", "MEID", "IMSI", "ICCID", "EAN", "UPC", "UUID", "UID", "SN", "S/N",
	"order no", "order number", "order id", "tracking", "tracking no", "tracking number", "serial", "serial number", "timestamp",
	"invoice", "voucher", "ticket", "reference", "ref", "barcode", "code", "SKU", "PID", "AppID", "DOI",
}

// phoneless are further labels of numbers that only look like a phone's.
var phoneless = []string{"QQ", "QQ号", "QQ號", "QQ群", "群", "群号", "群號", "商品号", "卡号", "卡號"}

// vague labels are phoneless where no phone is mentioned.
var vague = []string{"ID", "ID号", "ID號", "No", "№", "number"}

// phoneWords stand near phone numbers, even of those that a unit seems to
// follow.
var phoneWords = []string{
	"电话", "電話", "手机", "手機", "行動", "微信", "致电", "致電", "拨打", "撥打", "联系", "聯繫", "聯絡", "热线", "熱線",
	"联系方式", "聯繫方式", "聯絡方式", "tel", "phone", "mobile", "call", "wechat", "whatsapp",
}

// identityWords stand near identity numbers.
var identityWords = []string{"身份", "身分", "证件", "證件", "居民证", "公民", "ID card", "identity"}

// cardWords stand near card numbers.
var cardWords = []string{"卡", "账号", "帐号", "帳號", "账户", "帳戶", "card", "visa"}

// label is what is before a number in its line: name ends with the word next to
// the number, gap holds no more than colons, verbs and brackets between them.
type label struct{ name, gap string }

func labelOf(before string) label {
	const between = " \t\u3000:：=（([【「“\"'＃#*，,、"
	name := strings.TrimRight(before, between)
	for _, verb := range [...]string{"为", "為", "是", "系"} {
		if short, ok := strings.CutSuffix(name, verb); ok {
			name = strings.TrimRight(short, between)
		}
	}
	name = strings.TrimSuffix(name, ".")
	return label{name, before[len(name):]}
}

// is says whether one of the words is the last before the number.
func (l label) is(words ...[]string) bool {
	if endsWithAny(l.name, words...) {
		return true
	}
	short, ok := cutAny(l.name, "码", "碼")
	return ok && endsWithAny(short, words...)
}

// cutAny returns s without the first of the words that it ends with.
func cutAny(s string, words ...string) (stem string, found bool) {
	for _, word := range words {
		if stem, found = strings.CutSuffix(s, word); found {
			return stem, true
		}
	}
	return s, false
}

// endsWithAny says whether endsWith holds for one of the words.
func endsWithAny(s string, words ...[]string) bool {
	if s == "" {
		return false
	}
	last := s[len(s)-1] | 0x20
	for _, list := range words {
		for _, word := range list {
			if word[len(word)-1]|0x20 == last && endsWith(s, word) {
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

// startsWith says whether s starts with one of the words, in any case.
func startsWith(s string, words ...string) bool {
	for _, word := range words {
		if len(word) > len(s) || s[0]|0x20 != word[0]|0x20 {
			continue
		}
		if strings.EqualFold(s[:len(word)], word) {
			return true
		}
	}
	return false
}

// startsWithWord says whether s starts with one of the Latin words, in any case
// and as a word by itself.
func startsWithWord(s string, words []string) bool {
	for _, word := range words {
		if startsWith(s, word) {
			if g, _ := glyphAt(s, len(word)); !isWordly(g) {
				return true
			}
		}
	}
	return false
}
