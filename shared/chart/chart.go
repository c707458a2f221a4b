// Package chart draws the figure that evaluations need, bars and a line over
// the same positions, for terminals and as SVG.
package chart

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"golang.org/x/text/width"
)

// Figure shows two quantities at the same positions: an amount as bars, a share
// as a line. Values that are NaN or infinite are left out.
type Figure struct {
	Title     string
	Axis      string   // label of the Positions
	Positions []string // at least one
	Amount    Series   // 0 or more each
	Share     Series   // 0 to 1 each
}

// Series is a named value for each position.
type Series struct {
	Name   string
	Values []float64
}

// Terminal writes the figure as text of the given number of columns: a line
// for each position, the amount as a bar, the share as a mark on a scale.
func (f *Figure) Terminal(w io.Writer, columns int) error {
	label := displayed(f.Axis)
	for _, p := range f.Positions {
		label = max(label, displayed(p))
	}
	// Two halves, each with its number of at most 7 columns and spaces between.
	half := max((columns-label-2*9-2)/2, 8)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n%s  %s  %s\n", f.Title, pad(f.Axis, label), pad(f.Amount.Name, half+9), f.Share.Name)
	most := greatest(f.Amount.Values)
	for i, p := range f.Positions {
		amount, share := f.Amount.Values[i], f.Share.Values[i]
		fmt.Fprintf(&b, "%s  %s %-7s  %s %s\n", pad(p, label),
			pad(bar(amount/most, half), half), short(amount), pad(mark(share, half), half), ratio(share))
	}
	_, err := b.WriteTo(w)
	return err
}

// bar is a bar of the given share of n columns, to an eighth of a column.
func bar(share float64, n int) string {
	if !(share > 0) {
		return ""
	}
	eighths := max(int(math.Round(min(share, 1)*float64(n)*8)), 1)
	blocks := []rune("▏▎▍▌▋▊▉")
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string(blocks[rest-1])
	}
	return text
}

// mark is a scale of n columns from 0 to 1 with a mark at the share.
func mark(share float64, n int) string {
	if math.IsNaN(share) {
		return strings.Repeat("·", n)
	}
	at := int(math.Round(min(max(share, 0), 1) * float64(n-1)))
	return strings.Repeat("─", at) + "●" + strings.Repeat("·", n-1-at)
}

// short writes a value in at most seven columns.
func short(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "–"
	case v == math.Trunc(v) && math.Abs(v) < 1e7 && v > 1:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// ratio writes a share.
func ratio(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%.3f", v)
}

// greatest is the greatest value, or 1 if all are 0.
func greatest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		if !math.IsInf(v, 0) && v > most {
			most = v
		}
	}
	if most == 0 {
		return 1
	}
	return most
}

func pad(s string, n int) string { return s + strings.Repeat(" ", max(n-displayed(s), 0)) }

// displayed is the width of a text in columns: Chinese takes two each.
func displayed(s string) int {
	n := 0
	for _, r := range s {
		n++
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			n++
		}
	}
	return n
}
