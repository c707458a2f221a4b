package body

import (
	"fmt"
	"strings"
	"testing"
)

// rates is a table of figures of n rows.
func rates(n int) (html string, rows []string) {
	var s strings.Builder
	for i := range n {
		cells := []string{fmt.Sprintf("第%d号码头", i+1), fmt.Sprintf("%d.5米", i), fmt.Sprintf("%d艘", 3*i+1)}
		s.WriteString("<tr><td>" + strings.Join(cells, "</td><td>") + "</td></tr>")
		rows = append(rows, strings.Join(cells, " "))
	}
	return "<table border=1>" + s.String() + "</table>", rows
}

// TestTablesOfArticles sets tables of data into articles: they are part of
// the text wherever they stand.
func TestTablesOfArticles(t *testing.T) {
	texts := map[string][]string{"one paragraph": {para1}, "two": {para1, para2}, "five": {para1, para2, para3, para1 + para2, para3 + para1}}
	for length, text := range texts {
		for _, n := range []int{3, 12, 30} {
			table, rows := rates(n)
			within := (len(text) + 1) / 2
			for place, article := range map[string]struct {
				html string
				want []string
			}{
				"table, first":  {table + paragraphs(text...), append(append([]string{}, rows...), text...)},
				"table, within": {paragraphs(text[:within]...) + table + paragraphs(append(text[within:], para3)...), append(append(append(append([]string{}, text[:within]...), rows...), text[within:]...), para3)},
				"table, last":   {paragraphs(text...) + table, append(append([]string{}, text...), rows...)},
			} {
				t.Run(fmt.Sprint(length, "/", place, n), func(t *testing.T) {
					b, err := extract(t, newsPage("博览会拟推迟一年举行", "2020年03月30日", article.html), "http://www.example.test/a.html")
					if want := strings.Join(article.want, "\n"); err != nil || b.Text != want {
						t.Errorf("text by %s, error %v:\n%s\nwant:\n%s", b.Method, err, b.Text, want)
					}
				})
			}
		}
	}
}

// TestTablesOfLayout holds that tables that lay a page out, that list links and
// that tell about a document are not its text.
func TestTablesOfLayout(t *testing.T) {
	article := paragraphs(para1, para2)
	tests := map[string]string{
		"article in a cell":  "<table><tr><td><a href=/1>栏目</a></td><td>" + article + "</td></tr><tr><td>栏目</td><td>2020-03-30</td></tr></table>",
		"lines in a cell":    "<table><tr><td>　　" + para1 + "<br>　　" + para2 + "</td></tr></table>",
		"cells of paragraph": "<table><tr><td>" + para1 + "</td></tr><tr><td>" + para2 + "</td></tr></table>",
		"links below":        article + "<table>" + strings.Repeat("<tr><td><a href=/1>另一条新闻的标题，说了些什么</a></td><td>03-30</td></tr>", 6) + "</table>",
		"a document's own":   "<table><tr><td>索引号：</td><td>014149364</td></tr><tr><td>文号：</td><td>青政〔2020〕12号</td></tr></table>" + article,
		"weather beside":     "<div>" + article + "</div><div><h3>天气</h3><table><tr><td>周一</td><td>12℃</td></tr><tr><td>周二</td><td>14℃</td></tr><tr><td>周三</td><td>15℃</td></tr></table></div>",
		"short items":        article + "<ul><li>新浪微博</li><li>微信</li><li>空间</li></ul>",
	}
	for name, html := range tests {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, newsPage("博览会拟推迟一年举行", "", html), "http://www.example.test/a.html")
			if want := para1 + "\n" + para2; err != nil || b.Text != want {
				t.Errorf("text by %s, error %v:\n%s", b.Method, err, b.Text)
			}
		})
	}
}
