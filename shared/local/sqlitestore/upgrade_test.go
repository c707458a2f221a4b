package sqlitestore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// downgrade makes version 1 of version 2.
const downgrade = `
DROP INDEX depth_best;
DROP INDEX messages_ready;
ALTER TABLE urls DROP COLUMN tie;
ALTER TABLE dropped DROP COLUMN tie;
ALTER TABLE depth DROP COLUMN tie;
ALTER TABLE messages DROP COLUMN tie;
ALTER TABLE messages DROP COLUMN best_tie;
ALTER TABLE backlog RENAME TO tied;
CREATE TABLE backlog (
	host INTEGER, round INTEGER, rank REAL, url TEXT, body BLOB NOT NULL,
	PRIMARY KEY (host, round, rank, url)
) WITHOUT ROWID;
INSERT INTO backlog SELECT host, round, rank, url, body FROM tied;
DROP TABLE tied;
CREATE INDEX depth_best ON depth (crawl, rank, name, round) WHERE open = 1;
CREATE INDEX messages_ready ON messages (lane, rank, id) WHERE status = 0;
PRAGMA user_version=1;
`

// A store of version 1 can be read as it is, and is upgraded when it is opened.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := Open(path, Options{})
	must(t, err)
	want := describe(t, s)
	link := func(url string, priority, tie float64) frontier.Link {
		return frontier.Link{URL: url, Priority: priority, Tie: tie}
	}
	must(t, s.Backlog().Add(ctx, "c", []frontier.Link{link("http://a.test/1", 1, 0), link("http://a.test/2", 2, 0)}))
	must(t, s.Queue().Send(ctx, []frontier.Outgoing{{Task: testTask("b.test", 1)}}))
	must(t, s.Ledger().Drop(ctx, "c", []ledger.Decision{{Link: link("http://a.test/3", 1, 0), Rule: "scope"}}))
	must(t, s.Close())
	c, err := openConn(path, mustExist)
	must(t, err)
	_, err = c.exec(downgrade)
	must(t, err)
	must(t, c.close())
	before, err := os.ReadFile(path)
	must(t, err)

	r, err := OpenReader(path)
	must(t, err)
	trail, err := r.Explain(ctx, "c", "http://a.test/1")
	must(t, err)
	if trail.Waiting == nil || trail.Waiting.Priority != 1 {
		t.Errorf("waits as %+v", trail.Waiting)
	}
	found := 0
	for links, err := range r.EachWaiting(ctx, "c") {
		must(t, err)
		found += len(links)
	}
	if found != 2 {
		t.Errorf("%d links wait, want 2", found)
	}
	must(t, r.Close())
	if after, err := os.ReadFile(path); err != nil || !cmp.Equal(before, after) {
		t.Errorf("the reader has changed the file (%v)", err)
	}

	s, err = Open(path, Options{})
	must(t, err)
	if diff := cmp.Diff(want, describe(t, s)); diff != "" {
		t.Errorf("schema (-new +upgraded):\n%s", diff)
	}
	must(t, s.Backlog().Add(ctx, "c", []frontier.Link{link("http://a.test/1", 1, 1), link("http://a.test/0", 1, 2)}))
	must(t, s.Ledger().Drop(ctx, "c", []ledger.Decision{{Link: link("http://a.test/3", 1, 1), Rule: "depth"}}))
	got, err := s.Backlog().Best(ctx, "c", "a.test", 0, 9)
	must(t, err)
	if diff := cmp.Diff([]string{"http://a.test/2", "http://a.test/0", "http://a.test/1"}, frontier.URLs(got)); diff != "" {
		t.Errorf("best (-want +got):\n%s", diff)
	}
	if d, err := s.Ledger().Dropped(ctx, "c", "http://a.test/3"); err != nil || d.Rule != "depth" {
		t.Errorf("decision %+v, %v", d, err)
	}
	if ds, err := s.Queue().Receive(ctx, 9); err != nil || len(ds) != 1 {
		t.Errorf("received %v, %v", ds, err)
	}
	closeStore(t, s)
}

// describe lists the columns and indexes of a store.
func describe(t *testing.T, s *Store) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	must(t, s.read(t.Context(), func(c *conn) error {
		return c.query(`SELECT m.name || '.' || c.name || ' ' || c.type || c."notnull" || c.pk FROM sqlite_schema m, pragma_table_info(m.name) c
			UNION SELECT m.name || '.' || c.seqno || ' ' || coalesce(c.name, '') FROM sqlite_schema m, pragma_index_info(m.name) c`, func(r row) error {
			all[r.text(0)] = true
			return nil
		})
	}))
	return all
}

// A crawl that an older program began goes on with its coverage. Samples that are cut
// off are an error.
func TestOlderCoverage(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := open(t, Options{})
	must(t, s.SetMeta(ctx, "coverage c", `{"documents":[1,2],"words":[3,4]}`))
	must(t, s.Coverages().Cover(ctx, "c", job.Coverage{Documents: job.Sample{5}}))
	got, err := s.Coverages().Covered(ctx, "c")
	must(t, err)
	if diff := cmp.Diff(job.Coverage{Documents: job.Sample{1, 2, 5}, Words: job.Sample{3, 4}}, got); diff != "" {
		t.Errorf("coverage (-want +got):\n%s", diff)
	}
	for _, damaged := range []string{"\x01", "\x02\x00\x00\x00\x01\x00\x00\x00"} {
		must(t, s.write(ctx, func(tx *tx) error { return setMeta(tx, samplesKey("c"), []byte(damaged)) }))
		if got, err := s.Coverages().Covered(ctx, "c"); err == nil {
			t.Errorf("of %q: %v", damaged, got)
		}
	}
}
