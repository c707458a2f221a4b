package topic

import (
	"encoding/json"
	"time"

	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// In an artifact the keys of scope and budgets are the names of their fields.
type (
	// Scope says which links belong to a crawl.
	Scope struct{ limits.Scope }
	// Budgets end a crawl.
	Budgets struct{ limits.Limits }
)

type scopeInArtifact struct {
	Mode        urlnorm.Mode
	Allow, Deny []string
}

type budgetsInArtifact struct {
	MaxPages, MaxPagesPerHost, MaxDepth int
	MaxDuration                         time.Duration
	Overrides                           []string `json:",omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (s Scope) MarshalJSON() ([]byte, error) { return json.Marshal(scopeInArtifact(s.Scope)) }

// MarshalJSON implements json.Marshaler.
func (b Budgets) MarshalJSON() ([]byte, error) { return json.Marshal(budgetsInArtifact(b.Limits)) }

// UnmarshalJSON implements json.Unmarshaler.
func (b *Budgets) UnmarshalJSON(data []byte) error {
	return readJSON(data, (*budgetsInArtifact)(&b.Limits))
}
