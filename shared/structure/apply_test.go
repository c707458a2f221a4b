package structure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The last page of a list may have one record only: its path is that of the
// other pages.
func TestRecordsOfStoredPath(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, before, item, after string
		want                      []string
	}{
		{
			name: "one record", before: `<ul id="list">`, item: `<li><a href="/%[1]d">%[2]s</a><span>today</span></li>`, after: `</ul>`,
			want: []string{"Harvest of the northern orchards begins a week early today"},
		},
		{
			name: "rows without a <tbody>", before: `<table id="t"><tr><th>No</th><th>Title</th></tr>`, item: `<tr><td>%[1]d</td><td><a href="/%[1]d">%[2]s</a></td></tr>`, after: `</table>`,
			want: []string{"0 Harvest of the northern orchards begins a week early"},
		},
		{
			name: "siblings", before: `<dl id="d">`, item: `<dt><a href="/%[1]d">%[2]s</a></dt><dd>The details of it, which take a line.</dd>`, after: `</dl>`,
			want: []string{"Harvest of the northern orchards begins a week early The details of it, which take a line."},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lists := Analyze(parse(t, menu+tt.before+items(8, tt.item)+tt.after+foot), nil).Lists
			if len(lists) != 1 {
				t.Fatalf("%d lists", len(lists))
			}
			path, err := ParsePath(lists[0].RecordXPath)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range path.Records(parse(t, menu+tt.before+items(1, tt.item)+tt.after+foot), lists[0].Siblings) {
				got = append(got, r.Text())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
		})
	}
}

// Paths come from files that people edit.
func TestParsePathRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "//li[", "//li[@id=]", "///", "//li[position(]", "li[", "$x", "f("} {
		if _, err := ParsePath(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	root := parse(t, `<p>text`)
	for _, text := range []string{"count(//p)", "'text'", "//p/text()", "//p/@id", "1 div 0"} {
		path, err := ParsePath(text)
		if err != nil {
			continue
		}
		if got := path.Select(root); len(got) > 0 {
			t.Errorf("%q selects %d elements", text, len(got))
		}
	}
}
