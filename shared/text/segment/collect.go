package segment

import "slices"

// searchable is how many words are searched faster one by one than by a map.
const searchable = 16

// collector gathers distinct words in order.
type collector struct {
	list []string
	seen map[string]struct{} // built when list is too long to search
}

// add adds a word that is not there yet.
func (c *collector) add(word string) {
	if c.seen == nil {
		if slices.Contains(c.list, word) {
			return
		}
		if c.list == nil {
			c.list = make([]string, 0, 8)
		}
		c.list = append(c.list, word)
		if len(c.list) > searchable {
			c.seen = make(map[string]struct{}, 32*searchable)
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
