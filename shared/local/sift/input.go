package sift

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// input is a file that is to be sifted.
type input struct {
	path   string
	name   string  // by which documents, rejects and state know it
	out    string  // of the outputs, without their ending
	before *Result // of an earlier run, which is not repeated; nil: none

	payloads *payloads // of all inputs
}

// checkTwice refuses a file that is named twice.
func checkTwice(files []string) error {
	before := map[string][]string{} // by the last element of the path
	var twice []error
	for _, file := range files {
		base := filepath.Base(file)
		if slices.ContainsFunc(before[base], func(other string) bool { return isSame(other, file) }) {
			twice = append(twice, fmt.Errorf("%w: %s is named twice", ErrClash, file))
		}
		before[base] = append(before[base], file)
	}
	return errors.Join(twice...)
}

// nameInputs gives each file its names: the last element of its path, with a number where
// another file has that name. A file that was sifted before keeps its own, and is refused
// if it was changed since.
func (f *folder) nameInputs(files []string) ([]input, error) {
	taken := map[string]bool{}       // names of outputs
	before := map[string][]*Result{} // by the last element of their paths
	for _, r := range f.state.Inputs {
		base := filepath.Base(r.File)
		taken[foldName(r.out())], before[base] = true, append(before[base], r)
	}
	inputs := make([]input, len(files))
	all := &payloads{inputs: inputs}
	var changed []error
	for i, file := range files {
		base := filepath.Base(file)
		in := input{path: file, payloads: all, before: find(before[base], file)}
		if in.before == nil {
			in.name, in.out = freeName(base, taken)
			taken[foldName(in.out)] = true
		} else {
			in.name, in.out = in.before.Name, in.before.out()
			before[base] = slices.DeleteFunc(before[base], func(r *Result) bool { return r == in.before })
			if info, err := os.Stat(file); err == nil && info.Size() != in.before.Size {
				changed = append(changed, fmt.Errorf("%w: %s had %d bytes when it was sifted before, now it has %d (name another --out)",
					ErrClash, file, in.before.Size, info.Size()))
			}
		}
		inputs[i] = in
	}
	return inputs, errors.Join(changed...)
}

// freeName returns names of an input and its outputs, which nothing else has.
func freeName(base string, taken map[string]bool) (name, out string) {
	first := outName(base)
	out = first
	for n := 2; taken[foldName(out)]; n++ {
		out = fmt.Sprintf("%s-%d", first, n)
	}
	return out + base[len(first):], out
}

// find returns the result of a file that was sifted in an earlier run, nil if there is
// none. A file may have moved since, or be gone.
func find(results []*Result, file string) *Result {
	for _, r := range results {
		if isSame(r.File, file) {
			return r
		}
	}
	info, err := os.Stat(file)
	for _, r := range results {
		if _, gone := os.Stat(r.File); gone != nil && (err != nil || info.Size() == r.Size) {
			return r
		}
	}
	return nil
}

// isSame reports whether two paths lead to one file.
func isSame(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// out is the name of the outputs, without their ending.
func (r *Result) out() string { return strings.TrimSuffix(path.Base(r.Corpus), lines) }

// endings of names that only tell what an input is.
var endings = [...]string{".gz", ".zst", ".jsonl", ".ndjson", ".json", ".warc", ".wet"}

// outName returns the name of the outputs of an input: what is left of its name
// without its endings.
func outName(name string) string {
	for {
		ext := strings.ToLower(filepath.Ext(name))
		if len(ext) == len(name) || !slices.Contains(endings[:], ext) {
			return name
		}
		name = name[:len(name)-len(ext)]
	}
}

// foldName makes names equal that some file systems treat as equal.
func foldName(name string) string { return strings.ToLower(name) }
