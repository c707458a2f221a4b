package sqsqueue

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"sluice/shared/state/frontier"
)

// receipt is the data of a delivery that Delete and Delay need. Callers hold it
// encoded as a string, so that another process may use it.
type receipt struct {
	lane   int
	mark   frontier.Mark
	handle string // of SQS
}

// String writes lane, mark and handle, separated by points.
func (r *receipt) String() string {
	b, err := json.Marshal(&r.mark)
	if err != nil { // a struct of strings, numbers and the zero time
		panic(err)
	}
	return strconv.Itoa(r.lane) + "." + base64.RawURLEncoding.EncodeToString(b) + "." + r.handle
}

func parseReceipt(s string) (r receipt, ok bool) {
	lane, rest, _ := strings.Cut(s, ".")
	mark, handle, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(lane)
	if err != nil || n < 0 || handle == "" {
		return r, false
	}
	b, err := base64.RawURLEncoding.DecodeString(mark)
	if err != nil || json.Unmarshal(b, &r.mark) != nil {
		return r, false
	}
	r.lane, r.handle = n, handle
	return r, true
}

// parse returns the receipts of each lane, each once, without foreign ones.
func (q *Queue) parse(receipts []string) [][]receipt {
	out := make([][]receipt, len(q.lanes))
	seen := map[string]bool{}
	for _, s := range receipts {
		r, ok := parseReceipt(s)
		if !ok || r.lane >= len(q.lanes) || seen[r.handle] {
			continue
		}
		seen[r.handle] = true
		out[r.lane] = append(out[r.lane], r)
	}
	return out
}

func handles(receipts []receipt) []string {
	out := make([]string, len(receipts))
	for i, r := range receipts {
		out[i] = r.handle
	}
	return out
}

// marks returns the mark of a task, none for an untracked task, such as a URL
// that was sent by hand.
func marks(t *frontier.Task) []frontier.Mark {
	if t.Crawl == "" || t.ID == "" {
		return nil
	}
	return []frontier.Mark{t.Mark(time.Time{})}
}
