package body

import (
	"slices"
	"strings"
)

// contactLabels begin the lines of how to reach a site, and of who keeps it. An
// article may have such lines, of an event say, so they are no furniture; but
// they are no text by themselves.
var contactLabels = []string{
	"地址", "通讯地址", "联系地址", "办公地址", "单位地址", "公司地址", "本站地址", "地點", "聯絡地址", "通訊地址", "电话", "联系电话", "咨询电话", "服务电话", "服务热线", "热线电话",
	"新闻热线", "客服电话", "客服热线", "电话总机", "總機", "電話", "聯絡電話", "客服電話", "服務電話", "邮编", "邮政编码", "郵遞區號", "传真", "傳真", "电子邮箱", "邮箱", "信箱", "電子郵件",
	"联系邮箱", "联系方式", "联系我们", "主办", "主办单位", "主管", "主管单位", "主辦", "主辦單位", "承办", "承办单位", "承辦單位", "协办", "协办单位", "运营单位", "建设单位", "维护单位",
	"运行维护", "运维单位", "技术支持", "技术支撑", "技術支援", "网站标识码", "网站支持", "网站维护", "网站制作", "网站地址", "开办单位", "版权", "版权单位",
	"address", "add", "tel", "phone", "telephone", "fax", "email", "e-mail", "contact us", "powered by", "hosted by", "technical support",
}

// greetings begin the sentences by which a site greets its readers.
var greetings = []string{"欢迎来到", "欢迎您来到", "欢迎访问", "欢迎您访问", "欢迎光临", "欢迎您光临", "歡迎來到", "歡迎光臨", "您好，欢迎", "你好，欢迎", "您好！欢迎"}

const maxGreeting = 180 // bytes

// maxContactLabel is the length in bytes of the longest of them.
const maxContactLabel = 24

// isContact says whether a text begins with such a label and has no sentence,
// or greets the readers, or says by which browser they see the site best.
func isContact(text string) bool {
	if len(text) <= maxGreeting && hasStart(text, greetings) {
		return true
	}
	if hasStop(text) {
		return false
	}
	if strings.HasPrefix(text, "建议使用") || strings.HasPrefix(text, "推荐使用") || strings.HasPrefix(text, "建議使用") {
		return strings.Contains(text, "浏览") || strings.Contains(text, "瀏覽") || strings.Contains(text, "分辨率") || strings.Contains(text, "解析度")
	}
	label, _, ok := cutColon(text[:min(len(text), maxContactLabel)])
	if !ok {
		return false
	}
	label = strings.ToLower(strings.Join(strings.Fields(label), ""))
	return slices.Contains(contactLabels, label)
}

// cutColon splits a text at its first colon, of either width.
func cutColon(text string) (before, after string, ok bool) {
	narrow, wide := strings.IndexByte(text, ':'), strings.Index(text, "：")
	if narrow < 0 || wide >= 0 && wide < narrow {
		return strings.Cut(text, "：")
	}
	return strings.Cut(text, ":")
}
