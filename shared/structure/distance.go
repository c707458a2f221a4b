package structure

// keyRoots returns the nodes of a tree in post-order that have a left sibling,
// and the root, in ascending order. left has the leftmost leaf of each node.
func keyRoots(left []int) []int {
	last := make(map[int]int, len(left)) // by leftmost leaf the highest node
	for i, l := range left {
		last[l] = i
	}
	var keys []int
	for i, l := range left {
		if last[l] == i {
			keys = append(keys, i)
		}
	}
	return keys
}

// distance is the tree edit distance of two ordered trees by Zhang and Shasha
// (1989): the least number of nodes to insert, delete and rename.
func distance(a, b *sketch) int {
	rows, columns := len(a.post)+1, len(b.post)+1
	trees := make([]int, rows*columns)   // distance of subtrees
	forests := make([]int, rows*columns) // distance of forests below two key roots
	for _, i := range a.keys {
		for _, j := range b.keys {
			subtrees(a, b, i, j, columns, trees, forests)
		}
	}
	return trees[(len(a.post)-1)*columns+len(b.post)-1]
}

// subtrees fills in the distances of the subtrees on the left paths of i and j.
func subtrees(a, b *sketch, i, j, columns int, trees, forests []int) {
	ai, bj := a.left[i], b.left[j]
	forests[0] = 0
	for x := ai; x <= i; x++ {
		forests[(x-ai+1)*columns] = x - ai + 1
	}
	for y := bj; y <= j; y++ {
		forests[y-bj+1] = y - bj + 1
	}
	for x := ai; x <= i; x++ {
		for y := bj; y <= j; y++ {
			row, column := x-ai+1, y-bj+1
			edited := min(forests[(row-1)*columns+column], forests[row*columns+column-1]) + 1
			if a.left[x] == ai && b.left[y] == bj {
				rename := 1
				if a.post[x] == b.post[y] {
					rename = 0
				}
				edited = min(edited, forests[(row-1)*columns+column-1]+rename)
				trees[x*columns+y] = edited
			} else {
				edited = min(edited, forests[(a.left[x]-ai)*columns+b.left[y]-bj]+trees[x*columns+y])
			}
			forests[row*columns+column] = edited
		}
	}
}
