package topic

import (
	"cmp"

	"sluice/shared/rank"
	"sluice/shared/schema"
)

// check validates fields that depend on each other, after all are read.
func (r *reader) check(f *File) {
	if _, given := r.At(&f.Name); !given {
		r.Fail(schema.Place{}, "name is missing: add a line such as \"name: finance\"")
	}
	at, given := r.At(&f.Words)
	_, structured := r.At(&f.Template)
	if structured {
		r.checkTemplate(f)
	} else if len(f.anchors()) == 0 && (!given || len(r.Problems()) == 0) {
		r.Fail(at, "words are missing: list the words of the topic under \"words:\"")
	}
	if n := len(f.Words); n > maxWords {
		r.Fail(at, "words and related are %d words: keep at most %d", n, maxWords)
	}
	r.checkLambda(f)
	r.checkQuality(f)
	for i := range f.Words {
		word := &f.Words[i]
		if at, ok := r.At(adjusted(word.Text)); ok && word.Weight != 0 {
			r.Fail(at, "the word %q has a weight here and in words: keep one", clip(word.Text))
		}
		if word.Given = word.Weight != 0; !word.Given {
			word.Weight = f.MeanWeight
		}
	}
	f.Given = r.given(f)
	f.Implied = f.Strategy == ""
	f.SetStrategy(cmp.Or(f.Strategy, rank.Default))
	// Not of the pages of one run: a host that is closed stays closed, also when
	// the crawl continues with more pages.
	if f.Budgets.MaxPagesPerHost == 0 {
		if f.Budgets.MaxPagesPerHost = f.Budgets.MaxPages; !structured { // which goes over few hosts
			f.Budgets.MaxPagesPerHost = (f.Budgets.MaxPages + 1) / 2
		}
	}
}

// checkLambda refuses a λ that reaches the priority threshold (METHOD A11).
func (r *reader) checkLambda(f *File) {
	lambda, threshold := f.Weights.Lambda, f.Thresholds.Priority
	if lambda < threshold {
		return
	}
	at, ok := r.At(&f.Weights.Lambda)
	if !ok {
		at, _ = r.At(&f.Thresholds.Priority)
	}
	r.Fail(at, "lambda is %v and the priority threshold %v: lambda must be smaller, or the structure vote alone passes any link",
		lambda, threshold)
}

// given reports which numbers of f the file sets.
func (r *reader) given(f *File) Given {
	holds := func(number *float64) bool {
		_, ok := r.At(number)
		return ok
	}
	return Given{
		Description: holds(&f.Thresholds.Description),
		Priority:    holds(&f.Thresholds.Priority),
		Body:        holds(&f.Thresholds.Body),
		Anchor:      holds(&f.Thresholds.Anchor),
		Alpha:       holds(&f.Weights.Alpha),
		Beta:        holds(&f.Weights.Beta),
		Lambda:      holds(&f.Weights.Lambda),
		MeanWeight:  holds(&f.MeanWeight),
	}
}
