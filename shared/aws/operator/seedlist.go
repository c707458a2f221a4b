package operator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// maxObject is how many bytes the seed function reads of an object under
// seeds/.
const maxObject = 50 << 20

// List is a file of seeds: one URL a line, with blank lines and comments after
// "#", or a sitemap or feed. It may be compressed with gzip.
type List struct {
	Name string // for errors
	Data []byte
}

// URLs returns the URLs of a list in canonical form, each once.
func (l *List) URLs() ([]string, error) {
	urls, _, err := l.urls()
	return urls, err
}

// urls returns the URLs of a list in canonical form, each once, and whether the
// list holds only URLs. Entries of sitemaps and feeds also have titles.
func (l *List) urls() (urls []string, plain bool, err error) {
	if len(l.Data) > maxObject {
		return nil, false, request("%s has more than %d MiB: split it", l.Name, maxObject>>20)
	}
	start := bytes.TrimLeft(bytes.TrimPrefix(l.Data, []byte("\xef\xbb\xbf")), " \t\r\n")
	if !bytes.HasPrefix(start, []byte("<")) && !bytes.HasPrefix(start, []byte("\x1f\x8b")) {
		urls, err = l.lines()
		return urls, true, err
	}
	entries, _, err := page.ParseSource(l.Data, "", urlnorm.URL{})
	if err != nil && len(entries) == 0 {
		return nil, false, request("read %s: %w", l.Name, err)
	}
	for _, e := range entries {
		urls = append(urls, e.URL.String())
	}
	return urls, false, nil
}

func (l *List) lines() ([]string, error) {
	var raw []string
	var where []string
	n := 0
	for line := range bytes.Lines(l.Data) {
		n++
		text := strings.TrimSpace(strings.TrimPrefix(string(line), "\ufeff"))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		raw, where = append(raw, text), append(where, fmt.Sprintf("%s:%d", l.Name, n))
	}
	return canonical(raw, func(i int) string { return where[i] })
}

// maxProblems is how many bad seeds an error lists.
const maxProblems = 20

// canonical returns URLs in canonical form, each once, in order. The error
// lists those that are invalid and where they are.
func canonical(raw []string, where func(i int) string) ([]string, error) {
	var urls []string
	var problems []error
	seen := make(map[string]bool, len(raw))
	for i, text := range raw {
		u, err := urlnorm.Given(text)
		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("%s: %w", where(i), err))
		case !seen[u.String()]:
			seen[u.String()] = true
			urls = append(urls, u.String())
		}
	}
	if more := len(problems) - maxProblems; more > 0 {
		problems = append(problems[:maxProblems:maxProblems], fmt.Errorf("and %d more that are not URLs", more))
	}
	if len(problems) > 0 {
		return nil, requestError{fmt.Errorf("bad seeds: %w", errors.Join(problems...))}
	}
	return urls, nil
}

// listObject is an object of seeds to put.
type listObject struct {
	key  string
	data []byte
}

// chunk is how many seeds an object has at most: the seed function has a minute
// for each object.
const chunk = 10_000

// listObjects returns the objects that hold the URLs for a crawl. Their names
// depend only on their content, so that putting them again changes nothing.
func listObjects(crawl string, urls []string) []listObject {
	var out []listObject
	for part := range slices.Chunk(urls, chunk) {
		data := []byte(strings.Join(part, "\n") + "\n")
		out = append(out, listObject{seedsKey(crawl, data) + ".txt", data})
	}
	return out
}

func seedsKey(crawl string, data []byte) string {
	sum := sha256.Sum256(data)
	return "seeds/" + crawl + "/cli-" + hex.EncodeToString(sum[:8])
}
