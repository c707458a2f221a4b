package structure_test

import (
	"testing"

	"sluice/shared/structure"
)

func TestLayer(t *testing.T) {
	lists := func(records ...int) *structure.Page {
		p := &structure.Page{}
		for _, n := range records {
			p.Lists = append(p.Lists, structure.List{Records: make([]structure.Record, n)})
		}
		return p
	}
	for name, tt := range map[string]struct {
		page        *structure.Page
		text, paged bool
		linked      float64
		want        string
	}{
		"an article":                         {lists(), true, false, .1, structure.DetailLayer},
		"an article and related ones":        {lists(6, 5), true, false, .6, structure.DetailLayer},
		"an article in parts":                {lists(), true, true, .1, structure.DetailLayer},
		"nothing":                            {lists(), false, false, 0, structure.DetailLayer},
		"headlines":                          {lists(40), false, false, .9, structure.ListLayer},
		"abstracts taken for a text":         {lists(25), true, false, .95, structure.ListLayer},
		"products with texts, several pages": {lists(25), true, true, .5, structure.ListLayer},
		"sections":                           {lists(8, 8, 8, 8), false, false, .3, structure.CategoryLayer},
		"results and side lists":             {lists(30, 8, 8, 8), false, false, .5, structure.ListLayer},
		"results of several kinds, paged":    {lists(8, 8, 8, 8), false, true, .5, structure.ListLayer},
	} {
		if got := tt.page.Layer(tt.text, tt.paged, tt.linked); got != tt.want {
			t.Errorf("%s: layer %s, want %s", name, got, tt.want)
		}
	}
}
