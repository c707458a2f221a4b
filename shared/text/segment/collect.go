package segment

import (
	"slices"
	"sync"
)

// searchable is how many words are searched faster one by one than by a map.
const searchable = 16

// collector gathers distinct words in order.
type collector struct {
	list []string
	seen map[string]struct{} // filled when list is too long to search
}

// add adds a word that is not there yet.
func (c *collector) add(word string) {
	if len(c.list) <= searchable {
		if slices.Contains(c.list, word) {
			return
		}
		c.list = append(c.list, word)
		if len(c.list) > searchable {
			for _, word := range c.list {
				c.seen[word] = struct{}{}
			}
		}
		return
	}
	if _, ok := c.seen[word]; !ok {
		c.seen[word] = struct{}{}
		c.list = append(c.list, word)
	}
}

// collectors lends collectors, so that not every text needs a new map.
type collectors struct{ pool sync.Pool }

func (p *collectors) get() *collector {
	if c, ok := p.pool.Get().(*collector); ok {
		return c
	}
	return &collector{seen: make(map[string]struct{}, 32*searchable)}
}

// maxKept bounds the words of a collector that is used again: clearing takes
// as long as the largest map that it had.
const maxKept = 4096

// put takes a collector back and returns its words.
func (p *collectors) put(c *collector) []string {
	list := append([]string(nil), c.list...)
	if len(list) <= maxKept {
		clear(c.list)
		clear(c.seen)
		c.list = c.list[:0]
		p.pool.Put(c)
	}
	return list
}
