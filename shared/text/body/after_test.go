package body

import "testing"

// TestBelowTheText wants nothing of what is in a container that begins with the heading
// of comments or other pages, nor of what follows the notice of a site.
func TestBelowTheText(t *testing.T) {
	const (
		english = "Notice: The content above is uploaded and posted by a user, and we merely provide storage services."
		stored  = "特别声明：以上内容（包括其中的图片和视频）为自媒体平台的用户上传并发布，本平台仅提供信息存储服务。"
	)
	article := "<div>" + paragraphs(para1, para2) + "</div>"
	all := para1 + "\n" + para2
	for name, tt := range map[string]struct{ page, want string }{
		"rules for comments":        {article + `<div class="c"><h3>网友评论</h3><p>文明上网，理性发言，请遵守新闻评论服务协议</p><p>评论须知：</p><p>1.尊重网上道德，遵守中华人民共和国的各项有关法律法规。</p><p>2.承担一切因您的行为而直接或间接引起的法律责任。</p><p>3.本站管理员有权保留或删除其管辖留言中的任意内容。</p></div>`, all},
		"heading in a container":    {article + `<div><div><b>相关新闻</b></div><div><p>为期一个月的读书节昨天在省图书馆开幕，将举办讲座、展览等活动六十余场，欢迎参加。</p><p>市文广局组织的送书下乡活动走进云雾镇，为当地的农家书屋送去图书两千册。</p></div></div>`, all},
		"box in the text":           {"<div><p>" + para1 + "</p><div><h3>延伸阅读：博览会简史</h3><p>" + para2 + "</p></div><p>" + para3 + "</p></div>", para1 + "\n" + para2 + "\n" + para3},
		"text goes on":              {"<div><ol><li>" + para1 + "</li></ol><p>" + stored + "</p><p>他同意推迟举行。</p><ol><li>" + para3 + "</li></ol></div>", para1 + "\n他同意推迟举行。\n" + para3},
		"heading above the text":    {`<div><h3>相关新闻</h3>` + article + `</div>`, all},
		"button above the text":     {"<p>" + para1 + `</p><div><p><a href="/c">评论(12)</a></p>` + paragraphs(para2, para3) + "</div>", para1 + "\n" + para2 + "\n" + para3},
		"in the notice's container": {article + "<div>" + stored + "<br>" + english + "</div>", all},
		"beside the notice":         {article + "<div>" + stored + "</div><div>" + english + "</div>", all},
		"notice in the text":        {"<div>" + paragraphs(para1, stored, para2) + "</div>", all},
		"notice between containers": {"<div>" + paragraphs(para1) + "</div><div>" + stored + "</div><div><section>" + paragraphs(para2) + "</section></div>", all},
		"the text below is longer":  {"<div>" + paragraphs(para1) + "</div><p>" + stored + "</p>" + paragraphs(para2, para3), para1 + "\n" + para2 + "\n" + para3},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, "<title>博览会推迟</title><div><h1>博览会推迟</h1>"+tt.page+"</div>", "http://www.example.test/a.html")
			if err != nil || b.Text != tt.want {
				t.Errorf("error %v, text:\n%s\nwant:\n%s", err, b.Text, tt.want)
			}
		})
	}
}
