package topic

import (
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"sluice/shared/rank"
	"sluice/shared/rank/urlshape"
	"sluice/shared/schema"
	"sluice/shared/state/corpus"
	"sluice/shared/web/urlnorm"
)

var (
	slug     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	language = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)
)

var (
	ratio    = schema.Bounds{Most: 1}
	divisor  = schema.Bounds{Least: 0.001, Most: 1000}
	positive = schema.Bounds{Most: 1000, Above: true}
	measure  = schema.Bounds{Most: 1000}
)

const (
	maxWords = 5_000
	maxSeeds = 5_000

	maxSample = 1_000
	maxTunnel = 1_000
)

// FileSchema is the JSON Schema of a topic file.
func FileSchema() *jsonschema.Schema {
	s := new(reader).topicFile(defaults()).Shape
	s.AnyOf = []*jsonschema.Schema{{Required: []string{"words"}}, {Required: []string{"template"}}}
	return s
}

// topicFile reads every field of a topic file.
func (r *reader) topicFile(f *File) schema.Read {
	words, related := r.wordLists(f)
	return r.Object("the topic file", map[string]schema.Read{
		"name":     r.text(&f.Name, "name", checkName),
		"language": r.text(&f.Language, "language", checkLanguage),
		"words":    words,
		"related":  related,
		"adjust":   r.adjust(f),
		"seeds":    r.texts(&f.Seeds, "seeds", maxSeeds, urlnorm.Advice),
		"scope":    f.Scope.Read(&r.Reader),
		"thresholds": r.Object("thresholds", map[string]schema.Read{
			"description": r.Number(&f.Thresholds.Description, "description", measure),
			"priority":    r.Number(&f.Thresholds.Priority, "priority", positive),
			"body":        r.Number(&f.Thresholds.Body, "body", measure),
			"anchor":      r.Number(&f.Thresholds.Anchor, "anchor", measure),
		}, nil),
		"weights": r.Object("weights", map[string]schema.Read{
			"alpha":  r.Number(&f.Weights.Alpha, "alpha", ratio),
			"beta":   r.Number(&f.Weights.Beta, "beta", ratio),
			"lambda": r.Number(&f.Weights.Lambda, "lambda", positive),
		}, nil),
		"mean_weight": r.Number(&f.MeanWeight, "mean_weight", positive),
		"structure":   r.structure(&f.Structure),
		"strategy":    r.text(&f.Strategy, "strategy", checkStrategy).Among(rank.Names()...),
		"tunnel":      r.Count(&f.Tunnel, "tunnel", 1, maxTunnel),
		"render":      r.text(new(string), "render", f.setRender).Among(RenderNever, RenderAuto, RenderAlways),
		"archive":     r.text(&f.Archive, "archive", checkArchive).Among(corpus.Archives...),
		"budgets":     r.Object("budgets", f.Budgets.Fields(&r.Reader, 0, 1), nil),
		"quality":     r.quality(f),
		"pii":         r.text(new(string), "pii", f.setPII).Among("mask", "keep"),
		"template":    r.template(f),
	}, nil).With("name")
}

// structure reads the constants of the structure vote over the defaults of its
// form, which may come anywhere among them.
func (r *reader) structure(s *Structure) schema.Read {
	var form string
	readForm := r.text(&form, "form", func(form string) string {
		if f := urlshape.Form(form); f != urlshape.FormPaper && f != urlshape.FormPath {
			return "use path or paper"
		}
		return ""
	}).Among(string(urlshape.FormPath), string(urlshape.FormPaper))
	all := r.Object("structure", map[string]schema.Read{
		"form":      {From: func(schema.Value) {}, Shape: readForm.Shape}, // read before the others
		"alpha":     r.Number(&s.Alpha, "alpha", measure),
		"beta":      r.Number(&s.Beta, "beta", measure),
		"threshold": r.Number(&s.Threshold, "threshold", measure),
		"a":         r.Number(&s.A, "a", measure),
		"b":         r.Number(&s.B, "b", measure),
		"d":         r.Number(&s.D, "d", divisor),
		"a_path":    r.Number(&s.APath, "a_path", measure),
		"sample":    r.Count(&s.Sample, "sample", 1, maxSample),
	}, nil)
	return schema.Read{Shape: all.Shape, From: func(v schema.Value) {
		fields, _ := v.Object()
		if i := slices.IndexFunc(fields, func(f schema.Field) bool { return f.Key == "form" }); i >= 0 {
			if readForm.From(fields[i].Value); form != "" {
				s.Params = urlshape.DefaultParams(urlshape.Form(form))
			}
		}
		all.From(v)
	}}
}

func checkName(name string) string {
	if len(name) > 64 || !slug.MatchString(name) {
		return "use up to 64 lower-case letters, digits and single hyphens, such as finance-news"
	}
	return ""
}

func checkLanguage(tag string) string {
	if len(tag) > 35 || !language.MatchString(tag) {
		return "use a language tag such as zh, en or zh-TW"
	}
	return ""
}

func checkStrategy(name string) string {
	if name != "" && slices.Contains(rank.Names(), name) {
		return ""
	}
	return "use one of " + strings.Join(rank.Names(), ", ")
}

func checkArchive(archive string) string {
	if err := corpus.CheckArchive(archive); err != nil {
		return err.Error()
	}
	return ""
}

// setRender sets which pages are rendered.
func (f *File) setRender(mode string) string {
	switch mode {
	case RenderNever:
		f.Render = ""
	case RenderAuto, RenderAlways:
		f.Render = mode
	default:
		return "use never, auto or always"
	}
	return ""
}
