package body

import "regexp"

// label is what the words right before a date say of it. A greater one is more
// to be believed as the date of publication.
type label int

const (
	revised   label = iota - 1 // 更新时间：, 编辑于
	unlabeled                  // nothing known
	issued                     // 发布时间：, 发表于, 时间：
	stated                     // 发布时间： after anything but a word: no sentence says that
)

// 时间 alone is a label, 活动时间 is the time of what the page tells of.
var (
	revisedLabel = regexp.MustCompile(`(?i)(?:(?:更新|修改|修订)(?:时间|日期|時間)?|(?:更新|修改|编辑|編輯)[于於]|(?:updated|modified)(?: on| at)?)[\s　:：(（\[【]*$`)
	issuedLabel  = regexp.MustCompile(`(?i)(?:(?:发布|發布|發佈|发表|發表|刊发|发稿)(?:时间|日期|時間|[于於])?|(?:^|[^\p{Han}])(?:时间|日期|時間)\s*[:：]|(?:published|posted)(?: on| at)?)[\s　:：(（\[【]*$`)
	statedLabel  = regexp.MustCompile(`(?:^|[^\p{Han}])(?:发布|發布|發佈|发表|發表|刊发|發稿|发稿)(?:时间|日期|時間)[\s　]*[:：][\s　]*[(（\[【]?$`)
)

// labelBefore reads the label at the end of the text before a date.
func labelBefore(s string) label {
	s = s[max(0, len(s)-60):]
	switch {
	case revisedLabel.MatchString(s):
		return revised
	case statedLabel.MatchString(s):
		return stated
	case issuedLabel.MatchString(s):
		return issued
	}
	return unlabeled
}
