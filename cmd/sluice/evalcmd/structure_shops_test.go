package evalcmd

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sluice/shared/eval/sitefields"
)

func TestCourses(t *testing.T) {
	done := func(ms ...int) (all []time.Duration) {
		for _, n := range ms {
			all = append(all, time.Duration(n)*time.Millisecond)
		}
		return all
	}
	table := &shopsTable{
		fieldsTable: fieldsTable{Pages: 4, Rows: make([]fieldRow, 2), Totals: make([]fieldRow, 2)},
		Courses: []courseRow{
			{Course: sitefields.Course{Site: "shop", Method: sitefields.Analysed, Done: done(60, 70, 80, 100)}},
			{Course: sitefields.Course{Site: "shop", Method: sitefields.HandWritten, Done: done(10, 20, 30, 40)}},
		},
	}
	var csv strings.Builder
	if err := table.csv(&csv); err != nil {
		t.Fatal(err)
	}
	if want := "site,extractor,pages,milliseconds\nshop,sluice,1,60\n"; !strings.HasPrefix(csv.String(), want) || strings.Count(csv.String(), "\n") != 9 {
		t.Errorf("CSV is\n%s", csv.String())
	}
	figure := table.figure()
	var got [][]float64
	for _, line := range figure.Lines {
		got = append(got, []float64{line.Values[0], line.Values[15], line.Values[65], line.Values[100]})
	}
	want := [][]float64{{0, 0, 0.25, 1}, {0, 0.25, math.NaN(), math.NaN()}}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" || figure.Most != 100 {
		t.Errorf("figure up to %v ms (-want +got):\n%s", figure.Most, diff)
	}
}
