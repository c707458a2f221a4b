package cli

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"sluice/shared/state/job"
	"sluice/shared/web/urlnorm"
)

// ScopeFlags are the flags for the scope of a crawl.
type ScopeFlags struct {
	Mode        string
	Allow, Deny []string
}

// Register makes the flags; without names the scope that each leaves as it is.
func (f *ScopeFlags) Register(fl *pflag.FlagSet, mode, without string) {
	fl.StringVar(&f.Mode, "scope-mode", "", mode)
	fl.StringArrayVar(&f.Allow, "allow", nil, "`ENTRY` that is in scope besides: example.com, *.example.com or https://example.com/news/; repeatable "+without)
	fl.StringArrayVar(&f.Deny, "deny", nil, "`ENTRY` that is out of scope, whatever the rest says; repeatable "+without)
}

// Check refuses a scope that no crawl can have. Where a list may be emptied, it
// is by one entry that is nothing.
func (f *ScopeFlags) Check(emptied bool) error {
	allow, deny := f.Allow, f.Deny
	if emptied {
		allow, deny = entries(allow), entries(deny)
	}
	mode := cmp.Or(urlnorm.Mode(f.Mode), urlnorm.ModeDomain)
	if _, err := urlnorm.NewScope(mode, nil, allow, deny); err != nil {
		return Usage(fmt.Errorf("scope: %w", err))
	}
	return nil
}

// Given returns the parts of a scope that were given, nil for none.
func (f *ScopeFlags) Given() *job.Scope {
	if f.Mode == "" && len(f.Allow) == 0 && len(f.Deny) == 0 {
		return nil
	}
	return &job.Scope{Mode: f.Mode, Allow: f.Allow, Deny: f.Deny}
}

// OfStart returns the scope to start a crawl with, nil for the topic's.
func (f *ScopeFlags) OfStart() *job.Scope {
	scope := f.Given()
	if scope != nil {
		scope.Mode = cmp.Or(scope.Mode, string(urlnorm.ModeDomain)) // as in a message
	}
	return scope
}

// Change returns what a list is to be from now on, nil where it stays.
func (f *ScopeFlags) Change(fl *pflag.FlagSet, name string) *[]string {
	if !fl.Changed(name) {
		return nil
	}
	list := f.Allow
	if name == "deny" {
		list = f.Deny
	}
	list = entries(list)
	return &list
}

// entries returns a list without its entries, where one that is nothing asks for that.
func entries(list []string) []string {
	if slices.Equal(list, []string{""}) {
		return nil
	}
	return list
}
