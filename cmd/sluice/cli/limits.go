package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"sluice/shared/state/limits"
	"sluice/shared/web/urlnorm"
)

// LimitFlags are the flags that limit a crawl.
type LimitFlags struct {
	limits.Limits
	Changes     bool // of a crawl that is there: an entry "" empties its list
	mode        string
	allow, deny []string
}

// Register makes the flags. unset says what holds without the flag of a key.
func (f *LimitFlags) Register(fl *pflag.FlagSet, unset func(key string) string) {
	numbers := map[string]*int{"max_pages": &f.MaxPages, "max_pages_per_host": &f.MaxPagesPerHost, "max_depth": &f.MaxDepth}
	lists := map[string]*[]string{"allow": &f.allow, "deny": &f.deny, "overrides": &f.Overrides}
	for _, p := range limits.Parameters() {
		usage := fmt.Sprintf("%s (default %s", p.Usage, unset(p.Key))
		if p.Section == "scope" && !f.Changes {
			usage += "; --scope-mode, --allow and --deny replace the topic's whole scope"
		}
		usage += ")"
		switch {
		case numbers[p.Key] != nil:
			fl.IntVar(numbers[p.Key], p.Flag(), 0, usage)
		case lists[p.Key] != nil:
			fl.StringArrayVar(lists[p.Key], p.Flag(), nil, usage)
		case p.Key == "max_duration":
			fl.DurationVar(&f.MaxDuration, p.Flag(), 0, usage)
		default:
			fl.StringVar(&f.mode, p.Flag(), "", usage)
		}
	}
}

// Check refuses limits that no crawl can have, and other numbers below 0. A limit of 0 would
// say that the flag is not given.
func (f *LimitFlags) Check(fl *pflag.FlagSet) error {
	problems := []error{f.CheckLimits(func(key string) string { return "--" + limits.Flag(key) })}
	for _, p := range limits.Parameters() {
		if v := fl.Lookup(p.Flag()); v.Changed && (v.Value.String() == "0" || v.Value.String() == "0s") {
			problems = append(problems, fmt.Errorf("--%s is 0: it must be above 0", p.Flag()))
		}
	}
	for _, name := range []string{"max-cost", "delay", "lanes"} {
		if flag := fl.Lookup(name); flag != nil {
			switch v := flag.Value.String(); {
			case v == "NaN" || strings.HasSuffix(v, "Inf"):
				problems = append(problems, fmt.Errorf("--%s is %s: it must be a number", name, v))
			case v[0] == '-':
				problems = append(problems, fmt.Errorf("--%s is %s: it must not be negative", name, v))
			}
		}
	}
	if s := f.Scope(); s != nil {
		s.Mode = cmp.Or(s.Mode, urlnorm.ModeDomain)
		problems = append(problems, s.Check())
	}
	return Usage(errors.Join(problems...))
}

// Scope returns the parts of a scope that were given, nil for none.
func (f *LimitFlags) Scope() *limits.Scope {
	if f.mode == "" && f.allow == nil && f.deny == nil {
		return nil
	}
	s := &limits.Scope{Mode: urlnorm.Mode(f.mode), Allow: f.allow, Deny: f.deny}
	for _, list := range []*[]string{&s.Allow, &s.Deny} {
		if f.Changes && slices.Equal(*list, []string{""}) {
			*list = []string{}
		}
	}
	return s
}
