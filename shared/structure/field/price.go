package field

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sluice/shared/structure/template"
)

// currencies are the signs of a currency, before or behind the amount, without spaces.
var currencies = map[string]string{
	"¥": "CNY", "￥": "CNY", "元": "CNY", "rmb": "CNY", "cny": "CNY", "人民币": "CNY", "块": "CNY", "圆": "CNY",
	"$": "USD", "us$": "USD", "usd": "USD", "美元": "USD", "€": "EUR", "eur": "EUR", "欧元": "EUR", "£": "GBP", "gbp": "GBP", "英镑": "GBP",
	"hk$": "HKD", "hkd": "HKD", "港元": "HKD", "港币": "HKD", "nt$": "TWD", "twd": "TWD", "c$": "CAD", "ca$": "CAD", "cad": "CAD", "a$": "AUD", "au$": "AUD", "aud": "AUD",
	"jpy": "JPY", "日元": "JPY", "円": "JPY", "₩": "KRW", "원": "KRW", "krw": "KRW", "₽": "RUB", "rub": "RUB", "руб": "RUB", "₹": "INR", "inr": "INR", "rs.": "INR", "s$": "SGD", "sgd": "SGD", "chf": "CHF",
	"nz$": "NZD", "nzd": "NZD", "mx$": "MXN", "mxn": "MXN", "r$": "BRL", "brl": "BRL", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "zł": "PLN", "pln": "PLN", "kč": "CZK", "czk": "CZK",
	"₺": "TRY", "tl": "TRY", "try": "TRY", "rp": "IDR", "rp.": "IDR", "idr": "IDR", "₫": "VND", "đ": "VND", "vnd": "VND", "฿": "THB", "thb": "THB", "₱": "PHP", "php": "PHP", "₪": "ILS", "ils": "ILS",
	"₸": "KZT", "тг": "KZT", "тенге": "KZT", "kzt": "KZT", "₼": "AZN", "azn": "AZN", "₾": "GEL", "gel": "GEL", "lei": "RON", "ron": "RON", "лв": "BGN", "bgn": "BGN",
	"aed": "AED", "sar": "SAR", "pkr": "PKR", "৳": "BDT", "bdt": "BDT", "₦": "NGN", "ngn": "NGN", "rm": "MYR", "myr": "MYR", "s/": "PEN", "s/.": "PEN", "pen": "PEN",
	"₴": "UAH", "uah": "UAH", "huf": "HUF", "zar": "ZAR", "clp": "CLP", "cop": "COP", "ars": "ARS",
	"kr": "", "kr.": "", // of several countries
}

// dotted are currencies of countries that write a dot between thousands; "" is the crown.
var dotted = map[string]bool{
	"EUR": true, "BRL": true, "TRY": true, "IDR": true, "VND": true, "DKK": true, "NOK": true, "SEK": true, "PLN": true, "CZK": true, "HUF": true, "RUB": true, "UAH": true,
	"CLP": true, "COP": true, "ARS": true,
}

// oneDot is an amount with three digits behind its only dot.
var oneDot = regexp.MustCompile(`^[1-9]\d{0,2}\.\d{3}$`)

// thousands is an amount without the dot between its thousands. That of dollars is one in
// "$ 12.990", as in Chile, and none in "$3.459", the price of a gallon.
func thousands(amount, sign, currency string) string {
	isOne := dotted[currency] || strings.HasPrefix(strings.ToLower(sign), "kr") || currency == "USD" && strings.HasPrefix(sign, "$") && (strings.HasSuffix(sign, " ") || strings.IndexByte(amount, '.') > 1)
	if isOne && oneDot.MatchString(amount) {
		return strings.Replace(amount, ".", "", 1)
	}
	return amount
}

const (
	codes  = `RMB|CNY|USD|EUR|GBP|HKD|TWD|CAD|AUD|NZD|SGD|JPY|KRW|RUB|INR|CHF|SEK|NOK|DKK|PLN|CZK|BRL|MXN|IDR|VND|THB|HUF|UAH|ILS|CLP|KZT|AZN|GEL|RON|BGN|AED|SAR|PKR|BDT|NGN|MYR|PEN`
	before = `人民币|美元|欧元|英镑|港元|港币|日元|\b(?:US|HK|NT|CA|AU|NZ|MX) ?\$|\b[CASR]\$|` + codes + `|Rs\.|\bRp\.?|\bkr\.?|\bRM\b|\bS/\.?|[¥￥$€£₩₽₹₺₫฿₱₪₴₸₼₾৳₦]`
	behind = `元|圆|块|円|원|美元|欧元|英镑|港元|港币|日元|人民币|` + codes + `|\b(?:TRY|TL|COP|ARS|PHP|ZAR)\b|€|£|₽|₩|₺|₫|đ|₴|₪|zł|Kč|kr\b|руб|₸|тг|тенге|₼|₾|lei\b|лв|৳|₦`
	amount = `\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d{2})?\b|\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d{2}\b|\d+(?:,\d{2}\b)?(?: ?\.\d+)?`
	spaced = `\d{1,3}(?: \d{3})+(?:[.,]\d{2})?` // thousands
	round  = `(?:,[-–—])?`                      // no cents
)

var pricePattern = regexp.MustCompile(`(?i)(` + before + `)? ?(` + amount + `)` + round + ` ?([万亿]|k\b)? ?(` + behind + `)?(?: ?(?:-|–|—|~|～|至|to) ?(?:` + before + `)? ?(` + amount + `) ?([万亿]|k\b)? ?(` + behind + `)?)?`)

// spacedPattern is a price with spaces between its thousands: they are two numbers where no
// currency is beside them.
var spacedPattern = regexp.MustCompile(`(?i)(?:^|[^\d.,])(?:(` + before + `) ?(` + spaced + `)` + round + `(?: ?(` + behind + `))?|(` + spaced + `)` + round + ` ?(` + behind + `))(?:[^\d]|$)`)

// readSpaced finds such a price in a text.
func readSpaced(text string) (Value, bool) {
	if !maySpaced(text) {
		return Value{}, false
	}
	m := spacedPattern.FindStringSubmatchIndex(text)
	if m == nil {
		return Value{}, false
	}
	n, ok := number(part(text, m, 2)+part(text, m, 4), "")
	return Value{Text: text[max(m[2], m[8]):max(m[5], m[7], m[11])], Amount: &n, Currency: currencyOf(part(text, m, 1), part(text, m, 3)+part(text, m, 5))}, ok
}

// maySpaced reports whether a text may have such a price: few have, and the pattern is slow.
func maySpaced(text string) bool {
	for i := 1; i+3 < len(text); i++ {
		if text[i] == ' ' && isDigit(text[i-1]) && isDigit(text[i+1]) && isDigit(text[i+2]) && isDigit(text[i+3]) {
			return true
		}
	}
	return false
}

// currencyOf is that of the signs in front of and behind an amount: "$25 CAD" is in the
// latter.
func currencyOf(front, back string) string {
	code := func(sign string) string { return currencies[strings.ToLower(strings.ReplaceAll(sign, " ", ""))] }
	if front == "$" && back != "" {
		return code(back)
	}
	return cmp.Or(code(front), code(back))
}

// crowns are Czech ones: the K is no thousand.
var crowns = strings.NewReplacer("Kč", "CZK", "kč", "CZK")

// readPrice finds the price in a text. One with a currency is preferred to a
// bare number; a text with two prices, not a range, has the first.
func readPrice(text string) (Value, bool) {
	if v, ok := readSpaced(text); ok {
		return v, true
	}
	best := []int(nil)
	for _, m := range pricePattern.FindAllStringSubmatchIndex(crowns.Replace(text), 20) {
		if part(text, m, 1)+part(text, m, 4) != "" {
			best = m
			break
		}
		if best == nil {
			best = m
		}
	}
	if best == nil {
		return Value{}, false
	}
	sign, unit := text[best[0]:best[4]], cmp.Or(part(text, best, 4), part(text, best, 7))
	v := Value{Text: strings.TrimSpace(text[best[0]:best[1]]), Currency: currencyOf(part(text, best, 1), unit)}
	whole := func(amount string) string { return thousands(amount, sign+unit, v.Currency) }
	low, ok := number(whole(part(text, best, 2)), part(text, best, 3))
	if !ok {
		return Value{}, false
	}
	v.Amount = &low
	if high := whole(part(text, best, 5)); high != "" {
		scale := part(text, best, 6)
		if most, ok := number(high, scale); ok {
			if scale != "" && part(text, best, 3) == "" { // 10-15万
				low, _ = number(part(text, best, 2), scale)
			}
			v.Most = &most
		}
	}
	return v, true
}

// nowPattern is in front of the price that is asked for now.
var nowPattern = regexp.MustCompile(`(?i)(?:\bnow\b|现价|特价|折后价?|到手价)\PL{0,4}(?:` + before + `)? ?\d`)

// currentIn is the part of a text with an old and a new price that has the new one, if that
// is what the field is, else the text: "Was $30 Now $20".
func currentIn(f *template.Field, text string) string {
	if all := nowPattern.FindAllStringIndex(text, maxCounts); len(all) > 0 && current(f) {
		return text[all[len(all)-1][0]:]
	}
	return text
}

// amountBytes is how long a range of prices with their currencies may be.
const amountBytes = 40

// isAmount reports whether a text is nothing but numbers and prices.
func isAmount(text string) bool {
	return len(text) <= amountBytes && strings.ContainsAny(text, digits) && strings.IndexFunc(pricePattern.ReplaceAllString(text, ""), unicode.IsLetter) < 0
}

var scaledPattern = regexp.MustCompile(`^\d+(?:\.\d+)?(?: ?(?:-|–|—|~|～|至) ?\d+(?:\.\d+)?)? ?[万亿]$`)

// isScaled reports whether a text is nothing but an amount in 万 or 亿, as prices of houses
// and cars are written: 82万.
func isScaled(text string) bool { return scaledPattern.MatchString(text) }

// priceWords are the names of currencies in letters of other words.
var priceWords = append(strings.Split(codes, "|"), "Rs.", "Rp", "zł", "Kč", "kr.", " kr", "руб", " đ", " TL", "тг", "тенге", "лв", "lei", "RM", "S/", "TRY", "COP", "ARS", "PHP", "ZAR")

// mayPrice reports whether a text may have a price with a currency.
func mayPrice(text string) bool {
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	if strings.ContainsAny(text, "¥￥$€£₩₽₹₺₫฿₱₪₴₸₼₾৳₦元圆块円원币") {
		return true
	}
	return slices.ContainsFunc(priceWords, func(word string) bool { return strings.Contains(text, word) })
}

// part is a group of a match, "" for one that has none.
func part(text string, match []int, group int) string {
	if match[2*group] < 0 {
		return ""
	}
	return text[match[2*group]:match[2*group+1]]
}

// apostrophes and spaces stand between thousands.
var apostrophes = strings.NewReplacer(" ", "", "'", "", "’", "")

// number reads digits with separators of thousands, and a scale.
func number(digits, scale string) (float64, bool) {
	digits = apostrophes.Replace(digits)
	comma, dot := strings.LastIndexByte(digits, ','), strings.LastIndexByte(digits, '.')
	switch {
	case comma > dot && dot >= 0, comma >= 0 && dot < 0 && len(digits)-comma == 3: // 1.299,00 and 12,50
		digits = strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", ".")
	case comma < 0 && strings.Count(digits, ".") > 1: // 1.250.000
		digits = strings.ReplaceAll(digits, ".", "")
	default:
		digits = strings.ReplaceAll(digits, ",", "")
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, false
	}
	switch strings.ToLower(scale) {
	case "万":
		n *= 1e4
	case "亿":
		n *= 1e8
	case "k":
		n *= 1e3
	}
	return n, true
}

// counted is a number and the words behind it: 128 customer reviews.
var counted = regexp.MustCompile(`\d[\d,.]*[万+k]* ?\p{L}+(?: \p{L}+)?`)

// countOf is the part of a text of several numbers that is a number with the field's label
// behind it, "4.6 (128 reviews)", else the text.
func countOf(f *template.Field, text string) string {
	if len(numberPattern.FindAllString(text, 2)) < 2 {
		return text
	}
	for _, one := range counted.FindAllString(text, maxCounts) {
		if words := strings.TrimLeft(one, digits+",.万+k "); f.Label(words) == 1 {
			return one
		}
	}
	return text
}

// maxCounts is how many numbers of a text are looked at.
const maxCounts = 10

var numberPattern = regexp.MustCompile(`(?i)(` + amount + `) ?([万亿]|k\b)?`)

// readNumber finds the first number in a text, which is no part of a name or a date:
// buyer0, 2026-10-10.
func readNumber(text string) (Value, bool) {
	m := numberPattern.FindStringSubmatchIndex(text)
	if m == nil || inName.MatchString(text[:m[0]]) || inDate.MatchString(text[m[1]:]) {
		return Value{}, false
	}
	n, ok := number(part(text, m, 1), part(text, m, 2))
	begin := m[0]
	if sign := minus.FindStringIndex(text[:begin]); sign != nil {
		begin, n = sign[0], -n
	}
	return Value{Text: strings.TrimSpace(text[begin:m[1]]), Amount: &n}, ok
}

// What stands in front of the digits of a name, and behind the year of a date.
var (
	inName = regexp.MustCompile(`[A-Za-z]$`)
	inDate = regexp.MustCompile(`^[-/.]\d{1,2}[-/.]\d|^\.\d`)
)

// minus is the sign in front of a number.
var minus = regexp.MustCompile(`(?:^|[\s(])[-−]$`)
