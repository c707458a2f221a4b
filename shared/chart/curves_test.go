package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func TestCurvesSVG(t *testing.T) {
	var lines []Curve
	for range 10 {
		lines = append(lines, Curve{"</svg><script>", []float64{0, 0.5, math.NaN(), 2}})
	}
	for name, c := range map[string]Curves{
		"ten lines": {Title: "召回率 & <recall>", Axis: "pages", Most: 7000, Lines: lines},
		"no line":   {Title: "nothing"},
		"no point":  {Title: "nothing", Lines: []Curve{{Name: "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.SVG(&b); err != nil {
				t.Fatal(err)
			}
			drawn, text := []string(nil), ""
			for d := xml.NewDecoder(&b); ; {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				switch token := token.(type) {
				case xml.StartElement:
					switch token.Name.Local {
					case "script":
						t.Error("a name became an element")
					case "polyline":
						drawn = append(drawn, token.Attr[0].Value)
					}
				case xml.CharData:
					text += string(token)
				}
			}
			if len(drawn) != len(c.Lines) || !strings.Contains(text, c.Title) {
				t.Errorf("%d lines, text %q", len(drawn), text)
			}
			if name == "ten lines" {
				if drawn[0] != "64.0,348.0 261.3,216.0 656.0,84.0" {
					t.Errorf("the first line is %s", drawn[0])
				}
				if !strings.Contains(text, "1400") || !strings.Contains(text, "7000") || !strings.Contains(text, "</svg><script>") {
					t.Errorf("text is %q", text)
				}
			}
		})
	}
}
