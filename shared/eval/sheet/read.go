package sheet

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/width"

	"sluice/shared/eval/metric"
)

const (
	maxLine   = 1 << 20 // bytes
	maxErrors = 20      // of a sheet, reported at once
)

// Precision is the share of right documents among the marked ones.
type Precision struct {
	Site     string        `json:"site,omitempty"` // a host; "" for all
	Marked   int           `json:"marked"`
	Right    int           `json:"right"`
	Unmarked int           `json:"unmarked"`
	Value    metric.Number `json:"precision"` // null without marks
	Low      float64       `json:"low"`       // of the 95 % interval, see metric.Wilson
	High     float64       `json:"high"`
}

// Result is the result of a marked sheet.
type Result struct {
	Precision
	Sites []Precision `json:"sites"` // most marked first
}

// Read adds up a sheet. A mark is 1, y, yes or 是 for a document of the topic,
// 0, n, no or 否 for another; blank means not marked. Only the first two columns
// are read. The error lists up to 20 bad lines.
func Read(r io.Reader) (*Result, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	all, sites := Precision{}, map[string]*Precision{}
	first := map[string]int{}
	var problems []error
	number := 0
	for lines.Scan() && len(problems) < maxErrors {
		number++
		line := lines.Text()
		if number == 1 {
			line = strings.TrimPrefix(line, "\uFEFF")
		}
		if strings.TrimSpace(line) == "" || number == 1 && isHeader(line) {
			continue
		}
		mark, host, address, err := readRow(line)
		if err == nil && first[address] > 0 {
			err = fmt.Errorf("%s is already on line %d", address, first[address])
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", number, err))
			continue
		}
		first[address] = number
		if sites[host] == nil {
			sites[host] = &Precision{Site: host}
		}
		all.add(mark)
		sites[host].add(mark)
	}
	if err := lines.Err(); err != nil {
		problems = append(problems, fmt.Errorf("line %d: %w", number+1, err))
	}
	if len(problems) == 0 && len(first) == 0 {
		problems = append(problems, errors.New("no documents"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	result := &Result{Precision: all.done()}
	for _, p := range sites {
		result.Sites = append(result.Sites, p.done())
	}
	slices.SortFunc(result.Sites, func(a, b Precision) int {
		return cmp.Or(cmp.Compare(b.Marked, a.Marked), cmp.Compare(a.Site, b.Site))
	})
	return result, nil
}

func isHeader(line string) bool {
	name, _, _ := strings.Cut(line, "\t")
	return strings.EqualFold(strings.TrimSpace(unquote(name)), "mark")
}

// readRow reads mark and URL; mark is nil if there is none.
func readRow(line string) (mark *bool, host, address string, err error) {
	fields := strings.SplitN(line, "\t", maxFields)
	if len(fields) < 2 {
		return nil, "", "", errors.New("one column: need a mark and a URL with a tab between them")
	}
	address = unquote(strings.TrimSpace(fields[1]))
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, "", "", fmt.Errorf("%.100q is not a URL", address)
	}
	mark, err = readMark(fields[0])
	return mark, strings.ToLower(u.Hostname()), address, err
}

func readMark(text string) (*bool, error) {
	yes, no := true, false
	switch strings.ToLower(width.Fold.String(strings.TrimSpace(unquote(text)))) {
	case "":
		return nil, nil
	case "1", "y", "yes", "是":
		return &yes, nil
	case "0", "n", "no", "否":
		return &no, nil
	}
	return nil, fmt.Errorf("mark is %.40q: write 1, y or 是 for a document of the topic, 0, n or 否 for another, or nothing", strings.TrimSpace(text))
}

// unquote takes off the quotes that some spreadsheets write.
func unquote(text string) string {
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}

func (p *Precision) add(mark *bool) {
	switch {
	case mark == nil:
		p.Unmarked++
	case *mark:
		p.Right++
		p.Marked++
	default:
		p.Marked++
	}
}

// done computes the derived values.
func (p *Precision) done() Precision {
	p.Value = metric.Ratio(p.Right, p.Marked)
	p.Low, p.High = metric.Wilson(p.Right, p.Marked)
	return *p
}
