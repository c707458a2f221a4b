package pii

import "strings"

// isFile says whether the number is followed by 号, as those of files are.
func (f *finder) isFile(end int) bool {
	behind := f.behind(end)
	return startsWith(behind, "号", "號") && !startsWith(behind, "号码", "號碼")
}

// Words of what a court decides, at the end of a docket number's prefix: of
// the number's whole, or where 号 follows it.
var (
	trials = []string{
		"民初", "民终", "民申", "民再", "民特", "民撤", "民辖", "刑初", "刑终", "刑申", "刑再", "刑更", "行初", "行终", "行申", "行再", "行审",
		"知民", "商初", "赔初", "执异", "执复", "执保", "执恢", "执监", "破申", "破终", "财保", "诉前调", "民調", "民終", "刑終",
	}
	filed = []string{"第", "字", "执", "執", "破", "初", "终", "終", "赔", "辖", "令", "函"}
)

// isFiled says whether what is before a number with 号 makes it one of a court's
// docket or an office's file: 第, the kind of a trial, or the year. 号 alone
// does not: people write 手机13800138000号, too, and the prefix proves more.
func isFiled(before string) bool {
	before = strings.TrimRight(before, " ")
	return endsWithAny(before, filed, trials) || isDated(before)
}

// isDated says whether s ends with a year in brackets and nothing but words
// behind it: （2024）浙01, 国发〔2024〕.
func isDated(s string) bool {
	i := len(s)
	for {
		g, size := glyphBefore(s, i)
		if g != han && g != ' ' && !isWordly(g) {
			break
		}
		i -= size
	}
	for _, b := range closing {
		year, ok := strings.CutSuffix(s[:i], b)
		if !ok || len(year) < 4 || !isYear(year[len(year)-4:]) {
			continue
		}
		for _, open := range opening {
			if strings.HasSuffix(year[:len(year)-4], open) {
				return true
			}
		}
	}
	return false
}

func isYear(s string) bool {
	return (s[:2] == "19" || s[:2] == "20") && isDigit(s[2]) && isDigit(s[3])
}
