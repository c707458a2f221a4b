package gather

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"sluice/shared/crawl/records"
	"sluice/shared/state/corpus"
)

// output is the records of a host: an object for each layer of each of its sites, which
// replaces the one before as a whole.
type output struct {
	*analysis
	lines  map[string][]byte // by SITE/LAYER
	counts map[string]int
}

func newOutput(a *analysis) *output {
	return &output{a, map[string][]byte{}, map[string]int{}}
}

// Prefix is that of the keys of a crawl's records.
func Prefix(crawl string) string { return corpus.RecordFolder + "/" + crawl + "/" }

func (o *output) add(item *corpus.Item) error {
	folder, err := records.Folder(item)
	if err != nil {
		return err
	}
	o.counts[folder]++
	o.lines[folder], err = item.AppendJSON(o.lines[folder])
	return err
}

const (
	linesType  = "application/x-ndjson"
	schemaType = "application/schema+json"
)

// write stores the records, each layer after its schema, and empties what an earlier call
// has written of other layers.
func (o *output) write(ctx context.Context) error {
	prefix := Prefix(o.job.ID)
	keys, err := o.ports.Objects.Keys(ctx, prefix)
	if err != nil {
		return err
	}
	for _, key := range keys {
		folder, name := path.Split(strings.TrimPrefix(key, prefix))
		folder = path.Clean(folder)
		if o.ours(folder) && name == records.FileName(1) && o.lines[folder] == nil {
			o.lines[folder] = []byte{}
		}
	}
	schema := records.Schema(o.template)
	for _, folder := range slices.Sorted(maps.Keys(o.lines)) {
		for _, f := range []struct {
			name, contentType string
			data              []byte
		}{{records.SchemaFile, schemaType, schema}, {records.FileName(1), linesType, o.lines[folder]}} {
			key := prefix + folder + "/" + f.name
			if err := o.ports.Objects.Put(ctx, key, f.data, f.contentType); err != nil {
				return fmt.Errorf("write %s: %w", key, err)
			}
		}
	}
	return nil
}

// ours reports whether a folder SITE/LAYER is of the host, at any port.
func (o *output) ours(folder string) bool {
	own, err := records.Folder(&corpus.Item{Site: o.host})
	site, _, _ := strings.Cut(folder, "/")
	return err == nil && (site == own || strings.HasPrefix(site, own+"_"))
}
