package body

import (
	"regexp"
	"slices"
)

// gone matches the beginnings of what a site says in a text's place: that there
// is none, or who may read it.
var gone = regexp.MustCompile(`(?i)^(?:[\s，,。.!！:：(（]|404|(?:非常)?(?:抱歉|对不起|很遗憾|對不起|很抱歉)|(?:we(?:'re| are) )?sorry|oops|error)*(?:` +
	`[您你](?:所|要|想|正在)?(?:访问|查看|浏览|请求|查找|寻找|打开|输入|找|訪問|瀏覽|查詢)的?(?:页面|网页|网址|地址|内容|文章|链接|帖子|信息|資料|頁面|網頁|文章)|` +
	`(?:该|此|本|当前|當前|您的)?(?:页面|网页|文章|内容|帖子|主题|信息|链接|頁面|網頁|內容)(?:可能)?(?:不存在|未找到|找不到|没有找到|已(?:经)?被?(?:删除|移除|下线|删)|已(?:经)?(?:失效|过期|下线)|不見了|已(?:被)?刪除)|` +
	`(?:找不到|未找到|没有找到|無法找到|无法找到)(?:该|此|您|你|相关)?[^。]{0,12}(?:页面|网页|文章|内容|頁面|網頁)|` +
	`请?(?:您|你)?(?:需要|尚未|还没有|還沒有)?先?(?:登录|登陆|登入)(?:后|之后|以后|後|才能|即可|再|方可|，|,|或|/|$)|` +
	`(?:您|你)(?:没有|沒有|无)权限|(?:您|你)(?:没有|无权)|没有账号|還沒有帳號|还没有(?:账号|帐号)|请?(?:返回|回到)(?:网站)?首页|` +
	`page not found|not found|(?:the|this) (?:page|article|url|link|content)\b.{0,60}(?:not|no longer|removed|deleted|moved)|(?:we )?(?:can(?:'|’)?t|cannot|couldn(?:'|’)?t|could not) find (?:the|that) page|` +
	`(?:please |you (?:must|need to) )(?:log|sign) ?in\b)`)

// maxGone is how many runes such a page has at most.
const maxGone = 150

// isGone says whether all of a text is such words.
func isGone(main []block) bool {
	return len(main) > 0 && size(main) <= maxGone && !slices.ContainsFunc(main, func(b block) bool {
		return (b.prose() || b.runes >= captionRunes) && !gone.MatchString(b.text)
	}) && slices.ContainsFunc(main, func(b block) bool { return gone.MatchString(b.text) })
}
