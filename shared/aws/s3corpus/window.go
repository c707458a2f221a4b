package s3corpus

// windowKeys is how many records a half of a window holds.
const windowKeys = 2048

// window maps the keys of the latest records to values: at least windowKeys and
// at most twice as many.
type window[V any] struct{ newer, older map[key]V }

func (w *window[V]) find(k key) (V, bool) {
	if v, ok := w.newer[k]; ok {
		return v, true
	}
	v, ok := w.older[k]
	return v, ok
}

func (w *window[V]) add(k key, v V) {
	if w.newer == nil || len(w.newer) >= windowKeys {
		w.older, w.newer = w.newer, map[key]V{}
	}
	w.newer[k] = v
}
