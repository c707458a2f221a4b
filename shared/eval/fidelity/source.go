package fidelity

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"sluice/shared/web/urlnorm"
)

// Source is a text that a page was made from.
type Source struct {
	URL  string // of the page, "" if unknown
	Text string // perhaps with its headline in front
}

// Sources are texts that pages were made from. They do not change and are safe
// for concurrent use.
type Sources struct {
	all   []Source
	byURL map[string]int
	grams map[uint64][]int // the sources without URL that have a gram
	count []int            // grams of each source
}

// maxLine bounds a source, in bytes.
const maxLine = 16 << 20

// Load reads sources out of files, one a line: objects of JSON with url and
// body, or a label and a text with a tab between them. Errors name the file and
// the line.
func Load(paths ...string) (*Sources, error) {
	s := &Sources{byURL: map[string]int{}, grams: map[uint64][]int{}}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("read sources: %w", err)
		}
		err = s.read(f)
		_ = f.Close() // only read
		if err != nil {
			return nil, fmt.Errorf("read sources %s: %w", path, err)
		}
	}
	if len(s.all) == 0 {
		return nil, errors.New("read sources: no sources found")
	}
	return s, nil
}

// Len returns how many sources there are.
func (s *Sources) Len() int { return len(s.all) }

func (s *Sources) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimRight(lines.Bytes(), "\r")
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if len(line) == 0 {
			continue
		}
		source, err := parse(line)
		if err == nil {
			err = s.add(source)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", number+1, err)
	}
	return nil
}

func parse(line []byte) (Source, error) {
	if !utf8.Valid(line) {
		return Source{}, errors.New("it is not UTF-8")
	}
	if line[0] != '{' {
		_, text, ok := strings.Cut(string(line), "\t")
		if !ok || strings.TrimSpace(text) == "" {
			return Source{}, errors.New("want a label and a text with a tab between them, or an object of JSON")
		}
		return Source{Text: text}, nil
	}
	var r struct{ URL, Body string }
	if err := json.Unmarshal(line, &r); err != nil {
		return Source{}, err
	}
	if r.URL == "" || r.Body == "" {
		return Source{}, errors.New("want url and body")
	}
	return Source{r.URL, r.Body}, nil
}

func (s *Sources) add(source Source) error {
	at := len(s.all)
	s.all, s.count = append(s.all, source), append(s.count, 0)
	if source.URL == "" {
		for g := range grams(source.Text, findStep) {
			if on := s.grams[g]; len(on) == 0 || on[len(on)-1] != at {
				s.grams[g] = append(on, at)
				s.count[at]++
			}
		}
		return nil
	}
	u, err := urlnorm.Parse(source.URL)
	if err != nil {
		return fmt.Errorf("url %.100q: %w", source.URL, err)
	}
	if _, there := s.byURL[u.String()]; !there { // of several the first counts
		s.byURL[u.String()] = at
	}
	return nil
}

// Find returns the source of a page by its canonical URL, or else the one that
// the page shows best: much of it, and little of it is missing. It is nil if
// the page does not show half of any. Markup is the decoded page: the result of
// extraction must not matter.
func (s *Sources) Find(url, markup string) *Source {
	if at, ok := s.byURL[url]; ok {
		return &s.all[at]
	}
	seen, shown := map[uint64]bool{}, map[int]int{}
	for g := range grams(html.UnescapeString(markup), 1) {
		if seen[g] {
			continue
		}
		seen[g] = true
		for _, at := range s.grams[g] {
			shown[at]++
		}
	}
	best := -1
	for at, n := range shown {
		if 2*n < s.count[at] {
			continue
		}
		// The shown characters, times their share of the source.
		if best < 0 || cmp.Or(n*n*s.count[best]-shown[best]*shown[best]*s.count[at], best-at) > 0 {
			best = at
		}
	}
	if best < 0 {
		return nil
	}
	return &s.all[best]
}

// A source is found by grams of findLength characters, long enough to be rare.
// Every findStep-th of its grams is looked up.
const (
	findLength = 8
	findStep   = 4
)

// grams yields the hash of a gram at each step of a text.
func grams(text string, step int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		t := split(text)
		var buf []byte
		for i := 0; i+findLength <= len(t.characters); i += step {
			buf = buf[:0]
			for _, r := range t.characters[i : i+findLength] {
				buf = utf8.AppendRune(buf, r)
			}
			if !yield(xxh3.Hash(buf)) {
				return
			}
		}
	}
}
