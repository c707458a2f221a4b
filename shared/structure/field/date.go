package field

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	month = `(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?`
	clock = `(?:[ T,]*(?:at )?(?:凌晨|早上|上午|中午|下午|晚上|晚)? ?(\d{1,2}):(\d{2}))?`
)

// form is a way to write a date, and which groups are year, month, day, hour and
// minute.
type form struct {
	*regexp.Regexp
	groups [5]int
}

var forms = []form{
	{regexp.MustCompile(`(\d{4}) ?[-/.年] ?(\d{1,2}) ?[-/.月] ?(\d{1,2})日?` + clock), [5]int{1, 2, 3, 4, 5}},
	{regexp.MustCompile(`^(\d{1,2}) (\d{4}) ?[-/.年] ?(\d{1,2})月?$`), [5]int{2, 3, 1}}, // a box: the day, and the month below
	{regexp.MustCompile(`(?i)\b` + month + ` (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})` + clock), [5]int{3, 1, 2, 4, 5}},
	{regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?[ -]` + month + `[ ,-]+(\d{4})` + clock), [5]int{3, 2, 1, 4, 5}},
	{regexp.MustCompile(`(?i)\b(\d{1,2})(?:er|\.|º|°)? (?:de )?(\p{L}{3,10})\.? (?:del? )?(\d{4})\b` + clock), [5]int{3, 2, 1, 4, 5}}, // see monthNames
	{regexp.MustCompile(`\b(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})\b` + clock), [5]int{3, 2, 1, 4, 5}},                                    // day first
	{regexp.MustCompile(`\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})\b` + clock), [5]int{3, 1, 2, 4, 5}},
	{regexp.MustCompile(`([二〇零○一三四五六七八九]{4})年([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})日`), [5]int{1, 2, 3}},
	{regexp.MustCompile(`(?i)\b` + month + `,? (\d{4})\b`), [5]int{2, 1}},
	{regexp.MustCompile(`(\d{4}) ?(?:年|[-/.]) ?(\d{1,2})(?:月|\b)`), [5]int{1, 2}},
	{regexp.MustCompile(`\b(\d{1,2})月(\d{1,2})日` + clock), [5]int{0, 1, 2, 3, 4}},
	{regexp.MustCompile(`(?i)\b` + month + ` (\d{1,2})(?:st|nd|rd|th)?\b`), [5]int{0, 1, 2}},
	{regexp.MustCompile(`\b(\d{2})-(\d{2})\b` + clock), [5]int{0, 1, 2, 3, 4}},
	{regexp.MustCompile(`\b((?:19|20)\d{2})\b年?`), [5]int{1}},
}

// ago are dates that count from today.
var ago = regexp.MustCompile(`(?i)\b(\d+|an?|one) ?(second|minute|min|hour|day|week|month|year)s?\+? ago\b|\b(today|yesterday)\b|(\d+|半) ?(秒|分钟|小时|天|周|个月|年)(?:以)?前|刚刚|(今天|昨天|前天)( ?\d{1,2}:\d{2})?`)

// readDate finds the date in a text. A date that counts from today, or has no
// year, has no value in ISO 8601.
func readDate(text string) (Value, bool) {
	for _, f := range forms {
		m := f.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		var parts [5]int
		for i, group := range f.groups {
			if group > 0 {
				parts[i] = numeral(part(text, m, group), i == 0)
			}
		}
		if parts[1] > 12 && parts[2] <= 12 { // 25/12/2010
			parts[1], parts[2] = parts[2], parts[1]
		}
		timed, end := part2(text, m, f.groups[3]), m[1]
		if timed {
			parts[3], end = hour(parts[3], text, m)
		}
		if !sound(parts, f.groups) {
			continue
		}
		return Value{Text: strings.TrimRight(text[m[0]:end], " ,"), Date: iso(parts, timed)}, true
	}
	if m := ago.FindString(text); m != "" {
		return Value{Text: m}, true
	}
	return Value{}, false
}

// half is the half of the day behind a time of twelve hours, seconds in between.
var half = regexp.MustCompile(`(?i)^(?::\d{2})? ?([ap])\.?m\b\.?`)

// hour is that of a date, of twenty-four, and where the date ends: the half of the day is
// behind the time, or in Chinese before it.
func hour(h int, text string, match []int) (of24, end int) {
	end = match[1]
	date, afternoon := text[match[0]:end], false
	if m := half.FindStringSubmatchIndex(text[end:]); m != nil {
		afternoon = text[end+m[2]]|0x20 == 'p'
		end += m[1]
		if !afternoon && h == 12 {
			return 0, end
		}
	}
	switch {
	case h < 12 && (afternoon || strings.Contains(date, "下午") || strings.Contains(date, "晚")):
		h += 12
	case h == 12 && strings.Contains(date, "凌晨"):
		h = 0
	}
	return h, end
}

// part2 reports whether a date has a time of day.
func part2(text string, match []int, group int) bool {
	return group > 0 && part(text, match, group) != ""
}

// sound reports whether a date can be.
func sound(parts, groups [5]int) bool {
	return (groups[0] == 0 || parts[0] >= 1000 && parts[0] < 2200) && (groups[1] == 0 || parts[1] >= 1 && parts[1] <= 12) &&
		(groups[2] == 0 || parts[2] >= 1 && parts[2] <= 31) && parts[3] < 25 && parts[4] < 60
}

// iso writes a date as far as it is known.
func iso(parts [5]int, timed bool) string {
	switch {
	case parts[0] == 0:
		return ""
	case parts[1] == 0:
		return fmt.Sprintf("%04d", parts[0])
	case parts[2] == 0:
		return fmt.Sprintf("%04d-%02d", parts[0], parts[1])
	case timed:
		return fmt.Sprintf("%04d-%02d-%02dT%02d:%02d", parts[0], parts[1], parts[2], parts[3], parts[4])
	}
	return fmt.Sprintf("%04d-%02d-%02d", parts[0], parts[1], parts[2])
}

// monthNames are the months in English, and in French, German, Spanish, Portuguese, Italian,
// Dutch and Russian in dates that begin with the day.
var monthNames = [12]string{
	" january jan janvier janv januar jänner enero ene janeiro gennaio gen januari января янв ",
	" february feb février févr fév februar febrero fevereiro fev febbraio februari февраля фев ",
	" march mars märz mrz marzo março maart mrt марта мар ",
	" april apr avril avr abril abr aprile апреля апр ",
	" may mai mayo maio maggio mag mei мая ",
	" june jun juin juni junio junho giugno giu июня июн ",
	" july jul juillet juil juli julio julho luglio lug июля июл ",
	" august aug août aout agosto ago augustus августа авг ",
	" september sept sep septembre septiembre setembro settembre set сентября сен ",
	" october oct octobre oktober okt octubre outubro ottobre ott октября окт ",
	" november nov novembre noviembre novembro ноября ноя ",
	" december dec décembre déc dezember dez diciembre dic dezembro dicembre декабря дек ",
}

// monthOf is the number of a month, 0 for none.
func monthOf(name string) int {
	name = " " + strings.ToLower(name) + " "
	return 1 + slices.IndexFunc(monthNames[:], func(names string) bool { return strings.Contains(names, name) })
}

// numeral reads the number of a year, month or day, in digits, as the name of a
// month or in Chinese.
func numeral(text string, year bool) int {
	if n, err := strconv.Atoi(text); err == nil {
		switch {
		case year && len(text) == 2 && n < 70:
			return 2000 + n
		case year && len(text) == 2:
			return 1900 + n
		}
		return n
	}
	if n := monthOf(text); n > 0 {
		return n
	}
	n := 0
	for _, r := range text {
		digit := strings.IndexRune("〇一二三四五六七八九", r) / len("〇")
		switch {
		case r == '十' && n == 0:
			n = 10
		case r == '十':
			n *= 10
		case r == '零' || r == '○':
			n *= 10
		case n >= 10 && n%10 == 0 && !year:
			n += digit
		default:
			n = 10*n + digit
		}
	}
	return n
}
