package structure

import (
	"net/url"
	"path"
	"regexp"
	"strings"
)

// listURL is the URL of a page, read as that of a part of a list.
type listURL struct {
	list   string // path and query without the number
	whole  string // path and query
	number int    // of the path, −1 if it has none
	bare   bool   // the number is all there is of the name: "/news/12.html"
	word   bool   // a word says that it numbers parts: "/news/index_2.html"
}

var (
	digits        = regexp.MustCompile(`\d+`)
	numberedName  = regexp.MustCompile(`^(.*?)([-_]?)(\d{1,9})$`)
	partWord      = regexp.MustCompile(`(?i)(?:index|list|page)$`)
	numberedQuery = regexp.MustCompile(`(?i)^([a-z_]+)=(\d+\.)?\d{1,9}$`) // board=18.20 is board 18 from its 20th thread
	extension     = regexp.MustCompile(`(?i)^\.[a-z]\w{1,4}$`)
)

// pageFolders are folders of the other parts of a list: "/news/page/2". Those of shortFolders
// may be of records as well: "/p/12345".
var (
	pageFolders  = map[string]bool{"page": true, "seite": true, "pagina": true}
	shortFolders = map[string]bool{"p": true, "pg": true, "pn": true}
)

// firstNames are the names of the first part of a list in a directory of its own. That
// of the others is such a name and a number.
var firstNames = map[string]bool{"": true, "index": true, "default": true, "list": true, "page": true, "p": true, "pg": true}

// listURLOf reads a URL.
func listURLOf(u *url.URL) listURL {
	p := listURL{number: -1}
	dir, name := path.Split(strings.TrimSuffix(u.Path, "/"))
	dir = strings.TrimSuffix(dir, "/")
	if ext := path.Ext(name); extension.MatchString(ext) {
		name = strings.TrimSuffix(name, ext)
	}
	p.whole = inDirectory(dir, name)
	p.list = p.whole
	if m := numberedName.FindStringSubmatch(name); m != nil {
		stem := m[1]
		switch {
		case firstNames[strings.ToLower(stem)]:
			p.list, p.bare, p.word = inDirectory(dir, stem), stem == "", stem != ""
			p.number = number(m[3])
			before, folder := path.Split(dir)
			before, folder = strings.TrimSuffix(before, "/"), strings.ToLower(folder)
			switch {
			case p.bare && pageFolders[folder]:
				p.list, p.bare, p.word = before, false, true
			case p.bare && shortFolders[folder] && before != "" && p.number <= mostWordless:
				p.list = before
			}
		case m[2] != "" || partWord.MatchString(stem):
			p.list, p.word = dir+"/"+stem, partWord.MatchString(stem)
			p.number = number(m[3])
		}
	}
	var query []string
	for param := range strings.SplitSeq(u.RawQuery, "&") {
		switch m := numberedQuery.FindStringSubmatch(param); {
		case m == nil || strings.HasSuffix(strings.ToLower(m[1]), "id"):
			query = append(query, param)
		case m[2] != "":
			query = append(query, m[1]+"="+m[2])
		}
	}
	p.list += "?" + strings.Join(query, "&")
	p.whole += "?" + u.RawQuery
	return p
}

// inDirectory is the path of a page, that of its directory for its first one. At the top
// of a site a list is one of several.
func inDirectory(dir, name string) string {
	if firstNames[strings.ToLower(name)] && (dir != "" || !strings.EqualFold(name, "list")) {
		return dir
	}
	return dir + "/" + name
}

// leadsOn reports whether a URL differs from that of the page only by the number of a
// part, so that it is not the next of several articles. Any URL does if at is nil.
func leadsOn(at, to *url.URL) bool {
	if at == nil {
		return true
	}
	a, b := listURLOf(at), listURLOf(to)
	return at.Host == to.Host && (a.list == b.list || a.whole == b.list || a.list == b.whole)
}

// isNumbered reports whether a URL has the number of a part.
func isNumbered(u *url.URL) bool {
	p := listURLOf(u)
	return p.list != p.whole
}

// isPart reports whether a URL may be that of a numbered part of the list of a page.
func isPart(at, to *url.URL, number int) bool {
	if !leadsOn(at, to) {
		return false
	}
	if at != nil && at.Path == to.Path && at.RawQuery != to.RawQuery {
		return true // "/cat/57?page=2": the number of the path is that of the list
	}
	u := listURLOf(to)
	return u.number < 0 || u.number == number || u.number == number-1 ||
		number == 1 && at != nil && u.whole == listURLOf(at).list // "/2024/" beside "/2024/page/2/"
}

// isNext reports whether a URL is that of a later part of the list of a page.
func isNext(at, to *url.URL) bool {
	if at == nil {
		return true
	}
	if !leadsOn(at, to) {
		return false
	}
	a, b := listURLOf(at), listURLOf(to)
	switch {
	case at.RawQuery != to.RawQuery:
		return true
	case b.number < 0:
		return false
	case a.list == b.list && a.number >= 0 && !b.word:
		return b.number == a.number+1 && b.number <= mostWordless
	}
	return true
}

// isSecond reports whether a URL is that of the part of a list behind the one of the page.
// If at is nil, any part is that a word or the query numbers.
func isSecond(at, to *url.URL) bool {
	if !isNext(at, to) {
		return false
	}
	b := listURLOf(to)
	if at == nil {
		return b.word || to.RawQuery != "" && !strings.HasSuffix(b.list, "?"+to.RawQuery)
	}
	if at.RawQuery != to.RawQuery {
		return true
	}
	a := listURLOf(at)
	if a.whole == b.list || a.number < 0 {
		return b.number == 1 || b.number == 2
	}
	return b.number == a.number+1 && !b.bare
}

// mostWordless is the greatest number that is taken for that of a page where it may be
// that of an article.
const mostWordless = 99

func same(a, b *url.URL) bool {
	return a.Host == b.Host && strings.TrimSuffix(a.Path, "/") == strings.TrimSuffix(b.Path, "/") && a.RawQuery == b.RawQuery
}
