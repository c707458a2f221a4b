package page

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

const (
	simplified  = "受疫情影响，迪拜世博会指导委员会昨日发布声明称，将考虑推迟一年举行。专家表示，最终决定要在下次会议上做出。"
	traditional = "受疫情影響，杜拜世博會指導委員會昨日發布聲明稱，將考慮推遲一年舉行。專家表示，最終決定要在下次會議上做出。"
	japaneseTxt = "新型ウイルスの影響で、万博の開催を一年延期することを検討していると発表しました。専門家はこのように述べています。"
	koreanTxt   = "감염병의 영향으로 엑스포를 일 년 연기하는 방안을 검토하고 있다고 위원회가 밝혔습니다. 최종 결정은 다음 회의에서 내려집니다."
	cyrillic    = "Из-за эпидемии организаторы выставки рассматривают возможность переноса на один год, говорится в заявлении."
	western     = "Après la réunion, les délégués ont décidé de différer l'été prochain; où qu'ils soient, ça n'a pas été facile."
)

func encode(t testing.TB, e encoding.Encoding, s string) []byte {
	t.Helper()
	b, err := e.NewEncoder().Bytes([]byte(s))
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	return b
}

func TestDecode(t *testing.T) {
	utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	encodings := map[string]encoding.Encoding{
		"utf8": encoding.Nop, "gbk": simplifiedchinese.GBK, "gb18030": simplifiedchinese.GB18030, "big5": traditionalchinese.Big5,
		"eucjp": japanese.EUCJP, "sjis": japanese.ShiftJIS, "2022jp": japanese.ISO2022JP, "euckr": korean.EUCKR,
		"1251": charmap.Windows1251, "1252": charmap.Windows1252, "utf16": utf16, "hz": simplifiedchinese.HZGB2312,
	}
	long := func(s string) string { return strings.Repeat("<p>"+s+"</p>\n", 40) }
	meta := func(label, s string) string {
		return `<html><head><meta http-equiv="Content-Type" content="text/html; charset=` + label + `"><title>` + s + `</title></head><body>` + s
	}
	tests := map[string]struct {
		text, enc, header string
		want              string
	}{
		"utf-8, nothing declared":           {long(simplified), "utf8", "", "utf-8"},
		"utf-8, header gbk":                 {long(simplified), "utf8", "text/html; charset=gbk", "utf-8"},
		"utf-8, meta gb2312":                {meta("gb2312", simplified), "utf8", "", "utf-8"},
		"utf-8 short, meta gb2312":          {meta("gb2312", "财经"), "utf8", "", "utf-8"},
		"utf-8 short, unknown label":        {"<html><title>财经</title>", "utf8", "text/html; charset=x-unknown-9", "utf-8"},
		"gbk, nothing declared":             {long(simplified), "gbk", "", "gb18030"},
		"gbk, header utf-8":                 {long(simplified), "gbk", "text/html; charset=utf-8", "gb18030"},
		"gbk, header utf-8, meta gb2312":    {meta("gb2312", simplified), "gbk", "text/html;charset=UTF-8", "gb18030"},
		"gbk short, header utf-8":           {"<title>财经新闻</title>", "gbk", "text/html; charset=utf-8", "gb18030"},
		"gbk two characters":                {"<title>财经</title>", "gbk", "", "gb18030"},
		"gbk, header iso-8859-1":            {long(simplified), "gbk", "text/html; charset=ISO-8859-1", "gb18030"},
		"gbk, unknown label":                {long(simplified), "gbk", "text/html; charset=x-unknown-9", "gb18030"},
		"gbk that is valid utf-8, declared": {meta("gbk", "一目"), "gbk", "", "gb18030"},
		"gbk, label cp936":                  {meta("cp936", simplified), "gbk", "", "gb18030"},
		"gbk, label euc-cn":                 {meta("euc-cn", simplified), "gbk", "", "gb18030"},
		"gbk, label cn-gb":                  {meta("cn-gb", simplified), "gbk", "", "gb18030"},
		"gbk, label x-gbk":                  {meta("x-gbk", simplified), "gbk", "", "gb18030"},
		"gbk, quoted label":                 {long(simplified), "gbk", `text/html; charset="gb2312"`, "gb18030"},
		"gb18030 four-byte, label gb2312":   {meta("gb2312", simplified+"㐀𠀀"), "gb18030", "", "gb18030"},
		"big5, nothing declared":            {long(traditional), "big5", "", "big5"},
		"big5, header big5-hkscs":           {long(traditional), "big5", "text/html; charset=Big5-HKSCS", "big5"},
		"big5, header gbk, meta big5":       {meta("big5", strings.Repeat(traditional, 3)), "big5", "text/html; charset=gbk", "big5"},
		"big5, header utf-8":                {long(traditional), "big5", "text/html; charset=utf-8", "big5"},
		"euc-jp, nothing declared":          {long(japaneseTxt), "eucjp", "", "euc-jp"},
		"euc-jp, meta":                      {meta("euc-jp", japaneseTxt), "eucjp", "", "euc-jp"},
		"shift_jis, nothing declared":       {long(japaneseTxt), "sjis", "", "shift_jis"},
		"shift_jis, meta x-sjis":            {meta("x-sjis", japaneseTxt), "sjis", "", "shift_jis"},
		"iso-2022-jp, nothing declared":     {long(japaneseTxt), "2022jp", "", "iso-2022-jp"},
		"euc-kr, nothing declared":          {long(koreanTxt), "euckr", "", "euc-kr"},
		"euc-kr, meta ks_c_5601-1987":       {meta("ks_c_5601-1987", koreanTxt), "euckr", "", "euc-kr"},
		"windows-1251, header":              {long(cyrillic), "1251", "text/html; charset=windows-1251", "windows-1251"},
		"latin-1, header":                   {long(western), "1252", "text/html; charset=iso-8859-1", "windows-1252"},
		"utf-16 with mark":                  {long(simplified), "utf16", "text/html", "utf-16le"},
		"hz, declared":                      {meta("hz-gb-2312", simplified), "hz", "", "hz-gb-2312"},
		"ascii, nothing declared":           {"<p>plain</p>", "utf8", "", "utf-8"},
		"ascii, declared gbk":               {"<p>plain</p>", "utf8", "text/html; charset=gbk", "gb18030"},
		"xml declaration":                   {`<?xml version="1.0" encoding="GB2312"?><rss>` + simplified, "gbk", "text/xml", "gb18030"},
		"empty":                             {"", "utf8", "", "utf-8"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			body := encode(t, encodings[tt.enc], tt.text)
			got, charset := Decode(body, tt.header)
			if charset != tt.want {
				t.Errorf("charset = %q, want %q", charset, tt.want)
			}
			if string(got) != tt.text {
				t.Errorf("text = %.80q, want %.80q", got, tt.text)
			}
			if len(body) < 40 || tt.enc == "2022jp" || tt.enc == "hz" {
				return
			}
			// A body cut anywhere in its last characters is read alike.
			for cut := 1; cut <= 3; cut++ {
				if _, charset := Decode(body[:len(body)-cut], tt.header); charset != tt.want {
					t.Errorf("cut by %d: charset = %q, want %q", cut, charset, tt.want)
				}
			}
		})
	}
}

func TestDecodeBroken(t *testing.T) {
	tests := map[string]struct {
		body    string
		want    string
		charset string
	}{
		"utf-8 with one broken byte":  {strings.Repeat(simplified, 3) + "\xff" + simplified, strings.Repeat(simplified, 3) + "\uFFFD" + simplified, "utf-8"},
		"utf-8 mark before text":      {"\xEF\xBB\xBF<p>中", "<p>中", "utf-8"},
		"cut utf-8 character dropped": {"<p>中文\xe4\xb8", "<p>中文", "utf-8"},
		"utf-16 without mark":         {"<\x00p\x00>\x00\x2d\x4e", "<p>中", "utf-16le"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, charset := Decode([]byte(tt.body), "")
			if string(got) != tt.want || charset != tt.charset {
				t.Errorf("Decode = %.60q, %s; want %.60q, %s", got, charset, tt.want, tt.charset)
			}
		})
	}
}

func TestDecodeIsDeterministic(t *testing.T) {
	// The detector runs concurrently and orders ties by chance.
	body := encode(t, traditionalchinese.Big5, "財經新聞")
	_, first := Decode(body, "")
	for range 50 {
		if _, again := Decode(body, ""); again != first {
			t.Fatalf("charset %s, then %s", first, again)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "<p>中文", "\xff\xfe<\x00", "\xd6\xd0\xce\xc4", "<meta charset=gbk>\xd6\xd0", "\x1b$B", "<?xml encoding='big5'?>\xa4\xa4", "\x84\x31\x95\x33\xff"} {
		f.Add([]byte(s), "text/html; charset=utf-8")
		f.Add([]byte(s), "charset=")
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text, charset := Decode(body, contentType)
		if !utf8.Valid(text) {
			t.Errorf("%s: not UTF-8: %q", charset, text)
		}
		if _, ok := lookup(charset); !ok {
			t.Errorf("charset %q is unknown to Parse", charset)
		}
	})
}

func simplifiedGBK() encoding.Encoding { return simplifiedchinese.GBK }
