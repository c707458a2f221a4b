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

// impersonal are labels of numbers that are not a person's.
var impersonal = []string{
	"订单", "訂單", "订单号", "訂單號", "单号", "單號", "流水号", "流水號", "序列号", "序列號", "编号", "編號", "编码", "編碼", "代码", "代碼", "条码", "條碼", "条形码",
	"批号", "型号", "文号", "案号", "票号", "备案号", "许可证号", "发票号", "合同号", "验证码", "驗證碼", "公网安备", "公網安備", "ICP备",
	"ISBN", "ISSN", "IMEI", "UUID", "UID", "SN", "order no", "order number", "tracking number", "serial number", "timestamp",
}

// phoneless are labels of numbers that only look like a phone's.
var phoneless = []string{"QQ", "QQ号", "QQ號", "QQ群", "群", "群号", "群號"}

// phoneWords occur near phone numbers, even those that a unit seems to follow.
var phoneWords = []string{
	"电话", "電話", "手机", "手機", "微信", "致电", "致電", "拨打", "撥打", "联系", "聯繫", "聯絡", "热线", "熱線", "tel", "phone", "mobile", "call",
}

// labelOf returns what is before a number in its line, up to the word next to
// the number: without colons, verbs and brackets.
func labelOf(before string) string {
	const between = " \t\u3000:：=（([【「“\"'＃#*"
	name := strings.TrimRight(before, between)
	for _, verb := range [...]string{"为", "為", "是"} {
		if short, ok := strings.CutSuffix(name, verb); ok {
			name = strings.TrimRight(short, between)
		}
	}
	return strings.TrimSuffix(name, ".")
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

// endsWith reports whether s ends with the word. A Latin word matches in any
// case and only as a whole word: not after a letter or a hyphen.
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
