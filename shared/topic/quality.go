package topic

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"sluice/shared/text/quality"
)

// quality reads the rules of quality that an author sets: a name, and on, off
// or a threshold.
func (r *reader) quality(f *File) read {
	return func(node ast.Node) {
		f.Quality = make(map[string]any)
		fields := make(map[string]read)
		for _, name := range quality.Names() {
			fields[name] = r.rule(f, name)
		}
		r.object("quality", fields)(node)
	}
}

// rule reads the setting of one rule. Its allowed thresholds depend only on the
// rule; whether it may be switched on depends on the language, too, which check
// settles.
func (r *reader) rule(f *File, name string) read {
	return func(node ast.Node) {
		r.places[setting(name)] = placeOf(node)
		if value, ok := numeric(node); ok {
			f.Quality[name] = value
			return
		}
		text, ok := r.scalar(node, name)
		if !ok {
			return
		}
		switch text {
		case "on", "true":
			f.Quality[name] = true
		case "off", "false":
			f.Quality[name] = false
		default:
			f.Quality[name] = text // refused by check, which names the valid settings
		}
	}
}

// setting is the place of a rule's setting.
type setting string

// checkQuality refuses settings that are invalid for the topic's language.
func (r *reader) checkQuality(f *File) {
	for name, value := range f.Quality {
		if _, err := quality.ParseRules(f.Language, map[string]any{name: value}); err != nil {
			r.fail(r.places[setting(name)], "%v", err)
		}
	}
}

func (f *File) validateQuality() error {
	_, err := quality.ParseRules(f.Language, f.Quality)
	return err
}

// setPII sets how personal data is handled.
func (f *File) setPII(value string) (advice string) {
	switch value {
	case "mask", "keep":
		f.KeepPII = value == "keep"
		return ""
	}
	return "use mask or keep"
}

// QualityRules are the rules by which texts are judged: those of its language,
// set as the author wants them.
func (f *File) QualityRules() (quality.Rules, error) {
	rules, err := quality.ParseRules(f.Language, f.Quality)
	if err != nil {
		return nil, fmt.Errorf("quality rules of topic %s: %w", f.Name, err)
	}
	return rules, nil
}
