package pii

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// pieces make texts in which much is nearly something.
var pieces = []string{
	"13800138000", "138", "0013", "8000", "+86", "86", "00", "852", "61234567", "0912", "345", "1", "22", "333", "4444",
	"110101199003071233", "11010519491231002", "X", "110105491231002", "6222021234567890128", "4111111111111111", "4222222222222",
	"zhang", "@", "＠", "qq.com", "example.com.cn", "例子.中国", "(at)", "【at】", "#", "#换@", "com", "git",
	" @ ", "[dot]", " AT ", " DOT ", "at", "dot", "163.com", "邮箱", "(138)", "人口", "共", "人", "点击", "（2024）", "民初", "执",
	"203.0.113.45", "8.8.8.8", "1.2.3.4", "2001:db8::1", "2001", ":", "::", ".", ".", "db8",
	"http://", "www.", "/", "?", "a", "v", "Tel", "QQ", "订单号", "身份证", "版本", "DNS", "地址", "卡", "手机", "元", "万", "号", "第", "yuan", "张",
	" ", " ", "-", "-", "，", "：", "（", "(", ")", "\n", "\u200b", "\x00", "１", "３８", "．", "=", "_", "%", "+", "$", "\xff", "😀",
	"6123 4567", "0912345678", "电话", "電話", "WhatsApp", "香港", "澳門", "会员号", "号码", "码", "·", "•", "\n1.", "\n2.", "No.", "-801", "达", "突破", "KB", "::ffff:",
	"<MOBILE>", "<IP_ADDRESS>", "<", strings.Repeat("x", 70), strings.Repeat("长", 21),
}

func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range 1 + random.IntN(14) {
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	return b.String()
}

func TestMaskOfRandomText(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 7))
	for range 20_000 {
		checkMask(t, randomText(random))
		if t.Failed() {
			return
		}
	}
}

func FuzzMask(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		f.Add(randomText(random))
	}
	f.Add("电话13800138000，邮箱zhangsan@example.com，卡6222 0212 3456 7890 128，IP 203.0.113.45，身份证11010519491231002X")
	f.Fuzz(func(t *testing.T, text string) { checkMask(t, text) })
}

// TestHostileText repeats what starts something: if time were not linear, this
// would take far too long.
func TestHostileText(t *testing.T) {
	for _, piece := range []string{
		"1", "1 ", "1-", "1.", "1\u200b", "123 ", "123-", "@", "a@", "a.", "a@a.", "1@", "://", "a://", "www.", "(www.@", "(www.", "#", "a#", "(at)", "a(at)",
		"2001:", "2001::", "1.2.", "+1", "+", "(", "13800138000 ", "13800138000-", "1380013800０", "<", "<IP", "<MOBILE>13800138000", "203.0.113.45-",
		"4111111111111111 ", "4111 1111 1111 1111 ", "4444 ", "110101199003071234,", "身份证110105491231002", "@例子.", "a@例子.", "#换", "zhang@qq.com",
		"a AT ", "a DOT ", "a[dot]", "[at]", "[dot]", " AT a DOT cn", "a[at]b[dot]cn", "a @ ", " @ 163.com", "邮箱a @ b.cn ", "(138)", "(138)00138000 ", "约", "共有13800138000人", "（2024）民13800138000号",
		"1.13800138000\n", "\n1.13800138000\n2.13800138000", "2.\n", "138·0013·8000·", "138/0013/8000/", "電話6123 4567 ", "電話6123 4567、", "、61234567", "(852) 61234567 ", "电话138 00138000 ", "号13800138000", "13800138000-801-",
	} {
		checkMask(t, strings.Repeat(piece, 1<<13/len(piece)))
		Mask(strings.Repeat(piece, 1<<18/len(piece)))
	}
}

func BenchmarkMask(b *testing.B) {
	prose := strings.Repeat("新华社北京电　国务院总理在会议上强调，“要坚持稳中求进”，推动经济持续健康发展。会议指出，各地区、各部门要抓好落实；\n", 2000)
	for _, bm := range []struct{ name, text string }{
		{"prose", prose},
		{"news", strings.Repeat("新华社北京11月5日电　今年前10个月，进出口总值34.32万亿元，同比增长0.1%，出口19.55万亿元（记者 张三）。http://www.example.com/1.html\n", 2000)},
		{"contacts", strings.Repeat("联系人张三，手机138 0013 8000，邮箱zhangsan@example.com，IP 203.0.113.45，卡号6222021234567890128。\n", 2000)},
		{"digits", strings.Repeat("1", 1<<20)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.text)))
			b.ReportAllocs()
			for b.Loop() {
				Mask(bm.text)
			}
		})
	}
}
