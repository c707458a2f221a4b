package structure

import (
	"net/url"
	"strconv"
	"strings"
)

// pageMark stands for the number of a page in a pattern.
const pageMark = "{page}"

// pattern finds the number in the URLs of numbered pages: the one that grows in
// proportion to the numbers of the pages.
func (p *Pagination) pattern(run []step) {
	var first *step
	for i := range run {
		l := &run[i]
		if l.to == nil {
			continue
		}
		if first == nil {
			first = l
			continue
		}
		pattern, a, b, ok := differ(first.to.String(), l.to.String())
		if !ok || (b-a)%(l.number-first.number) != 0 {
			first = l // the first page often has a URL of its own
			continue
		}
		step := (b - a) / (l.number - first.number)
		if step <= 0 {
			first = l
			continue
		}
		p.Pattern, p.Step, p.Offset = pattern, step, a-step*first.number
		if p.fits(run) {
			return
		}
		p.Pattern, p.Step, p.Offset = "", 0, 0
		first = l
	}
}

// fits reports whether the pattern gives the URLs of a run. The first page often has
// another.
func (p *Pagination) fits(run []step) bool {
	n, first := 0, true
	for _, l := range run {
		if l.to == nil {
			continue
		}
		if l.to.String() == p.URL(l.number) {
			n++
		} else if !first {
			return false
		}
		first = false
	}
	return n > 1
}

// differ finds the only number in which two URLs differ.
func differ(x, y string) (pattern string, a, b int, ok bool) {
	at, bt := digits.FindAllStringIndex(x, -1), digits.FindAllStringIndex(y, -1)
	if len(at) != len(bt) {
		return "", 0, 0, false
	}
	for i := range at {
		va, vb := x[at[i][0]:at[i][1]], y[bt[i][0]:bt[i][1]]
		if va == vb {
			continue
		}
		pattern = x[:at[i][0]] + pageMark + x[at[i][1]:]
		if pattern != y[:bt[i][0]]+pageMark+y[bt[i][1]:] {
			return "", 0, 0, false
		}
		a, errA := strconv.Atoi(va)
		b, errB := strconv.Atoi(vb)
		return pattern, a, b, errA == nil && errB == nil
	}
	return "", 0, 0, false
}

// URL returns that of page n, "" without a pattern.
func (p *Pagination) URL(n int) string {
	if p.Pattern == "" {
		return ""
	}
	return strings.Replace(p.Pattern, pageMark, strconv.Itoa(p.Offset+n*p.Step), 1)
}

// place finds the number of the page by its URL.
func (p *Pagination) place(at *url.URL) {
	before, after, _ := strings.Cut(p.Pattern, pageMark)
	number, ok := strings.CutPrefix(at.String(), before)
	if !ok {
		return
	}
	if number, ok = strings.CutSuffix(number, after); !ok {
		return
	}
	if v, err := strconv.Atoi(number); err == nil && (v-p.Offset)%p.Step == 0 {
		p.Current = (v - p.Offset) / p.Step
	}
}
