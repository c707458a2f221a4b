package crawlcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/demo"
	"sluice/shared/local"
	"sluice/shared/local/engine"
	"sluice/shared/web/fetch"
	"sluice/topics"
)

// NewDemo makes the command demo.
func NewDemo(s cli.Streams, getenv func(string) string) *cobra.Command {
	var out, addr string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Serve the demo web on loopback and crawl it for finance",
		Long: `Serve the demo web on loopback and crawl it for finance.

With --serve it is only served, for other crawlers: ADDR is an HTTP proxy that
knows only the hosts of the demo web. An interrupt ends it; it then prints the
requests it got.`,
		Example: `  sluice demo
  sluice demo --serve 127.0.0.1:8080`,
		Args: cli.WantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("serve") {
				if cmd.Flags().Changed("out") {
					return cli.Usage(errors.New("--serve leaves no folder: --out is only for a crawl"))
				}
				return serveDemo(cmd.Context(), s, addr, asJSON)
			}
			return runDemo(cmd.Context(), s, out, getenv("SLUICE_CONTACT"), asJSON)
		},
	}
	cmd.Flags().StringVar(&out, "out", "out/demo", "folder of the crawl, `DIR`; a crawl that it holds is replaced")
	cmd.Flags().StringVar(&addr, "serve", "", "don't crawl, serve as an HTTP proxy at `ADDR` (host:port; port 0 takes a free one)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary, or of --serve the account, as JSON")
	return cmd
}

// runDemo serves the demo web to a crawl alone.
func runDemo(ctx context.Context, s cli.Streams, out, contact string, asJSON bool) error {
	if err := cli.CheckFolder(out); err != nil {
		return err
	}
	web := demo.New()
	l, err := listenDemo(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := demoServer(web)
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintln(s.Err, "sluice: demo web:", err)
		}
	}()
	defer func() { _ = srv.Close() }() // the crawl has ended

	if err := local.Remove(out); err != nil {
		return err
	}
	spec := local.Spec{
		Dir: out, Seeds: web.Seeds(), Contact: contact, Version: cli.Version,
		Proxies: fetch.Proxies{{Scheme: "http", Host: l.Addr().String()}},
		Delay:   100 * time.Millisecond, Workers: local.DefaultWorkers,
	}
	if err := parseTopic(&spec, "finance.topic", topics.FinanceCompiled); err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "demo web: %d pages, %d of them about finance; crawling for %q\n", web.Pages(), web.OnTopic(), spec.Topic.File.Name)
	err = runCrawl(ctx, s, spec, asJSON, demoPage)
	if errors.Is(err, cli.ErrStopped) {
		return cli.Stopped("stopped early; sluice demo begins again")
	}
	return err
}

// demoPage is the summary. A demo is not continued: its web ends with it.
func demoPage(w *bytes.Buffer, s *local.Summary) {
	ended := cli.Why[s.StopReason]
	if engine.StopReason(s.StopReason) == engine.Interrupted {
		ended = "interrupted; sluice demo begins again"
	}
	printSummary(w, s, ended)
}

func listenDemo(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("serve demo: %w", err)
	}
	return l, nil
}

func demoServer(web *demo.Web) *http.Server {
	return &http.Server{Handler: web, ReadHeaderTimeout: 10 * time.Second}
}
