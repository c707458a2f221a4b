package chart

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
)

// Measures of the drawing, in its units.
const (
	figureWidth, figureHeight = 720.0, 412.0
	left, right               = 64.0, 64.0
	top, bottom               = 84.0, 64.0
	plotWidth                 = figureWidth - left - right
	plotHeight                = figureHeight - top - bottom
	floor                     = top + plotHeight
	barShare                  = 0.56 // of its slot
	steps                     = 5    // of the grid
)

// SVG writes the figure as a self-contained picture: no script, no style sheet,
// no font to load. The amount has its axis on the left, the share on the right.
func (f *Figure) SVG(w io.Writer) error { return draw(w, picture, f.drawing()) }

// draw fills in the template of a picture.
func draw(w io.Writer, picture string, drawing any) error {
	t, err := template.New("picture").Funcs(template.FuncMap{
		"px":    func(v float64) string { return fmt.Sprintf("%.1f", v) },
		"above": func(v float64) string { return fmt.Sprintf("%.1f", v-10) },
	}).Parse(picture)
	if err == nil {
		err = t.Execute(w, drawing)
	}
	if err != nil {
		return fmt.Errorf("write svg: %w", err)
	}
	return nil
}

type drawing struct {
	Figure             *Figure
	Width, Height      float64
	Left, Right, Floor float64
	Centre, Foot       float64 // position of the axis title
	Grid               []gridLine
	Bars               []barShape
	Line               string // points
	Dots               []dot
	Ticks              []dot
}

type gridLine struct {
	Y, TextY      float64
	Amount, Share string
}

type barShape struct {
	X, Y, Width, Height, Middle, TextY float64
	Value                              string
}

type dot struct {
	X, Y float64
	Text string
}

// drawing computes the layout.
func (f *Figure) drawing() *drawing {
	d := &drawing{
		Figure: f, Width: figureWidth, Height: figureHeight, Left: left, Right: figureWidth - right, Floor: floor,
		Centre: left + plotWidth/2, Foot: figureHeight - 16,
	}
	most := roundUp(greatest(f.Amount.Values))
	for i := range steps + 1 {
		share := float64(i) / steps
		y := floor - share*plotHeight
		d.Grid = append(d.Grid, gridLine{Y: y, TextY: y + 4, Amount: short(share * most), Share: fmt.Sprintf("%.1f", share)})
	}
	slot := plotWidth / float64(max(len(f.Positions), 1))
	var points []string
	for i, name := range f.Positions {
		x := left + (float64(i)+0.5)*slot
		d.Ticks = append(d.Ticks, dot{X: x, Y: floor + 18, Text: name})
		if v := f.Amount.Values[i]; v > 0 && !math.IsInf(v, 0) {
			h := v / most * plotHeight
			d.Bars = append(d.Bars, barShape{
				X: x - slot*barShare/2, Y: floor - h, Width: slot * barShare, Height: h, Middle: x, TextY: floor - 6, Value: short(v),
			})
		}
		if v := f.Share.Values[i]; !math.IsNaN(v) {
			y := floor - min(max(v, 0), 1)*plotHeight
			points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
			d.Dots = append(d.Dots, dot{X: x, Y: y, Text: fmt.Sprintf("%.2f", v)})
		}
	}
	d.Line = strings.Join(points, " ")
	return d
}

// roundUp is the next number that divides into five steps that people like.
func roundUp(v float64) float64 {
	magnitude := math.Pow(10, math.Floor(math.Log10(v)))
	for _, factor := range []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10} {
		if factor*magnitude >= v {
			return factor * magnitude
		}
	}
	return 10 * magnitude
}

// picture is the template. Values beside the marks make it readable without its
// colours, which colour-blind readers can distinguish.
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" height="{{.Height}}" role="img" font-family="system-ui, -apple-system, 'Noto Sans', 'Noto Sans CJK SC', sans-serif" font-size="12" fill="#3b4252">
<title>{{.Figure.Title}}</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="{{.Left}}" y="28" font-size="16" font-weight="600" fill="#1f2430">{{.Figure.Title}}</text>
<rect x="{{.Left}}" y="42" width="12" height="12" rx="2" fill="#b9cde5"/><text x="{{px .Left}}" dx="18" y="52">{{.Figure.Amount.Name}}<tspan dx="28" fill="#c2500a">●</tspan> {{.Figure.Share.Name}}</text>
{{- range .Grid}}
<line x1="{{px $.Left}}" x2="{{px $.Right}}" y1="{{px .Y}}" y2="{{px .Y}}" stroke="#e5e9f0"/>
<text x="{{px $.Left}}" dx="-8" y="{{px .TextY}}" text-anchor="end" fill="#6b7280">{{.Amount}}</text>
<text x="{{px $.Right}}" dx="8" y="{{px .TextY}}" fill="#c2500a">{{.Share}}</text>
{{- end}}
{{- range .Bars}}
<rect x="{{px .X}}" y="{{px .Y}}" width="{{px .Width}}" height="{{px .Height}}" rx="2" fill="#b9cde5"/>
<text x="{{px .Middle}}" y="{{px .TextY}}" text-anchor="middle" fill="#2c4a73">{{.Value}}</text>
{{- end}}
<line x1="{{px .Left}}" x2="{{px .Right}}" y1="{{px .Floor}}" y2="{{px .Floor}}" stroke="#6b7280"/>
<polyline points="{{.Line}}" fill="none" stroke="#c2500a" stroke-width="2" stroke-linejoin="round"/>
{{- range .Dots}}
<circle cx="{{px .X}}" cy="{{px .Y}}" r="4" fill="#c2500a" stroke="#ffffff" stroke-width="1.5"/>
<text x="{{px .X}}" y="{{above .Y}}" text-anchor="middle" font-weight="600" fill="#a34408" stroke="#ffffff" stroke-width="3" paint-order="stroke">{{.Text}}</text>
{{- end}}
{{- range .Ticks}}
<text x="{{px .X}}" y="{{px .Y}}" text-anchor="middle">{{.Text}}</text>
{{- end}}
<text x="{{px .Centre}}" y="{{px .Foot}}" text-anchor="middle">{{.Figure.Axis}}</text>
</svg>
`
