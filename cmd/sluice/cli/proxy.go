package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"sluice/shared/web/fetch"
)

// ProxyFlag is the flag --proxy.
type ProxyFlag struct{ urls []string }

// Register adds the flag.
func (f *ProxyFlag) Register(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.urls, "proxy", nil, "`URL` of an HTTP or SOCKS proxy (http://, https://, socks5://) for all requests; it resolves the names; repeatable: a host stays with one")
}

// Parse returns the proxies that are given; nil for none.
func (f *ProxyFlag) Parse() (fetch.Proxies, error) {
	p, err := fetch.ParseProxies(f.urls...)
	if err != nil {
		return nil, Usage(fmt.Errorf("--proxy %w", err))
	}
	return p, nil
}
