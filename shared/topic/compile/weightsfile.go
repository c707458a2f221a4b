package compile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sluice/shared/text/segment"
)

// A weights file is text that a user reads and edits:
//
//	# sluice weights 1
//	# documents 1520
//	# background 0
//	# mean 0.0123
//	央行	0.52
//
// A line with a # and no tab is a comment; the ones above say where the weights
// come from. The first line is required. The rest is a word, a tab and its
// weight, in any order.
const (
	weightsMagic   = "# sluice weights "
	weightsVersion = "1"
)

const (
	maxWeight         = 1e6
	maxWeightsLine    = 4096 // bytes
	maxWeightProblems = 20   // limit for one file
)

// Write writes a weights file, sorted by word: equal weights give equal bytes,
// and ReadWeights gives the same weights back, to the bit.
func (w *Weights) Write(out io.Writer) error {
	buffered := bufio.NewWriter(out)
	// The buffer keeps the first error for Flush.
	fmt.Fprintf(buffered, "%s%s\n# documents %d\n# background %d\n# mean %s\n",
		weightsMagic, weightsVersion, w.Documents, w.Background, exact(w.Mean))
	for _, word := range slices.Sorted(maps.Keys(w.Words)) {
		if word == "" || strings.ContainsAny(word, "\t\n\r") {
			return fmt.Errorf("write weights: %q is not a word", word)
		}
		fmt.Fprintf(buffered, "%s\t%s\n", word, exact(w.Words[word]))
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("write weights: %w", err)
	}
	return nil
}

// exact formats a number in its shortest exact form.
func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// ReadWeights reads a weights file; errors give name and line. Words are
// normalised by segment.UserWord; weights must be from 0 to a million. Without
// a line for it, the mean is that of the words present. The error lists the
// first twenty wrong lines.
func ReadWeights(r io.Reader, name string) (*Weights, error) {
	file := weightsFile{
		name:    name,
		weights: &Weights{Words: make(map[string]float64)},
		seen:    make(map[string]int),
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxWeightsLine)
	for lines.Scan() && file.wrong <= maxWeightProblems {
		file.line++
		text := strings.TrimSuffix(lines.Text(), "\r")
		if file.line == 1 {
			if err := checkVersion(strings.TrimPrefix(text, "\uFEFF")); err != nil {
				return nil, fmt.Errorf("%s:1: %w", name, err)
			}
			continue
		}
		file.read(text)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		file.line++
		file.fail("the line is longer than %d bytes: a line is a word, a tab and a weight", maxWeightsLine)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case file.line == 0:
		return nil, fmt.Errorf("%s: the file is empty: it must begin with %q", name, weightsMagic+weightsVersion)
	}
	if file.wrong > maxWeightProblems {
		file.problems = append(file.problems, errors.New("… and maybe more"))
	}
	if len(file.problems) > 0 {
		return nil, errors.Join(file.problems...)
	}
	if !file.hasMean {
		file.weights.Mean = file.weights.mean()
	}
	return file.weights, nil
}

func checkVersion(first string) error {
	version, ok := strings.CutPrefix(first, weightsMagic)
	switch version = strings.TrimSpace(version); {
	case !ok:
		return fmt.Errorf("this is not a weights file: its first line must be %q", weightsMagic+weightsVersion)
	case version != weightsVersion:
		return fmt.Errorf("weights of version %.20q: this program reads version %s; create the file again", version, weightsVersion)
	}
	return nil
}

// weightsFile is the state of reading one.
type weightsFile struct {
	name     string
	line     int // of the file, from 1
	weights  *Weights
	seen     map[string]int // line of each word
	hasMean  bool
	wrong    int
	problems []error
}

func (f *weightsFile) fail(format string, args ...any) {
	if f.wrong++; f.wrong <= maxWeightProblems {
		f.problems = append(f.problems, fmt.Errorf("%s:%d: %w", f.name, f.line, fmt.Errorf(format, args...)))
	}
}

// read reads a line after the first.
func (f *weightsFile) read(text string) {
	word, number, ok := strings.Cut(text, "\t")
	switch {
	case strings.TrimSpace(text) == "":
	case ok:
		f.readWord(word, number)
	case strings.HasPrefix(text, "#"):
		f.readComment(strings.Fields(text[1:]))
	default:
		f.fail("%.60q has no tab: a line is a word, a tab and a weight", text)
	}
}

func (f *weightsFile) readWord(given, number string) {
	word, wrong := segment.UserWord(given)
	weight, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch earlier := f.seen[word]; {
	case wrong != nil:
		f.fail("%w", wrong)
	case err != nil || !(0 <= weight && weight <= maxWeight):
		f.fail("the weight of %.60q is %.30q: write a number from 0 to %d", word, number, int(maxWeight))
	case earlier > 0:
		f.fail("the word %.60q is already in line %d: keep one", word, earlier)
	default:
		f.seen[word] = f.line
		f.weights.Words[word] = weight
	}
}

// readComment reads a comment about the origin of the weights.
func (f *weightsFile) readComment(fields []string) {
	if len(fields) != 2 {
		return
	}
	var err error
	switch value := fields[1]; fields[0] {
	case "documents":
		f.weights.Documents, err = parseCount(value)
	case "background":
		f.weights.Background, err = parseCount(value)
	case "mean":
		f.hasMean = true
		f.weights.Mean, err = strconv.ParseFloat(value, 64)
		if !(0 <= f.weights.Mean && f.weights.Mean <= maxWeight) {
			err = strconv.ErrRange
		}
	}
	if err != nil {
		f.fail("%s is %.30q: write a number from 0", fields[0], fields[1])
	}
}

func parseCount(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 62)
	return int(n), err
}
