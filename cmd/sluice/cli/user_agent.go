package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"sluice/shared/web/fetch"
)

// RegisterUserAgent adds the flag --user-agent.
func RegisterUserAgent(fl *pflag.FlagSet, name *string) {
	fl.StringVar(name, "user-agent", "", "your own `NAME` for the crawler, such as lab-bot/2.0; the User-Agent is \"NAME sluice/VERSION (+CONTACT)\"")
}

// CheckUserAgent refuses names that a User-Agent cannot begin with.
func CheckUserAgent(name string) error {
	if err := fetch.CheckName(name); err != nil {
		return Usage(fmt.Errorf("--user-agent is %.60q: %w", name, err))
	}
	return nil
}
