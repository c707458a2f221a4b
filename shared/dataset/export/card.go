package export

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"sluice/shared/web/optout"
)

// CardFile is the card of a dataset, with the front matter by which
// datasets.load_dataset reads the folder.
const CardFile = "README.md"

// cardText is the template of the card. What comes from the web goes through
// cell or yaml there.
//
//go:embed card.md.tmpl
var cardText string

// cardHosts is how many hosts the card lists.
const cardHosts = 50

// card is what the template shows.
type card struct {
	*Manifest
	Name      string
	Languages []string
	Size      string // category of Hugging Face
	Features  []string
	Splits    []Splits
	Stats     *Stats
	Accounts  []*account
	Rules     []Count // pages that were not kept, most first
	OptOuts   []Count
	Hosts     []Count
	MoreHosts int64 // hosts that are not listed
	MorePages int64 // documents of these
	Pictures  []picture
	Open      bool
}

// describe writes pictures and card, and notes them in the manifest.
func (e *exporter) describe(m *Manifest, s *Stats) error {
	c, err := e.newCard(m, s)
	if err != nil {
		return err
	}
	for _, p := range c.Pictures {
		if err := e.addFile(m, p.Name, p.data); err != nil {
			return err
		}
	}
	data, err := c.render()
	if err != nil {
		return err
	}
	return e.addFile(m, CardFile, data)
}

func (e *exporter) addFile(m *Manifest, name string, data []byte) error {
	f := File{Name: name}
	err := e.makeSummed(&f, func(w *countingWriter) error {
		_, err := w.Write(data)
		return err
	})
	m.Files = append(m.Files, f)
	return err
}

func (e *exporter) newCard(m *Manifest, s *Stats) (*card, error) {
	c := &card{Manifest: m, Stats: s, Size: sizeCategory(s.Records), Splits: m.splits()}
	var err error
	if c.Accounts, err = e.accounts(m.Folders); err != nil {
		return nil, err
	}
	if c.Pictures, err = pictures(s); err != nil {
		return nil, err
	}
	if m.Options.Format != Text {
		row, err := recordType()
		if err != nil {
			return nil, fmt.Errorf("make schema: %w", err)
		}
		c.Features = features(row, "  ")
	}
	rules := tally{}
	var names []string
	for i, a := range c.Accounts {
		rules.merge(a.Rules)
		c.Open = c.Open || m.Folders[i].Open
		name := a.Label
		if a.Crawl != nil && a.Crawl.Name != "" {
			name = a.Crawl.Name
		}
		names = append(names, name)
	}
	c.Name = strings.Join(slices.Compact(names), ", ")
	c.Rules = rules.most()
	for _, r := range c.Rules {
		if isOptOut(r.Name) {
			c.OptOuts = append(c.OptOuts, r)
		}
	}
	for _, language := range slices.Sorted(maps.Keys(s.Languages)) {
		if isLanguage(language) {
			c.Languages = append(c.Languages, language)
		}
	}
	c.Hosts = s.Hosts.most()
	for _, h := range c.Hosts[min(cardHosts, len(c.Hosts)):] {
		c.MoreHosts++
		c.MorePages += h.N
	}
	c.MorePages += s.Hosts[otherName]
	c.Hosts = c.Hosts[:min(cardHosts, len(c.Hosts))]
	return c, nil
}

// isLanguage reports whether a name is valid in the front matter, which only
// allows codes as in ISO 639; a record may say more, as in zh-TW.
func isLanguage(s string) bool {
	return (len(s) == 2 || len(s) == 3) && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// robotsRule is that of crawls for what robots.txt forbids to fetch.
const robotsRule = "robots"

// isOptOut reports whether a rule honours what a site or a page asks for.
func isOptOut(rule string) bool {
	switch rule {
	case robotsRule, optout.RuleNoIndex, optout.RuleNoArchive, optout.RuleNoAI, optout.RuleTDM, optout.RuleNoTraining, optout.RuleAITxt:
		return true
	}
	return false
}

// sizeCategory is how Hugging Face sorts datasets by size.
func sizeCategory(n int64) string {
	names := []string{"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "1B<n<10B", "10B<n<100B", "100B<n<1T"}
	at := 0
	for limit := int64(1000); n >= limit && at < len(names)-1; limit *= 10 {
		at++
	}
	return names[at]
}

// features are the columns as Hugging Face describes them, in lines of YAML.
func features(row reflect.Type, indent string) []string {
	var lines []string
	for i := range row.NumField() {
		f := row.Field(i)
		lines = append(lines, fmt.Sprintf("%s- name: %s", indent, f.Tag.Get("json")))
		t, key := f.Type, "dtype"
		if t.Kind() == reflect.Slice {
			t, key = t.Elem(), "list"
		}
		if t.Kind() == reflect.Struct {
			if key == "dtype" {
				key = "struct"
			}
			lines = append(lines, indent+"  "+key+":")
			lines = append(lines, features(t, indent+"  ")...)
			continue
		}
		lines = append(lines, fmt.Sprintf("%s  %s: %v", indent, key, t))
	}
	return lines
}

func (c *card) render() ([]byte, error) {
	t, err := template.New(CardFile).Funcs(template.FuncMap{
		"cell": cell, "yaml": strconv.QuoteToASCII, "number": number, "size": size, "base": path.Base,
		"percent": func(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) },
		"most":    func(t tally) []Count { return t.most() },
	}).Parse(cardText)
	if err != nil {
		return nil, fmt.Errorf("write card: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, c); err != nil {
		return nil, fmt.Errorf("write card: %w", err)
	}
	return b.Bytes(), nil
}

// Globs is where the shards of a split are.
func (c *card) Globs(split string) string {
	return path.Join(dataFolder, split+"-*"+c.Options.Format.ending())
}

// Typed reports whether the rows have columns.
func (c *card) Typed() bool { return c.Options.Format != Text }

// Builder is what reads the shards.
func (c *card) Builder() string {
	switch c.Options.Format {
	case JSONL:
		return "json"
	case Text:
		return "text"
	}
	return "parquet"
}

// Rate is the harvest rate of an account.
func (c *card) Rate(a *account) float64 { return a.harvest() }
