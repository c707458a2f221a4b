package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sluice/shared/text/segment"
)

// books are repositories of OpenStax, https://github.com/openstax/osbooks-NAME,
// and a commit of each at which the book is under CC BY 4.0. Later commits of
// most are under CC BY-NC-SA, which is not free enough.
var books = []struct{ name, commit string }{
	{"american-government", "5c90dd7907dbf25f42266417e63ca3bb0012f031"},
	{"astronomy", "63157f370b09c06a4cc12832384aaaf4de1ced3b"},
	{"introduction-philosophy", "d7bd4f0f520529b3ad83272448a9c2be25c9040a"},
	{"introduction-sociology", "d35d5f3bdac40f93607d600134865d4f13ce1f9b"},
	{"nursing-external-bundle", "7876f90a3dbdc0756e21a374d4a46526d0ac453b"},
	{"principles-economics-bundle", "cd31beb103fffbc09cc81ebfe117d8c40cc12d1a"},
	{"psychology", "e061043bf2f9e86ace51c4e8dc9555160f60a99d"},
	{"us-history", "046331cfcea0ac1b1a8fd461b3e6aae638845af3"},
	{"world-history", "3e17beda9130380d24be881e6d1942dfcc1be845"},
	{"writing-guide", "a6c95528390e3a2936f5bf87c49ac1a4995a0a6e"},
}

// minEnglish is how often a word occurs at least that is kept.
const minEnglish = 5

// frequencies counts the words of the books, whose clones are in the folder
// under the names of their repositories: a line "all COUNT" for words that are
// no stop words, then lines "form count" of the content words without digits,
// sorted.
func frequencies(folder string) ([]string, error) {
	segmenter, err := segment.NewFor("en", nil)
	if err != nil {
		return nil, err
	}
	all, counts := 0, make(map[string]int)
	for _, book := range books {
		text, err := modules(filepath.Join(folder, "osbooks-"+book.name), book.commit)
		if err != nil {
			return nil, fmt.Errorf("read osbooks-%s: %w", book.name, err)
		}
		for word := range segmenter.Tokens(text) {
			all++
			if word.Content {
				counts[word.Text]++
			}
		}
	}
	lines := []string{fmt.Sprint("all ", all)}
	for _, form := range slices.Sorted(maps.Keys(counts)) {
		if n := counts[form]; n >= minEnglish && !strings.ContainsAny(form, " 0123456789") {
			lines = append(lines, fmt.Sprint(form, " ", n))
		}
	}
	return lines, nil
}

// modules returns the text of a book, without mark-up and formulas.
func modules(repository, commit string) (string, error) {
	packed, err := exec.CommandContext(context.Background(), "git", "-C", repository, "archive", commit, "modules").Output()
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for files := tar.NewReader(bytes.NewReader(packed)); ; {
		file, err := files.Next()
		if errors.Is(err, io.EOF) {
			return text.String(), nil
		}
		if err != nil {
			return "", err
		}
		if filepath.Ext(file.Name) != ".cnxml" {
			continue
		}
		module, err := io.ReadAll(files)
		if err != nil {
			return "", err
		}
		text.WriteString(html.UnescapeString(markup.ReplaceAllString(string(module), " ")) + "\n")
	}
}

// markup is what is no text of a module: its metadata, formulas and tags.
var markup = regexp.MustCompile(`(?s)<metadata.*?</metadata>|<m:math.*?</m:math>|<[^>]+>`)

// writeEnglish writes the frequencies, or leaves them as they are if no folder
// is named.
func writeEnglish(folder string) error {
	if folder == "" {
		log.Print("gendata: OPENSTAX_BOOKS is not set: data/english.txt.gz left as it is")
		return nil
	}
	lines, err := frequencies(folder)
	if err != nil {
		return err
	}
	return write("data/english.txt.gz", lines)
}
