package textfile

import "strings"

// linkText returns the text of a link [[…]], "" for files, categories and links
// to other languages.
func linkText(inside string) string {
	target, label, piped := strings.Cut(inside, "|")
	target = strings.TrimSpace(target)
	shown, plain := strings.CutPrefix(target, ":") // [[:Category:X]] is shown
	if space, _, ok := strings.Cut(shown, ":"); ok && !plain {
		space = strings.ToLower(strings.TrimSpace(space))
		if hiddenSpace(space) || !piped && isLanguage(space) {
			return ""
		}
	}
	if piped && strings.TrimSpace(label) != "" {
		return label
	}
	return shown
}

// hiddenSpace reports whether links into a namespace have no text. It knows the
// English and Chinese names.
func hiddenSpace(name string) bool {
	switch name {
	case "file", "image", "category", "media",
		"文件", "档案", "檔案", "图像", "圖像", "图片", "圖片", "分类", "分類", "媒体", "媒體":
		return true
	}
	return false
}

// isLanguage says whether a prefix looks like the code of another Wikipedia:
// en, nds, zh-yue, zh-min-nan.
func isLanguage(prefix string) bool {
	code, _, _ := strings.Cut(prefix, "-")
	if len(code) < 2 || len(code) > 3 || len(prefix) > 12 {
		return false
	}
	return strings.Trim(prefix, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// variant returns the text of a conversion -{…}- for readers of simplified
// Chinese: the text itself if it names no variants, "" if it only sets rules
// for the page.
func variant(inside string) string {
	rules := inside
	if flags, rest, ok := strings.Cut(inside, "|"); ok {
		if strings.ContainsAny(flags, "HT-") {
			return ""
		}
		rules = rest
	}
	best, bestRank := "", len(preferred)+1
	for rule := range strings.SplitSeq(rules, ";") {
		name, text, ok := strings.Cut(rule, ":")
		if _, to, arrow := strings.Cut(name, "=>"); arrow {
			name = to
		}
		if name = strings.TrimSpace(name); !ok || !strings.HasPrefix(name, "zh") {
			continue
		}
		if r := rank(name); r < bestRank {
			best, bestRank = strings.TrimSpace(text), r
		}
	}
	if bestRank > len(preferred) {
		return rules
	}
	return best
}

// preferred are the variants in order of preference; all others follow in their
// own order.
var preferred = [...]string{"zh-hans", "zh-cn", "zh-sg", "zh-my", "zh"}

func rank(name string) int {
	for i, p := range preferred {
		if name == p {
			return i
		}
	}
	return len(preferred)
}
