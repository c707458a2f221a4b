package fault

// Clip shortens a quotation to so many characters.
func Clip(text string, most int) string {
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i] + "…"
		}
	}
	return text
}
