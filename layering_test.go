package sluice_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"testing"
)

// floors are the rooms of the project from the ground up. A package imports
// packages on its own floor or below, never above.
var floors = [][]string{
	{"topics", "shared/fault", "shared/schema", "shared/memo", "shared/extsort", "shared/chart", "shared/bubble", "shared/fixture", "shared/short", "shared/conformance", "shared/evaldata", "shared/demo"},
	{"shared/web"},
	{"shared/text"},
	{"shared/structure"},
	{"shared/rank"},
	{"shared/state"},
	{"shared/topic"},
	{"shared/crawl"},
	{"shared/dataset"},
	{"shared/console"},
	{"shared/local", "shared/aws"},
	{"shared/eval"},
	{"functions", "cmd", "e2e"},
}

// rule separates packages that the floors would allow to import each other.
// Patterns are import paths; one that ends in "/..." includes everything below.
// Tests may import anything.
type rule struct {
	why    string
	from   []string // these packages …
	except []string // … except these …
	to     []string // … must not reach those,
	direct bool     // by an import of their own; else not by any chain of imports
}

var rules = []rule{
	{
		why:    "only the AWS adapters and the functions know AWS",
		from:   []string{"sluice/..."},
		except: []string{"sluice/shared/aws/...", "sluice/functions/...", "sluice/e2e/lambdahost/..."},
		to:     []string{"github.com/aws/..."},
		direct: true,
	},
	{
		why:    "only the local store knows the database",
		from:   []string{"sluice/..."},
		except: []string{"sluice/shared/local/sqlitestore/..."},
		to:     []string{"database/sql/...", "modernc.org/..."},
		direct: true,
	},
	{
		why:  "functions load the compiled topic, and run on no local store",
		from: []string{"sluice/functions/..."},
		to:   []string{"sluice/shared/local/..."},
	},
	{
		why:    "they never compile, but for keeper and structure, which learn words as the compiler does",
		from:   []string{"sluice/functions/..."},
		except: []string{"sluice/functions/keeper/...", "sluice/functions/structure/..."},
		to: []string{
			"sluice/shared/topic/compile/...", "sluice/shared/topic/hownet/...", "sluice/shared/topic/wordvec/...",
			"sluice/shared/topic/textfile/...",
		},
	},
	{
		why:    "functions start no browser, but for that in an image with one",
		from:   []string{"sluice/functions/..."},
		except: []string{"sluice/functions/render/..."},
		to:     []string{"sluice/shared/web/render/...", "github.com/chromedp/..."},
	},
	{
		why:  "local and aws never meet",
		from: []string{"sluice/shared/local/...", "sluice/shared/eval/..."},
		to:   []string{"sluice/shared/aws/..."},
	},
	{
		why:  "aws and local never meet",
		from: []string{"sluice/shared/aws/..."},
		to:   []string{"sluice/shared/local/..."},
	},
	{
		why:  "what is shipped links no test code",
		from: []string{"sluice/cmd/...", "sluice/functions/..."},
		to: []string{
			"testing", "github.com/google/go-cmp/...", "sluice/shared/conformance/...", "sluice/shared/fixture/...", "sluice/shared/aws/dynamotest/...", "sluice/shared/short/...", "sluice/shared/evaldata/...",
			"sluice/shared/state/frontier/frontiertest/...", "sluice/shared/state/ledger/ledgertest/...",
			"sluice/shared/web/hosts/hoststest/...", "sluice/shared/web/fetch/sockstest/...", "sluice/shared/text/boilerplate/boilerplatetest/...", "sluice/shared/state/corpus/corpustest/...", "sluice/shared/state/job/jobtest/...", "sluice/shared/aws/operator/operatortest/...",
		},
	},
}

// floorOf returns the floor of a package of the project, -1 for none.
func floorOf(importPath string) int {
	return slices.IndexFunc(floors, func(rooms []string) bool {
		return slices.ContainsFunc(rooms, func(r string) bool { return matches("sluice/"+r+"/...", importPath) })
	})
}

// Every package has a floor, and no import runs upwards.
func TestFloors(t *testing.T) {
	used := map[int]bool{}
	for _, p := range listPackages(t) {
		if !matches("sluice/...", p.ImportPath) || p.ImportPath == "sluice" {
			continue
		}
		floor := floorOf(p.ImportPath)
		if floor < 0 {
			t.Errorf("%s is on no floor", p.ImportPath)
			continue
		}
		used[floor] = true
		for _, imported := range p.Imports {
			if floorOf(imported) > floor {
				t.Errorf("%s imports %s, which is above it", p.ImportPath, imported)
			}
		}
	}
	if len(used) != len(floors) {
		t.Errorf("%d of %d floors have packages", len(used), len(floors))
	}
}

func TestLayering(t *testing.T) {
	pkgs := listPackages(t)
	for _, r := range rules {
		t.Run(r.why, func(t *testing.T) {
			for _, v := range violations(r, pkgs) {
				t.Error(v)
			}
		})
	}
}

// A pattern without packages would check nothing, because of a misspelling or a
// move.
func TestLayeringRulesMatchPackages(t *testing.T) {
	pkgs := listPackages(t, "-test") // some are imported only by tests
	for _, r := range rules {
		for _, pattern := range slices.Concat(r.from, r.except, r.to) {
			if !anyMatches(pattern, pkgs) {
				t.Errorf("rule %q: no package matches %s", r.why, pattern)
			}
		}
	}
}

func anyMatches(pattern string, pkgs []pkg) bool {
	return slices.ContainsFunc(pkgs, func(p pkg) bool { return matches(pattern, p.ImportPath) })
}

// Each way to break a rule is seen, and named by its chain of imports.
func TestLayeringSeesViolations(t *testing.T) {
	pkgs := []pkg{
		{ImportPath: "m/idea", Imports: []string{"m/helper"}},
		{ImportPath: "m/helper", Imports: []string{"m/store"}},
		{ImportPath: "m/store", Imports: []string{"db/driver"}},
		{ImportPath: "db/driver"},
	}
	for _, tc := range []struct {
		name string
		rule rule
		want []string
	}{
		{
			name: "by a chain",
			rule: rule{why: "apart", from: []string{"m/idea/..."}, to: []string{"db/..."}},
			want: []string{"apart: m/idea → m/helper → m/store → db/driver"},
		},
		{
			name: "direct only",
			rule: rule{why: "apart", from: []string{"m/..."}, to: []string{"db/..."}, direct: true},
			want: []string{"apart: m/store → db/driver"},
		},
		{
			name: "excepted",
			rule: rule{why: "apart", from: []string{"m/..."}, except: []string{"m/store/..."}, to: []string{"db/..."}, direct: true},
		},
		{
			name: "an exact pattern leaves out what is below",
			rule: rule{why: "apart", from: []string{"m"}, to: []string{"db/..."}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := violations(tc.rule, pkgs); !slices.Equal(got, tc.want) {
				t.Errorf("violations = %q, want %q", got, tc.want)
			}
		})
	}
}

// Folders are ideas: a name that could hold anything soon does.
func TestNoCatchAllPackages(t *testing.T) {
	for _, p := range listPackages(t) {
		if !matches("sluice/...", p.ImportPath) {
			continue
		}
		switch path.Base(p.ImportPath) {
		case "base", "common", "core", "helpers", "lib", "misc", "models", "types", "util", "utils":
			t.Errorf("%s: name the package after the idea it holds", p.ImportPath)
		}
	}
}

// pkg is the output of `go list` for a package.
type pkg struct {
	ImportPath string
	Imports    []string
}

// listPackages lists the packages of the module and all they are built from.
func listPackages(t *testing.T, flags ...string) []pkg {
	t.Helper()
	args := append([]string{"list", "-tags", "ne", "-deps", "-json=ImportPath,Imports"}, flags...)
	out := run(t, "go", append(args, "./...")...)
	var pkgs []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return pkgs
		case err != nil:
			t.Fatalf("decode package list: %v", err)
		}
		pkgs = append(pkgs, p)
	}
}

// violations names, for every package that breaks the rule, the shortest
// chain of imports by which it does.
func violations(r rule, pkgs []pkg) []string {
	imports := make(map[string][]string, len(pkgs))
	for _, p := range pkgs {
		imports[p.ImportPath] = p.Imports
	}
	var found []string
	for _, p := range pkgs {
		if !matchesAny(r.from, p.ImportPath) || matchesAny(r.except, p.ImportPath) {
			continue
		}
		if chain := reach(p.ImportPath, imports, r); chain != nil {
			found = append(found, fmt.Sprintf("%s: %s", r.why, strings.Join(chain, " → ")))
		}
	}
	return found
}

// reach returns the shortest chain of imports from a package to one that the
// rule forbids, nil if there is none.
func reach(from string, imports map[string][]string, r rule) []string {
	before := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, next := range imports[queue[0]] {
			if _, seen := before[next]; seen {
				continue
			}
			before[next] = queue[0]
			if matchesAny(r.to, next) {
				var chain []string
				for at := next; at != ""; at = before[at] {
					chain = append(chain, at)
				}
				slices.Reverse(chain)
				return chain
			}
			if !r.direct {
				queue = append(queue, next)
			}
		}
	}
	return nil
}

func matchesAny(patterns []string, importPath string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, importPath) })
}

func matches(pattern, importPath string) bool {
	root, below := strings.CutSuffix(pattern, "/...")
	return importPath == root || below && strings.HasPrefix(importPath, root+"/")
}
