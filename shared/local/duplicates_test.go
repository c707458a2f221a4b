package local_test

import (
	"strings"
	"testing"
)

// copied is a site that has one article three times: as it is, with a word
// changed and a line more, and in part.
func copied(t testing.TB) *site {
	t.Helper()
	story := strings.Split("银行上个月在河边开了一家新店，第一天来办事的人从早上一直排到了傍晚。|"+
		"一位住在附近的老人说，过去要走很远的路才能取到养老金，如今下楼就能把事情办完。|"+
		"店长介绍，新店请了六位会说方言的职员，专门帮助不识字的客人填写单据。|"+
		"到了周末，门口还会摆出长凳和热茶，让等候的人坐下来歇一歇脚。|"+
		"县里的统计显示，这样的网点去年增加了一成，大多开在离县城较远的镇上。", "|")
	page := func(lines ...string) string {
		return "<title>银行</title><article><p>" + strings.Join(lines, "</p><p>") + "</p></article>"
	}
	edited := append([]string{strings.Replace(story[0], "傍晚", "天黑", 1)}, story[1:]...)
	edited = append(edited, "记者后来又去了一次，队伍已经短了许多，老人们说这才像个样子。")
	return serve(t, map[string]string{
		"/":            "<title>股市</title><a href=/story.html>银行</a><a href=/edited.html>银行</a><a href=/same.html>银行</a><a href=/other.html>银行</a>",
		"/story.html":  page(story...),
		"/same.html":   page(story...),
		"/edited.html": page(edited...),
		"/other.html":  "<title>银行</title><article>$TEXT</article>",
	})
}

// At the end of a crawl every document names the one that it repeats; the longest
// stays. What a later run brings is compared with what was there.
func TestDuplicates(t *testing.T) {
	t.Parallel()
	web := copied(t)
	s := spec(t, web.URL+"/")
	s.Delay, s.MaxPages = 0, 3
	run(t, s)
	if docs := documents(t, s.Dir); len(docs) != 2 {
		t.Fatalf("%d documents after 3 pages, want 2", len(docs))
	}
	s.Resume, s.MaxPages = true, 10
	run(t, s)
	for range 2 { // a run that finds nothing to do leaves all as it is
		docs := documents(t, s.Dir)
		want := map[string]string{
			"/story.html": docs["/edited.html"].ID, "/same.html": docs["/edited.html"].ID, "/edited.html": "", "/other.html": "",
		}
		for path, of := range want {
			if got := docs[path].DuplicateOf; got != of {
				t.Errorf("%s repeats %q, want %q", path, got, of)
			}
		}
		run(t, s)
	}
}
