package corpus

import "strings"

// shownType is the content type of what a browser showed.
const shownType = "text/html;charset=utf-8"

// Shows returns the ID of the response that a browser made the block of the record from:
// mark-up in UTF-8. It is "" for other records.
func (r *Record) Shows() string {
	if media := strings.ToLower(r.ContentType); r.Type != "conversion" || !strings.HasPrefix(media, "text/html") {
		return ""
	}
	return r.RefersTo
}
