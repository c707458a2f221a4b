package filecorpus

// window maps the keys of the current and the previous file of a kind to what
// is known of their records. Older keys are forgotten, so that its size is
// bounded by that of two files.
type window[V any] struct {
	file           int // that current belongs to
	current, older map[key]V
}

func (w *window[V]) find(k key) (V, bool) {
	if v, ok := w.current[k]; ok {
		return v, true
	}
	v, ok := w.older[k]
	return v, ok
}

// change replaces what is known of a record, if anything is.
func (w *window[V]) change(k key, f func(*V)) {
	for _, known := range []map[key]V{w.current, w.older} {
		if v, ok := known[k]; ok {
			f(&v)
			known[k] = v
		}
	}
}

// add notes a record of file n, which never goes back.
func (w *window[V]) add(n int, k key, v V) {
	if n != w.file || w.current == nil {
		w.older, w.current, w.file = w.current, make(map[key]V), n
	}
	w.current[k] = v
}
