package sqlitestore

// tx is a transaction of the writer. Sums that many ops of a group change are
// gathered and written once, by flush.
type tx struct {
	*conn
	totals map[totalKey]int64
	depth  map[depthKey]int64
	pages  map[hostKey]int64
	after  []func() // to run once committed
}

type totalKey struct {
	crawl int64
	name  string
}

type depthKey struct{ host, round int64 }

type hostKey struct {
	crawl int64
	name  string
}

func (tx *tx) addTotal(crawl int64, name string, n int64) {
	if n == 0 {
		return
	}
	if tx.totals == nil {
		tx.totals = map[totalKey]int64{}
	}
	tx.totals[totalKey{crawl, name}] += n
}

// addDepth notes that a host got or lost waiting links.
func (tx *tx) addDepth(host, round, links int64) {
	if tx.depth == nil {
		tx.depth = map[depthKey]int64{}
	}
	tx.depth[depthKey{host, round}] += links
}

// addPage notes a fetched page.
func (tx *tx) addPage(crawl int64, host string) {
	if tx.pages == nil {
		tx.pages = map[hostKey]int64{}
	}
	tx.pages[hostKey{crawl, host}]++
}

// flush writes the gathered sums.
func (tx *tx) flush() error {
	for k, n := range tx.totals {
		_, err := tx.exec("INSERT INTO totals VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n", k.crawl, k.name, n)
		if err != nil {
			return err
		}
	}
	for k, n := range tx.pages {
		_, err := tx.exec("INSERT INTO hosts (crawl, name, fetched) VALUES (?, ?, ?) ON CONFLICT (crawl, name) DO UPDATE SET fetched = fetched + excluded.fetched", k.crawl, k.name, n)
		if err != nil {
			return err
		}
	}
	for k, n := range tx.depth {
		if err := tx.flushDepth(k, n); err != nil {
			return err
		}
	}
	clear(tx.totals)
	clear(tx.pages)
	clear(tx.depth)
	return nil
}

// flushDepth adds links to the depth of a host in a round, and reads rank and
// tie again: they are those of the first in the backlog.
func (tx *tx) flushDepth(k depthKey, links int64) error {
	rank, tie := 0.0, 0.0
	found, err := tx.one("SELECT rank, tie FROM backlog WHERE host = ? AND round = ? ORDER BY rank, tie, url LIMIT 1",
		func(r row) { rank, tie = r.float(0), r.float(1) }, k.host, k.round)
	if err != nil {
		return err
	}
	if !found {
		_, err = tx.exec("DELETE FROM depth WHERE host = ? AND round = ?", k.host, k.round)
		return err
	}
	_, err = tx.exec(`INSERT INTO depth (host, round, crawl, name, open, links, rank, tie)
		SELECT id, ?, crawl, name, closed IS NULL, ?, ?, ? FROM hosts WHERE id = ?
		ON CONFLICT DO UPDATE SET links = links + excluded.links, rank = excluded.rank, tie = excluded.tie`, k.round, links, rank, tie, k.host)
	return err
}
