package field_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/structure/field"
)

// A date that nothing but its form speaks for is no deadline: it is the date of the notice,
// if that has no other.
func TestSecondDate(t *testing.T) {
	for name, test := range map[string]struct{ page, date, deadline string }{
		"at the end":   {"<h1>通知</h1><p>发布时间：2024-05-28</p><p>正文</p><p align=right>2024年5月27日</p>", "2024-05-28", ""},
		"the only one": {"<h1>通知</h1><p>正文</p><p align=right>2024年5月27日</p>", "2024年5月27日", ""},
		"with a label": {"<h1>通知</h1><p>发布时间：2024-05-28</p><p>截止时间：2024-06-27</p>", "2024-05-28", "2024-06-27"},
		"with a name":  {"<h1>通知</h1><p>发布时间：2024-05-28</p><p class=deadline>2024-06-27</p>", "2024-05-28", "2024-06-27"},
		"written":      {"<h1>通知</h1><table><tr><td>成文日期：</td><td>2024-05-24</td><td>发布日期：</td><td>2024-05-28</td></tr></table>", "2024-05-28", ""},
		"printed":      {"<h1>通知</h1><p><b>印发日期</b> <i>2024-05-24</i></p><p class=date>2024-05-28</p>", "2024-05-28", ""},
		"changed":      {"<h1>通知</h1><table><tr><th>更新时间<td>2024-05-29<tr><th>发布时间<td>2024-05-28</table>", "2024-05-28", ""},
		"only written": {"<h1>通知</h1><p>成文日期：2024-05-24</p><p>正文</p><p align=right>2024年5月23日</p>", "2024-05-24", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := texts(field.Analyze(load(t, "notice"), []field.Page{pageOf(t, test.page)}))
			if diff := cmp.Diff([]string{test.date, test.deadline}, []string{got["date"], got["deadline"]}); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
