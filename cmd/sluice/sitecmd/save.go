package sitecmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"sluice/cmd/sluice/cli"
	"sluice/shared/structure/field"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
	"sluice/shared/web/urlnorm"
)

// save keeps what was found on the pages of each host.
func (a *analyzed) save(ctx context.Context, s cli.Streams, o *analyzeOptions, all []read) error {
	byHost := map[string][]site.Sample{}
	var hosts []string
	for _, r := range all {
		host := o.host
		if r.result.at != nil {
			host = r.result.at.Host
		}
		if host == "" {
			continue
		}
		if byHost[host] == nil {
			hosts = append(hosts, host)
		}
		byHost[host] = append(byHost[host], r.sample)
	}
	for _, host := range hosts {
		var found []field.Found
		if len(byHost[host]) == len(all) {
			found = a.found
		}
		if _, err := site.FileName(host); err != nil {
			return cli.Usage(err)
		}
		kept, err := o.store.Update(ctx, site.Learn(host, a.template, o.lasting(), byHost[host], found))
		if err != nil {
			return fmt.Errorf("keep what was found on %s: %w", host, err)
		}
		fmt.Fprintf(s.Err, "sluice: kept in %s, version %d\n", o.name(host), kept.Version)
		pages := map[string][]field.Page{}
		for _, p := range byHost[host] {
			pages[p.Layer] = append(pages[p.Layer], p.Page)
		}
		if reader, err := site.NewReader(kept); err == nil { // else nothing was found by it
			warnIdle(s, reader, pages)
		}
	}
	return nil
}

// warnIdle names the corrections that select nothing on the pages of their layer.
func warnIdle(s cli.Streams, r *site.Reader, pages map[string][]field.Page) {
	for _, layer := range slices.Sorted(maps.Keys(pages)) {
		for _, entry := range r.Idle(layer, pages[layer]) {
			fmt.Fprintf(s.Err, "sluice: a correction selects nothing on these pages: %s\n", cli.Clean(entry))
		}
	}
}

// lasting is the template by a name that is good in every folder.
func (o *analyzeOptions) lasting() string {
	if path, err := filepath.Abs(o.template); err == nil && o.template != "" && !slices.Contains(template.Names(), o.template) {
		return path
	}
	return o.template
}

// checkSites fails before anything is fetched where what is found could not be kept.
func (o *analyzeOptions) checkSites(ctx context.Context, urls map[string]urlnorm.URL) error {
	hosts := map[string]bool{}
	if o.host != "" {
		hosts[o.host] = true
	}
	for _, u := range urls {
		hosts[u.Authority()] = true
	}
	for host := range hosts {
		if _, err := site.FileName(host); err != nil {
			return cli.Usage(err)
		}
		if _, err := o.store.Site(ctx, host); err != nil && !errors.Is(err, site.ErrUnknown) {
			return err
		}
	}
	return nil
}
