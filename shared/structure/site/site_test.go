package site

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/net/html"

	"sluice/shared/structure/field"
)

// shop is a site as the analysis found it.
func shop() *Site {
	return &Site{Host: "www.example.com", Layers: map[string]*Layer{
		"list": {
			Template: "shop", Rendering: "static", Region: "//ul[@id='goods']", Record: "//ul[@id='goods']/li", Pages: "https://www.example.com/list?page={page}",
			Fields: map[string]Field{"name": {XPath: "./h3"}, "price": {XPath: "./b"}},
		},
		"detail": {Template: "shop", Fields: map[string]Field{"name": {XPath: "//h1"}, "price": {XPath: "//*[@id='price']"}}},
	}}
}

func TestUpdate(t *testing.T) {
	first := Update(nil, shop())
	if first.Version != 1 || len(first.Checks) != 10 {
		t.Fatalf("version %d with %d checks, want 1 with 10", first.Version, len(first.Checks))
	}
	tests := map[string]struct {
		correct func(s *Site) // by a person
		found   func(s *Site) // by the next analysis
		want    func(s *Site)
		version int
	}{
		"nothing new": {version: 1},
		"the site has changed": {
			found: func(s *Site) { s.Layers["detail"].Fields["price"] = Field{XPath: "//b"} },
			want:  func(s *Site) { s.Layers["detail"].Fields["price"] = Field{XPath: "//b"} }, version: 2,
		},
		"a correction stays": {
			correct: func(s *Site) {
				s.Layers["detail"].Fields["price"] = Field{XPath: "//i"}
				s.Layers["list"].Record = "//ul/li[h3]"
				s.Layers["list"].Rendering = "dynamic"
			},
			found: func(s *Site) { s.Layers["detail"].Fields["price"] = Field{XPath: "//b"} },
			want: func(s *Site) {
				s.Layers["detail"].Fields["price"] = Field{XPath: "//i"}
				s.Layers["list"].Record = "//ul/li[h3]"
				s.Layers["list"].Rendering = "dynamic"
			}, version: 1,
		},
		"what was removed stays away": {
			correct: func(s *Site) { delete(s.Layers["list"].Fields, "price"); s.Layers["list"].Pages = "" },
			want:    func(s *Site) { delete(s.Layers["list"].Fields, "price"); s.Layers["list"].Pages = "" }, version: 1,
		},
		"what was added stays": {
			correct: func(s *Site) { s.Layers["list"].Fields["image"] = Field{XPath: "./img/@src"} },
			want:    func(s *Site) { s.Layers["list"].Fields["image"] = Field{XPath: "./img/@src"} }, version: 1,
		},
		"a layer that was not looked at stays": {
			correct: func(s *Site) { s.Layers["list"].Fields["price"] = Field{XPath: "./i"} },
			found:   func(s *Site) { delete(s.Layers, "list") },
			want:    func(s *Site) { s.Layers["list"].Fields["price"] = Field{XPath: "./i"} }, version: 1,
		},
		"an analysis without a template keeps the fields": {
			correct: func(s *Site) { s.Layers["list"].Fields["price"] = Field{XPath: "./i"} },
			found: func(s *Site) {
				for _, l := range s.Layers {
					l.Template, l.Fields = "", nil
				}
			},
			want: func(s *Site) { s.Layers["list"].Fields["price"] = Field{XPath: "./i"} }, version: 1,
		},
		"another template has fields of its own": {
			correct: func(s *Site) { s.Layers["list"].Fields["price"] = Field{XPath: "./i"} },
			found: func(s *Site) {
				s.Layers["list"].Template, s.Layers["list"].Fields = "news", map[string]Field{"title": {XPath: "./a"}}
			},
			want: func(s *Site) {
				s.Layers["list"].Template, s.Layers["list"].Fields = "news", map[string]Field{"title": {XPath: "./a"}}
			}, version: 2,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			old, found, want := Update(nil, shop()), shop(), shop()
			for _, change := range []struct {
				do func(*Site)
				s  *Site
			}{{tt.correct, old}, {tt.found, found}, {tt.want, want}} {
				if change.do != nil {
					change.do(change.s)
				}
			}
			got := Update(old, found)
			if diff := cmp.Diff(want.Layers, got.Layers); diff != "" || got.Version != tt.version {
				t.Errorf("version %d, want %d; layers (-want +got)\n%s", got.Version, tt.version, diff)
			}
			again := Update(got, found)
			if diff := cmp.Diff(want.Layers, again.Layers); diff != "" || again.Version != got.Version {
				t.Errorf("the same analysis once more: version %d, want %d; layers (-want +got)\n%s", again.Version, got.Version, diff)
			}
		})
	}
}

func TestParse(t *testing.T) {
	s := Update(nil, shop())
	data, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, got); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
	if _, err := Parse([]byte(strings.Repeat("[", 100_000))); err == nil || !strings.Contains(err.Error(), "nested more than") {
		t.Errorf("error %v, want that it is nested too deep", err)
	}
	for want, broken := range map[string][2]string{
		"[6:8]":                   {"layers:", "layers: ["},
		"unknown field":           {"region:", "regoin:"},
		"layers.list.record: ":    {"//ul[@id='goods']/li", "//ul[@id='goods'/li"},
		"layers.list.fields.name": {"./h3", "./h3["},
	} {
		if _, err := Parse([]byte(strings.ReplaceAll(string(data), broken[0], broken[1]))); err == nil || !strings.Contains(err.Error(), want) && want != "[6:8]" {
			t.Errorf("with %q: error %v, want %q", broken[1], err, want)
		}
	}
}

func TestReaderOfUnknownFields(t *testing.T) {
	for want, change := range map[string]func(l *Layer){
		`field "colour" is not in template shop`: func(l *Layer) { l.Fields["colour"] = Field{XPath: "//i"} },
		"no-such.yaml":                           func(l *Layer) { l.Template = "no-such.yaml" },
	} {
		s := shop()
		change(s.Layers["detail"])
		if _, err := NewReader(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestReader(t *testing.T) {
	r, err := NewReader(shop())
	if err != nil {
		t.Fatal(err)
	}
	amount := func(v float64) *float64 { return &v }
	tests := map[string]struct {
		markup string
		want   *Extract
	}{
		"a list": {`<ul id=goods><li><h3>Red pear</h3><b>￥12.50</b></li><li><h3>Green pear</h3><b>￥9</b></li></ul>`, &Extract{Layer: "list", Records: []Values{
			{"name": {Text: "Red pear"}, "price": {Text: "￥12.50", Amount: amount(12.5), Currency: "CNY"}},
			{"name": {Text: "Green pear"}, "price": {Text: "￥9", Amount: amount(9), Currency: "CNY"}},
		}}},
		"a list of one": {`<ul id=goods><li><h3>Red pear</h3><b>￥12.50</b></li></ul>`, &Extract{Layer: "list", Records: []Values{
			{"name": {Text: "Red pear"}, "price": {Text: "￥12.50", Amount: amount(12.5), Currency: "CNY"}},
		}}},
		"a product":         {`<h1>Red pear</h1><p id=price>￥12.50</p>`, &Extract{Layer: "detail", Fields: Values{"name": {Text: "Red pear"}, "price": {Text: "￥12.50", Amount: amount(12.5), Currency: "CNY"}}}},
		"without its price": {`<h1>Red pear</h1>`, &Extract{Layer: "detail", Fields: Values{"name": {Text: "Red pear"}}, Missing: []string{"price"}}},
		"another page":      {`<p>text</p>`, &Extract{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			root, err := html.Parse(strings.NewReader(tt.markup))
			if err != nil {
				t.Fatal(err)
			}
			got := r.Read(field.Page{Root: root, Base: &url.URL{Scheme: "https", Host: "www.example.com"}})
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Extract{}), cmpopts.IgnoreFields(Extract{}, "Nodes")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if want := map[string]float64{"without its price": .5, "another page": 1}[name]; got.Lacking() != want {
				t.Errorf("lacks %v, want %v", got.Lacking(), want)
			}
		})
	}
}
