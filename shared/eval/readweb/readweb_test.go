package readweb_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/readweb"
)

// paragraphs are prose that differs by n, and does not repeat itself.
func paragraphs(n int) string {
	subject := []string{"桥", "路", "学校", "医院", "码头", "水库"}[n%6]
	return fmt.Sprintf("<p>记者昨天从有关部门获悉，第%d座%s的工程正在进行，预计年底完成，现场的负责人对此很有信心。</p>"+
		"<p>附近的居民大多支持修建%s，也有人担心夜里的声音会影响孩子睡觉，施工方答应晚上%d点以后停下来。</p>", n, subject, subject, n%12)
}

const footer = "<p>以上内容由晨报的编辑们每天早晨为您整理，欢迎您把意见和建议告诉本报的读者服务部。</p>"

func web(t *testing.T, pages ...map[string]string) *frozenweb.Web {
	t.Helper()
	var lines strings.Builder
	for _, p := range pages {
		line, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	w, err := frozenweb.Read(strings.NewReader(lines.String()))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func page(url, title, body string) map[string]string {
	return map[string]string{
		"url": url, "type": "text/html; charset=utf-8",
		"text": "<html><head><title>" + title + "</title></head><body><h1>" + title + "</h1><div>" + body + "</div></body></html>",
	}
}

func TestRead(t *testing.T) {
	pages := []map[string]string{
		page("http://b.test/#top", "电话", "<p>要报名的人请在周五以前打13912345678，或者到门口登记，带上自己的证件和一张照片。</p>"+paragraphs(1)),
		page("http://b.test/v", "录像", `<object data="/player.swf"></object>`),
		page("http://b.test/empty", "空页", ""),
		page("http://b.test/numbers", "号码", "<p>"+strings.Repeat("7301 8842 9960 1123，", 40)+"</p>"),
		{"url": "http://b.test/feed", "type": "application/rss+xml", "text": "<rss><channel></channel></rss>"},
		page("http://b.test/only", "整理", footer),
	}
	for i := range 12 {
		pages = append(pages, page(fmt.Sprintf("http://a.test/%d/%d.html", i, i*7919), fmt.Sprintf("第%d座工程", i), paragraphs(i)+footer))
	}
	got, err := readweb.Read(web(t, pages...), "zh")
	if err != nil {
		t.Fatal(err)
	}
	type end struct{ URL, Host, Rule string }
	var ends []end
	for _, p := range got[:6] {
		ends = append(ends, end{p.URL, p.Host, p.Rule})
		if (p.Document == nil) != (p.Rule != "") {
			t.Errorf("%s: document %v, rule %q", p.URL, p.Document, p.Rule)
		}
	}
	want := []end{
		{"http://b.test/", "b.test", ""},
		{"http://b.test/v", "b.test", "media_only"},
		{"http://b.test/empty", "b.test", "no_text"},
		{"http://b.test/numbers", "b.test", "quality_han"},
		{"http://b.test/feed", "b.test", "not_html"},
		{"http://b.test/only", "b.test", ""}, // on this host no other page has it
	}
	if diff := cmp.Diff(want, ends); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
	if text := got[0].Document.Text; !strings.Contains(text, "<MOBILE>") || strings.Contains(text, "139") {
		t.Errorf("personal data is not masked: %s", text)
	}
	if !strings.Contains(got[0].Markup, "13912345678") {
		t.Error("the mark-up is not that of the page")
	}
	// The first page of a host has its boilerplate removed as the last has.
	for _, p := range got[6:] {
		if p.Document == nil || strings.Contains(p.Document.Text, "晨报") || !strings.Contains(p.Document.Text, "记者昨天") || p.Document.Boilerplate.Lines != 1 {
			t.Errorf("%s: %+v", p.URL, p.Document)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct {
		name, want string
		page       map[string]string
	}{
		{"plain page", "it has no mark-up", map[string]string{"url": "http://a.test/", "title": "x", "text": "y"}},
		{"URL of another scheme", "ftp", map[string]string{"url": "ftp://a.test/", "text": "y"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := readweb.Read(web(t, test.page), "zh"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Read = %v, want %q", err, test.want)
			}
		})
	}
}
