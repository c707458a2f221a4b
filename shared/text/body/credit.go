package body

import "regexp"

// creditLine matches the lines that name who made the page; their content goes
// to Author and Source, or nowhere.
var creditLine = regexp.MustCompile(`^[\s(（【\[]*(责任?编辑|責任?編輯|责编|責編|编辑|編輯|校对|监制|编审|审核|值班主任|来源|稿源|消息来源|(?:本文|文章|新闻)来源|作者|发布时间|發布時間|发布日期|更新时间|` +
	`图片来源|圖片來源|图源|圖源|(?:资料|資料)(?:来源|來源)|圖[說説]|图说|(?:新闻|爆料|报料)(?:热线|电话))\s*[:：]|^[(（]\p{Han}{2,4}[\s　]*(编辑|編輯)[)）]$`)

var (
	// originalTitle begins the headline under which a text stood elsewhere.
	originalTitle = regexp.MustCompile(`^[\s(（【\[]*原[标標][题題]\s*[:：]`)
	editorLine    = regexp.MustCompile(`^[\s(（【\[]*(?:责任编辑|責任編輯|责编|責編|值班编辑)[\s　:：/／丨|｜]+\p{Han}{2,4}(?:[、\s　]+\p{Han}{2,4})?[\s)）】\]。]*$`)
	editorRole    = regexp.MustCompile(`责编|責編|编辑|編輯|校[对對]|[审審][核校]|[初终終][审審]|[编編][审審]|监制|監製|签发|簽發|主[编編]`)
)

// photographer matches a line that names who took a picture, and no more of it.
var photographer = regexp.MustCompile(`^[^，。！？；,!?;]*(?:记者|記者|通讯员|通訊員|新华社|中新社|[/／╱])[^，。！？；,!?;]*(?:摄影|攝影|摄|攝)[\s)）】\]]*$`)

const (
	maxCredit = 40 // runes
	maxTitled = 60 // of one with a headline
)

// credit says whether a block names who made the page, and nothing else. Most
// blocks have none of the characters that such lines have.
func (b *block) credit() bool {
	switch {
	case b.runes > maxTitled:
		return false
	case b.clues&originClue != 0 && b.clues&closeClue != 0 && originalTitle.MatchString(b.text):
		return true
	case b.runes <= maxCredit && b.clues&photoClue != 0 && photographer.MatchString(b.text):
		return true
	}
	return b.runes <= maxCredit && (b.clues&closeClue != 0 && creditLine.MatchString(b.text) || b.clues&editorClue != 0 && editorLine.MatchString(b.text))
}
