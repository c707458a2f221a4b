package page

import (
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// TestDecodeShort has pages of a headline and a phrase under a wrong header:
// too few bytes for statistics.
func TestDecodeShort(t *testing.T) {
	tests := map[string]struct {
		title, text string
		enc         encoding.Encoding
		want        string
	}{
		"gbk like euc-kr":  {"男子酗酒17年后到饭店夺人酒杯劝戒酒", "温家宝在四川北川老县城遗址纪念碑献花", simplifiedchinese.GBK, "gb18030"},
		"gbk":              {"委员会宣布推迟一年", "门票仍然有效", simplifiedchinese.GBK, "gb18030"},
		"gbk, five":        {"财经新闻", "网", simplifiedchinese.GBK, "gb18030"},
		"big5":             {"杜拜世博會將推遲一年舉行", "專家表示最終決定要在下次會議上做出", traditionalchinese.Big5, "big5"},
		"big5, headline":   {"立法院三讀通過預算案", "記者台北報導", traditionalchinese.Big5, "big5"},
		"big5, weather":    {"颱風逼近氣象局發布海上警報", "民眾請避免前往海邊", traditionalchinese.Big5, "big5"},
		"big5, market":     {"台股收盤上漲百點", "外資買超金額創新高", traditionalchinese.Big5, "big5"},
		"big5, ascii":      {"插電式混合動力車", "和燃料電池電動車", traditionalchinese.Big5, "big5"},
		"euc-kr":           {"엑스포 일 년 연기 검토", "최종 결정은 다음 회의에서", korean.EUCKR, "euc-kr"},
		"euc-jp":           {"万博の開催を一年延期すると発表", "専門家はこのように述べています", japanese.EUCJP, "euc-jp"},
		"shift_jis":        {"万博の開催を一年延期すると発表", "専門家はこのように述べています", japanese.ShiftJIS, "shift_jis"},
		"cyrillic":         {"Организаторы выставки", "рассматривают возможность переноса на один год, говорится в заявлении", charmap.Windows1251, "windows-1251"},
		"cyrillic, koi8-r": {"Организаторы выставки", "рассматривают возможность переноса на один год, говорится в заявлении", charmap.KOI8R, "koi8-r"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			want := "<title>" + tt.title + "</title></head><body><p>" + tt.text + "</p>"
			for _, header := range []string{"", "text/html; charset=utf-8"} {
				text, charset := Decode(encode(t, tt.enc, want), header)
				if charset != tt.want || string(text) != want {
					t.Errorf("header %q: %s %q, want %s", header, charset, text, tt.want)
				}
			}
		})
	}
}
