package limits

import (
	"fmt"
	"time"

	"sluice/shared/schema"
	"sluice/shared/web/urlnorm"
)

// Fields reads the budgets of a document with the given least depth and
// duration.
func (l *Limits) Fields(r *schema.Reader, depth int, duration time.Duration) map[string]schema.Read {
	return map[string]schema.Read{
		"max_pages":          r.Count(&l.MaxPages, "max_pages", 1, MaxPages),
		"max_pages_per_host": r.Count(&l.MaxPagesPerHost, "max_pages_per_host", 1, MaxPages),
		"max_depth":          r.Count(&l.MaxDepth, "max_depth", depth, MaxDepth),
		"max_duration":       r.Duration(&l.MaxDuration, "max_duration", duration, MaxDuration),
		"overrides": r.Texts(&l.Overrides, "overrides", MaxEntries, func(name, entry string) error {
			if _, err := ParseOverride(entry); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		}),
	}
}

// Read reads a scope over the values of s.
func (s *Scope) Read(r *schema.Reader) schema.Read {
	return r.Object("scope", map[string]schema.Read{
		"mode": r.Text((*string)(&s.Mode), "mode", func(mode string) error {
			_, err := urlnorm.NewScope(urlnorm.Mode(mode), nil, nil, nil)
			return err
		}).Among(string(urlnorm.ModeDomain), string(urlnorm.ModeHost), string(urlnorm.ModePrefix), string(urlnorm.ModeAny)),
		"allow": r.Texts(&s.Allow, "allow", MaxEntries, func(_, entry string) error {
			_, err := urlnorm.NewScope(urlnorm.ModeAny, nil, []string{entry}, nil)
			return err
		}),
		"deny": r.Texts(&s.Deny, "deny", MaxEntries, func(_, entry string) error {
			_, err := urlnorm.NewScope(urlnorm.ModeAny, nil, nil, []string{entry})
			return err
		}),
	}, nil)
}
