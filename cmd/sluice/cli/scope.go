package opscmd

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/state/job"
	"sluice/shared/web/urlnorm"
)

// scopeFlags are the flags for the scope of a crawl on a stack.
type scopeFlags struct {
	mode        string
	allow, deny []string
}

// register makes the flags; without names the scope that each leaves as it is.
func (f *scopeFlags) register(fl *pflag.FlagSet, mode, without string) {
	fl.StringVar(&f.mode, "scope-mode", "", mode)
	fl.StringArrayVar(&f.allow, "allow", nil, "`ENTRY` that is in scope besides: example.com, *.example.com or https://example.com/news/; repeatable "+without)
	fl.StringArrayVar(&f.deny, "deny", nil, "`ENTRY` that is out of scope, whatever the rest says; repeatable "+without)
}

// check refuses a scope that no crawl can have. Where a list may be emptied, it
// is by one entry that is nothing.
func (f *scopeFlags) check(emptied bool) error {
	allow, deny := f.allow, f.deny
	if emptied {
		allow, deny = entries(allow), entries(deny)
	}
	mode := cmp.Or(urlnorm.Mode(f.mode), urlnorm.ModeDomain)
	if _, err := urlnorm.NewScope(mode, nil, allow, deny); err != nil {
		return cli.Usage(fmt.Errorf("scope: %w", err))
	}
	return nil
}

// ofStart returns the scope to start a crawl with, nil for the topic's.
func (f *scopeFlags) ofStart() *job.Scope {
	if f.mode == "" && len(f.allow) == 0 && len(f.deny) == 0 {
		return nil
	}
	mode := cmp.Or(f.mode, string(urlnorm.ModeDomain)) // as in a message
	return &job.Scope{Mode: mode, Allow: f.allow, Deny: f.deny}
}

// change returns what a list is to be from now on, nil where it stays.
func (f *scopeFlags) change(fl *pflag.FlagSet, name string) *[]string {
	if !fl.Changed(name) {
		return nil
	}
	list := f.allow
	if name == "deny" {
		list = f.deny
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
