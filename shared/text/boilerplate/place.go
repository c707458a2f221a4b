package boilerplate

// place says of each line of a view whether it is a known one at an edge: all
// between it and the edge are known, too. At the head one of them must be long; a
// short sentence below the text belongs to the text.
func (v view) place(known func(hash) bool) []bool {
	placed := make([]bool, len(v.lines))
	head := len(v.lines)
	if v.cut > 0 {
		head = v.cut
	}
	long, n := false, 0
	for ; n < head && known(v.lines[n].hash); n++ {
		long = long || v.lines[n].look.long()
	}
	for i := range n {
		placed[i] = long
	}
	tail := len(v.lines)
	for tail > v.cut && known(v.lines[tail-1].hash) {
		tail--
	}
	for tail < len(v.lines) && v.lines[tail].look.closing() {
		tail++
	}
	for i := tail; i < len(placed); i++ {
		placed[i] = true
	}
	return placed
}
