package topiccmd

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic"
	"sluice/shared/topic/compile"
	"sluice/shared/topic/directsum"
	"sluice/shared/topic/hownet"
	"sluice/shared/topic/wordvec"
)

// compileSources are the flags that name what a topic is compiled from, beside
// its file.
type compileSources struct{ vectors, hownet, weights string }

func (f *compileSources) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.vectors, "vectors", "", "word vectors, a `FILE` of topic train, word2vec or fastText")
	fl.StringVar(&f.hownet, "hownet", "", "your copy of HowNet, the folder `DIR` of its glossary and WHOLE.DAT")
	fl.StringVar(&f.weights, "weights", "", "weights of words, a `FILE` of topic weigh or refine")
}

func (f *compileSources) given() []string {
	return slices.DeleteFunc([]string{f.vectors, f.hownet, f.weights}, func(path string) bool { return path == "" })
}

// loaded is what the files hold, and what identifies them.
type loaded struct {
	vectors *wordvec.Vectors
	hownet  *hownet.Lexicon
	weights *compile.Weights
	digests compile.Digests
}

// load reads the files, and reports all that cannot be read.
func (f *compileSources) load() (*loaded, error) {
	var l loaded
	var problems []error
	if f.vectors != "" {
		digest, err := readHashed(f.vectors, func(r io.Reader) (err error) {
			l.vectors, err = wordvec.Read(r)
			return err
		})
		if err != nil {
			problems = append(problems, fmt.Errorf("read vectors %s: %w", f.vectors, err))
		}
		l.digests.Vectors = digest
	}
	if f.hownet != "" {
		var err error
		if l.hownet, err = hownet.Load(f.hownet); err == nil {
			l.digests.HowNet, err = digestHowNet(f.hownet)
		}
		problems = append(problems, err)
	}
	if f.weights != "" {
		digest, err := readHashed(f.weights, func(r io.Reader) (err error) {
			l.weights, err = compile.ReadWeights(r, f.weights)
			return err
		})
		problems = append(problems, err)
		l.digests.Weights = digest
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return &l, nil
}

// readHashed reads a file and returns the digest of all of it.
func readHashed(path string, read func(io.Reader) error) (digest string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // only read
	sum := sha256.New()
	content := io.TeeReader(file, sum)
	if err := read(content); err != nil {
		return "", err
	}
	if _, err := io.Copy(io.Discard, content); err != nil { // what the format leaves behind its end
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// digestHowNet is the digest of the files of a lexicon, ignoring the case of
// their names.
func digestHowNet(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("read HowNet: %w", err)
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int {
		return cmp.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name()))
	})
	sum := sha256.New()
	for _, entry := range entries {
		name := strings.ToLower(entry.Name())
		if name != "glossary.txt" && name != "glossary.dat" && name != "whole.dat" {
			continue
		}
		if err := addFile(sum, name, filepath.Join(dir, entry.Name())); err != nil {
			return "", fmt.Errorf("read HowNet: %w", err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func addFile(sum hash.Hash, name, path string) error {
	digest, err := readHashed(path, func(io.Reader) error { return nil })
	fmt.Fprintln(sum, name, digest)
	return err
}

// directSum returns the direct sum for a topic by the files that it was compiled
// from.
func directSum(c *topic.Compiled, sources *compileSources) (*directsum.Sum, error) {
	from, err := sources.load()
	if err != nil {
		return nil, err
	}
	if err := checkSources(&c.Meta, &from.digests); err != nil {
		return nil, cli.Usage(err)
	}
	return directsum.New(c, directsum.Sources{Vectors: from.vectors, HowNet: from.hownet, Weights: from.weights})
}

// checkSources refuses other files than those that the topic was compiled from.
func checkSources(meta *topic.Meta, given *compile.Digests) error {
	var problems []error
	for _, source := range []struct{ flag, compiled, given string }{
		{"vectors", meta.Vectors, given.Vectors},
		{"hownet", meta.HowNet, given.HowNet},
		{"weights", meta.Weights, given.Weights},
	} {
		switch {
		case source.compiled == source.given:
		case source.given == "":
			problems = append(problems, fmt.Errorf("--%s is missing: the topic was compiled with it", source.flag))
		case source.compiled == "":
			problems = append(problems, fmt.Errorf("--%s: the topic was compiled without it", source.flag))
		default:
			problems = append(problems, fmt.Errorf("--%s: the topic was compiled with another (digest %.12s, this one has %.12s)", source.flag, source.compiled, source.given))
		}
	}
	return errors.Join(problems...)
}
