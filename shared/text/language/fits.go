package language

import "strings"

// Fits says whether a text can belong to a topic of the language tag (BCP 47:
// zh, en, zh-TW). Only the language counts: a topic in zh-TW or zh-Hans takes
// both scripts of Chinese, since relevance is judged on simplified words.
//
// A text too short to tell fits every tag; one in no known language fits those
// that write with letters, but not zh, ja and ko. A tag that names no
// language that Detect can tell, or none at all, refuses nothing.
func (g Guess) Fits(tag string) bool {
	wanted, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	wanted = canonical(wanted)
	switch {
	case g.Language == "" || g.Language == wanted || !known(wanted):
		return true
	case g.Language == Undetermined:
		return wanted != "zh" && wanted != "ja" && wanted != "ko"
	}
	return false
}

// canonical returns the subtag that Detect uses for a language.
func canonical(language string) string {
	switch language {
	case "cmn", "yue", "wuu", "hak", "nan", "lzh", "zho":
		return "zh"
	case "nb", "nn":
		return "no"
	case "iw":
		return "he"
	case "in", "ms":
		return "id"
	case "bs", "sh":
		return "hr"
	}
	return language
}

// known says whether Detect can tell the language.
func known(language string) bool {
	switch language {
	case "zh", "ja", "ko":
		return true
	}
	for _, l := range languages {
		if l.tag == language {
			return true
		}
	}
	for _, s := range scriptTable {
		if s.language == language && language != "" {
			return true
		}
	}
	return false
}
