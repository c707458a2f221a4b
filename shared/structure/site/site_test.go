package site

import (
	"errors"
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
			}, version: 2,
		},
		"what was removed stays away": {
			correct: func(s *Site) { delete(s.Layers["list"].Fields, "price"); s.Layers["list"].Pages = "" },
			want:    func(s *Site) { delete(s.Layers["list"].Fields, "price"); s.Layers["list"].Pages = "" }, version: 2,
		},
		"what was added stays": {
			correct: func(s *Site) { s.Layers["list"].Fields["image"] = Field{XPath: "./img/@src"} },
			want:    func(s *Site) { s.Layers["list"].Fields["image"] = Field{XPath: "./img/@src"} }, version: 2,
		},
		"a layer that was not looked at stays": {
			correct: func(s *Site) { s.Layers["list"].Fields["price"] = Field{XPath: "./i"} },
			found:   func(s *Site) { delete(s.Layers, "list") },
			want:    func(s *Site) { s.Layers["list"].Fields["price"] = Field{XPath: "./i"} }, version: 2,
		},
		"an analysis without a template keeps the fields": {
			correct: func(s *Site) { s.Layers["list"].Fields["price"] = Field{XPath: "./i"} },
			found: func(s *Site) {
				for _, l := range s.Layers {
					l.Template, l.Fields = "", nil
				}
			},
			want: func(s *Site) { s.Layers["list"].Fields["price"] = Field{XPath: "./i"} }, version: 2,
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

// A correction makes a version, once.
func TestTouched(t *testing.T) {
	s := Update(nil, shop())
	if s.Touched() {
		t.Error("a fresh analysis counts as corrected")
	}
	for i, path := range []string{"//i", "//b"} {
		s.Layers["detail"].Fields["price"] = Field{XPath: path}
		if !s.Touched() {
			t.Errorf("the correction %s is not noticed", path)
		}
		for range 2 {
			if s = Update(s, &Site{Host: s.Host}); s.Touched() || s.Version != 2+i || s.Layers["detail"].Fields["price"].XPath != path {
				t.Errorf("version %d, want %d, with %s", s.Version, 2+i, path)
			}
		}
	}
	if s.Sum = ""; s.Touched() {
		t.Error("a file without a sum counts as corrected")
	}
}

func TestIdle(t *testing.T) {
	page := func(markup string) field.Page {
		root, err := html.Parse(strings.NewReader(markup))
		if err != nil {
			t.Fatal(err)
		}
		return field.Page{Root: root, Base: &url.URL{Scheme: "https", Host: "www.example.com"}}
	}
	list := page(`<ul id=goods><li><h3>Red pear</h3><b>￥12.50</b></li><li><h3>Green pear</h3><b>￥9</b></li></ul>`)
	detail := page(`<h1>Red pear</h1><p id=price>￥12.50</p>`)
	for name, tt := range map[string]struct {
		correct func(s *Site)
		layer   string
		pages   []field.Page
		want    []string
	}{
		"nothing corrected":      {func(*Site) {}, "detail", []field.Page{page("<p>text")}, nil},
		"a correction that fits": {func(s *Site) { s.Layers["detail"].Fields["price"] = Field{XPath: "//p"} }, "detail", []field.Page{detail}, nil},
		"of one page":            {func(s *Site) { s.Layers["detail"].Fields["price"] = Field{XPath: "//p"} }, "detail", []field.Page{page("<p>text"), detail}, nil},
		"of no page":             {func(s *Site) { s.Layers["detail"].Fields["price"] = Field{XPath: "//i"} }, "detail", []field.Page{detail}, []string{"layers.detail.fields.price: //i"}},
		"of no record":           {func(s *Site) { s.Layers["list"].Fields["brand"] = Field{XPath: "./i"} }, "list", []field.Page{list}, []string{"layers.list.fields.brand: ./i"}},
		"no records":             {func(s *Site) { s.Layers["list"].Record = "//ol/li" }, "list", []field.Page{list}, []string{"layers.list.record: //ol/li"}},
		"no pages":               {func(s *Site) { s.Layers["list"].Record = "//ol/li" }, "list", nil, nil},
	} {
		s := Update(nil, shop())
		tt.correct(s)
		r, err := NewReader(s)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, r.Idle(tt.layer, tt.pages)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestParse(t *testing.T) {
	s := Update(nil, shop())
	data, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse(data, "site.yaml", "WWW.example.com")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, got); diff != "" {
		t.Errorf("(-written +read)\n%s", diff)
	}
	if _, err := Parse([]byte(strings.Repeat("[", 100_000)), "site.yaml", "www.example.com"); err == nil || !strings.Contains(err.Error(), "nested more than") {
		t.Errorf("error %v, want that it is nested too deep", err)
	}
	for want, broken := range map[string][2]string{
		"site.yaml:12:20: not valid YAML":                         {"layers:", "layers: ["},
		`site.yaml:16:5: unknown field "regoin"`:                  {"region:", "regoin:"},
		"site.yaml:17:5: layers.list.record: ":                    {"//ul[@id='goods']/li", "//ul[@id='goods'/li"},
		"site.yaml:21:9: layers.list.fields.name.xpath: ":         {"./h3", "./h3["},
		"site.yaml:21:9: layers.list.fields.name.xpath: XPath \"": {"./h3", "''"},
		`site.yaml:3:1: host is "" in the file of`:                {"host: www.example.com", "host: ''"},
		`site.yaml:3:1: host is "other.example.com" in`:           {"host: www", "host: other"},
		`site.yaml:4:10: "abc" must be a whole number`:            {"version: 1", "version: abc"},
		`site.yaml:20:7: layers.list.fields.colour: the template shop has no such field: its fields are name, price, `: {"      name:\n        xpath: ./h3", "      colour:\n        xpath: ./h3"},
		"site.yaml:6:3: layers.Detail: the name of a layer":                                                            {"  detail:", "  Detail:"},
	} {
		_, err := Parse([]byte(strings.ReplaceAll(string(data), broken[0], broken[1])), "site.yaml", "www.example.com")
		if _, ok := errors.AsType[*InvalidError](err); !ok || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
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
