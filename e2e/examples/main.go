// Command examples draws example pages out of a frozen web, for a topic that is
// made from them: articles of one label, as HTML files, and the list of their
// URLs, which an evaluation leaves out.
//
//	examples -web news.web.jsonl.zst -label finance -hosts portal.test -out examples
//
// The draw depends on the seed and the web alone.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/eval/pagescore"
)

func main() {
	web := flag.String("web", "", "frozen web")
	label := flag.String("label", "", "label of the articles")
	hosts := flag.String("hosts", "", "only articles on this host and its subdomains")
	out := flag.String("out", "", "folder to write: pages/*.html and urls.txt")
	n := flag.Int("n", 20, "number of articles")
	seed := flag.Uint64("seed", 1, "of the draw")
	flag.Parse()
	if err := run(*web, *label, *hosts, *out, *n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "examples:", err)
		os.Exit(1)
	}
}

func run(path, label, hosts, out string, n int, seed uint64) error {
	web, err := frozenweb.Load(path)
	if err != nil {
		return err
	}
	var articles []*frozenweb.Page
	for i := range web.Pages {
		p := &web.Pages[i]
		if p.Kind == frozenweb.Article && p.Label == label && pagescore.OnHost(p.URL, hosts) {
			articles = append(articles, p)
		}
	}
	if n < 1 || len(articles) < n {
		return fmt.Errorf("draw %d pages: there are %d", n, len(articles))
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(articles), func(i, j int) {
		articles[i], articles[j] = articles[j], articles[i]
	})
	return write(articles[:n], out)
}

func write(pages []*frozenweb.Page, out string) error {
	dir := filepath.Join(out, "pages")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var urls strings.Builder
	var problems []error
	for i, p := range pages {
		fmt.Fprintln(&urls, p.URL)
		problems = append(problems, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.html", i+1)), p.Body, 0o644))
	}
	problems = append(problems, os.WriteFile(filepath.Join(out, "urls.txt"), []byte(urls.String()), 0o644))
	return errors.Join(problems...)
}
