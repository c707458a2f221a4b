package body

// What is in a container of its own below the headline is the text of the page,
// where links to other pages stand between it and a longer text.
const (
	leastOwn  = 40 // runes of sentences
	ownLinks  = 3  // titles of other pages between it and the longer text
	ownLonger = 5  // times its length: what is longer still has it for an abstract
)

// ownBefore returns the text below the headline of the page if the densest text is
// that of other pages: short news has less text than the beginnings of others that
// are listed below it.
func (l *layout) ownBefore(title string, densest region) (own region, ok bool) {
	headline := l.headlineAt(title)
	if headline < 0 || !sameLine(l.blocks[headline].text, title) {
		return own, false
	}
	runes, says := 0, false
	i := headline + 1
	for ; i < densest.from && !l.blocks[i].linked() && !l.blocks[i].aside; i++ {
		b := &l.blocks[i]
		if !b.prose() || dateLine(*b) {
			continue
		}
		if runes == 0 {
			own.from = i
		}
		own.to, runes, says = i+1, runes+b.runes, says || b.says()
	}
	links := 0
	for ; i < densest.from; i++ {
		if l.blocks[i].title() {
			links++
		}
	}
	return own, says && runes >= leastOwn && links >= ownLinks &&
		size(l.blocks[densest.from:densest.to]) <= runes*ownLonger && l.holds(own) <= densest.from
}

// holds returns where the innermost container ends that holds all of a region.
func (l *layout) holds(r region) int {
	for _, around := range l.regions { // the inner ones come first
		if around.from <= r.from && around.to >= r.to {
			return around.to
		}
	}
	return len(l.blocks)
}
