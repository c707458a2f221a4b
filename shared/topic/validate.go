package topic

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"sluice/shared/schema"
	"sluice/shared/text/segment"
	"sluice/shared/web/urlnorm"
)

// Validate reports what Parse would refuse in a File that did not come from
// Parse: one that was calibrated or read from an artifact.
func (f *File) Validate() error {
	return errors.Join(
		accept("name", f.Name, checkName),
		accept("language", f.Language, checkLanguage),
		f.validateSubject(),
		acceptAll("seed", f.Seeds, maxSeeds, urlnorm.Advice),
		f.Scope.Check(),
		f.validateStrategy(),
		f.validateRender(),
		f.validateArchive(),
		f.validateNumbers(),
		f.validateBudgets(),
		f.validateQuality(),
	)
}

// validateSubject checks what the crawl looks for: words, or the records of a template.
func (f *File) validateSubject() error {
	if f.Template == "" {
		return f.validateWords()
	}
	_, err := f.SiteTemplate()
	return err
}

func (f *File) validateWords() error {
	if n := len(f.Words); n == 0 || n > maxWords || len(f.Adjust) > maxWords {
		return fmt.Errorf("%d words and %d adjusted ones: want 1 to %d, and at most %[3]d", n, len(f.Adjust), maxWords)
	}
	var problems []error
	check := func(text string, weight float64, b schema.Bounds) {
		word, err := segment.UserWord(text)
		if err == nil && word != text {
			err = fmt.Errorf("the word %q is not in the form in which it is compared", clip(text))
		}
		if err == nil && !b.Hold(weight) {
			err = fmt.Errorf("the weight of %q is %v: it must be %v", text, weight, b)
		}
		problems = append(problems, err)
	}
	if len(f.anchors()) == 0 {
		problems = append(problems, errors.New("all words are related ones: add words of the topic itself"))
	}
	seen := make(map[string]bool, len(f.Words))
	for _, word := range f.Words {
		check(word.Text, word.Weight, positive)
		if seen[word.Text] {
			problems = append(problems, fmt.Errorf("the word %q is repeated", clip(word.Text)))
		}
		seen[word.Text] = true
	}
	for _, word := range slices.Sorted(maps.Keys(f.Adjust)) {
		check(word, f.Adjust[word], measure)
	}
	return errors.Join(problems...)
}

func (f *File) validateStrategy() error {
	problem := within("tunnel", f.Tunnel, 0, maxTunnel)
	if f.Strategy == "" {
		return problem
	}
	return errors.Join(accept("strategy", f.Strategy, checkStrategy), problem)
}

func (f *File) validateRender() error {
	if f.Render == "" {
		return nil
	}
	return accept("render", f.Render, new(File).setRender)
}

func (f *File) validateArchive() error {
	if f.Archive == "" {
		return nil
	}
	return accept("archive", f.Archive, checkArchive)
}

func (f *File) validateNumbers() error {
	var problems []error
	for _, number := range []struct {
		name   string
		value  float64
		bounds schema.Bounds
	}{
		{"description threshold", f.Thresholds.Description, measure},
		{"priority threshold", f.Thresholds.Priority, positive},
		{"body threshold", f.Thresholds.Body, measure},
		{"anchor threshold", f.Thresholds.Anchor, measure},
		{"mean_weight", f.MeanWeight, positive},
	} {
		if !number.bounds.Hold(number.value) {
			problems = append(problems, fmt.Errorf("%s is %v: it must be %v", number.name, number.value, number.bounds))
		}
	}
	problems = append(problems,
		f.Weights.Validate(f.Thresholds.Priority),
		f.Structure.Validate(),
		within("sample", f.Structure.Sample, 1, maxSample))
	return errors.Join(problems...)
}

func (f *File) validateBudgets() error {
	if b := &f.Budgets; b.MaxPages == 0 || b.MaxPagesPerHost == 0 {
		return errors.New("max_pages and max_pages_per_host must be at least 1")
	}
	return f.Budgets.CheckLimits(nil)
}

// within refuses a count outside its range.
func within(what string, value, least, most int) error {
	if value < least || value > most {
		return fmt.Errorf("%s is %d: it must be from %d to %d", what, value, least, most)
	}
	return nil
}

// accept makes an error of the advice of a check.
func accept(what, value string, check func(string) string) error {
	if advice := check(value); advice != "" {
		return fmt.Errorf("%s is %q: %s", what, clip(value), advice)
	}
	return nil
}

// acceptAll checks each of at most most values.
func acceptAll(what string, values []string, most int, check func(string) string) error {
	if len(values) > most {
		return fmt.Errorf("%d of %s: keep at most %d", len(values), what, most)
	}
	var problems []error
	for _, value := range values {
		problems = append(problems, accept(what, value, check))
	}
	return errors.Join(problems...)
}
