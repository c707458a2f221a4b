package topic

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"sluice/shared/schema"
	"sluice/shared/text/quality"
)

// quality reads the rules of quality that an author sets: a name, and on, off
// or a threshold.
func (r *reader) quality(f *File) schema.Read {
	rules := make(map[string]schema.Read)
	for _, name := range quality.Names() {
		rules[name] = r.rule(f, name)
	}
	for _, name := range quality.Retired {
		rules[name] = schema.Read{}
	}
	all := r.Object("quality", rules, nil)
	return schema.Read{Shape: all.Shape, From: func(v schema.Value) {
		f.Quality = make(map[string]any)
		all.From(v)
	}}
}

// rule reads the setting of one rule. Which thresholds it may have depends on
// the rule alone, whether it can be switched on on the language, too: that
// waits for check.
func (r *reader) rule(f *File, name string) schema.Read {
	shape := &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Types: []string{"number", "boolean"}}, {Enum: []any{"on", "off"}}}}
	return schema.Read{Shape: shape, From: func(v schema.Value) {
		r.Mark(setting(name), v.Place())
		if value, ok := v.Number(); ok {
			f.Quality[name] = value
			return
		}
		text, ok := v.Text()
		if !ok {
			r.Wrong(v, name, schema.Text)
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
	}}
}

// setting is the place of a rule's setting.
type setting string

// checkQuality refuses settings that are invalid for the topic's language.
func (r *reader) checkQuality(f *File) {
	for name, value := range f.Quality {
		if _, err := quality.ParseRules(f.Language, map[string]any{name: value}); err != nil {
			at, _ := r.At(setting(name))
			r.Fail(at, "%v", err)
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
