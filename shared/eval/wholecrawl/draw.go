package wholecrawl

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"sluice/shared/eval/frozenweb"
	"sluice/shared/web/urlnorm"
)

// Other draws of seeds reach nearly what the first seeds do, so that their curves
// can be compared.
const (
	reachShare = 0.9
	maxDraws   = 1000
)

var errDraw = errors.New("no other seeds were found from which nine tenths of the pages can be reached")

// Draws returns n sets of seeds. The first has the given ones. In the others each
// seed is another page of its domain, drawn at random; the same every time. Pages
// of the labels are not drawn, and a set from which less than nine tenths of
// what the given seeds reach can be reached is drawn again.
func Draws(web *frozenweb.Web, links Links, seeds, labels []string, n int) ([][]string, error) {
	draws := [][]string{seeds}
	if n == 1 {
		return draws, nil
	}
	pool := map[string][]string{} // by domain
	for i := range web.Pages {
		p := &web.Pages[i]
		if len(links[i]) > 0 && p.Redirect == "" && !slices.Contains(labels, p.Label) {
			domain := urlnorm.RegistrableDomain(hostOf(p.URL))
			pool[domain] = append(pool[domain], p.URL)
		}
	}
	enough := int(math.Ceil(reachShare * float64(links.reach(web, seeds))))
	rng := rand.New(rand.NewPCG(1, 1))
	for tries := 0; len(draws) < n; tries++ {
		if tries == maxDraws*n {
			return nil, errDraw
		}
		drawn := make([]string, len(seeds))
		for i, seed := range seeds {
			drawn[i] = seed
			if from := pool[urlnorm.RegistrableDomain(hostOf(seed))]; len(from) > 0 {
				drawn[i] = from[rng.IntN(len(from))]
			}
		}
		if links.reach(web, drawn) >= enough {
			draws = append(draws, drawn)
		}
	}
	return draws, nil
}

// reach counts the pages to which a way leads from the seeds.
func (l Links) reach(web *frozenweb.Web, seeds []string) int {
	seen := make([]bool, len(l))
	var queue []int
	add := func(i int) {
		if !seen[i] {
			seen[i] = true
			queue = append(queue, i)
		}
	}
	for _, seed := range seeds {
		if i := place(web, seed); i >= 0 {
			add(i)
		}
	}
	for at := 0; at < len(queue); at++ {
		for _, to := range l[queue[at]] {
			add(to)
		}
	}
	return len(queue)
}

// place is where a URL's page is in the web, -1 for none.
func place(web *frozenweb.Web, url string) int {
	p := web.Page(url)
	if p == nil {
		return -1
	}
	return slices.IndexFunc(web.Pages, func(other frozenweb.Page) bool { return other.URL == p.URL })
}
