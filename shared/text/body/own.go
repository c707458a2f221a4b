package body

// What is in a container of its own below the headline is the text of the page,
// where links to other pages stand between it and a longer text.
const (
	leastOwn  = 40 // runes of sentences
	ownLinks  = 3  // titles of other pages between it and the longer text
	manyLinks = 10 // of them where links stand between it and the headline
	ownGap    = 8  // blocks between it and the headline: dates, buttons
	ownLonger = 5  // times its length: what is longer still has it for an abstract
)

// ownBefore returns the text below the headline of the page if the densest text is
// that of other pages: short news has less text than the beginnings of others that
// are listed below it. If these are above it, the text begins at the headline.
func (l *layout) ownBefore(title string, densest region) (own region, ok bool) {
	headline := l.headlineAt(title)
	if headline < 0 || !sameLine(l.blocks[headline].text, title) {
		return own, false
	}
	within := densest.from <= headline && headline < densest.to
	end := densest.from
	if within {
		end = densest.to
	}
	runes, says, least := 0, false, ownLinks
	i := headline + 1
	for ; i < end && i <= headline+ownGap && !l.blocks[i].says(); i++ {
		if l.blocks[i].linked() {
			least = manyLinks
		}
	}
	for ; i < end && !l.blocks[i].linked() && !l.blocks[i].aside; i++ {
		b := &l.blocks[i]
		if !b.prose() || b.dateLine() {
			continue
		}
		if runes == 0 {
			own.from = i
		}
		own.to, runes, says = i+1, runes+b.runes, says || b.says()
	}
	switch {
	case !says || runes < leastOwn:
		return own, false
	case within:
		return region{headline, densest.to}, l.blocks[headline].headElement()
	}
	links := 0
	for ; i < end; i++ {
		if l.blocks[i].title() {
			links++
		}
	}
	return own, links >= least && size(l.blocks[densest.from:densest.to]) <= runes*ownLonger && l.holds(own) <= densest.from
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

// below returns the text of the first paragraph below the headline of the page, ""
// without one.
func (l *layout) below(title string) string {
	headline := l.headlineAt(title)
	if headline < 0 || !sameLine(l.blocks[headline].text, title) {
		return ""
	}
	for i := headline + 1; i < len(l.blocks) && i <= headline+ownGap; i++ {
		if b := &l.blocks[i]; b.says() && b.runes >= leadRunes && !isCaption(b.text) {
			return b.text
		}
	}
	return ""
}
