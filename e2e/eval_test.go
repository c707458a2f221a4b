package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestBars compares the figures that `make eval` left in the folder SLUICE_EVAL
// with their minimum; without figures it does nothing.
func TestBars(t *testing.T) {
	dir := os.Getenv("SLUICE_EVAL")
	if dir == "" {
		t.Skip("SLUICE_EVAL is empty: make eval runs this")
	}
	read := func(name string) any { return readFigures(t, filepath.Join(dir, name+".json")) }

	t.Run("general", func(t *testing.T) {
		t.Run("words", func(t *testing.T) { checkWords(t, read("words")) })
		reach(t, read("table5"), 0.79, "shipped/sources=HowNet and vectors/accuracy")
		table6 := read("table6")
		reach(t, table6, 0.97, "rows/setting=same host, other domain/shipped/mean")
		reach(t, table6, 0.93, "rows/setting=sibling hosts, other domain/shipped/mean")
		reach(t, table6, 0.93, "rows/setting=same section, other section/shipped/mean")
		t.Run("extract", func(t *testing.T) { checkExtract(t, read("extract")) })
		t.Run("corpus", func(t *testing.T) { checkCorpus(t, read("corpus")) })
		t.Run("duplicates", func(t *testing.T) { checkDuplicates(t, read("duplicates")) })
	})
	t.Run("first crawl", func(t *testing.T) {
		reach(t, read("finance-1-pages"), 0.85, "rows/text=title + body/best_f1")
		crawls := read("finance-1-table8")
		reach(t, crawls, 0.85, "crawls/0/precision")
		reach(t, crawls, 0.70, "crawls/0/recall")
	})
	for _, topic := range []string{"finance", "sports"} {
		t.Run(topic, func(t *testing.T) {
			pages := read(topic + "-2-pages")
			best := reach(t, pages, 0.90, "rows/text=title + body/best_f1")
			reach(t, pages, best-0.05, "rows/text=title + body/f1_at_own_threshold")
			reach(t, pages, 0.90, "rows/text=title + description/auc")

			crawls := read(topic + "-2-table8")
			reach(t, crawls, 0.80, "crawls/name=sluice/precision")
			reach(t, crawls, 0.80, "crawls/name=sluice/recall")
		})
		t.Run(topic+" from pages", func(t *testing.T) {
			for _, background := range []string{"language", "crawl"} {
				reach(t, read(topic+"-examples-"+background+"-pages"), 0.90, "rows/text=title + body/best_f1")
			}
		})
	}
}

// checkWords requires what HowNet alone is known to reach, and that on three of
// four sets neither source is better than both.
func checkWords(t *testing.T, words any) {
	reach(t, words, 0.69, "rows/0/simh/pearson")
	better := 0
	for set := range 4 {
		pearson := func(by string) float64 { return figure(t, words, fmt.Sprintf("rows/%d/%s/pearson", set, by)) }
		if both := pearson("sim"); both > pearson("simh") && both > pearson("simd") {
			better++
		}
	}
	if better < 3 {
		t.Errorf("the blend is better than either part on %d of 4 sets, want 3", better)
	}
}

// checkExtract requires more than either method of extracting the main text
// reaches alone, on pages of any length and script, and that no page is lost.
func checkExtract(t *testing.T, extract any) {
	const rows = "tables/set=daniel_zh/rows/"
	all := reach(t, extract, 0.95, rows+"method=sluice/f1/all")
	reach(t, extract, 0.91, rows+"method=sluice/f1/short")
	reach(t, extract, 0.94, rows+"method=sluice/f1/traditional")
	for _, method := range []string{"go-readability", "density"} {
		if alone := figure(t, extract, rows+"method="+method+"/f1/all"); alone > all {
			t.Errorf("%s alone is better: %.4f, sluice %.4f", method, alone, all)
		}
	}
	if lost := figure(t, extract, rows+"method=sluice/lost"); lost > 0 {
		t.Errorf("%.0f pages without text, want none", lost)
	}
}

// checkDuplicates requires that nearly all copies with up to a tenth of the
// characters changed are found, and almost nothing else.
func checkDuplicates(t *testing.T, duplicates any) {
	for _, kind := range []string{"5 % edited", "10 % edited", "5 % replaced", "10 % replaced", "5 % in words", "10 % in words", "5 % swapped", "10 % swapped", "header and footer", "traditional", "joined"} {
		reach(t, duplicates, 0.98, "rows/kind="+kind+"/recall")
	}
	for _, kind := range []string{"20 % edited", "20 % replaced", "5 % in runs", "10 % in runs", "cropped"} {
		reach(t, duplicates, 0.95, "rows/kind="+kind+"/recall")
	}
	reach(t, duplicates, 0.99, "precision")
	reach(t, duplicates, 0.99, "bulletins/kept")
}

// checkCorpus requires that documents are exactly their articles, and that no
// page without text is one.
func checkCorpus(t *testing.T, corpus any) {
	reach(t, corpus, 1500, "total/media/pages")
	reach(t, corpus, 3600, "total/compared")
	for _, kind := range []string{"media", "others"} {
		if kept := figure(t, corpus, "total/"+kind+"/kept"); kept > 0 {
			t.Errorf("%.0f pages of %s are kept, want none", kept, kind)
		}
	}
	reach(t, corpus, 0.99, "total/clean")
	reach(t, corpus, 0.99, "total/kept")
	reach(t, corpus, 0.99, "total/kept_body")
	reach(t, corpus, 0.95, "total/kept_of_all")
}

func readFigures(t *testing.T, path string) (figures any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &figures); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return figures
}

// reach fails the test where a figure is below its bar, and returns the figure.
func reach(t *testing.T, figures any, bar float64, path string) float64 {
	t.Helper()
	got := figure(t, figures, path)
	t.Logf("%s: %.3f (bar %.3f)", path, got, bar)
	if !(got >= bar) {
		t.Errorf("%s is %.4f, want %.3f", path, got, bar)
	}
	return got
}

// figure looks up a value in a document. The steps of a path are keys of
// objects and, for a list, positions or the first element with key=value. Rows
// of pages without a method are those of Rel, which come first.
func figure(t *testing.T, at any, path string) float64 {
	t.Helper()
	for step := range strings.SplitSeq(path, "/") {
		switch node := at.(type) {
		case map[string]any:
			at = node[step]
		case []any:
			at = element(node, step)
		default:
			at = nil
		}
	}
	number, ok := at.(float64)
	if !ok {
		t.Fatalf("%s is %v, want a number", path, at)
	}
	return number
}

func element(list []any, step string) any {
	key, value, ok := strings.Cut(step, "=")
	if i, err := strconv.Atoi(step); err == nil && i < len(list) {
		return list[i]
	}
	for _, item := range list {
		if object, isObject := item.(map[string]any); ok && isObject && object[key] == value {
			return object
		}
	}
	return nil
}
