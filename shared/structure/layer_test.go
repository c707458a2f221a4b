package structure

import (
	"net/url"
	"testing"
)

func TestLayer(t *testing.T) {
	lists := func(records ...int) *Page {
		p := &Page{}
		for _, n := range records {
			p.Lists = append(p.Lists, List{Records: make([]Record, n)})
		}
		return p
	}
	for name, tt := range map[string]struct {
		page        *Page
		text, paged bool
		share       float64
		want        string
	}{
		"an article":                         {lists(), true, false, .1, DetailLayer},
		"an article and related ones":        {lists(6, 5), true, false, .6, DetailLayer},
		"an article in parts":                {lists(), true, true, .1, DetailLayer},
		"nothing":                            {lists(), false, false, 0, DetailLayer},
		"headlines":                          {lists(40), false, false, .9, ListLayer},
		"abstracts taken for a text":         {lists(25), true, false, .95, ListLayer},
		"products with texts, several pages": {lists(25), true, true, .5, ListLayer},
		"a table of jobs, taken for a text":  {&Page{Lists: lists(8).Lists, quiet: true}, true, false, .7, ListLayer},
		"sections":                           {lists(8, 8, 8, 8), false, false, .3, CategoryLayer},
		"results and side lists":             {lists(30, 8, 8, 8), false, false, .5, ListLayer},
		"results of several kinds, paged":    {lists(8, 8, 8, 8), false, true, .5, ListLayer},
		"a later page without records":       {&Page{later: true}, false, true, 0, ListLayer},
		"a later part of an article":         {&Page{later: true}, true, true, 0, DetailLayer},
	} {
		tt.page.share = tt.share
		if got := tt.page.Layer(nil, tt.text, tt.paged); got != tt.want {
			t.Errorf("%s: layer %s, want %s", name, got, tt.want)
		}
	}
	for at, want := range map[string]string{
		"http://a.test/": CategoryLayer, "http://a.test": CategoryLayer, "https://a.test/Index.html": CategoryLayer,
		"http://a.test/?p=1": DetailLayer, "http://a.test/about": DetailLayer, "/": DetailLayer,
	} {
		u, err := url.Parse(at)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&Page{}).Layer(u, true, false); got != want {
			t.Errorf("%s without a list: layer %s, want %s", at, got, want)
		}
	}
}
