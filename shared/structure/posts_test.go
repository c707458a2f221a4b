package structure_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sluice/shared/structure"
)

// Posts lead to the people who wrote them, and to nothing that has a name of its own.
func TestPosts(t *testing.T) {
	t.Parallel()
	names := strings.Fields("ann bob cem dan eve fay")
	jobs := []string{"会计", "司机", "护士"}
	text := "The pump of the north well lost its pressure last week, and nobody knows why."
	for name, tt := range map[string]struct {
		record string // %[1]s is a name, %[2]d a number, %[3]s a job
		want   bool
	}{
		"of Discuz":                {`<p><a href="space-uid-%[2]d.html">%[1]s</a> <em>发表于 2024-5-1 10:0%[2]d</em> <a href="forum.php?mod=redirect&goto=findpost&pid=%[2]d">%[2]d楼</a></p><p>水泵坏了，谁知道为什么？</p>`, true},
		"of phpBB":                 {`<h3><a href="/viewtopic.php?p=%[2]d">Re: The pump</a></h3><p><a href="/memberlist.php?mode=viewprofile&u=%[2]d">%[1]s</a> » Wed May 01, 2024 10:0%[2]d am</p><p>` + text + `</p>`, true},
		"of V2EX":                  {`<strong><a href="/member/%[1]s">%[1]s</a></strong> <span>%[2]d 小时前</span><div>谢谢楼主，已经换了新的水泵</div>`, true},
		"with a date alone":        {`<h3><a href="/members/%[1]s.%[2]d/">%[1]s</a></h3><p>` + text + `</p><a href="/threads/the-pump.1/post-%[2]d">Nov 1%[2]d, 2024</a>`, true},
		"with numbers of users":    {`<a href="/users/%[2]d/%[1]s">%[1]s</a> <i>yesterday</i><p>` + text + `</p>`, true},
		"threads":                  {`<h3><a href="/t/%[2]d">The pump of %[1]s</a></h3><p><a href="/member/%[1]s">%[1]s</a> %[2]d hours ago</p>`, false},
		"threads of one person":    {`<h3><a href="/t/%[2]d">The pump of %[1]s</a></h3><p><a href="/member/ann">ann</a> %[2]d hours ago</p>`, false},
		"members, with a date":     {`<a href="/members/%[1]s.%[2]d/">%[1]s</a> <span>joined 2024-05-1%[2]d</span><script>"` + text + `"</script>`, false},
		"members, last seen":       {`<a href="/members/%[1]s.%[2]d/">%[1]s</a> <span>last seen %[2]d minutes ago</span>`, false},
		"reviews without people":   {`<b>%[1]s</b> <span>2024-05-01 10:0%[2]d</span><p>` + text + `</p>`, false},
		"products":                 {`<a href="/p/%[2]d"><img src="%[2]d.jpg"></a><h3><a href="/p/%[2]d">Pear %[1]s</a></h3><b>$%[2]d.50</b>`, false},
		"pictures without a text":  {`<a href="/photo/%[2]d"><img src="/2024/05/0%[2]d.jpg"></a> <a href="/user/%[1]s">%[1]s</a> %[2]d hours ago`, false},
		"with a button":            {`<a href="/user/%[1]s">%[1]s</a> %[2]d hours ago <a href="/report/%[2]d"><img src="/flag.gif"></a><p>` + text + `</p>`, true},
		"of Vanilla":               {`<a href="/profile/%[2]d/%[1]s">%[1]s</a> <a href="/comment/%[2]d">May 2015</a> <i>edited 10:2%[2]d</i><p>` + text + `</p>`, true},
		"of a thread, by floor":    {`<a href="space-uid-%[2]d.html">%[1]s</a> <a href="/post/%[2]d">板凳</a> 发表于 2024-5-1 10:0%[2]d<p>谢谢楼主</p>`, true},
		"jobs of a few titles":     {`<h3><a href="/job/%[2]d">%[3]s</a></h3>Acme %[2]d, contact <a href="/user/%[1]s">%[1]s</a>, %[2]d hours ago`, false},
		"notices of a day":         {`<a href="/gg/%[2]d.html">关于2024年5月%[2]d日停水的通知</a> <a href="/user/%[2]d">办公室</a> 2024-05-01 10:30`, false},
		"with a plain heading":     {`<h2>The pump of %[1]s</h2><a href="/user/ann">ann</a> 2024-05-01 10:30<p>` + text + `</p><a href="/post/%[2]d">Read more</a>`, false},
		"goods with 50W":           {`<a href="/ad/%[2]d"><img src="/blank.gif" data-src="/i/%[2]d.jpg"></a><a href="/user/%[1]s">%[1]s</a> <h3><a href="/ad/%[2]d">Marshall %[2]d0W amp</a></h3> yesterday`, false},
		"with office hours":        {`<h3><a href="/user/p%[2]d">Ada %[1]s</a></h3><p>Room B%[2]d</p><p>Mon 1%[2]d:00-18:00</p>`, false},
		"articles about users":     {`<a href="/users/%[1]s-and-the-pump-%[2]d">%[1]s and the pump</a> <span>10:0%[2]d</span><p>` + text + `</p>`, false},
		"of last week":             {`<h4><a href="/members/%[1]s.%[2]d/">%[1]s</a></h4><a href="/threads/x.1/post-%[2]d">Wednesday at 10:0%[2]d PM</a><p>` + text + `</p>`, true},
		"of the 2nd floor":         {`<a href="/user/%[1]s">%[1]s</a> 发表于 %[2]d 天前 <a href="/p/%[2]d">第%[2]d楼</a> <a href="/r/%[2]d">回复(%[2]d)</a><p>谢谢楼主，已经换了</p>`, true},
		"with a link to the top":   {`<a href="/user/%[1]s">%[1]s</a> 10:30pm <a href="https://board.test/t/1#p%[2]d">Reply to the post of %[1]s</a><p>` + text + `</p>`, true},
		"ads, all with more":       {`<h3><a href="/ad/%[2]d">沙发 %[1]s</a></h3><a href="/user/ann">ann</a> %[2]d hours ago <a href="/ad/%[2]d">查看详情</a><p>` + text + `</p>`, false},
		"files in a folder user":   {`<a href="/upload/user/1/2024-5-1/%[2]d.pdf">The notice of %[1]s</a> <span>2024-05-01 10:00</span>`, false},
		"articles that are shared": {`<h2><a href="/?p=%[2]d">A day with %[1]s</a></h2><p>12:0%[2]d ` + text + ` <a href="https://share.example/?u=http%%3A%%2F%%2Fx">Share</a></p>`, false},
		"of WordPress":             {`<article class="comment-body"><b>%[1]s</b> <a href="/t/1#comment-%[2]d">May %[2]d, 2024 at 8:00 am</a><p>` + text + `</p></article>`, true},
		"of WordPress, with sites": {`<div class=comment><cite><a href="https://%[1]s.test/">%[1]s Lee-Carter</a></cite> says: 8:0%[2]d<p>` + text + `</p></div>`, true},
		"of WordPress, on hosts":   {`<div id="comment-%[2]d"><cite><a href="https://blog.test:81/by/%[1]s">%[1]s</a></cite> says: 8:0%[2]d<p>` + text + `</p></div>`, true},
		"of books, on other hosts": {`<div class=review><a href="https://m.Board.test:81/r/%[2]d">The pump of %[1]s</a> May %[2]d, 2024<p>` + text + `</p></div>`, false},
		"of books, on other sites": {`<div class=review><h3><a href="https://%[1]s.test/r">The pump of %[1]s</a></h3> May %[2]d, 2024<p>` + text + `</p></div>`, false},
		"of the press":             {`<div class="press-reviews tag-comment"><a href="https://%[1]s.test/r">The pump of %[1]s</a> May %[2]d, 2024<p>` + text + `</p></div>`, false},
		"of books":                 {`<div class=review><h3><a href="/r/%[2]d">The pump of %[1]s</a></h3> May %[2]d, 2024<p>` + text + `</p></div>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for i, name := range names {
				fmt.Fprintf(&b, "<div class=row>"+tt.record+"</div>", name, i+1, jobs[i%len(jobs)])
			}
			root, err := html.Parse(strings.NewReader("<body><div id=list>" + b.String() + "</div>"))
			if err != nil {
				t.Fatal(err)
			}
			lists := structure.Analyze(root, nil).Lists
			if len(lists) == 0 || len(lists[0].Records) != len(names) {
				t.Fatalf("%d lists, want one of %d records", len(lists), len(names))
			}
			for _, host := range []string{"board.test", "www.board.test", "en.BOARD.test:8443"} {
				if got := lists[0].Posts(&url.URL{Scheme: "https", Host: host, Path: "/t/1"}); got != tt.want {
					t.Errorf("posts on %s: %v, want %v", host, got, tt.want)
				}
			}
		})
	}
}
