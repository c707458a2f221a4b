package sqlitestore

import (
	"encoding/json"

	"sluice/shared/state/frontier"
	"sluice/shared/state/ledger"
	"sluice/shared/web/hosts"
	"sluice/shared/web/urlnorm"
)

// count counts a link that goes, and the bytes of its row.
func (f *forgetter) count(url string, bytes int) {
	t := f.Set.Count(url)
	t.Links++
	t.Bytes += int64(bytes)
}

// dropped forgets skipped links.
func (f *forgetter) dropped() error {
	for last := []byte{}; ; {
		type dropRow struct{ key, body []byte }
		var rows []dropRow
		err := f.c.query("SELECT key, body FROM dropped WHERE key > ? ORDER BY key LIMIT ?", func(r row) error {
			last = r.bytes(0)
			rows = append(rows, dropRow{last, r.bytes(1)})
			return nil
		}, last, chunkRows)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if err := f.decision(r.key, r.body); err != nil {
				return err
			}
		}
	}
}

func (f *forgetter) decision(key, body []byte) error {
	var d ledger.Decision
	if err := json.Unmarshal(body, &d); err != nil {
		return permanent("decode decision", err)
	}
	if f.Set.Has(d.Link.URL) {
		f.count(d.Link.URL, len(body))
		return f.exec("DELETE FROM dropped WHERE key = ?", key)
	}
	if !f.Set.Link(&d.Link) {
		return nil
	}
	body, err := json.Marshal(&d)
	if err != nil {
		return permanent("encode decision", err)
	}
	return f.exec("UPDATE dropped SET body = ? WHERE key = ?", body, key)
}

// waitingRow is a row of the backlog.
type waitingRow struct {
	host, round int64
	rank, tie   float64
	url         string
	body        []byte
}

// backlog forgets links that wait.
func (f *forgetter) backlog() error {
	crawlOf := map[int64]int64{}
	err := f.c.query("SELECT id, crawl FROM hosts", func(r row) error {
		crawlOf[r.int(0)] = r.int(1)
		return nil
	})
	for last := (waitingRow{host: -1}); err == nil; {
		var rows []waitingRow
		err = f.c.query(`SELECT host, round, rank, tie, url, body FROM backlog
			WHERE (host, round, rank, tie, url) > (?, ?, ?, ?, ?) ORDER BY host, round, rank, tie, url LIMIT ?`, func(r row) error {
			last = waitingRow{r.int(0), r.int(1), r.float(2), r.float(3), r.text(4), r.bytes(5)}
			rows = append(rows, last)
			return nil
		}, last.host, last.round, last.rank, last.tie, last.url, chunkRows)
		if len(rows) == 0 {
			break
		}
		for i := range rows {
			if err == nil {
				err = f.waitingLink(crawlOf[rows[i].host], &rows[i])
			}
		}
	}
	return err
}

func (f *forgetter) waitingLink(crawl int64, w *waitingRow) error {
	if f.Set.Has(w.url) {
		f.count(w.url, len(w.url)+len(w.body))
		if f.tx == nil {
			return nil
		}
		if err := f.tx.unwait(w.host, &waiting{round: w.round, rank: w.rank, tie: w.tie, url: w.url}); err != nil {
			return err
		}
		k := f.s.key(crawl, w.url)
		if err := f.exec("DELETE FROM urls WHERE key = ? AND entry IS NULL", k[:]); err != nil {
			return err
		}
		return f.exec("UPDATE urls SET round = NULL, rank = NULL, tie = NULL WHERE key = ?", k[:])
	}
	var l frontier.Link
	if err := json.Unmarshal(w.body, &l); err != nil {
		return permanent("decode waiting link", err)
	}
	if !f.Set.Link(&l) {
		return nil
	}
	body, err := json.Marshal(&l)
	if err != nil {
		return permanent("encode waiting link", err)
	}
	return f.exec("UPDATE backlog SET body = ? WHERE host = ? AND round = ? AND rank = ? AND tie = ? AND url = ?", body, w.host, w.round, w.rank, w.tie, w.url)
}

// messages forgets links of tasks, and tasks that have no others.
func (f *forgetter) messages() error {
	type messageRow struct {
		id   int64
		body []byte
	}
	var rows []messageRow // of a queue that the feeder keeps short
	err := f.c.query("SELECT id, body FROM messages", func(r row) error {
		rows = append(rows, messageRow{r.int(0), r.bytes(1)})
		return nil
	})
	for _, m := range rows {
		if err != nil {
			return err
		}
		err = f.message(m.id, m.body)
	}
	return err
}

func (f *forgetter) message(id int64, body []byte) error {
	t, err := frontier.DecodeTask(body)
	if err != nil {
		return nil //nolint:nilerr // on its way to the dead letters
	}
	var left []frontier.Link
	changed := false
	for _, l := range t.Links {
		if f.Set.Has(l.URL) {
			f.count(l.URL, len(l.URL)+len(l.Anchor))
			changed = true
			continue
		}
		changed = f.Set.Link(&l) || changed
		left = append(left, l)
	}
	if !changed || f.tx == nil {
		return nil
	}
	crawl, host, gone := t.Crawl, t.Host, len(t.Links)-len(left)
	f.tx.after = append(f.tx.after, func() { f.s.gauge.add(crawl, host, -gone) })
	if len(left) == 0 {
		return f.exec("DELETE FROM messages WHERE id = ?", id)
	}
	t.Links = left
	if body, err = t.Encode(); err != nil {
		return err
	}
	return f.exec("UPDATE messages SET body = ?, links = ? WHERE id = ?", body, len(left), id)
}

// dead forgets dead letters.
func (f *forgetter) dead() error {
	type deadRow struct {
		crawl, url string
		link       []byte
	}
	var rows []deadRow
	err := f.c.query("SELECT crawl, url, link FROM dead WHERE link IS NOT NULL", func(r row) error {
		rows = append(rows, deadRow{r.text(0), r.text(1), r.bytes(2)})
		return nil
	})
	for _, d := range rows {
		var l frontier.Link
		switch {
		case err != nil:
			return err
		case f.Set.Has(d.url):
			f.count(d.url, len(d.link))
			err = f.exec("DELETE FROM dead WHERE crawl = ? AND url = ?", d.crawl, d.url)
		case json.Unmarshal(d.link, &l) == nil && f.Set.Link(&l):
			link, merr := json.Marshal(&l)
			if merr != nil {
				return permanent("encode dead letter", merr)
			}
			err = f.exec("UPDATE dead SET link = ? WHERE crawl = ? AND url = ?", link, d.crawl, d.url)
		}
	}
	return err
}

// hosts forgets whole hosts: their rows, their leases, what they remember of
// pages, and their robots.txt.
func (f *forgetter) hosts() error {
	tables := []struct{ names, remove string }{
		{"SELECT name FROM hosts", "DELETE FROM hosts WHERE name = ?"},
		{"SELECT host FROM leases", "DELETE FROM leases WHERE host = ?"},
		{"SELECT host FROM host_states", "DELETE FROM host_states WHERE host = ?"},
		{"SELECT authority FROM robots", "DELETE FROM robots WHERE authority = ?"},
		{"SELECT DISTINCT owner FROM urls WHERE owner IS NOT NULL", "DELETE FROM urls WHERE owner = ? AND entry IS NULL"},
		{"SELECT host FROM sketches", "DELETE FROM sketches WHERE host = ?"},
	}
	if f.tx == nil {
		return nil // nothing of this is counted
	}
	goes := func(name string) bool {
		_, goes := f.Set.FindHost(name)
		_, same := f.Set.FindHost(urlnorm.HostOf(name))
		return goes || same
	}
	for _, t := range tables {
		if err := f.remove(t.names, t.remove, goes); err != nil {
			return err
		}
	}
	return f.sections()
}

// sections removes what is learned of the sections of hosts that lose a page: one may
// have no other.
func (f *forgetter) sections() error {
	hit := map[string]bool{}
	for _, url := range f.Set.Gone() {
		hit[urlnorm.HostOf(url)] = true
	}
	type stateRow struct {
		crawl, host string
		body        []byte
	}
	var rows []stateRow
	err := f.c.query("SELECT crawl, host, body FROM host_states", func(r row) error {
		if host := r.text(1); hit[host] {
			rows = append(rows, stateRow{r.text(0), host, r.bytes(2)})
		}
		return nil
	})
	for _, r := range rows {
		var state hosts.State
		if err == nil {
			err = json.Unmarshal(r.body, &state)
		}
		if err != nil {
			break
		}
		state.Learned, state.Layers = nil, nil
		body, _ := json.Marshal(&state)
		err = f.exec("UPDATE host_states SET body = ? WHERE crawl = ? AND host = ?", body, r.crawl, r.host)
	}
	return err
}
