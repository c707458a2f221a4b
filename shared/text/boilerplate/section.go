package boilerplate

// nearlyAll reports whether so many of the pages of a section are nearly all;
// if the section has few, it must be all.
func nearlyAll(having, pages int) bool {
	return 100*(pages-having) <= lacking*(pages-fewPages)
}

// closes says whether a long line closes the texts of a section. That takes fewer
// pages than a host does, as these are nearly all that the section has, and have
// a text of their own above the line.
func (st *study) closes(h hash, pages []int) bool {
	if !st.look[h].long() {
		return false
	}
	closed := map[hash][]int{}
	for _, i := range pages {
		if s := st.section(i); s != 0 && st.own[i] >= ownText && st.below(h, i) {
			closed[s] = append(closed[s], i)
		}
	}
	for s, pages := range closed {
		if n := st.home[s]; nearlyAll(len(pages), n) && st.varied(h, pages) >= needed(n) {
			return true
		}
	}
	return false
}

// below reports whether a line is below a line that is on few pages.
func (st *study) below(h hash, page int) bool {
	own := false
	for _, l := range st.pages[page].view.lines {
		if l.hash == h {
			return own
		}
		own = own || len(st.on[l.hash]) < fewPages
	}
	return false
}
