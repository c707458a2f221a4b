package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func newFigure() *Figure {
	return &Figure{
		Title: "Crawl for <金融> & more", Axis: "threshold", Positions: []string{"0.05", "0.1", "0.2", "9"},
		Amount: Series{"kept", []float64{100, 50, 1, 0}},
		Share:  Series{"precision", []float64{0, 0.5, 1, math.NaN()}},
	}
}

func TestTerminal(t *testing.T) {
	const want = `Crawl for <金融> & more

threshold  kept               precision
0.05       ████████ 100      ●······· 0.000
0.1        ████     50       ────●··· 0.500
0.2        ▏        1        ───────● 1.000
9                   0        ········ –
`
	var b bytes.Buffer
	if err := newFigure().Terminal(&b, 40); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTerminalKeepsToItsWidth(t *testing.T) {
	for _, columns := range []int{60, 78, 120} {
		var b bytes.Buffer
		if err := newFigure().Terminal(&b, columns); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := displayed(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("%d columns: a line has %d: %q", columns, n, line)
			}
		}
	}
}

// The picture is self-contained XML for any texts, and shows each value.
func TestSVG(t *testing.T) {
	for name, figure := range map[string]*Figure{
		"figure": newFigure(),
		"all nothing": {
			Title: "</svg><script>", Axis: "x", Positions: []string{"a"},
			Amount: Series{"n", []float64{0}}, Share: Series{"p", []float64{math.NaN()}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := figure.SVG(&b); err != nil {
				t.Fatal(err)
			}
			seen, text := map[string]int{}, ""
			d := xml.NewDecoder(&b)
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				switch token := token.(type) {
				case xml.StartElement:
					seen[token.Name.Local]++
				case xml.CharData:
					text += string(token)
				}
			}
			if seen["svg"] != 1 || seen["script"] != 0 || !strings.Contains(text, figure.Title) {
				t.Errorf("elements %v, text %q", seen, text)
			}
			if name == "figure" && (seen["circle"] != 3 || seen["rect"] != 2+3) {
				t.Errorf("%d dots, %d rectangles; want 3 dots, 3 bars beside ground and key", seen["circle"], seen["rect"])
			}
		})
	}
}

func TestRoundUp(t *testing.T) {
	for v, want := range map[float64]float64{1: 1, 93: 100, 101: 150, 0.3: 0.3, 7: 8, 8.1: 10, 4999: 5000} {
		if got := roundUp(v); math.Abs(got-want) > 1e-9 {
			t.Errorf("roundUp(%v) = %v, want %v", v, got, want)
		}
	}
}
