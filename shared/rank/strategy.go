// Package rank decides which links are followed, and in which order.
// Strategies differ in what they do with a weak link: A's equation 5 drops it,
// B's inherited value defers it.
package rank
