package sitecmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/structure"
	"sluice/shared/structure/site"
	"sluice/shared/structure/template"
	"sluice/shared/web/urlnorm"
)

// defaultSites is the folder of what is known of sites.
const defaultSites = "out/sites"

func registerSites(fl *pflag.FlagSet, sites *string) {
	fl.StringVar(sites, "sites", defaultSites, "`FOLDER` of what is known of sites, a file for each host")
}

// save keeps what was found on the pages of each host.
func (a *analyzed) save(s cli.Streams, o *analyzeOptions, all []read) error {
	byHost := map[string][]read{}
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
		byHost[host] = append(byHost[host], r)
	}
	for _, host := range hosts {
		path, version, err := saveSite(o, a.siteOf(host, o.lasting(), byHost[host], len(all)))
		if err != nil {
			return fmt.Errorf("keep what was found on %s: %w", host, err)
		}
		fmt.Fprintf(s.Err, "sluice: kept in %s, version %d\n", path, version)
	}
	return nil
}

func saveSite(o *analyzeOptions, found *site.Site) (path string, version int, err error) {
	folder := site.Folder(o.sites)
	if path, err = folder.Path(found.Host); err != nil {
		return "", 0, cli.Usage(err)
	}
	old, err := folder.Site(found.Host)
	if err != nil && !errors.Is(err, site.ErrUnknown) {
		return "", 0, err
	}
	updated := site.Update(old, found)
	data, err := updated.Marshal()
	if err != nil {
		return "", 0, err
	}
	if err := os.MkdirAll(o.sites, 0o755); err != nil {
		return "", 0, err
	}
	return path, updated.Version, cli.ReplaceFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// lasting is the template by a name that is good in every folder.
func (o *analyzeOptions) lasting() string {
	if path, err := filepath.Abs(o.template); err == nil && o.template != "" && !slices.Contains(template.Names(), o.template) {
		return path
	}
	return o.template
}

// checkSites fails before anything is fetched where what is found could not be kept.
func (o *analyzeOptions) checkSites(urls map[string]urlnorm.URL) error {
	hosts := map[string]bool{}
	if o.host != "" {
		hosts[o.host] = true
	}
	for _, u := range urls {
		hosts[u.Authority()] = true
	}
	for host := range hosts {
		if _, err := site.Folder(o.sites).Site(host); err != nil && !errors.Is(err, site.ErrUnknown) {
			return err
		}
	}
	return nil
}

// siteOf joins what was found on pages of a host, layer by layer; analysed are the pages
// of all hosts.
func (a *analyzed) siteOf(host, named string, pages []read, analysed int) *site.Site {
	s := &site.Site{Host: host, Layers: map[string]*site.Layer{}}
	for _, layer := range []string{structure.CategoryLayer, structure.ListLayer, structure.DetailLayer} {
		of := slices.DeleteFunc(slices.Clone(pages), func(r read) bool { return r.result.Layer != layer })
		if len(of) == 0 {
			continue
		}
		l := layerOf(of)
		l.Template = named
		if l.Region == "" && a.template != nil {
			on := a.Fields // of all pages, which have one layer as a rule
			if len(of) < analysed {
				on = byName(foundOn(a.template, of))
			}
			l.Fields = pathsOf(on)
		}
		s.Layers[layer] = l
	}
	return s
}

// layerOf joins what was found on the pages of a layer, but for the fields of pages. The
// page with the longest list stands for the others.
func layerOf(pages []read) *site.Layer {
	l := &site.Layer{}
	renderings := map[string]int{}
	var longest *listResult
	for _, r := range pages {
		p := r.result
		renderings[p.Rendering]++
		if g := p.Pagination; g != nil && g.Step == 1 && g.Offset == 0 && l.Pages == "" {
			l.Pages = g.Pattern
		}
		if p.Layer != structure.DetailLayer && len(p.Lists) > 0 && (longest == nil || p.Lists[0].Count > longest.Count) {
			longest = &p.Lists[0]
		}
	}
	switch {
	case renderings[dynamic] > renderings[static]:
		l.Rendering = dynamic
	case renderings[static] > 0:
		l.Rendering = static
	}
	if longest != nil {
		l.Region, l.Record, l.Siblings, l.Fields = longest.XPath, longest.RecordXPath, longest.Siblings, pathsOf(longest.Fields)
	}
	return l
}

// pathsOf are the paths to fields; nil without a template.
func pathsOf(found *fields) map[string]site.Field {
	if found == nil {
		return nil
	}
	paths := map[string]site.Field{}
	for name, f := range *found {
		paths[name] = site.Field{XPath: f.XPath, Data: f.Data}
	}
	return paths
}
