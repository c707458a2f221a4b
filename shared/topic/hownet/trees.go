package hownet

import (
	"fmt"
	"strings"
)

// The constants of sememe similarity (METHOD A3).
const (
	nearness = 1.6 // α: a sememe at this distance is half as similar
	apart    = 20  // the distance of sememes in different trees
)

// linkNodes returns the index of each node's parent, its own for a root.
// Repeated numbers, missing parents and cycles are problems.
func linkNodes(file string, nodes []node, problems *Problems) []int {
	byID := make(map[int]int, len(nodes))
	for i, n := range nodes {
		if first, ok := byID[n.id]; ok {
			problems.add(file, n.line, "number %d is already used in line %d: give each sememe its own", n.id, nodes[first].line)
			continue
		}
		byID[n.id] = i
	}
	parents := make([]int, len(nodes))
	for i, n := range nodes {
		parent, ok := byID[n.parent]
		if !ok {
			problems.add(file, n.line, "parent %d does not exist: want the number of a sememe, its own for a root", n.parent)
			parent = i
		}
		parents[i] = parent
	}
	reportCircles(file, nodes, parents, problems)
	return parents
}

// reportCircles adds a problem for each circle of parents, once.
func reportCircles(file string, nodes []node, parents []int, problems *Problems) {
	seen := make([]int, len(nodes)) // by which walk, from 1
	for start := range nodes {
		walk, i := start+1, start
		for seen[i] == 0 && parents[i] != i {
			seen[i] = walk
			i = parents[i]
		}
		if seen[i] != walk {
			continue // reached a root, or the path of an earlier walk
		}
		const most = 8
		ids := []string{fmt.Sprint(nodes[i].id)}
		for j := parents[i]; j != i && len(ids) < most; j = parents[j] {
			ids = append(ids, fmt.Sprint(nodes[j].id))
		}
		problems.add(file, nodes[i].line, "sememe %d is its own ancestor (%s …): correct a parent",
			nodes[i].id, strings.Join(ids, " → "))
	}
}

// distances is the table of the distance of any two names, and the similarity
// that follows from it.
type distances struct {
	names int
	steps []uint16  // row by row: edges between two names
	sim   []float64 // by steps
}

// similarity is the similarity of two sememes: 1.6/(d+1.6).
func (d *distances) similarity(a, b int32) float64 {
	return d.sim[d.steps[int(a)*d.names+int(b)]]
}

// measure fills the table. A name with several places has the distance of the
// nearest.
func measure(nodes []node, parents []int, names int) *distances {
	edges := make([][]int, len(nodes))
	places := make([][]int, names)
	for i, n := range nodes {
		places[n.name] = append(places[n.name], i)
		if p := parents[i]; p != i {
			edges[i] = append(edges[i], p)
			edges[p] = append(edges[p], i)
		}
	}
	d := &distances{names: names, steps: make([]uint16, names*names)}
	longest := apart
	queue := make([]int, 0, len(nodes))
	steps := make([]int, len(nodes)) // from a place of the name; -1: not reached
	for name, from := range places {
		row := d.steps[name*names : (name+1)*names]
		for i := range row {
			row[i] = apart
		}
		for i := range steps {
			steps[i] = -1
		}
		queue = append(queue[:0], from...)
		for _, i := range from {
			steps[i] = 0
		}
		met := make([]bool, names)
		for k := 0; k < len(queue); k++ { // breadth first: the first found is the nearest
			i := queue[k]
			if n := nodes[i].name; !met[n] {
				met[n] = true
				row[n] = uint16(steps[i])
				longest = max(longest, steps[i])
			}
			for _, j := range edges[i] {
				if steps[j] < 0 {
					steps[j] = steps[i] + 1
					queue = append(queue, j)
				}
			}
		}
	}
	d.sim = make([]float64, longest+1)
	for i := range d.sim {
		d.sim[i] = nearness / (nearness + float64(i))
	}
	return d
}
