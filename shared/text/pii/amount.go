package pii

import "strings"

// Signs before amounts and units behind them.
var (
	currencies = []string{"¥", "￥", "€", "£", "$", "＄", "RMB", "CNY", "USD", "HKD"}
	units      = []string{
		"元", "圆", "圓", "万", "萬", "亿", "億", "美元", "美金", "欧元", "歐元", "港元", "港币", "港幣", "日元", "人民币", "人次", "股",
		"吨", "噸", "公斤", "千克", "千瓦", "立方", "平方", "公里", "桶", "字节", "yuan", "rmb", "usd", "dollars", "bytes",
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
	behind := strings.TrimLeft(f.behind(end), " ")
	return behind != "" && startsWith(behind, units...) && !mentions(before, phoneWords)
}
