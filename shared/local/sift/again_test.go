package sift

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Lines that recur on the pages of a host go, also from the pages that come
// before anything was learned; what else the archive holds stays as it was.
func TestBoilerplate(t *testing.T) {
	const footer = "以上内容由晨报财经中心的编辑们每天早晨为您整理，欢迎您把意见和建议告诉读者服务部。"
	var records, plain []string
	for i := range 12 {
		page := html(fmt.Sprintf("银行股市的第%d个消息", i), article("银行", i)+footer)
		records = append(records, response(fmt.Sprintf("http://a.test/%d/%d.html", i, i*7919), page))
		records = append(records, response(fmt.Sprintf("http://h%d.test/", i), html("股市银行", article("股市", 100+i))))
		records = append(records, response(fmt.Sprintf("http://a.test/off/%d", i), html("天气", article("天气", 200+i))))
	}
	for i, r := range records {
		if i%3 == 0 {
			r = strings.ReplaceAll(r, "http://a.test/", fmt.Sprintf("http://b%02d.test/", i))
		}
		plain = append(plain, r)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	report := sifted(t, out, write(t, dir, "site.warc.gz", gz(t, records...)), write(t, dir, "sites.warc.gz", gz(t, plain...)))
	site, sites := documents(t, out, "site"), documents(t, out, "sites")
	if len(site) != 24 || len(sites) != 24 {
		t.Fatalf("%d and %d documents: %+v", len(site), len(sites), report.Total)
	}
	for i := range site {
		learned := i%2 == 0
		if got := strings.Contains(site[i].Text, footer); got || (site[i].Boilerplate.Lines > 0) != learned {
			t.Errorf("document %d of the site has %+v removed", i, site[i].Boilerplate)
		}
		if strings.Contains(sites[i].Text, footer) != learned || sites[i].Boilerplate.Learned != "" {
			t.Errorf("document %d of the sites has %+v removed", i, sites[i].Boilerplate)
		}
		if text := strings.TrimSuffix(strings.TrimSpace(sites[i].Text), footer); strings.TrimSpace(text) != strings.TrimSpace(site[i].Text) {
			t.Errorf("document %d differs by more than the footer", i)
		}
	}
	if diff := cmp.Diff(report.Inputs[0].Rules, report.Inputs[1].Rules); diff != "" {
		t.Errorf("rejects of one site (-) and of many (+):\n%s", diff)
	}
	if left, _ := filepath.Glob(filepath.Join(out, "*", "*.part")); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}
