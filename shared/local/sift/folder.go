package sift

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sluice/shared/crawl/plan"
	"sluice/shared/local"
	"sluice/shared/local/filecorpus"
	"sluice/shared/state/corpus"
	"sluice/shared/topic"
)

// StateFile is where an output folder keeps what was sifted into it, by which
// topic.
const StateFile = local.SiftFile

// lines is the ending of the outputs.
const lines = ".jsonl"

// folder is the output folder with its state.
type folder struct {
	dir   string
	state state
}

// state is what StateFile holds.
type state struct {
	Topic        string    `json:"topic"`
	TopicVersion string    `json:"topic_version"`
	Strategy     string    `json:"strategy,omitempty"` // "": see topic.Compiled.As
	Inputs       []*Result `json:"inputs"`             // that are done, by name
}

// openFolder takes up what was sifted into the folder by the same topic, or
// begins with an empty one, and names the inputs.
func openFolder(spec *Spec) (*folder, []input, error) {
	f := &folder{dir: spec.Dir}
	begun, err := f.load()
	if err != nil {
		return nil, nil, err
	}
	inputs, err := f.nameInputs(spec.Files)
	if err != nil {
		return nil, nil, err
	}
	name, version := spec.Topic.File.Name, plan.TopicVersion(spec.Topic)
	switch {
	case begun && (f.state.Topic != name || f.state.TopicVersion != version):
		return nil, nil, fmt.Errorf("%w: %s has %s %s, not %s %s (name another --out)",
			ErrOther, spec.Dir, f.state.Topic, f.state.TopicVersion, name, version)
	case begun:
		spec.Topic = spec.Topic.As(f.state.Strategy)
		return f, inputs, nil
	}
	if err := checkRoom(spec); err != nil {
		return nil, nil, err
	}
	if err := filecorpus.Write(filepath.Join(f.dir, topicName(spec.Source)), spec.Source); err != nil {
		return nil, nil, fmt.Errorf("keep topic: %w", err)
	}
	f.state = state{Topic: name, TopicVersion: version, Strategy: spec.Topic.File.Strategy, Inputs: []*Result{}}
	return f, inputs, f.save()
}

// load reads the state and reports whether there is one.
func (f *folder) load() (bool, error) {
	path := filepath.Join(f.dir, StateFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &f.state)
	}
	if err == nil && slices.Contains(f.state.Inputs, nil) {
		err = errors.New("an input is null")
	}
	if err != nil {
		return false, fmt.Errorf("read state of %s: %w", f.dir, err)
	}
	return true, nil
}

func (f *folder) save() error {
	data, err := json.MarshalIndent(&f.state, "", "\t")
	if err == nil {
		err = filecorpus.Write(filepath.Join(f.dir, StateFile), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep state: %w", err)
	}
	return nil
}

// checkRoom refuses a folder in which something else has its files.
func checkRoom(spec *Spec) error {
	for _, name := range []string{local.StateFile, local.TopicFile, local.ArtifactFile, corpus.DocumentFolder, corpus.RejectFolder} {
		path := filepath.Join(spec.Dir, name)
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			continue
		}
		// A sift that was killed as it began left no more than its topic.
		held, err := topic.ReadSource(path)
		if err != nil || name != topicName(spec.Source) || !bytes.Equal(held, spec.Source) {
			return fmt.Errorf("%w: %s (name another --out)", ErrForeign, path)
		}
	}
	return nil
}

// topicName is the name of the copy of the topic: that which a crawl gives it.
func topicName(source []byte) string {
	if topic.IsArtifact(source) {
		return local.ArtifactFile
	}
	return local.TopicFile
}

// note keeps the result of an input.
func (f *folder) note(r *Result) error {
	f.state.Inputs = append(f.state.Inputs, r)
	slices.SortFunc(f.state.Inputs, func(a, b *Result) int { return strings.Compare(a.Name, b.Name) })
	return f.save()
}
