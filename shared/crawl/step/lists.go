package step

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"

	"sluice/shared/crawl/reading"
	"sluice/shared/rank/urlshape"
	"sluice/shared/structure"
	"sluice/shared/structure/field"
	"sluice/shared/web/hosts"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

const (
	maxLists    = 8   // that a host remembers
	maxListPath = 300 // bytes
)

// repeats notes a list, and reports whether it has the records of another one: the list
// that it is a page of has come to its end, and shows its last page again and again.
func (r *run) repeats(v *visit, rd *reading.Result) bool {
	var records strings.Builder
	for _, l := range rd.Leads {
		if l.Priority != reading.PagePriority {
			records.WriteString(l.URL.String() + "\n")
		}
	}
	if records.Len() == 0 {
		return false
	}
	this := hosts.List{Page: hash32(v.link.URL), Records: hash32(records.String()), Path: rd.Records}
	if len(this.Path) > maxListPath {
		this.Path = ""
	}
	st := &r.lease.State
	again := slices.ContainsFunc(st.Lists, func(l hosts.List) bool { return l.Records == this.Records && l.Page != this.Page })
	if again && v.link.Priority == reading.PagePriority {
		return true
	}
	st.Lists = slices.DeleteFunc(st.Lists, func(l hosts.List) bool { return l.Page == this.Page })
	st.Lists = append(st.Lists[max(0, len(st.Lists)+1-maxLists):], this)
	return false
}

func hash32(s string) uint32 { return uint32(xxh3.HashString(s)) }

// fewLeads are the leads of a page which looks like details and may be a list: it is one if
// it has records at the path of another list of its host, first that which led to it. Else they
// are nil. Another page of a list may have several.
func (r *run) fewLeads(v *visit, a *reading.Arrival, rd *reading.Result) []reading.Lead {
	tree := a.Tree()
	at, err := url.Parse(v.link.URL)
	if tree == nil || err != nil {
		return nil
	}
	base := field.BaseOf(tree, at)
	lists, parent := slices.Clone(r.lease.State.Lists), hash32(v.link.Parent)
	if i := slices.IndexFunc(lists, func(l hosts.List) bool { return l.Page == parent }); i >= 0 {
		lists = append(lists, lists[i])
	}
	for _, l := range slices.Backward(lists) {
		records, err := structure.ParsePath(l.Path)
		if err != nil {
			continue
		}
		if leads := reading.RecordLeads(records.Records(tree, 1), base); len(leads) > 0 {
			return append(leads, slices.DeleteFunc(slices.Clone(rd.Leads), func(l reading.Lead) bool { return !rd.Short && l.Priority != reading.PagePriority })...)
		}
	}
	return nil
}

// besideFilters are the leads of a page most of whose records are filters of its list, and which has
// others at the path of another list of its host. Else they are nil.
func (r *run) besideFilters(v *visit, a *reading.Arrival, rd *reading.Result, list urlnorm.URL) []reading.Lead {
	filters, records := 0, 0
	for _, l := range rd.Leads {
		if l.Priority == reading.RecordPriority {
			records++
			if reading.Narrows(list, l.URL) {
				filters++
			}
		}
	}
	if 2*filters <= records {
		return nil
	}
	few := r.fewLeads(v, a, rd)
	if slices.ContainsFunc(few, func(l reading.Lead) bool { return reading.Narrows(list, l.URL) && l.Priority == reading.RecordPriority }) {
		return nil
	}
	return few
}

// alike reports whether two pages of a directory are of one kind by their names: another
// product, or another day of a calendar. At the top of a host they may be of any kind.
func alike(a, b urlnorm.URL) bool {
	inA, nameA := path.Split(a.Path())
	inB, nameB := path.Split(b.Path())
	return a.Authority() == b.Authority() && inA == inB && inA != "/" && kindOf(nameA) == kindOf(nameB)
}

// kindOf is the class of a name; names of two words and more are of one.
func kindOf(name string) string {
	stem, ending := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
	words := strings.FieldsFunc(stem, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) < 2 {
		return urlshape.Class(name)
	}
	return "~" + ending
}

// year is one in the address of a day.
var year = regexp.MustCompile(`(?:19|20)\d\d`)

// calendar are the links of a page to the days of a month: 28 numbers and more, of one
// directory, to addresses with a year.
func calendar(links []page.Link) map[urlnorm.URL]bool {
	days := map[string]map[int]bool{} // by directory
	each := func(use func(l *page.Link, in string, day int)) {
		for i := range links {
			l := &links[i]
			if day, err := strconv.Atoi(l.Anchor); err == nil && 1 <= day && day <= 31 && year.MatchString(l.URL.Path()+l.URL.Query()) {
				use(l, l.URL.Authority()+path.Dir(l.URL.Path()), day)
			}
		}
	}
	each(func(_ *page.Link, in string, day int) {
		if days[in] == nil {
			days[in] = map[int]bool{}
		}
		days[in][day] = true
	})
	all := map[urlnorm.URL]bool{}
	each(func(l *page.Link, in string, _ int) {
		if len(days[in]) >= 28 {
			all[l.URL] = true
		}
	})
	return all
}
