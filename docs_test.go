package sluice_test

import (
	"bytes"
	"encoding/json"
	"errors"
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

// The table of ADR 0002 names every module that a package of ours imports,
// tests included, with its version, and no other.
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

// importedModules returns the modules, but for our own, that packages and tests
// of the module import, with their versions.
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

// The README's table of flags is the program's.
func TestFlagsAreDocumented(t *testing.T) {
	flag := regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`)
	var want []string
	for _, m := range flag.FindAllStringSubmatch(string(run(t, "go", "run", "-tags", "ne", "./cmd/sluice", "crawl", "--help")), -1) {
		if m[1] != "help" {
			want = append(want, m[1])
		}
	}
	slices.Sort(want)

	row := regexp.MustCompile("(?m)^\\| `--([a-z-]+)")
	for _, name := range []string{"README.md", "README.zh-CN.md"} {
		var got []string
		for _, m := range row.FindAllStringSubmatch(readFile(t, name), -1) {
			got = append(got, m[1])
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("flags of sluice crawl (-) and in %s (+):\n%s", name, diff)
		}
	}
}

// Links between documents lead somewhere, and `make x` in them is a target.
func TestDocumentsHold(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)
	command := regexp.MustCompile("(?m)(?:^|`)make ([a-z][a-z-]*)")
	makefile := readFile(t, "Makefile")
	for _, name := range documents(t) {
		text := readFile(t, name)
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			}
		}
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(makefile, "\n"+m[1]+":") {
				t.Errorf("%s says make %s, which is no target", name, m[1])
			}
		}
	}
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

// run returns what a command prints.
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
