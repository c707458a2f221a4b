package body

import (
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// date is a date as found in a text. Year is 0 where only month and day are
// written.
type date struct {
	year, month, day  int
	hour, minute, sec int
	zone              *time.Location // nil: none written
	clock             bool           // a time of day is written
	text              string         // as written
	at                int            // where in the text, in bytes
}

// The forms dates are written in. A time of day may follow each after a gap:
// white space, T, a weekday, 上午/下午.
const (
	clockForm   = `(?:[\sT　]*(?:[(（]?(?:星期|周|週)[一二三四五六日天][)）]?)?[\s　]*(上午|下午|晚上|中午|凌晨)?[\s　]*(\d{1,2})[:：时時点](\d{1,2})(?:[:：分](\d{1,2}))?(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?)?`
	monthName   = `(?i:(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:[a-z]{1,6})?\.?)`
	englishTime = `(?:,?\s+(?:at\s+)?(\d{1,2}):(\d\d)(?::(\d\d))?\s*(?:([AaPp])\.?[Mm]\b\.?)?\s*(Z|GMT|UTC|[+-]\d\d:?\d\d)?)?`
)

// form is one way to write a date: its expression, and how to read what the
// groups of that matched.
type form struct {
	signs    string // characters of which a date of the form has at least one, if there are any
	yearless bool   // it may lack the 19 or 20 of a year
	expr     *regexp.Regexp
	read     func(g []string) date
}

// vowels are in the names of all months.
const vowels = "aeouAEOU"

// forms are tried in this order: those that tell more come first.
var forms = []form{
	// 2020年03月30日 10:21, 2020-03-30T10:21:00+08:00, 2020/3/30, 2020.3.30
	{"", false, regexp.MustCompile(`(?:^|[^\d])((?:19|20)\d\d)\s*(?:年|[-/.])\s*(\d{1,2})\s*(?:月|[-/.])\s*(\d{1,2})(?:\s*[日号號])?` + clockForm),
		func(g []string) date {
			return date{year: atoi(g[1]), month: atoi(g[2]), day: atoi(g[3])}.withClock(g[4:])
		}},
	// March 30, 2020
	{vowels, false, regexp.MustCompile(`\b` + monthName + `\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)\b` + englishTime),
		func(g []string) date { return englishDate(g[3], g[1], g[2], g[4:]) }},
	// 30 Mar 2020
	{vowels, false, regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th)?\s+` + monthName + `,?\s+((?:19|20)\d\d)\b` + englishTime),
		func(g []string) date { return englishDate(g[3], g[2], g[1], g[4:]) }},
	// 03/15/2024, 15.03.2024
	{"-/.", false, regexp.MustCompile(`(?:^|[^\d./-])((\d{1,2})([-/.])(\d{1,2})([-/.])((?:19|20)\d\d)\b)` + englishTime), yearLast},
	// 3月30日 10:21
	{"月", true, regexp.MustCompile(`(?:^|[^\d年])(\d{1,2})\s*月\s*(\d{1,2})\s*[日号號]` + clockForm),
		func(g []string) date { return date{month: atoi(g[1]), day: atoi(g[2])}.withClock(g[3:]) }},
	// 20200330, 20200330102100: in metas
	{"", false, regexp.MustCompile(`^\s*((?:19|20)\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?\s*$`),
		func(g []string) date {
			return date{year: atoi(g[1]), month: atoi(g[2]), day: atoi(g[3])}.withClock([]string{"", g[4], g[5], g[6], ""})
		}},
}

// yearLast reads a date in digits that ends with the year. Those that stay
// ambiguous, such as 03/04/2024, are left out.
func yearLast(g []string) date {
	month, day := atoi(g[2]), atoi(g[4])
	if month > 12 {
		month, day = day, month
	} else if day <= 12 && day != month {
		return date{}
	}
	if g[3] != g[5] || month < 1 || month > 12 {
		return date{}
	}
	return englishDate(g[6], time.Month(month).String()[:3], strconv.Itoa(day), g[7:])
}

// maxDates is how many dates of each form are looked at in a text.
const maxDates = 8

// findDate returns the first date written in s, one with a year before others.
func findDate(s string) (date, bool) {
	if d, ok := bareDate(s); ok {
		return d, true
	}
	for d := range eachDate(s) {
		return d, true
	}
	return date{}, false
}

// bareDate reads a text that is a date alone in the most frequent form, 2020-03-30:
// lists have one beside each link.
func bareDate(s string) (date, bool) {
	if len(s) != len(time.DateOnly) || s[4] != '-' || s[7] != '-' || s[:2] != "20" && s[:2] != "19" {
		return date{}, false
	}
	t, err := time.Parse(time.DateOnly, s)
	return date{year: t.Year(), month: int(t.Month()), day: t.Day(), text: s}, err == nil
}

// findDates returns the dates written in s, the best first.
func findDates(s string) []date { return slices.Collect(eachDate(s)) }

// eachDate yields the dates written in s, the best first.
func eachDate(s string) iter.Seq[date] {
	return func(yield func(date) bool) {
		s = narrowDigits(s)
		if !mayDate(s) {
			return
		}
		var taken []int // pairs: what a form has read, even if there is no such day
		year := strings.Contains(s, "20") || strings.Contains(s, "19")
		for _, f := range forms {
			if !year && !f.yearless || f.signs != "" && !strings.ContainsAny(s, f.signs) {
				continue // to run the expression takes long
			}
			for _, m := range f.expr.FindAllStringSubmatchIndex(s, maxDates) {
				from, to := m[2], m[1] // the first group begins after what sets the date apart
				if overlaps(taken, from, to) {
					continue
				}
				taken = append(taken, from, to)
				d := f.read(groups(s, m))
				d.at, d.text = from, strings.TrimSpace(s[from:to])
				if d.valid() && !yield(d) {
					return
				}
			}
		}
	}
}

// mayDate says whether a text can have a date: it has three digits, or one and 月.
// Most lines have not, and the expressions take time.
func mayDate(s string) bool {
	digits := 0
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			digits++
		}
	}
	return digits >= 3 || digits > 0 && strings.Contains(s, "月")
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
	return d.withClock([]string{half, clock[0], clock[1], clock[2], clock[4]})
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

// withClock returns the date with the time in the groups of clockForm: half of the day,
// hour, minute, second, zone. An impossible time is left out, not the date.
func (d date) withClock(g []string) date {
	if g[1] == "" {
		return d
	}
	h, m, s := atoi(g[1]), atoi(g[2]), atoi(g[3])
	if (g[0] == "下午" || g[0] == "晚上") && h < 12 {
		h += 12
	}
	if g[0] == "凌晨" && h == 12 {
		h = 0
	}
	if h > 23 || m > 59 || s > 59 {
		return d
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
	return d
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

// midnight is the beginning of the day.
func (d date) midnight() time.Time {
	return time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, chinaTime())
}

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

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
