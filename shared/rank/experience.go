package rank

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"sluice/shared/web/urlnorm"
)

// Experience is what a crawl has learned of its pages: how many pages of a host, of
// a directory, and of a directory and shape of path were read, and how many of them
// were kept. It expects of a page the share of its like, which begins as the share
// of the next wider group: all pages, the host, the directory, the shape. It is safe
// for concurrent use.
type Experience struct {
	mu     sync.RWMutex
	all    tally
	groups map[string]tally
}

// tally counts pages.
type tally struct {
	Pages float64 `json:"pages"`
	Kept  float64 `json:"kept"`
}

// The shares of a group begin as if some of its pages had been read, and that share
// of them kept.
const (
	firstShare = 0.1 // of all pages of a crawl
	firstPages = 10  // of all
	likePages  = 3   // of a narrower group
	maxGroups  = 1 << 17
	maxName    = 64 // bytes of a directory, and of a shape; the rest is cut off
)

// NewExperience returns that of a crawl without pages.
func NewExperience() *Experience { return &Experience{groups: map[string]tally{}} }

// Learn counts a page that was read.
func (e *Experience) Learn(u urlnorm.URL, kept bool) {
	one := tally{Pages: 1}
	if kept {
		one.Kept = 1
	}
	names := groupsOf(u)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = e.all.plus(one)
	for _, name := range names {
		t, ok := e.groups[name]
		if ok || len(e.groups) < maxGroups {
			e.groups[name] = t.plus(one)
		}
	}
}

// Expect returns the share of pages like u that are kept, between 0 and 1.
func (e *Experience) Expect(u urlnorm.URL) float64 {
	var room [256]byte
	name, ends := appendGroups(room[:0], u)
	e.mu.RLock()
	defer e.mu.RUnlock()
	share := e.all.share(firstShare, firstPages)
	for _, end := range ends {
		share = e.groups[string(name[:end])].share(share, likePages)
	}
	return share
}

// MarshalJSON implements json.Marshaler.
func (e *Experience) MarshalJSON() ([]byte, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return json.Marshal(record{e.all, e.groups})
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *Experience) UnmarshalJSON(data []byte) error {
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	valid := r.All.valid() && r.Groups != nil
	for _, t := range r.Groups {
		valid = valid && t.valid()
	}
	if !valid {
		return errors.New("pages are counted that were kept but not fetched")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all, e.groups = r.All, r.Groups
	return nil
}

// record is an Experience as it is stored.
type record struct {
	All    tally            `json:"all"`
	Groups map[string]tally `json:"groups"`
}

// learner is what strategies that learn from an Experience have in common.
type learner struct{ experience *Experience }

// learnerAfter takes over the experience of the strategy that it replaces.
func learnerAfter(before Strategy) learner {
	if before, ok := before.(Learner); ok {
		return learner{before.Experience()}
	}
	return learner{NewExperience()}
}

// Line implements Strategy: all links are in one order.
func (learner) Line() float64 { return 0 }

// Learn implements Learner.
func (l learner) Learn(page urlnorm.URL, kept bool) { l.experience.Learn(page, kept) }

// Read implements Learner.
func (l learner) Read(host string) int { return l.experience.Read(host) }

// Experience implements Learner.
func (l learner) Experience() *Experience { return l.experience }

// Read returns how many pages of a host were read.
func (e *Experience) Read(host string) int {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return int(e.groups[host].Pages)
}

func (t tally) valid() bool { return 0 <= t.Kept && t.Kept <= t.Pages }

func (t tally) plus(u tally) tally { return tally{t.Pages + u.Pages, t.Kept + u.Kept} }

func (t tally) share(first, pages float64) float64 {
	return (t.Kept + first*pages) / (t.Pages + pages)
}

// groupsOf names the groups of a page, the widest first.
func groupsOf(u urlnorm.URL) [3]string {
	name, ends := appendGroups(nil, u)
	all := string(name)
	return [3]string{all[:ends[0]], all[:ends[1]], all}
}

// appendGroups appends the name of the narrowest group of a page. Each wider one's is the
// beginning of it; ends are their lengths, the widest first.
func appendGroups(name []byte, u urlnorm.URL) (_ []byte, ends [3]int) {
	name = append(name, u.Host()...)
	ends[0] = len(name)
	name = append(name, cut(directoryOf(u.Path()))...)
	ends[1] = len(name)
	name = append(name, ' ')
	shape := len(name)
	name = append(appendShape(name, u.Path()), '?')
	name = appendShape(name, u.Query())
	name = name[:min(len(name), shape+maxName)]
	ends[2] = len(name)
	return name, ends
}

// directoryOf returns the first directory of a path, / if it has none.
func directoryOf(path string) string {
	if end := strings.IndexByte(strings.TrimPrefix(path, "/"), '/'); end >= 0 {
		return path[:end+1]
	}
	return "/"
}

func cut(name string) string { return name[:min(len(name), maxName)] }

// appendShape appends a path with each run of letters as a and each run of digits as 0.
func appendShape(shape []byte, path string) []byte {
	last := byte(0)
	for i := range len(path) {
		c := path[i]
		switch {
		case '0' <= c && c <= '9':
			c = '0'
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c >= 0x80, c == '-', c == '_', c == '%':
			c = 'a'
		}
		if c != last || c != '0' && c != 'a' {
			shape = append(shape, c)
		}
		last = c
	}
	return shape
}
