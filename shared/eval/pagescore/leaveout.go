package pagescore

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"sluice/shared/eval/frozenweb"
)

// maxURL bounds a line of a list of URLs, in bytes.
const maxURL = 64 << 10

// LeaveOut reads a list of URLs, one a line, for Documents: the examples that a
// topic was made from, on which it must not be judged. Blank lines do not count.
// A URL that the web does not have is an error with its line, for it may be the
// misspelling of one.
func LeaveOut(w *frozenweb.Web, list io.Reader) (map[*frozenweb.Page]bool, error) {
	pages := map[*frozenweb.Page]bool{}
	lines := bufio.NewScanner(list)
	lines.Buffer(nil, maxURL)
	number := 0
	for lines.Scan() {
		number++
		address := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\uFEFF"))
		if address == "" {
			continue
		}
		p := w.Page(address)
		if p == nil {
			return nil, fmt.Errorf("line %d: the web has no page %.200q", number, address)
		}
		pages[p] = true
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	return pages, nil
}
