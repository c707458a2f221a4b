package cli

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"sluice/shared/schema"
	"sluice/shared/state/limits"
)

// RevisitFlags say which known pages a refresh fetches again.
type RevisitFlags struct {
	Revisit   string
	OlderThan time.Duration
}

// Register adds the flags.
func (f *RevisitFlags) Register(fl *pflag.FlagSet) {
	fl.Var((*age)(&f.OlderThan), "older-than", "of a refresh: do not fetch pages again that were fetched less than `AGE` ago, such as 7d or 12h; seeds, sitemaps and feeds are fetched at any age")
	fl.StringVar(&f.Revisit, "revisit", "", "of a refresh: fetch `WHICH` known pages again: all, or sources, which are sitemaps and feeds (default all)")
}

// Check refuses flags that no refresh can have, and flags without one; refresh is the
// flag that begins it, given whether it is there.
func (f *RevisitFlags) Check(refresh string, given bool) error {
	err := limits.CheckRevisits(f.Revisit, f.OlderThan, "--older-than", "--revisit")
	if err == nil && !given && (f.Revisit != "" || f.OlderThan != 0) {
		err = fmt.Errorf("--revisit and --older-than are for a refresh, which %s begins", refresh)
	}
	return Usage(err)
}

// age is a flag for a time in days, or smaller units.
type age time.Duration

// Set implements pflag.Value.
func (a *age) Set(text string) error {
	d, err := schema.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("want a time with its unit, such as 7d or 12h: %w", err)
	}
	*a = age(d)
	return nil
}

// String implements pflag.Value.
func (a *age) String() string {
	if *a == 0 {
		return ""
	}
	return time.Duration(*a).String()
}

// Type implements pflag.Value.
func (*age) Type() string { return "AGE" }
