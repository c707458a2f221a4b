package topiccmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
)

func (o *trainOptions) register(fl *pflag.FlagSet) {
	t := &o.training
	fl.StringArrayVar(&o.texts, "text", nil, "text to train on, a `FILE` or folder; required, repeatable, further arguments are texts too")
	fl.StringVar(&o.out, "out", "", "write the vectors to `VEC`; required")
	fl.StringVar(&o.format, "format", "", "`FORMAT` of word2vec: binary or text (default binary for .bin, else text)")
	fl.StringArrayVar(&o.fields, "field", nil, "field `NAME` of JSON lines that holds text; repeatable (default text, content, body or description)")
	fl.StringVar(&o.language, "language", "", "language `TAG` of the text (default that of --topic, else zh)")
	fl.StringArrayVar(&o.topics, "topic", nil, "keep the words of this topic whole, a `FILE`; repeatable")
	fl.IntVar(&t.Dim, "dim", 100, "`N` components of a vector")
	fl.IntVar(&t.Window, "window", 5, "look at up to `N` words on each side")
	fl.IntVar(&t.Negative, "negative", 5, "draw `N` negative samples")
	fl.IntVar(&t.Epochs, "epochs", 5, "go over the text `N` times")
	fl.IntVar(&t.MinCount, "min-count", 5, "words that occur less than `N` times get no vector of their own")
	fl.IntVar(&t.Threads, "threads", 0, "train with `N` threads; 1 is reproducible (default all cores)")
	fl.Float64Var(&t.Sample, "sample", 1e-3, "thin out words of more than this `SHARE` of the text")
	fl.Float64Var(&t.LearningRate, "learning-rate", 0.025, "`RATE` at the start")
	fl.Uint64Var(&t.Seed, "seed", 1, "of the random numbers, a number `N`")
	fl.IntVar(&t.MaxVocabulary, "max-vocabulary", 500_000, "keep the `N` most frequent words")
}

// check reports all that is wrong with the flags, and finds the format.
func (o *trainOptions) check() error {
	var problems []error
	t := &o.training
	for _, n := range []struct {
		flag               string
		value, least, most int
	}{
		{"dim", t.Dim, 1, 10_000},
		{"window", t.Window, 1, 100},
		{"negative", t.Negative, 1, 100},
		{"epochs", t.Epochs, 1, 10_000},
		{"min-count", t.MinCount, 1, 1_000_000_000},
		{"threads", t.Threads, 0, 1024},
		{"max-vocabulary", t.MaxVocabulary, 1, 50_000_000},
	} {
		if n.value < n.least || n.value > n.most {
			problems = append(problems, fmt.Errorf("--%s is %d: it must be %d to %d", n.flag, n.value, n.least, n.most))
		}
	}
	for _, x := range []struct {
		flag  string
		value float64
	}{{"sample", t.Sample}, {"learning-rate", t.LearningRate}} {
		if !(0 < x.value && x.value <= 1) {
			problems = append(problems, fmt.Errorf("--%s is %v: it must be above 0, at most 1", x.flag, x.value))
		}
	}
	if len(o.texts) == 0 {
		problems = append(problems, errors.New("--text is missing: name files to train on"))
	}
	for _, text := range o.texts {
		if text == "-" {
			problems = append(problems, errors.New("--text -: text is read twice: write it to a file first"))
		}
	}
	if o.out == "" {
		problems = append(problems, errors.New("--out is missing: name the file for the vectors"))
	} else {
		problems = append(problems, o.findFormat(), checkOut("out", o.out, slices.Concat(o.texts, o.topics)...), o.checkPlace())
	}
	return cli.Usage(errors.Join(problems...))
}

// checkPlace refuses a place where the vectors, or the checkpoint beside them,
// would be in the way.
func (o *trainOptions) checkPlace() error {
	if ext := strings.ToLower(filepath.Ext(o.out)); slices.Contains([]string{".gz", ".zst", ".bz2"}, ext) {
		return fmt.Errorf("--out %s: vectors are written as they are: leave out %s and compress them later", o.out, ext)
	}
	if info, err := os.Stat(o.out); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return fmt.Errorf("--out %s is not a regular file: a training keeps its checkpoint beside one", o.out)
	}
	for _, text := range o.texts {
		if within(text, o.out) {
			return fmt.Errorf("--out %s is in the folder %s and would be read as text: name a file elsewhere", o.out, text)
		}
	}
	return nil
}

// within reports whether a file, there or not yet, is below a folder.
func within(folder, file string) bool {
	root, err := os.Stat(folder)
	if err != nil || !root.IsDir() {
		return false
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return false
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	for {
		if info, err := os.Stat(dir); err == nil && os.SameFile(root, info) {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// findFormat takes the format from the name of the file where no flag says.
func (o *trainOptions) findFormat() error {
	switch {
	case o.format == formatBinary || o.format == formatText:
	case o.format != "":
		return fmt.Errorf("--format is %q: it must be %s or %s", o.format, formatBinary, formatText)
	case strings.EqualFold(filepath.Ext(o.out), ".bin"):
		o.format = formatBinary
	default:
		o.format = formatText
	}
	return nil
}

// The formats of word2vec.
const (
	formatBinary = "binary"
	formatText   = "text"
)
