package crawlcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"

	"sluice/cmd/sluice/cli"
	"sluice/shared/demo"
)

// serveDemo serves the demo web at an address until an interrupt, and then
// prints the account of the requests on stdout. Address and seeds go to stderr
// before.
func serveDemo(ctx context.Context, s cli.Streams, addr string, asJSON bool) error {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return cli.Usage(fmt.Errorf("--serve: %w", err))
	}
	web := demo.New()
	l, err := listenDemo(ctx, addr)
	if err != nil {
		return err
	}
	srv := demoServer(web)
	defer cli.OnInterrupt(func() { _ = srv.Close() }, func() {})()
	fmt.Fprintf(s.Err, "demo web: %d pages, %d of them about finance; an HTTP proxy at http://%s\n", web.Pages(), web.OnTopic(), l.Addr())
	fmt.Fprintf(s.Err, "seeds: %s\n", strings.Join(web.Seeds(), " "))
	for _, shop := range web.Shops() {
		fmt.Fprintf(s.Err, "a shop of %d products: %s, first list %s\n", len(shop.Products), shop.URL("/"), shop.Lists()[0])
	}
	for _, shop := range web.Layered() {
		fmt.Fprintf(s.Err, "a shop for browsers, of %d products: %s\n", len(shop.Products), shop.URL("/"))
	}
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve demo: %w", err)
	}
	account := web.Account()
	return cli.PrintResult(s, asJSON, &account, accountPage)
}

// accountPage is the page of an account, for people.
func accountPage(w *bytes.Buffer, a *demo.Account) {
	fmt.Fprintf(w, "%s for %s, %d of them repeated, %d denied by robots.txt; %d for robots.txt, %d for other hosts\n",
		cli.Count(a.Requests, "request"), cli.Count(a.Distinct, "URL"), a.Repeated, a.Denied, a.Robots, a.Outside)
	if len(a.Hosts) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "host\trequests\tat once")
	for _, host := range slices.Sorted(maps.Keys(a.Hosts)) {
		fmt.Fprintf(t, "%s\t%d\t%d\n", host, a.Hosts[host].Requests, a.Hosts[host].Peak)
	}
	_ = t.Flush() // to memory
}
