package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"sluice/shared/demo"
	"sluice/shared/local"
	"sluice/topics"
)

func newDemo(s streams, getenv func(string) string) *cobra.Command {
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Serve the demo web on loopback and crawl it for finance",
		Args:  wantArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), s, out, getenv("SLUICE_CONTACT"), asJSON)
		},
	}
	cmd.Flags().StringVar(&out, "out", "out/demo", "folder of the crawl, `DIR`; a crawl that it holds is replaced")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as JSON")
	return cmd
}

// runDemo serves the demo web to a crawl and to nobody else.
func runDemo(ctx context.Context, s streams, out, contact string, asJSON bool) error {
	if err := checkFolder(out); err != nil {
		return err
	}
	web := demo.New()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("serve demo: %w", err)
	}
	srv := &http.Server{Handler: web, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintln(s.err, "sluice: demo web:", err)
		}
	}()
	defer func() { _ = srv.Close() }() // nobody is left to ask

	if err := local.Remove(out); err != nil {
		return err
	}
	spec := local.Spec{
		Dir: out, Seeds: web.Seeds(), Contact: contact, Version: version,
		Proxy: &url.URL{Scheme: "http", Host: l.Addr().String()},
		Delay: 100 * time.Millisecond, Workers: local.DefaultWorkers,
	}
	if err := parseTopic(&spec, "finance.topic", topics.FinanceCompiled); err != nil {
		return err
	}
	fmt.Fprintf(s.err, "demo web: %d pages, %d of them about finance; crawling for %q\n", web.Pages(), web.OnTopic(), spec.Topic.File.Name)
	return runCrawl(ctx, s, spec, asJSON)
}
