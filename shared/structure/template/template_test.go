package template_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/text/encoding/simplifiedchinese"

	"sluice/shared/structure/template"
)

const inYAML = `name: parts
lists: [div/ul/li]
weights: {id: 20}
fields:
  name:
    heading: true
    words: [product, name: 4]
  price:
    type: price
    words:
      - jg: 10
    labels: [价格, Price]
    avoid: [shipping]
    values: [面议]
    properties: [price, "og:price:amount"]
    form: '^\d+元$'
    pattern: '\d'
`

const inXML = `<?xml version="1.0"?>
<!-- the same template -->
<template name="parts">
  <lists><list>div/ul/li</list></lists>
  <weights id="20"/>
  <fields>
    <field name="name" heading="true">
      <words><word>product</word><word weight="4">name</word></words>
    </field>
    <field name="price" type="price">
      <words><word weight="10">jg</word></words>
      <labels><label>价格</label><label>Price</label></labels>
      <avoid><word>shipping</word></avoid>
      <values><value>面议</value></values>
      <properties><property>price</property><property>og:price:amount</property></properties>
      <form>^\d+元$</form>
      <pattern>\d</pattern>
    </field>
  </fields>
</template>
`

// same compares templates by what the file says.
var same = cmp.Options{
	cmpopts.IgnoreUnexported(template.Field{}),
	cmp.Comparer(func(a, b *regexp.Regexp) bool {
		return (a == nil) == (b == nil) && (a == nil || a.String() == b.String())
	}),
}

func parse(t *testing.T, text string) *template.Template {
	t.Helper()
	got, err := template.Parse("t", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestParse(t *testing.T) {
	want := &template.Template{
		Name: "parts", Lists: []string{"div/ul/li"},
		Weights: template.Weights{Name: 10, ID: 20, Class: 10, ItemProp: 10, Other: 10},
		Fields: []template.Field{
			{Name: "name", Type: template.Text, Heading: true, Words: []template.Word{{Text: "product", Weight: 5}, {Text: "name", Weight: 4}}},
			{
				Name: "price", Type: template.Price, Words: []template.Word{{Text: "jg", Weight: 10}}, Labels: []string{"价格", "Price"},
				Avoid: []string{"shipping"}, Values: []string{"面议"}, Properties: []string{"price", "og:price:amount"}, Form: regexp.MustCompile(`(?i)^\d+元$`), Pattern: regexp.MustCompile(`(?i)\d`),
			},
		},
	}
	if diff := cmp.Diff(want, parse(t, inYAML), same); diff != "" {
		t.Errorf("YAML (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, parse(t, inXML), same); diff != "" {
		t.Errorf("XML (-want +got):\n%s", diff)
	}
	encoded, err := simplifiedchinese.GB18030.NewEncoder().String(strings.Replace(inXML, `"1.0"`, `"1.0" encoding="gb2312"`, 1))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, parse(t, encoded), same); diff != "" {
		t.Errorf("XML in GB 2312 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, parse(t, "\uFEFF"+strings.ReplaceAll(inXML, "\n", "\r\n")), same); diff != "" {
		t.Errorf("XML of Windows (-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"empty":          {"", "t: the file is empty: it needs at least name and fields"},
		"no fields":      {"name: a\n", "t:1:1: fields is missing: a template needs it"},
		"unknown key":    {"name: a\nfields:\n  b: {kind: price}\n", `t:3:7: unknown key "kind" in the field b: the keys are avoid, form, heading, labels, many, pattern, properties, type, values, words`},
		"type":           {"name: a\nfields:\n  b: {type: money}\n", `t:3:13: type is "money": use one of text, price, date, number, image, link`},
		"weight":         {"name: a\nfields:\n  b:\n    words: [c: -1]\n", "t:4:16: the weight of a word must be a number from 0 to 1000, not -1"},
		"word":           {"name: a\nfields:\n  b:\n    words: [a-b]\n", `t:4:13: the word "a-b" must be letters without marks or a rise of case, as in an attribute that is taken apart`},
		"repeated word":  {"name: a\nfields:\n  b:\n    words: [c, C]\n", `t:4:16: the word "c" is repeated: keep one`},
		"repeated field": {"name: a\nfields:\n  b: {}\n  b: {}\n", "t:4:3: b is repeated in fields: keep one"},
		"pattern":        {"name: a\nfields:\n  b: {pattern: '('}\n", "t:3:16: pattern is not a regular expression: error parsing regexp: missing closing ): `(?i)(`"},
		"list":           {"name: a\nlists: ['div > ul']\nfields:\n  b: {}\n", `t:2:9: lists[0] is "div > ul": write the elements of a list and its records, such as div/ul/li`},
		"form":           {"name: a\nfields:\n  b: {form: '('}\n", "t:3:13: form is not a regular expression: error parsing regexp: missing closing ): `(?i)(`"},
		"label":          {"name: a\nfields:\n  b: {labels: ['：']}\n", `t:3:16: labels[0] is "：": write the text beside the value, up to 60 bytes`},
		"heading":        {"name: a\nfields:\n  b: {heading: yes}\n", `t:3:16: heading is "yes": use true or false`},
		"anchor":         {"name: &a b\n", "t:1:7: anchors and aliases are not read: write the value out, or put a text that begins with & in quotes"},

		"XML cut off":       {"<template name=\"a\">\n <fields>", "t:2:10: not valid XML: unexpected EOF"},
		"XML syntax":        {"<template name=\"a\">\n </field>\n", "t:2:10: not valid XML: element <template> closed by </field>"},
		"XML root":          {"<site/>", "t:1:1: the element is <site>: a template is an element <template>"},
		"XML entity":        {"<!DOCTYPE a [<!ENTITY b 'c'>]>\n<template/>", "t:1:1: document types and entities are not read: remove this"},
		"XML unknown":       {"<template name='a'>\n <fields>\n  <field name='b' kind='price'/>\n </fields>\n</template>", `t:3:3: unknown key "kind" in the field b: the keys are avoid, form, heading, labels, many, pattern, properties, type, values, words`},
		"XML element":       {"<template name='a'>\n <fields>\n  <item/>\n  <field name='b' type='money'/>\n </fields>\n</template>", "t:3:3: <item> in <fields>: write <field>\nt:3:3: a field needs a name: <field name=\"price\">\nt:4:3: type is \"money\": use one of text, price, date, number, image, link"},
		"XML type":          {"<template name='a'>\n <fields><field name='b' type='money'/></fields></template>", `t:2:10: type is "money": use one of text, price, date, number, image, link`},
		"XML weight":        {"<template name='a'>\n<fields><field name='b'><words>\n<word weight='x'>c</word></words></field></fields></template>", "t:3:1: the weight of a word must be a number from 0 to 1000, not x"},
		"XML attribute":     {"<template name='a'><fields><field name='b'><words>\n<word wait='1'>c</word></words></field></fields></template>", `t:2:1: unknown attribute "wait" of <word>: it has only a weight`},
		"XML text":          {"<template name='a'>b<fields><field name='b'/></fields></template>", `t:1:1: <template> has both elements and the text "b": remove the text`},
		"XML repeated":      {"<template name='a'><fields>\n<field name='b'/>\n<field name='b'/></fields></template>", "t:3:1: b is repeated in fields: keep one"},
		"XML deep":          {strings.Repeat("<template>", 20), "t:1:81: nested more than 8 levels deep"},
		"XML without name":  {"<template>\n<fields><field name='b'/></fields></template>", "t:1:1: name is missing: a template needs it"},
		"XML in two pieces": {"<template name='a'><fields><field name='b'/></fields></template><template/>", "t:1:65: a second element begins here: a template is one"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := template.Parse("t", []byte(test.text)); err == nil || err.Error() != test.want {
				t.Errorf("error\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

// METHOD C4.
func TestScore(t *testing.T) {
	f := parse(t, "name: a\nfields:\n  b: {words: [product, name, jg: 10, 'jiage': 6, 价格]}\n").Fields[0]
	for attribute, want := range map[string]float64{
		"prodName": 10, "product-item": 5, "productName": 10, "PRODUCT_NAME": 10, "proName": 5, "pro": 0, "prod": 5, "names": 5,
		"jg": 10, "jgsj": 0, "j": 0, "goods_jiage": 6, "jia": 6, "ji": 0, "商品价格": 5, "": 0, "---": 0, "subname": 0,
	} {
		if got := f.Score(attribute); got != want {
			t.Errorf("%q scores %v, want %v", attribute, got, want)
		}
	}
}

func TestLabel(t *testing.T) {
	f := parse(t, "name: a\nfields:\n  b: {labels: [价格, Sale Price]}\n").Fields[0]
	for text, want := range map[string]float64{
		"价格": 1, "价 格：": 1, "【价格】": 1, "SALE PRICE:": 1, "商品价格": 0.5, "本店商品价格": 0, "Our sale price": 0.75, "Price": 0, "": 0, "：": 0, "各价格：": 0,
		strings.Repeat("价格", 20): 0,
	} {
		if got := f.Label(text); got != want {
			t.Errorf("%q is a label by %v, want %v", text, got, want)
		}
	}
	f = parse(t, "name: a\nfields:\n  b: {avoid: [fax, 传真]}\n").Fields[0]
	for text, want := range map[string]bool{"Fax:": true, "传 真": true, "Tel/Fax": true, "Phone": false, "": false} {
		if got := f.Avoids(text) > 0; got != want {
			t.Errorf("%q is avoided: %v, want %v", text, got, want)
		}
	}
	f = parse(t, "name: a\nfields:\n  b: {values: [全职, Part time]}\n").Fields[0]
	for text, want := range map[string]float64{"全职": 1, "全职/Part-Time": 1, "全职/实习": 0.5, "实习": 0, "": 0, "/": 0} {
		if got := f.Usual(text); got != want {
			t.Errorf("%q is usual by %v, want %v", text, got, want)
		}
	}
	f = parse(t, "name: a\nfields:\n  b: {form: '(公司|Ltd)$'}\n").Fields[0]
	for text, want := range map[string]float64{"蓝天公司": 1, "Acme LTD": 1, "公司介绍": 0, "": 0} {
		if got := f.Usual(text); got != want {
			t.Errorf("%q is usual by %v, want %v", text, got, want)
		}
	}
}

func TestPrecedence(t *testing.T) {
	tm := parse(t, "name: a\nlists: [div/ul/li, div/p, ul/li]\nfields:\n  b: {}\n")
	for path, want := range map[string]int{"div/ul/li": 0, "body/div/ul/li": 0, "section/ul/li": 2, "body/div/p": 1, "mydiv/p": 3, "table/tr": 3} {
		if got := tm.Precedence(path); got != want {
			t.Errorf("%s is at %d, want %d", path, got, want)
		}
	}
}

func TestShipped(t *testing.T) {
	names := template.Names()
	for _, name := range []string{"auto", "book", "camera", "job", "movie", "news", "notice", "recipe", "restaurant", "shop", "university"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not shipped", name)
		}
	}
	for _, name := range names {
		got, err := template.Load(name)
		if err != nil {
			t.Error(err)
		} else if got.Name != name {
			t.Errorf("template %s calls itself %s", name, got.Name)
		}
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.xml")
	if err := os.WriteFile(path, []byte(inXML), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := template.Load(path); err != nil || got.Name != "parts" {
		t.Errorf("Load = %v, %v", got, err)
	}
	if _, err := template.Load("nowhere"); err == nil || !strings.Contains(err.Error(), "shop") {
		t.Errorf("error %v, want the templates that are shipped", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(inYAML)
	f.Add(inXML)
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := template.Parse("t", []byte(text)); err == nil && (got.Name == "" || len(got.Fields) == 0) {
			t.Errorf("a template without name or fields: %+v", got)
		}
	})
}
