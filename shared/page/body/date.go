package body

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// date is a date as found in a text. Year is 0 where only month and day are
// written; day is 1 where only year and month are.
type date struct {
	year, month, day  int
	hour, minute, sec int
	zone              *time.Location // nil: none written
	clock             bool           // a time of day is written
	text              string         // as written
}

// The forms dates are written in. A time of day may follow each after a gap:
// white space, T, a weekday, 上午/下午.
var (
	clockForm = `(?:[\sT　]*(?:[(（]?(?:星期|周|週)[一二三四五六日天][)）]?)?[\s　]*(上午|下午|晚上|中午|凌晨)?[\s　]*(\d{1,2})[:：时時点](\d{1,2})(?:[:：分](\d{1,2}))?(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?)?`
	// 2020年03月30日 10:21, 2020-03-30T10:21:00+08:00, 2020/3/30, 2020.3.30
	digitDate = regexp.MustCompile(`(?:^|[^\d])((?:19|20)\d\d)\s*(?:年|[-/.])\s*(\d{1,2})\s*(?:月|[-/.])\s*(\d{1,2})(?:\s*[日号號])?` + clockForm)
	// 2020年3月
	digitMonth = regexp.MustCompile(`(?:^|[^\d])((?:19|20)\d\d)\s*年\s*(\d{1,2})\s*月`)
	// 二〇一七年三月十五日, 二零一七年三月
	hanDate = regexp.MustCompile(`([一二][〇零○Ｏ０九][〇零○Ｏ０一二三四五六七八九]{2})年([一二三四五六七八九十]{1,3})月(?:([一二三四五六七八九十廿卅]{1,4})[日号號])?`)
	// 3月30日 10:21
	dayOnly = regexp.MustCompile(`(?:^|[^\d年])(\d{1,2})\s*月\s*(\d{1,2})\s*[日号號]` + clockForm)
	// 20200330, 20200330102100: machine-written, in metas
	compactDate = regexp.MustCompile(`^\s*((?:19|20)\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?\s*$`)
)

// findDate returns the first date written in s, preferring one with a year.
func findDate(s string) (date, bool) {
	s = narrowDigits(s)
	if m := digitDate.FindStringSubmatchIndex(s); m != nil {
		d := date{text: strings.TrimSpace(s[m[2]:m[1]])}
		g := groups(s, m)
		d.year, d.month, d.day = atoi(g[1]), atoi(g[2]), atoi(g[3])
		d.setClock(g[4:])
		return d, d.valid()
	}
	if m := hanDate.FindStringSubmatch(s); m != nil {
		d := date{year: hanYear(m[1]), month: hanNumber(m[2]), day: 1, text: m[0]}
		if m[3] != "" {
			d.day = hanNumber(m[3])
		}
		if d.valid() {
			return d, true
		}
	}
	if m := dayOnly.FindStringSubmatchIndex(s); m != nil {
		d := date{text: strings.TrimSpace(s[m[2]:m[1]])}
		g := groups(s, m)
		d.month, d.day = atoi(g[1]), atoi(g[2])
		d.setClock(g[3:])
		if d.valid() {
			return d, true
		}
	}
	if m := digitMonth.FindStringSubmatchIndex(s); m != nil {
		g := groups(s, m)
		d := date{year: atoi(g[1]), month: atoi(g[2]), day: 1, text: strings.TrimSpace(s[m[2]:m[1]])}
		if d.valid() {
			return d, true
		}
	}
	if m := compactDate.FindStringSubmatch(s); m != nil {
		d := date{year: atoi(m[1]), month: atoi(m[2]), day: atoi(m[3]), text: strings.TrimSpace(s)}
		if m[4] != "" {
			d.hour, d.minute, d.sec, d.clock = atoi(m[4]), atoi(m[5]), atoi(m[6]), true
		}
		return d, d.valid()
	}
	return date{}, false
}

// groups returns the submatches of m, "" for those that took no part.
func groups(s string, m []int) []string {
	g := make([]string, len(m)/2)
	for i := range g {
		if m[2*i] >= 0 {
			g[i] = s[m[2*i]:m[2*i+1]]
		}
	}
	return g
}

// setClock takes the groups of clockForm: half of the day, hour, minute,
// second, zone. An impossible time is left out, not the date.
func (d *date) setClock(g []string) {
	if g[1] == "" {
		return
	}
	h, m, s := atoi(g[1]), atoi(g[2]), atoi(g[3])
	if (g[0] == "下午" || g[0] == "晚上") && h < 12 {
		h += 12
	}
	if h > 23 || m > 59 || s > 59 {
		return
	}
	d.hour, d.minute, d.sec, d.clock = h, m, s, true
	switch z := g[4]; {
	case z == "Z":
		d.zone = time.UTC
	case z != "":
		hours, minutes := atoi(z[1:3]), atoi(z[len(z)-2:])
		offset := hours*3600 + minutes*60
		if z[0] == '-' {
			offset = -offset
		}
		d.zone = time.FixedZone("", offset)
	}
}

// valid says whether there is such a day; a missing year may be any.
func (d date) valid() bool {
	year := d.year
	if year == 0 {
		year = 2000 // a leap year
	}
	t := time.Date(year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
	return d.month >= 1 && d.month <= 12 && d.day >= 1 && t.Day() == d.day
}

// chinaTime is the zone of dates that name none.
func chinaTime() *time.Location { return time.FixedZone("", 8*60*60) }

func (d date) time() time.Time {
	zone := d.zone
	if zone == nil {
		zone = chinaTime()
	}
	return time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute, d.sec, 0, zone)
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // the forms admit digits only; "" is 0
	return n
}

// narrowDigits maps full-width digits and colons to ASCII.
func narrowDigits(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= '０' && r <= '９' }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= '０' && r <= '９' {
			return r - '０' + '0'
		}
		return r
	}, s)
}

const hanDigits = "〇一二三四五六七八九"

// hanDigit returns the value of one Chinese digit, -1 if it is none.
func hanDigit(r rune) int {
	switch r {
	case '零', '○', 'Ｏ', '０', '0':
		return 0
	}
	i := strings.IndexRune(hanDigits, r)
	if i < 0 {
		return -1
	}
	return i / len("〇")
}

// hanYear reads a year written digit by digit.
func hanYear(s string) int {
	year := 0
	for _, r := range s {
		year = year*10 + max(0, hanDigit(r))
	}
	return year
}

// hanNumber reads 一 to 九十九, also 廿 and 卅.
func hanNumber(s string) int {
	n := 0
	for _, r := range s {
		switch r {
		case '十':
			n = max(n, 1) * 10
		case '廿':
			n = 20
		case '卅':
			n = 30
		default:
			n += max(0, hanDigit(r))
		}
	}
	return n
}
