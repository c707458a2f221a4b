package limits

import (
	"cmp"
	"fmt"
	"slices"

	"sluice/shared/web/urlnorm"
)

// Scope says which links a crawl may follow; see urlnorm.NewScope. A mode that
// is "" and a list that is nil are left open.
type Scope struct {
	Mode  urlnorm.Mode `json:"mode"`
	Allow []string     `json:"allow,omitempty"` // in scope for every mode
	Deny  []string     `json:"deny,omitempty"`  // always out of scope
}

// Or returns s with unset values taken from other.
func (s Scope) Or(other Scope) Scope {
	s.Mode = cmp.Or(s.Mode, other.Mode)
	if s.Allow == nil {
		s.Allow = other.Allow
	}
	if s.Deny == nil {
		s.Deny = other.Deny
	}
	return s
}

// Equal reports whether both are the same scope, with lists in the same order.
func (s *Scope) Equal(other *Scope) bool {
	if s == nil || other == nil {
		return s == other
	}
	return s.Mode == other.Mode && slices.Equal(s.Allow, other.Allow) && slices.Equal(s.Deny, other.Deny)
}

// Check refuses a scope that no crawl can have.
func (s *Scope) Check() error {
	if len(s.Allow) > MaxEntries || len(s.Deny) > MaxEntries {
		return fmt.Errorf("scope has %d and %d entries: at most %d to allow and %[3]d to deny", len(s.Allow), len(s.Deny), MaxEntries)
	}
	if _, err := urlnorm.NewScope(s.Mode, nil, s.Allow, s.Deny); err != nil {
		return fmt.Errorf("scope: %w", err)
	}
	return nil
}
