package chart

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// Curves shows shares that depend on an amount, a line for each.
type Curves struct {
	Title string
	Axis  string  // label of the amount
	Most  float64 // of the amount: the end of the axis
	Lines []Curve
}

// Curve is a named line. The values, 0 to 1 each, are those at equal distances from
// 0 to Curves.Most; those that are NaN are left out.
type Curve struct {
	Name   string
	Values []float64
}

// colours are those of Okabe and Ito, which colour-blind readers can distinguish.
// The dashes distinguish them on paper, too, and lines beyond the eighth.
var (
	colours = []string{"#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d00"}
	dashes  = []string{"", "8 3", "2 3", "8 3 2 3", "12 4"}
)

// keyWidth is the room for the names beside the lines.
const keyWidth = 170.0

// SVG writes the curves as a self-contained picture.
func (c *Curves) SVG(w io.Writer) error { return draw(w, curvesPicture, c.drawing()) }

type curvesDrawing struct {
	Curves              *Curves
	Width, Height       float64
	Left, Right         float64
	Centre, Floor, Foot float64
	Grid, Ticks         []dot
	Lines               []curveShape
}

type curveShape struct {
	Name, Colour, Dash, Points string
	KeyX, KeyEnd, TextX, KeyY  float64
}

func (c *Curves) drawing() *curvesDrawing {
	d := &curvesDrawing{
		Curves: c, Width: figureWidth + keyWidth, Height: figureHeight, Left: left, Right: figureWidth - right,
		Centre: left + plotWidth/2, Floor: floor, Foot: figureHeight - 16,
	}
	for i := range steps + 1 {
		share := float64(i) / steps
		d.Grid = append(d.Grid, dot{Y: floor - share*plotHeight, Text: fmt.Sprintf("%.1f", share)})
		d.Ticks = append(d.Ticks, dot{X: left + share*plotWidth, Y: floor + 18, Text: fmt.Sprintf("%.0f", share*c.Most)})
	}
	for i, line := range c.Lines {
		var points []string
		for at, v := range line.Values {
			if !math.IsNaN(v) {
				x := left + float64(at)/float64(max(len(line.Values)-1, 1))*plotWidth
				points = append(points, fmt.Sprintf("%.1f,%.1f", x, floor-min(max(v, 0), 1)*plotHeight))
			}
		}
		key := figureWidth - right + 20
		d.Lines = append(d.Lines, curveShape{
			Name: line.Name, Colour: colours[i%len(colours)], Dash: dashes[i%len(dashes)], Points: strings.Join(points, " "),
			KeyX: key, KeyEnd: key + 28, TextX: key + 36, KeyY: top + 8 + 18*float64(i),
		})
	}
	return d
}

const curvesPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" height="{{.Height}}" role="img" font-family="system-ui, -apple-system, 'Noto Sans', 'Noto Sans CJK SC', sans-serif" font-size="12" fill="#3b4252">
<title>{{.Curves.Title}}</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{{px .Left}}" y="44" font-size="16" font-weight="600" fill="#1f2430">{{.Curves.Title}}</text>
{{- range .Grid}}
<line x1="{{px $.Left}}" x2="{{px $.Right}}" y1="{{px .Y}}" y2="{{px .Y}}" stroke="#e5e9f0"/>
<text x="{{px $.Left}}" dx="-8" y="{{px .Y}}" dy="4" text-anchor="end">{{.Text}}</text>
{{- end}}
<line x1="{{px .Left}}" x2="{{px .Right}}" y1="{{px .Floor}}" y2="{{px .Floor}}" stroke="#6b7280"/>
{{- range .Ticks}}
<text x="{{px .X}}" y="{{px .Y}}" text-anchor="middle">{{.Text}}</text>
{{- end}}
{{- range .Lines}}
<polyline points="{{.Points}}" fill="none" stroke="{{.Colour}}" stroke-width="2" stroke-linejoin="round" stroke-dasharray="{{.Dash}}"/>
<line x1="{{px .KeyX}}" x2="{{px .KeyEnd}}" y1="{{px .KeyY}}" y2="{{px .KeyY}}" stroke="{{.Colour}}" stroke-width="2" stroke-dasharray="{{.Dash}}"/>
<text x="{{px .TextX}}" y="{{px .KeyY}}" dy="4">{{.Name}}</text>
{{- end}}
<text x="{{px .Centre}}" y="{{px .Foot}}" text-anchor="middle">{{.Curves.Axis}}</text>
</svg>
`
