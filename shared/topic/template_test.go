package topic

import (
	"strings"
	"testing"
)

// own is a template of a user, in either form.
var own = map[string]string{
	"YAML": "name: tea\nfields:\n  price:\n    type: price\n    labels: [价格]\n",
	"XML":  `<template name="tea"><fields><field name="price" type="price"><labels><label>价格</label></labels></field></fields></template>`,
}

func TestForSite(t *testing.T) {
	t.Parallel()
	for name, template := range map[string]string{"shop": "shop", "tea in YAML": own["YAML"], "tea in XML": own["XML"]} {
		c, err := Read("site", ForSite("my-site", "https://www.example.com/a?b=\"c\"", template))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := c.File.SiteTemplate()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want, _, _ := strings.Cut(name, " "); got.Name != want || c.File.Name != "my-site" || len(c.File.Seeds) != 1 || len(c.File.Words) != 0 {
			t.Errorf("%s: template %s of topic %+v", name, got.Name, c.File)
		}
		if err := c.File.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.File.Budgets.MaxPagesPerHost != c.File.Budgets.MaxPages {
			t.Errorf("%s: one host may have %d of %d pages", name, c.File.Budgets.MaxPagesPerHost, c.File.Budgets.MaxPages)
		}
	}
}

func TestTemplateProblems(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"name: a\ntemplate: no-such\n":                            "2:11: no template has the name \"no-such\": use auto, book",
		"name: a\ntemplate: shop\nwords: [银行]\n":                  "words and template exclude each other",
		"name: a\ntemplate: shop\nstrategy: hybrid\n":             "3:11: strategy and template exclude each other",
		"name: a\ntemplate: |\n  name: tea\n  fields:\n    - 1\n": "2:11: template:3:",
		"name: a\n": "words are missing",
	} {
		_, err := Parse("t.yaml", []byte(file))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", file, err, want)
		}
	}
}
