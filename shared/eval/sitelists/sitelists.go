// Package sitelists measures how well the main lists of saved pages are found
// (METHOD C3), against an XPath for the records of each.
package sitelists

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/net/html"

	"sluice/shared/eval/metric"
	"sluice/shared/structure"
	"sluice/shared/web/page"
)

// Row is a page with the number of its records.
type Row struct {
	Page  string `json:"page"` // as the table names it
	Want  int    `json:"want"` // 0: the page has no list
	Got   int    `json:"got"`
	Right int    `json:"right"` // records that agree with a true one
}

// Result judges the main lists of pages.
type Result struct {
	Rows     []Row
	Exact    int           // pages with as many records as wanted
	Records  metric.Count  // of all pages
	Analysis time.Duration // of a page on average, without parsing
}

// columns are the headings of a table, in any order; others are ignored.
var columns = []string{"path", "encoding", "record_xpath", "n_records"}

// Judge reads a table of pages, with tabs between its columns: path relative to the
// table, encoding or "", record_xpath, n_records. A page with 0 records has no list.
func Judge(table string) (*Result, error) {
	rows, at, err := readTable(table)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", table, err)
	}
	r := &Result{}
	var problems []error
	for _, row := range rows {
		one, spent, err := judge(filepath.Join(filepath.Dir(table), filepath.FromSlash(row[at["path"]])), row[at["encoding"]], row[at["record_xpath"]], row[at["n_records"]])
		if err != nil {
			problems = append(problems, fmt.Errorf("page %s: %w", row[at["path"]], err))
			continue
		}
		one.Page = row[at["path"]]
		r.Rows = append(r.Rows, one)
		r.Analysis += spent
		r.Records.Wanted += one.Want
		r.Records.Taken += one.Got
		r.Records.Right += one.Right
		if one.Got == one.Want {
			r.Exact++
		}
	}
	if len(r.Rows) > 0 {
		r.Analysis /= time.Duration(len(r.Rows))
	}
	return r, errors.Join(problems...)
}

func readTable(name string) (rows [][]string, at map[string]int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	if rows, err = r.ReadAll(); err != nil {
		return nil, nil, err
	}
	if len(rows) < 2 {
		return nil, nil, errors.New("it has no page")
	}
	at = map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	for _, name := range columns {
		if _, ok := at[name]; !ok {
			return nil, nil, fmt.Errorf("line 1: no column %s", name)
		}
	}
	return rows[1:], at, nil
}

// judge compares the main list of a page with its true records.
func judge(file, encoding, path, count string) (row Row, spent time.Duration, err error) {
	if row.Want, err = strconv.Atoi(count); err != nil || row.Want < 0 {
		return row, 0, fmt.Errorf("n_records %q is no number of records", count)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return row, 0, err
	}
	contentType := ""
	if encoding != "" {
		contentType = "text/html; charset=" + encoding
	}
	tree, err := page.TreeOf(raw, contentType)
	if err != nil {
		return row, 0, err
	}
	var truth []*html.Node
	if row.Want > 0 {
		records, err := structure.ParsePath(path)
		if err != nil {
			return row, 0, err
		}
		if truth = records.Select(tree); len(truth) != row.Want {
			return row, 0, fmt.Errorf("its path selects %d records, not %d", len(truth), row.Want)
		}
	}
	began := time.Now()
	lists := structure.Analyze(tree, nil).Lists
	spent = time.Since(began)
	if len(lists) > 0 {
		row.Got = len(lists[0].Records)
		row.Right = common(truth, lists[0].Records)
	}
	return row, spent, nil
}

// common counts the records that hold exactly one true one, or are in one that no
// other is in: where a record begins and ends is a matter of taste.
func common(truth []*html.Node, records []structure.Record) (n int) {
	left := make(map[*html.Node]bool, len(truth))
	for _, t := range truth {
		left[t] = true
	}
	for _, r := range records {
		if within := inside(r, left); len(within) == 1 {
			n++
			delete(left, within[0])
		} else if around := above(r[0], left); len(within) == 0 && around != nil {
			n++
			delete(left, around)
		}
	}
	return n
}

// inside returns the true records that a record holds.
func inside(r structure.Record, truth map[*html.Node]bool) (found []*html.Node) {
	for _, n := range r {
		if truth[n] {
			found = append(found, n)
		}
		for d := range n.Descendants() {
			if truth[d] {
				found = append(found, d)
			}
		}
	}
	return found
}

// above returns the true record that a node is in, nil for none.
func above(n *html.Node, truth map[*html.Node]bool) *html.Node {
	for ; n != nil; n = n.Parent {
		if truth[n] {
			return n
		}
	}
	return nil
}
