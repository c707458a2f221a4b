package duplicates

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"unicode"

	"sluice/shared/text/segment"
)

// edited changes a share of the characters, at random places: of three one
// is replaced, one left out, one put in.
func edited(text string, share float64, draw *rand.Rand) string {
	runes := []rune(text)
	var out []rune
	for _, r := range runes {
		if r == '\n' || draw.Float64() >= share {
			out = append(out, r)
			continue
		}
		switch draw.IntN(3) {
		case 0:
			out = append(out, another(runes, draw))
		case 1:
			out = append(out, r, another(runes, draw))
		}
	}
	return string(out)
}

// replaced replaces a share of the characters, at random places, by others
// of another text.
func replaced(text string, share float64, other []rune, draw *rand.Rand) string {
	runes := []rune(text)
	for i, r := range runes {
		if r != '\n' && draw.Float64() < share {
			runes[i] = another(other, draw)
		}
	}
	return string(runes)
}

// inRuns replaces a share of the characters, in runs of 5 to 20, by runs of
// another text.
func inRuns(text string, share float64, other []rune, draw *rand.Rand) string {
	runes := []rune(text)
	for left := int(share * float64(len(runes))); left > 0; {
		n := min(5+draw.IntN(16), left, len(runes), len(other))
		at, from := draw.IntN(len(runes)-n+1), draw.IntN(len(other)-n+1)
		copy(runes[at:], other[from:from+n])
		left -= n
	}
	return string(runes)
}

// inWords replaces a share of the characters, two Chinese ones at a time, by two
// neighbours of another text.
func inWords(text string, share float64, other []rune, draw *rand.Rand) string {
	runes := []rune(text)
	for i := 0; i+1 < len(runes); i++ {
		if !chinese(runes[i:i+2]) || draw.Float64() >= share/(2-share) {
			continue
		}
		for range 100 {
			if from := draw.IntN(max(len(other)-1, 1)); from+2 <= len(other) && chinese(other[from:from+2]) {
				copy(runes[i:], other[from:from+2])
				break
			}
		}
		i++
	}
	return string(runes)
}

// swapped swaps a share of the characters with their neighbours, half of them
// as characters, half as words of two.
func swapped(text string, share float64, draw *rand.Rand) string {
	runes := []rune(text)
	for i := 0; i+4 <= len(runes); i += 4 {
		four := runes[i : i+4]
		if !chinese(four) || draw.Float64() >= share {
			continue
		}
		if draw.IntN(2) == 0 {
			four[0], four[1], four[2], four[3] = four[2], four[3], four[0], four[1]
		} else {
			four[0], four[1], four[2], four[3] = four[1], four[0], four[3], four[2]
		}
	}
	return string(runes)
}

func chinese(runes []rune) bool {
	return !slices.ContainsFunc(runes, func(r rune) bool { return !unicode.Is(unicode.Han, r) })
}

func another(runes []rune, draw *rand.Rand) rune {
	for range 100 {
		if r := runes[draw.IntN(len(runes))]; unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
	}
	return '的'
}

// traditional returns a text in traditional characters, as a plain table of
// characters makes them.
func traditional(text string) string {
	table := traditionalOf()
	return strings.Map(func(r rune) rune {
		if t, ok := table[r]; ok {
			return t
		}
		return r
	}, text)
}

// traditionalOf inverts the simplification of single characters; of several
// that become one it takes the first.
var traditionalOf = sync.OnceValue(func() map[rune]rune {
	table := make(map[rune]rune)
	for r := rune(0x4E00); r <= 0x9FFF; r++ {
		simple := []rune(segment.Simplify(string(r)))
		if len(simple) == 1 && simple[0] != r && table[simple[0]] == 0 {
			table[simple[0]] = r
		}
	}
	return table
})

// framed puts typical page furniture around a text.
func framed(text string, draw *rand.Rand) string {
	pick := func(of ...string) string { return of[draw.IntN(len(of))] }
	date := pick("2021年03月12日 08:15", "2022-11-05 17:40:22", "2019年7月1日", "2020/06/30 21:03")
	header := pick("首页 > 新闻 > 国内 > 正文", "您的位置：新闻中心 >> 时政要闻", "当前位置：首页>滚动新闻>正文内容") + "\n" +
		date + " 来源：" + pick("晨报网", "都市快报", "江南日报", "北方新闻社", "商报在线") + " 字号：大 中 小 打印本页\n"
	footer := "（责任编辑：" + pick("王小明", "李静", "赵一凡", "陈晓") + "）\n" + pick(
		"版权声明：本网所有内容，凡未注明来源的，版权均属本网所有，未经授权不得转载。\n分享到：微信 微博 QQ空间\n",
		"声明：转载此文是出于传递更多信息之目的，若有来源标注错误或侵犯了您的合法权益，请与本网联系。\n相关阅读：更多精彩内容请下载客户端\n",
		"关于我们 | 联系我们 | 广告服务 | 网站地图\n京ICP备05000000号 网上传播视听节目许可证\n",
	)
	return header + text + footer
}

// cropped returns the first 70 % of a text.
func cropped(text string) string {
	runes := []rune(text)
	return string(runes[:len(runes)*7/10])
}
