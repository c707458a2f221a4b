package compile

import (
	"slices"

	"sluice/shared/topic"
)

// The rules by which thresholds are set.
const (
	// The fallback of main texts, as share of that of titles: words of the
	// topic are less frequent in long texts.
	ofBodies = 0.5

	// The range of a cut, as multiples of its fallback. If no text is on the
	// topic the best cut goes through noise, so cuts of unjudged texts stay
	// near the fallback. A crawl's cut may be further away: topics of hundreds
	// of weighed words reach 4 to 7.
	leastMeasured = 0.5
	mostMeasured  = 1.5
	leastJudged   = 0.1
	mostJudged    = 8

	// The factor of a cut if a crawl has judged the texts. The pages it kept
	// score higher than those still to be found: they were chosen by the
	// topic's words, and some words were learned from them.
	judgedTexts = 0.5

	// A page that fails the description threshold is lost with its text, while
	// one that passes has its text judged as well. So the threshold is a small
	// share of the cut of the descriptions, or of what all but the poorest
	// pages above the body threshold reach.
	ofDescriptions   = 0.12
	lostDescriptions = 0.05 // the share of pages that are the poorest
	fewPages         = 10   // too few to tell which are
	leastDescription = 0.1  // of the fallback

	// Without samples priority and λ keep the ratios of the file's defaults.
	fallbackPriority = 0.08 / fallbackShare

	// A link is followed for an anchor half as good as a title on the topic.
	anchorForPriority = 0.5

	// λ is below the priority threshold (METHOD A11).
	lambdaOfPriority = 0.75
)

// calibrator sets the thresholds of one file.
type calibrator struct {
	file   *topic.File
	told   *topic.Calibration
	rel    []relevance
	judged bool // a crawl judged the texts

	// The relevance that bodies and anchors on the topic reach: the thresholds,
	// or their would-be values if the author switched them off.
	body, anchor float64
}

// values returns one part of the texts that have it and that keep accepts.
func (c *calibrator) values(part func(relevance) float64, keep func(relevance) bool) []float64 {
	var values []float64
	for _, r := range c.rel {
		if v := part(r); v >= 0 && keep(r) {
			values = append(values, v)
		}
	}
	return values
}

func every(relevance) bool { return true }

// onTopic reports whether a text reaches the body threshold.
func (c *calibrator) onTopic(r relevance) bool { return r.body >= c.body }

func (c *calibrator) offTopic(r relevance) bool { return r.body >= 0 && !c.onTopic(r) }

// measure returns the calibrated cut of one part of the texts, within bounds
// around the fallback.
func (c *calibrator) measure(name string, part func(relevance) float64, fallback float64, cut func([]float64) (float64, bool)) float64 {
	values := c.values(part, every)
	measured, ok := cut(values)
	least, most := leastMeasured, float64(mostMeasured)
	if c.judged {
		measured *= judgedTexts
		least, most = leastJudged, mostJudged
	}
	threshold, clamped := fallback, len(values) > 0
	if ok {
		threshold, clamped = bounded(measured, least*fallback, most*fallback)
	}
	if clamped {
		c.told.Clamped = append(c.told.Clamped, name)
	}
	return threshold
}

// bounded limits a cut to its bounds, and reports whether it was outside.
func bounded(cut, least, most float64) (threshold float64, clamped bool) {
	threshold = min(max(cut, least), most)
	return threshold, threshold != cut
}

func (c *calibrator) setBody() {
	t := &c.file.Thresholds
	if c.body = t.Body; c.body == 0 || !c.file.Given.Body {
		c.body = c.measure("body", relevance.ofBody, ofBodies*c.told.Fallback, otsu)
	}
	if !c.file.Given.Body {
		t.Body = c.body
	}
}

func (c *calibrator) setDescription() {
	if c.file.Given.Description {
		return
	}
	threshold := c.measure("description", relevance.ofDescription, c.told.Fallback, otsuOfRoots)
	if worth := c.values(relevance.ofDescription, c.onTopic); len(worth) >= fewPages {
		slices.Sort(worth)
		threshold = min(threshold, quantile(worth, lostDescriptions))
	}
	c.file.Thresholds.Description = max(ofDescriptions*threshold, leastDescription*c.told.Fallback)
}

func (c *calibrator) setAnchor() {
	t := &c.file.Thresholds
	if c.anchor = t.Anchor; c.anchor == 0 {
		c.anchor = c.measure("anchor", relevance.ofAnchor, c.told.Fallback, otsuOfRoots)
	}
	if !c.file.Given.Anchor {
		t.Anchor = c.anchor
	}
}

// setPriority sets the priority threshold and λ, which must fit each other and
// one that the author may have set.
func (c *calibrator) setPriority() {
	f := c.file
	if !f.Given.Priority {
		f.Thresholds.Priority = c.priority()
		if f.Given.Lambda {
			f.Thresholds.Priority = max(f.Thresholds.Priority, f.Weights.Lambda/lambdaOfPriority)
		}
	}
	if !f.Given.Lambda {
		f.Weights.Lambda = lambdaOfPriority * f.Thresholds.Priority
	}
}

// priority returns the priority threshold on the scale of equation 5.
func (c *calibrator) priority() float64 {
	f := c.file
	byAnchor := anchorForPriority * f.Weights.Beta * c.anchor
	byDescription := anchorForPriority * f.Weights.Alpha * f.Thresholds.Description
	switch {
	case c.told.Samples == 0:
		return fallbackPriority * c.told.Fallback
	case byAnchor > 0:
		return byAnchor
	case byDescription > 0: // the author gave the anchor no weight
		return byDescription
	}
	return fallbackPriority * c.told.Fallback
}
