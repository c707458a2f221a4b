package body

import (
	"regexp"
	"slices"
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
	at                int            // where in the text, in bytes
	label             label          // what stands right before it
}

// The forms dates are written in. A time of day may follow each after a gap:
// white space, T, a weekday, 上午/下午.
var (
	clockForm = `(?:[\sT　]*(?:[(（]?(?:星期|周|週)[一二三四五六日天][)）]?)?[\s　]*(上午|下午|晚上|中午|凌晨)?[\s　]*(\d{1,2})[:：时時点](\d{1,2})(?:[:：分](\d{1,2}))?(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?)?`
	// 2020年03月30日 10:21, 2020-03-30T10:21:00+08:00, 2020/3/30, 2020.3.30
	digitDate = regexp.MustCompile(`(?:^|[^\d])((?:19|20)\d\d)\s*(?:年|[-/.])\s*(\d{1,2})\s*(?:月|[-/.])\s*(\d{1,2})(?:\s*[日号號])?` + clockForm)
	// 民國109年3月30日: years of the Republic of China
	republicDate = regexp.MustCompile(`(民[國国]\s*(\d{1,3})\s*年)\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号號]` + clockForm)
	// March 30, 2020 and 30 Mar 2020
	monthName   = `(?i:(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:[a-z]{1,6})?\.?)`
	englishTime = `(?:,?\s+(?:at\s+)?(\d{1,2}):(\d\d)(?::(\d\d))?\s*(?:([AaPp])\.?[Mm]\b\.?)?\s*(Z|GMT|UTC|[+-]\d\d:?\d\d)?)?`
	monthFirst  = regexp.MustCompile(`\b` + monthName + `\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)\b` + englishTime)
	dayFirst    = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?\s+` + monthName + `,?\s+((?:19|20)\d\d)\b` + englishTime)
	// 2020年3月
	digitMonth = regexp.MustCompile(`(?:^|[^\d])((?:19|20)\d\d)\s*年\s*(\d{1,2})\s*月`)
	// 二〇一七年三月十五日, 二零一七年三月, 2017年三月
	hanDate = regexp.MustCompile(`([一二][〇零○Ｏ０九0][〇零○Ｏ０0一二三四五六七八九]{2}|(?:19|20)\d\d)\s*年\s*([一二三四五六七八九十]{1,3})月(?:([一二三四五六七八九十廿卅]{1,4})[日号號])?`)
	// 3月30日 10:21
	dayOnly = regexp.MustCompile(`(?:^|[^\d年])(\d{1,2})\s*月\s*(\d{1,2})\s*[日号號]` + clockForm)
	// 20200330, 20200330102100: machine-written, in metas
	compactDate = regexp.MustCompile(`^\s*((?:19|20)\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?\s*$`)
)

// form is one way to write a date: its expression, and how to read what the
// groups of that matched.
type form struct {
	expr *regexp.Regexp
	read func(g []string) date
}

// forms returns the forms, those that tell more first.
func forms() []form {
	return []form{
		{digitDate, func(g []string) date {
			d := date{year: atoi(g[1]), month: atoi(g[2]), day: atoi(g[3])}
			d.setClock(g[4:])
			return d
		}},
		{republicDate, func(g []string) date {
			d := date{year: 1911 + atoi(g[2]), month: atoi(g[3]), day: atoi(g[4])}
			d.setClock(g[5:])
			return d
		}},
		{monthFirst, func(g []string) date { return englishDate(g[3], g[1], g[2], g[4:]) }},
		{dayFirst, func(g []string) date { return englishDate(g[3], g[2], g[1], g[4:]) }},
		{hanDate, func(g []string) date {
			d := date{year: hanYear(g[1]), month: hanNumber(g[2]), day: 1}
			if g[3] != "" {
				d.day = hanNumber(g[3])
			}
			return d
		}},
		{dayOnly, func(g []string) date {
			d := date{month: atoi(g[1]), day: atoi(g[2])}
			d.setClock(g[3:])
			return d
		}},
		{digitMonth, func(g []string) date { return date{year: atoi(g[1]), month: atoi(g[2]), day: 1} }},
		{compactDate, func(g []string) date {
			d := date{year: atoi(g[1]), month: atoi(g[2]), day: atoi(g[3])}
			if g[4] != "" {
				d.hour, d.minute, d.sec, d.clock = atoi(g[4]), atoi(g[5]), atoi(g[6]), true
			}
			return d
		}},
	}
}

// maxDates is how many dates of each form are looked at in a text.
const maxDates = 8

// findDate returns the first date written in s, preferring one that says it is
// of publication, any to that of a revision, and then one with a year.
func findDate(s string) (date, bool) {
	if all := findDates(s); len(all) > 0 {
		return all[0], true
	}
	return date{}, false
}

// findDates returns the dates written in s, the best first.
func findDates(s string) []date {
	s = narrowDigits(s)
	if !strings.ContainsAny(s, "0123456789月") {
		return nil
	}
	var found []date
	var taken []int // pairs: what a form has read, even if there is no such day
	for _, f := range forms() {
		for _, m := range f.expr.FindAllStringSubmatchIndex(s, maxDates) {
			from, to := m[2], m[1] // the first group begins after what sets the date apart
			if overlaps(taken, from, to) {
				continue
			}
			taken = append(taken, from, to)
			d := f.read(groups(s, m))
			d.at, d.label, d.text = from, labelBefore(s[:from]), strings.TrimSpace(s[from:to])
			if d.valid() {
				found = append(found, d)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b date) int { return int(b.label) - int(a.label) })
	return found
}

func overlaps(spans []int, from, to int) bool {
	for i := 0; i < len(spans); i += 2 {
		if from < spans[i+1] && spans[i] < to {
			return true
		}
	}
	return false
}

// englishDate reads a date with the name of a month, and the groups of
// englishTime.
func englishDate(year, month, day string, clock []string) date {
	const names = "janfebmaraprmayjunjulaugsepoctnovdec"
	d := date{year: atoi(year), month: strings.Index(names, strings.ToLower(month))/3 + 1, day: atoi(day)}
	half := ""
	switch strings.ToLower(clock[3]) {
	case "a":
		half = "凌晨"
	case "p":
		half = "下午"
	}
	d.setClock([]string{half, clock[0], clock[1], clock[2], clock[4]})
	return d
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
	if g[0] == "凌晨" && h == 12 {
		h = 0
	}
	if h > 23 || m > 59 || s > 59 {
		return
	}
	d.hour, d.minute, d.sec, d.clock = h, m, s, true
	switch z := g[4]; {
	case z == "Z", z == "GMT", z == "UTC":
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
