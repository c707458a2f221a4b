package topiccmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic"
)

// file reads the topic file to change: TOPIC, or the one beside it.
func (o *refineOptions) file(compiled *topic.Compiled) (path string, source []byte, file *topic.File, err error) {
	path = o.topic
	if path == "" {
		path = o.scoring
		if isArtifact(path) {
			path = strings.TrimSuffix(path, filepath.Ext(path)) + ".yaml"
			if _, err := os.Stat(path); err != nil {
				return "", nil, nil, cli.Usage(fmt.Errorf("%s is compiled and there is no %s: name the topic file to change by --topic", o.scoring, path))
			}
		}
	}
	if source, err = topic.ReadSource(path); err != nil {
		return "", nil, nil, err
	}
	if topic.IsArtifact(source) {
		return "", nil, nil, cli.Usage(fmt.Errorf("%s is a compiled topic: name a topic file by --topic", path))
	}
	if file, err = topic.Parse(path, source); err != nil {
		return "", nil, nil, err
	}
	if a, b := file.Name, compiled.File.Name; a != b {
		return "", nil, nil, cli.Usage(fmt.Errorf("%s is the topic %s, %s the topic %s: name the topic file that was compiled by --topic", path, a, o.scoring, b))
	}
	if a, b := file.Language, compiled.File.Language; a != b {
		return "", nil, nil, cli.Usage(fmt.Errorf("%s is in the language %s, %s in %s: compile it again", path, a, o.scoring, b))
	}
	return path, source, file, nil
}

// patchName is how a diff names a file so that "patch -p0" finds it: by the path
// from the working folder, for it takes neither an absolute path nor one through
// "..", and with a tab behind spaces, of which the first would end the name.
func patchName(path string) string {
	if folder, err := filepath.Abs("."); err == nil {
		if absolute, err := filepath.Abs(path); err == nil {
			if below, err := filepath.Rel(folder, absolute); err == nil && filepath.IsLocal(below) {
				path = below
			}
		}
	}
	if strings.Contains(path, " ") {
		path += "\t"
	}
	return path
}

// isArtifact reports whether a file is a compiled topic.
func isArtifact(path string) bool {
	source, err := topic.ReadSource(path)
	return err == nil && topic.IsArtifact(source)
}
