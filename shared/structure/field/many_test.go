package field_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/structure/field"
)

// recipe is a page with the ingredients and steps that it is given, three and more.
func recipe(form string, n int) (page, ingredients, steps string) {
	what := []string{"flour", "butter", "milk", "salt", "rice"}
	amounts := []string{"1 cup", "2 oz", "3 tbsp", "4 g", "5 ml"}
	var rows, cells, items, props, quoted, how, bodies, breaks []string
	var in, out []string
	for i := range 3 + n%2 {
		k := (i + n) % 5
		in = append(in, amounts[k]+" "+what[k])
		out = append(out, fmt.Sprintf("Take the %s of page %d.", what[k], n))
		rows = append(rows, "<tr><td>"+amounts[k]+"</td><td>"+what[k]+"</td></tr>")
		items = append(items, "<li><p>"+amounts[k]+" <b>"+what[k]+"</b></p></li>")
		cells = append(cells, "<p>"+in[i]+"</p>")
		breaks = append(breaks, in[i])
		props = append(props, "<span itemprop=recipeIngredient>"+in[i]+"</span>, ")
		quoted = append(quoted, `"`+in[i]+`"`)
		how = append(how, `{"@type":"HowToStep","name":"Step","text":"`+out[i]+`"}`)
		bodies = append(bodies, "<li>"+out[i]+"</li>")
	}
	body := map[string]string{
		"list":     "<h2>Ingredients</h2><ul>" + strings.Join(items, "") + "</ul>",
		"group":    "<h2>Ingredients</h2><h3>For the dough</h3><ul>" + strings.Join(items, "") + "</ul>",
		"serving":  "<h2>Ingredients</h2><p>Serves 4</p><ul>" + strings.Join(items, "") + "</ul>",
		"table":    "<h2>用料</h2><table>" + strings.Join(rows, "") + "</table>",
		"named":    "<div class=ingredients><h3>Ingredients</h3>" + strings.Join(cells, "") + "</div>",
		"lines":    "<h2>Ingredients</h2><p>" + strings.Join(breaks, "<br>") + "</p>",
		"property": "<p>" + strings.Join(props, "") + "</p>",
		"data":     `<script type="application/ld+json">{"@graph":[{"@type":"Recipe","recipeIngredient":[` + strings.Join(quoted, ",") + `],"recipeInstructions":[` + strings.Join(how, ",") + `]},{"@type":"Recipe","recipeIngredient":["another"]}]}</script>`,
	}[form]
	if form != "data" {
		body += "<h2>做法</h2><ol>" + strings.Join(bodies, "") + "</ol>"
	}
	return fmt.Sprintf("<title>Dish %d</title><h1>Dish %d</h1><p>By Ann</p>%s<h2>Comments</h2><ul><li>Good</ul>", n, n, body), strings.Join(in, "\n"), strings.Join(out, "\n")
}

// A field with many entries has all of them, on the pages that its path was found on and on
// others.
func TestMany(t *testing.T) {
	of := load(t, "recipe")
	for _, form := range []string{"list", "group", "serving", "table", "named", "lines", "property", "data"} {
		t.Run(form, func(t *testing.T) {
			var pages []field.Page
			for n := range 4 {
				page, _, _ := recipe(form, n)
				pages = append(pages, pageOf(t, page))
			}
			found := field.Analyze(of, pages)
			_, ingredients, steps := recipe(form, 0)
			subset(t, texts(found), map[string]string{"ingredients": ingredients, "instructions": steps})
			x, err := field.NewExtractor(of, found)
			if err != nil {
				t.Fatal(err)
			}
			page, ingredients, steps := recipe(form, 5)
			got := x.Extract(pageOf(t, page))
			if diff := cmp.Diff([]string{ingredients, steps}, []string{got["ingredients"].Text, got["instructions"].Text}); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// A path that a person writes may lead to the title, which no reader sees.
func TestTitleByHand(t *testing.T) {
	for _, path := range []string{"//title", "//head/title", "/html/head/title"} {
		x, err := field.NewExtractor(load(t, "news"), []field.Found{{Name: "title", XPath: path}, {Name: "source", XPath: path}})
		if err != nil {
			t.Fatal(err)
		}
		got := x.Extract(pageOf(t, "<html><head><title>Snow in May</title></head><body><h1>Snow"))
		if got["title"].Text != "Snow in May" || got["source"].Text != "Snow in May" {
			t.Errorf("%s: got %v", path, got)
		}
	}
}

// A path that a person writes may lead to the entries.
func TestManyByHand(t *testing.T) {
	x, err := field.NewExtractor(load(t, "recipe"), []field.Found{{Name: "ingredients", XPath: "//ul/li"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Extract(pageOf(t, "<ul><li>salt<li>rice</ul>"))["ingredients"].Text; got != "salt\nrice" {
		t.Errorf("got %q", got)
	}
}

// The heading of a list may have the name of the page in front of its label, and is no entry.
func TestManyBelowName(t *testing.T) {
	for heading, of := range map[string]string{"<h2 id=steps>番茄牛腩的做法</h2>": "instructions", "<h3>番茄牛腩做法：</h3>": "instructions", "<h2 class=ingredient>Apple Pie Ingredients</h2>": "ingredients", "<h2 id=steps>How it is made</h2>": ""} {
		got := texts(field.Analyze(load(t, "recipe"), []field.Page{pageOf(t, "<title>番茄牛腩</title><h1>番茄牛腩</h1>"+heading+"<div><ol><li><p>牛腩洗净备用。</p><img src=1.jpg><li><p>热锅下油。</p></ol></div>")}))
		want := map[string]string{"instructions": "", "ingredients": ""}
		if of != "" {
			want[of] = "牛腩洗净备用。\n热锅下油。"
		}
		subset(t, got, want)
	}
}

// A time has a number and a unit.
func TestTimesOfRecipe(t *testing.T) {
	for line, want := range map[string]string{
		"<a href=/cook/0/>阿梨厨房</a>":                   "",
		"<p class=cooked>12人做过这道菜</p>":                "",
		"<p class=cook>30 min</p>":                    "30 min",
		"<p>烹饪时间：半小时</p>":                             "半小时",
		"<p>Cook Time: about an hour</p>":             "about an hour",
		"<p>Cook Time</p><p>1 h 15</p>":               "1 h 15",
		"<p itemprop=cookTime>1½ hours</p>":           "1½ hours",
		"<meta itemprop=cookTime content=PT45M>":      "PT45M",
		"<div><span>30分钟</span><span>简单</span></div>": "",
	} {
		got := texts(field.Analyze(load(t, "recipe"), []field.Page{pageOf(t, "<h1>番茄牛腩</h1><div>"+line+"</div><p>家里常做的一道菜。</p>")}))
		subset(t, got, map[string]string{"cook_time": want, "prep_time": ""})
	}
}
