package duplicates

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// Text is an article as it was found.
type Text struct {
	Name string
	Body string // paragraphs end with "\n"
}

// Bounds of the articles, in characters, and of their number.
const (
	shortest = 100
	longest  = 20_000
	ofFile   = 3_000
)

// Load reads articles under a folder: the references of html/daniel_zh, and
// those of text/*.txt.zst. These have a paragraph a line and no marks
// between articles: in xinwenlianbo each article starts with a headline and the
// name of the channel, the others are cut into pieces of 300 to 3,000
// characters. It takes the last 3,000 of each file, since the constants of
// package neardup were set on the first.
func Load(dir string) ([]Text, error) {
	texts, err := references(filepath.Join(dir, "html", "daniel_zh", "reference"))
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "text", "*.txt.zst"))
	if err != nil {
		return nil, fmt.Errorf("list texts: %w", err)
	}
	for _, file := range files {
		found, err := articles(file)
		if err != nil {
			return nil, err
		}
		texts = append(texts, found[max(0, len(found)-ofFile):]...)
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("read texts: %s holds neither html/daniel_zh/reference nor text/*.txt.zst", dir)
	}
	return texts, nil
}

func references(dir string) ([]Text, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read references: %w", err)
	}
	var texts []Text
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read reference: %w", err)
		}
		body := strings.NewReplacer("<p>", "", "</p>", "\n").Replace(string(raw))
		texts = appendText(texts, "daniel_zh/"+e.Name(), html.UnescapeString(body))
	}
	return texts, nil
}

func appendText(texts []Text, name, body string) []Text {
	if n := utf8.RuneCountInString(body); n < shortest || n > longest {
		return texts
	}
	return append(texts, Text{name, body})
}

// channel begins the second line of every article of xinwenlianbo, that after
// the headline.
const channel = "央视网消息（新闻联播）"

func articles(file string) (texts []Text, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read texts: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	unpacked, err := zstd.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	defer unpacked.Close()

	name := strings.TrimSuffix(filepath.Base(file), ".txt.zst")
	var pending []string // lines of the article in work
	size := 0
	cut := func(n int) {
		texts = appendText(texts, fmt.Sprintf("%s/%d", name, len(texts)), strings.Join(pending[:n], ""))
		pending, size = append(pending[:0], pending[n:]...), 0
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text() + "\n"
		switch {
		case name == "xinwenlianbo" && strings.HasPrefix(line, channel) && len(pending) > 1:
			cut(len(pending) - 1)
		case name != "xinwenlianbo" && size >= wanted(len(texts)):
			cut(len(pending))
		}
		pending = append(pending, line)
		size += utf8.RuneCountInString(line)
	}
	cut(len(pending))
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return texts, nil
}

// wanted returns how long the next article should be: short ones are more often.
func wanted(n int) int {
	return [...]int{300, 500, 700, 1000, 1500, 3000}[n%6]
}
