package records

import (
	"fmt"
	"testing"

	"sluice/shared/state/corpus"
	"sluice/shared/structure"
	"sluice/shared/web/urlnorm"
)

func parse(t *testing.T, raw string) urlnorm.URL {
	t.Helper()
	u, err := urlnorm.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Nearly all pages of one form of address tell the layer of the others; pages of a form
// that has several layers are what they look like.
func TestSurvey(t *testing.T) {
	t.Parallel()
	var s Survey
	at := func(n int) corpus.Location { return corpus.Location{File: "warc/00001.warc.gz", Offset: int64(n)} }
	for i := range 95 {
		s.Add(parse(t, fmt.Sprintf("https://shop.test/product/%d.html", i)), &corpus.Document{Layer: structure.DetailLayer, WARC: at(i)})
	}
	for i := range 5 {
		s.Add(parse(t, fmt.Sprintf("https://shop.test/product/%d.html", 1000+i)), &corpus.Document{Layer: structure.ListLayer, WARC: at(1000 + i)})
		s.Add(parse(t, fmt.Sprintf("https://shop.test/thing-%c", 'a'+i)), &corpus.Document{Layer: structure.DetailLayer, WARC: at(2000 + i)})
		s.Add(parse(t, fmt.Sprintf("https://shop.test/group-%c", 'a'+i)), &corpus.Document{Layer: structure.ListLayer, WARC: at(3000 + i)})
	}
	for _, tt := range []struct{ url, looks, want string }{
		{"https://shop.test/product/1000.html", structure.ListLayer, structure.DetailLayer},
		{"https://shop.test/thing-z", structure.DetailLayer, structure.DetailLayer},
		{"https://shop.test/group-z", structure.ListLayer, structure.ListLayer},
		{"https://shop.test/never/seen", structure.ListLayer, structure.ListLayer},
		{"https://other.test/product/1.html", structure.ListLayer, structure.ListLayer},
	} {
		if got := s.Layer(parse(t, tt.url), tt.looks); got != tt.want {
			t.Errorf("%s looks like %s and is %s, want %s", tt.url, tt.looks, got, tt.want)
		}
	}
	for layer, least := range map[string]int64{structure.DetailLayer: 0, structure.ListLayer: 3000} {
		places := s.Samples("shop.test", layer)
		if len(places) == 0 || len(places) > Samples {
			t.Errorf("%d samples of the layer %s, want 1 to %d", len(places), layer, Samples)
		}
		for _, p := range places {
			if p.Offset < least || p.Offset >= 1000 && p.Offset < 2000 {
				t.Errorf("the page at %d is a sample of the layer %s", p.Offset, layer)
			}
		}
	}
}

// A layer is learned from pages that lists led to where there are some. Where most pages
// of a form lead to other details, and no list to them, they are lists with few records.
func TestSurveyOfPaths(t *testing.T) {
	t.Parallel()
	var s Survey
	add := func(url, parent string, priority float64, n int64) {
		d := &corpus.Document{Layer: structure.DetailLayer, WARC: corpus.Location{Offset: n}}
		d.Path = corpus.Path{Seed: "https://shop.test/", Parent: parent, Priority: corpus.Priority{Value: corpus.Real(priority)}}
		s.Add(parse(t, url), d)
	}
	for i := range int64(20) {
		add(fmt.Sprintf("https://shop.test/info/%d", i), "https://shop.test/", 1, i)
		add(fmt.Sprintf("https://shop.test/p/%d", i), "https://shop.test/list", 3, 100+i)
		add(fmt.Sprintf("https://shop.test/group/%d", i), "https://shop.test/", 1, 200+i)
		add(fmt.Sprintf("https://shop.test/thing/%d", i), fmt.Sprintf("https://shop.test/group/%d", i), 1, 300+i)
		add(fmt.Sprintf("https://shop.test/next/%d", i), fmt.Sprintf("https://shop.test/p/%d", i), 1, 400+i)
	}
	for url, want := range map[string]string{
		"https://shop.test/info/1": structure.DetailLayer, "https://shop.test/p/1": structure.DetailLayer,
		"https://shop.test/group/1": structure.ListLayer, "https://shop.test/thing/1": structure.DetailLayer,
	} {
		if got := s.Layer(parse(t, url), structure.DetailLayer); got != want {
			t.Errorf("%s is %s, want %s", url, got, want)
		}
	}
	for _, p := range s.Samples("shop.test", structure.DetailLayer) {
		if p.Offset < 100 || p.Offset >= 200 {
			t.Errorf("the page at %d is a sample, though no list led to it", p.Offset)
		}
	}
}

func TestShapeOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"https://shop.test/p/1001.html", "https://shop.test/p/7.html", true},
		{"https://shop.test/goods.php?id=7&from=a", "https://shop.test/goods.php?id=8&from=b", true},
		{"https://shop.test/p/red-pear", "https://shop.test/p/plum", true},
		{"https://shop.test/p/red-pear", "https://shop.test/c/pears", false},
		{"https://shop.test/p/red-pear/", "https://shop.test/p/plum/", true},
		{"https://shop.test/red-pear/", "https://shop.test/c/pears/", false},
		{"https://shop.test/p/red-pear/", "https://shop.test/p/red-pear", false},
		{"https://shop.test/goods.php?id=7", "https://shop.test/category.php?id=7", false},
		{"https://shop.test/list", "https://shop.test/list?page=2", false},
	} {
		if got := shapeOf(parse(t, tt.a)) == shapeOf(parse(t, tt.b)); got != tt.same {
			t.Errorf("%s and %s have one form: %t, want %t", tt.a, tt.b, got, tt.same)
		}
	}
}
