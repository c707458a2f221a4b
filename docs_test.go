package sluice_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The table of ADR 0002 names exactly the modules that our packages import,
// tests included, with their versions.
func TestLibrariesAreDocumented(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| ([a-z0-9.-]+\.[a-z]+/[^ ]+) \| (v[^ ]+) \|`)
	documented := map[string]string{}
	for _, m := range row.FindAllStringSubmatch(readFile(t, "docs/adr/0002-libraries.md"), -1) {
		documented[m[1]] = m[2]
	}
	if diff := cmp.Diff(importedModules(t), documented); diff != "" {
		t.Errorf("modules imported (-) and documented in ADR 0002 (+):\n%s", diff)
	}
}

// importedModules returns the foreign modules that packages and tests of the
// module import, with their versions.
func importedModules(t *testing.T) map[string]string {
	t.Helper()
	type module struct{ Path, Version string }
	modules := map[string]module{} // by package
	imports := map[string]bool{}
	out := run(t, "go", "list", "-tags", "ne", "-deps", "-test", "-json=ImportPath,Imports,Module", "./...")
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
			Module     *module
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("decode package list: %v", err)
		}
		switch {
		case p.Module == nil:
		case p.Module.Path == "sluice":
			for _, i := range p.Imports {
				imports[i] = true
			}
		default:
			modules[p.ImportPath] = *p.Module
		}
	}
	versions := map[string]string{}
	for i := range imports {
		if m, ok := modules[i]; ok {
			versions[m.Path] = m.Version
		}
	}
	return versions
}

// The tables of commands and of the flags of crawl, in both languages, are the
// program's.
func TestCommandsAreDocumented(t *testing.T) {
	sluice := filepath.Join(t.TempDir(), "sluice")
	run(t, "go", "build", "-tags", "ne", "-o", sluice, "./cmd/sluice")
	_, commands, _ := strings.Cut(string(run(t, sluice, "--help")), "\nCommands:\n")
	commands, _, _ = strings.Cut(commands, "\n\n")
	names := firsts(`(?m)^ +([a-z]+)`, commands)
	flags := firsts(`(?m)^ +(?:-\w, )?--([a-z-]+)`, string(run(t, sluice, "crawl", "--help")))
	flags = slices.DeleteFunc(flags, func(name string) bool { return name == "help" })
	if len(names) == 0 || len(flags) == 0 {
		t.Fatalf("the program names %d commands and %d flags", len(names), len(flags))
	}
	for _, document := range []string{"docs/commands.md", "docs/commands.zh-CN.md"} {
		text := readFile(t, document)
		for _, name := range names {
			if !regexp.MustCompile("(?m)^\\| `sluice .*\\b" + name + "\\b.*` \\|").MatchString(text) {
				t.Errorf("%s lacks the command %s", document, name)
			}
		}
		if diff := cmp.Diff(flags, firsts("(?m)^\\| `--([a-z-]+)", text)); diff != "" {
			t.Errorf("flags of sluice crawl (-) and in %s (+):\n%s", document, diff)
		}
	}
}

// firsts returns the first group of every match in text, sorted.
func firsts(pattern, text string) []string {
	var found []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	slices.Sort(found)
	return found
}

// Links between documents lead to a file and to a heading in it, pictures are
// well-formed XML, and `make x` is a target.
func TestDocumentsHold(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]+))?\)`)
	command := regexp.MustCompile("(?m)(?:^|`)make ([a-z][a-z-]*)")
	makefile := readFile(t, "Makefile")
	for _, name := range documents(t) {
		text := readFile(t, name)
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target := name
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(name), m[1])
			}
			switch _, err := os.Stat(target); {
			case err != nil:
				t.Errorf("%s links to %s, which does not exist", name, m[1])
			case m[2] != "" && !slices.Contains(anchors(readFile(t, target)), m[2]):
				t.Errorf("%s links to %s#%s, which is no heading there", name, m[1], m[2])
			case filepath.Ext(target) == ".svg":
				if err := xml.Unmarshal([]byte(readFile(t, target)), new(struct{})); err != nil {
					t.Errorf("%s: %v", target, err)
				}
			}
		}
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s says make %s, which is no target", name, m[1])
			}
		}
	}
}

// Go files and folders that documents name, below shared or from the root, exist.
func TestDocumentsNameFiles(t *testing.T) {
	const path = "`((?:[a-z][a-z0-9]*/)+[a-z0-9_]+\\.go|(?:shared|functions|cmd)/[a-z/]*[a-z])`"
	for _, name := range []string{"README.md", "README.zh-CN.md", "CONTRIBUTING.md", "docs/architecture.md"} {
		for _, file := range firsts(path, readFile(t, name)) {
			_, err := os.Stat(file)
			if _, below := os.Stat(filepath.Join("shared", file)); err != nil && below != nil {
				t.Errorf("%s names %s, which does not exist", name, file)
			}
		}
	}
}

// The table of floors has every room.
func TestFloorsAreDocumented(t *testing.T) {
	_, table, _ := strings.Cut(readFile(t, "docs/architecture.md"), "\n## Floors\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for i, rooms := range floors {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %d \|.*$`, i+1)).FindString(table)
		for _, room := range rooms {
			if !strings.Contains(row, "`"+strings.TrimPrefix(room, "shared/")+"`") {
				t.Errorf("floor %d of the table in docs/architecture.md lacks %s", i+1, room)
			}
		}
	}
}

// anchors returns the anchors of a document's headings, as GitHub makes them.
func anchors(markdown string) []string {
	names := firsts(`(?m)^#+ (.+)$`, markdown)
	for i, name := range names {
		name = strings.ReplaceAll(strings.ToLower(name), " ", "-")
		names[i] = regexp.MustCompile(`[^\p{L}\p{N}_-]`).ReplaceAllString(name, "")
	}
	return names
}

// documents returns the module's Markdown files.
func documents(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (name == "out" || name == "bin" || name[0] == '.' || d.Name() == "testdata"):
			return fs.SkipDir
		case filepath.Ext(name) == ".md":
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("list documents: %v", err)
	}
	return names
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// run returns the output of a command.
func run(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.Bytes())
	}
	return out
}
