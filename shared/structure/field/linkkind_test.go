package field_test

import (
	"fmt"
	"strings"
	"testing"

	"sluice/shared/structure/field"
)

// Of the posts of a thread the first one's author and date are those of the page: the link to
// who wrote it says so by its address, and the day when somebody joined is no date of the page.
func TestAnalyzeThreads(t *testing.T) {
	names := []string{"老王", "小李飞刀", "tomcat99", "山中人"}
	for form, post := range map[string]string{
		"Discuz":  `<div><div class=authi><a href="space-uid-%d.html" class=xw1>%s</a></div>积分 %d<div class=pti><em id=authorposton1>发表于 2024-5-%d 12:30</em></div></div>`,
		"V2EX":    `<div><small><a href="/member/u%d">%s</a> · %d 次点击 · <span>2024-05-%02d 12:30</span></small></div>`,
		"queries": `<div><dl><dt><a href="./user.php?id=%d">%s</a></dt><dd>注册时间：201%d-02-03</dd></dl><p>2024-05-%02d 12:30</p></div>`,
	} {
		var pages []field.Page
		for n := range names {
			posts := ""
			for i := range n + 1 {
				posts += fmt.Sprintf(post, (n+i)%4, names[(n+i)%4], n+i, n+i+1) + "<p>水泵今天修好了，谢谢大家。</p>"
			}
			pages = append(pages, pageOf(t, fmt.Sprintf("<h1>第%d口井的水泵怎么修</h1>", n)+posts))
		}
		news := load(t, "news")
		x, err := field.NewExtractor(news, field.Analyze(news, pages))
		if err != nil {
			t.Fatal(err)
		}
		for n, p := range pages {
			got := x.Extract(p)
			if got["author"].Text != names[n] || !strings.HasPrefix(got["date"].Date, fmt.Sprintf("2024-05-%02d", n+1)) {
				t.Errorf("%s, thread %d: author %q, date %q", form, n, got["author"].Text, got["date"].Date)
			}
		}
	}
}

// Who wrote a comment did not write the article in front of it.
func TestAnalyzeComments(t *testing.T) {
	var pages []field.Page
	for n, name := range []string{"Redlamp", "Bluelamp", "Greenlamp", "Blacklamp"} {
		text := strings.Repeat(fmt.Sprintf("The river gauge reached its lowest mark in %d years. ", n+10), 4)
		pages = append(pages, pageOf(t, fmt.Sprintf(`<h1>Item %d of the news</h1><p>2024-05-0%d</p><p>%s</p><div><a href="/user/%s">%s</a> Well said.</div>`, n, n+1, text, name, name)))
	}
	if got := texts(field.Analyze(load(t, "news"), pages))["author"]; got != "" {
		t.Errorf("author %q", got)
	}
}

// The address of a link says of what kind its text is, if that is the name of a page and not
// its title.
func TestAnalyzeLinkKinds(t *testing.T) {
	for form, tt := range map[string]struct {
		link, want string
	}{
		"a folder":         {`<p><a href="/brand/%[1]s">%[1]s</a></p>`, "Knopf"},
		"a page":           {`<p><a href="/brand.php?id=%[2]d">%[1]s</a></p>`, "Knopf"},
		"with a session":   {`<p><a href="/brand/%[1]s?PHPSESSID=k7d0q1">%[1]s</a></p>`, "Knopf"},
		"a product of one": {`<p><a href="/brand/%[1]s/red-pear-%[2]d">Red pear %[1]s</a></p>`, ""},
		"a title":          {`<p><a href="/best-brand-of-the-year-%[2]d">The %[1]s prize</a></p>`, ""},
	} {
		var pages []field.Page
		for n, name := range []string{"Knopf", "Orchard", "Vintage", "Harbour"} {
			head := fmt.Sprintf("<h1>Item %d of the shop</h1><b>$1%d.00</b>", n, n)
			pages = append(pages, pageOf(t, head+fmt.Sprintf(tt.link, name, n)))
		}
		if got := texts(field.Analyze(load(t, "shop"), pages))["brand"]; got != tt.want {
			t.Errorf("%s: brand %q, want %q", form, got, tt.want)
		}
	}
}
