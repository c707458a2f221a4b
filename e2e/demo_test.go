package e2e_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// `make run` on any machine: the demo web, served and crawled by one process.
func TestDemo(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	ran := sluice(t, "demo", "--json", "--out", out)
	sum := ran.summary(t, exitDone)
	if sum.StopReason != "frontier_empty" {
		t.Errorf("stop reason %q, want frontier_empty", sum.StopReason)
	}
	if sum.Kept < 40 || sum.Fetched < sum.Kept+sum.Rejected || sum.HarvestRate <= 0 || sum.DurationS > 60 {
		t.Errorf("summary is not that of a crawl that went well: %+v", sum)
	}
	docs, rules := corpus(t, out), rejects(t, out)
	if sum.Kept != len(docs) || sum.Rejected != len(rules) || len(rules) == 0 {
		t.Errorf("summary counts %d kept and %d rejected, the files %d and %d", sum.Kept, sum.Rejected, len(docs), len(rules))
	}
	for u, d := range docs {
		if d.Title == "" || d.Text == "" || len(archived(t, out, d)) == 0 {
			t.Errorf("%s: no title, text or archived body", u)
		}
		if rule, also := rules[d.URL]; also {
			t.Errorf("%s is in the corpus and among the rejects, by %s", u, rule)
		}
	}
	t.Run("schemas", func(t *testing.T) {
		holds(t, "summary", []byte(ran.stdout))
		for folder, name := range map[string]string{"corpus": "record", "rejects": "reject"} {
			eachRecord(t, filepath.Join(out, folder), func(line []byte) error {
				holds(t, name, line)
				return nil
			})
		}
	})
	t.Run("status", func(t *testing.T) {
		if got := sluice(t, "status", "--json", out).summary(t, exitDone); got.Kept != sum.Kept || got.Fetched != sum.Fetched {
			t.Errorf("status counts %d of %d pages, the crawl %d of %d", got.Kept, got.Fetched, sum.Kept, sum.Fetched)
		}
	})
	t.Run("explain", func(t *testing.T) {
		for u := range docs {
			checkExplained(t, out, u, "kept", true)
			break
		}
		// One page of every rule. Off-topic pages were read for their links:
		// they passed through and are not refused documents. A redirected page
		// is explained under its own URL.
		finals := map[string]string{}
		eachRecord(t, filepath.Join(out, "rejects"), func(line []byte) error {
			var r struct {
				URL   string
				Final string `json:"final_url"`
			}
			err := json.Unmarshal(line, &r)
			finals[r.URL] = r.Final
			return err
		})
		explained := map[string]bool{}
		for u, rule := range rules {
			if explained[rule] {
				continue
			}
			explained[rule] = true
			fate := "rejected"
			if slices.Contains([]string{"description_threshold", "body_threshold", "language"}, rule) {
				fate = "passed"
			}
			checkExplained(t, out, finals[u], fate, false)
		}
		if r := sluice(t, "explain", "--json", out, "http://demo.test/never/seen"); r.code != exitFailed || !strings.Contains(r.stdout, `"fate":"unknown"`) {
			t.Errorf("explain of a URL never seen: exit code %d:\n%s", r.code, r.stdout)
		}
	})
}

// holds checks that a document has the keys and types of its schema, and no other keys.
func holds(t *testing.T, name string, text []byte) {
	t.Helper()
	schema, err := os.ReadFile(filepath.Join("..", "docs", "schemas", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	var fields map[string]any
	if err := errors.Join(json.Unmarshal(schema, &s), json.Unmarshal(text, &fields)); err != nil {
		t.Fatal(err)
	}
	s.AdditionalProperties = &jsonschema.Schema{Not: new(jsonschema.Schema)}
	resolved, err := s.Resolve(nil)
	if err == nil {
		err = resolved.Validate(fields)
	}
	if err != nil {
		t.Errorf("%s: %v in %.300s", name, err, text)
	}
}

func checkExplained(t *testing.T, out, url, fate string, kept bool) {
	t.Helper()
	r := sluice(t, "explain", "--json", out, url)
	var x struct {
		Fate string
		Kept bool
	}
	if err := json.Unmarshal([]byte(r.stdout), &x); err != nil || r.code != exitDone {
		t.Fatalf("explain %s: exit code %d, %v:\n%s%s", url, r.code, err, r.stdout, r.stderr)
	}
	if x.Fate != fate || x.Kept != kept {
		t.Errorf("explain %s: %s, kept %t; want %s, %t", url, x.Fate, x.Kept, fate, kept)
	}
}
