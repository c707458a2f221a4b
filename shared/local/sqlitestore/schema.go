package sqlitestore

import (
	"fmt"
	"math/rand/v2"
)

// schemaVersion is stored in the file. Open upgrades a store of an older version;
// one of a later version is refused.
const schemaVersion = 2

// schema is everything a fresh file holds. Large tables are WITHOUT ROWID:
// one B-tree each, clustered by the key they are read by. Times are
// microseconds since 1970.
const schema = `
CREATE TABLE store (             -- one row: what concerns the file itself
	id        INTEGER PRIMARY KEY CHECK (id = 1),
	seed      INTEGER NOT NULL,  -- of the URL keys
	epoch     INTEGER NOT NULL,  -- of the leases that earlier versions had on URLs
	lanes     INTEGER NOT NULL,
	lane_base REAL NOT NULL
);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE crawls (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- Ledger: what is known of a URL, by its key (keys.go).
CREATE TABLE urls (
	key    BLOB PRIMARY KEY,
	state  INTEGER NOT NULL,     -- a ledger.State
	until  INTEGER,              -- of a lease of an earlier version, like the next two
	owner  TEXT,
	epoch  INTEGER,
	entry  INTEGER,              -- of a done URL
	round  INTEGER,              -- of a waiting link: its place in backlog
	rank   REAL,
	tie    REAL
) WITHOUT ROWID;
CREATE TABLE entries (id INTEGER PRIMARY KEY, body BLOB NOT NULL, trace BLOB);
CREATE TABLE totals (crawl INTEGER, name TEXT, n INTEGER NOT NULL, PRIMARY KEY (crawl, name)) WITHOUT ROWID;
CREATE TABLE history (id INTEGER PRIMARY KEY, url TEXT NOT NULL);
CREATE TABLE runs (crawl INTEGER, round INTEGER, size INTEGER NOT NULL, PRIMARY KEY (crawl, round)) WITHOUT ROWID;
CREATE TABLE staged (crawl INTEGER, round INTEGER, url TEXT, PRIMARY KEY (crawl, round, url)) WITHOUT ROWID;
CREATE TABLE dropped (key BLOB PRIMARY KEY, priority REAL NOT NULL, body BLOB NOT NULL, tie REAL NOT NULL) WITHOUT ROWID;

-- Backlog: rank is the negative priority, and tie the negative tie, so that all
-- orders ascend.
CREATE TABLE hosts (
	id      INTEGER PRIMARY KEY,
	crawl   INTEGER NOT NULL,
	name    TEXT NOT NULL,
	closed  TEXT,                -- the rule, NULL while open
	fetched INTEGER NOT NULL DEFAULT 0,
	UNIQUE (crawl, name)
);
CREATE TABLE depth (             -- the sums over backlog, kept by tx
	host  INTEGER, round INTEGER,
	crawl INTEGER NOT NULL, name TEXT NOT NULL, open INTEGER NOT NULL,
	links INTEGER NOT NULL, rank REAL NOT NULL, tie REAL NOT NULL,
	PRIMARY KEY (host, round)
) WITHOUT ROWID;

-- Queue: status is 0 ready, 1 delayed, 2 in flight.
CREATE TABLE messages (
	id       INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice: receipts hold it
	crawl    TEXT NOT NULL, host TEXT NOT NULL, links INTEGER NOT NULL,
	priority REAL NOT NULL, lane INTEGER NOT NULL, rank REAL NOT NULL,
	status   INTEGER NOT NULL, visible INTEGER NOT NULL, receives INTEGER NOT NULL,
	body     BLOB NOT NULL,
	tie      REAL NOT NULL, best_tie REAL NOT NULL -- 0 with lanes; that of the best link
);
CREATE INDEX messages_due ON messages (visible) WHERE status > 0;
CREATE INDEX messages_host ON messages (crawl, host, links);
CREATE TABLE dead (
	crawl TEXT, url TEXT, link BLOB, body BLOB, reason TEXT NOT NULL, at INTEGER NOT NULL,
	PRIMARY KEY (crawl, url)
) WITHOUT ROWID;

-- Hosts.
CREATE TABLE leases (host TEXT PRIMARY KEY, owner TEXT, until INTEGER NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE host_states (crawl TEXT, host TEXT, body BLOB NOT NULL, PRIMARY KEY (crawl, host)) WITHOUT ROWID;
CREATE TABLE robots (authority TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
` + ordered

// ordered is what of the schema links are ordered by.
const ordered = `
CREATE TABLE backlog (
	host INTEGER, round INTEGER, rank REAL, tie REAL, url TEXT, body BLOB NOT NULL,
	PRIMARY KEY (host, round, rank, tie, url)
) WITHOUT ROWID;
CREATE INDEX depth_best ON depth (crawl, rank, tie, name, round) WHERE open = 1;
CREATE INDEX messages_ready ON messages (lane, rank, tie, id) WHERE status = 0;
`

// upgrade makes version 2 of version 1, whose links have no tie.
const upgrade = `
ALTER TABLE urls ADD COLUMN tie REAL;
ALTER TABLE dropped ADD COLUMN tie REAL NOT NULL DEFAULT 0;
ALTER TABLE depth ADD COLUMN tie REAL NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN tie REAL NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN best_tie REAL NOT NULL DEFAULT 0;
DROP INDEX depth_best;
DROP INDEX messages_ready;
ALTER TABLE backlog RENAME TO untied;
` + ordered + `
INSERT INTO backlog SELECT host, round, rank, 0, url, body FROM untied;
DROP TABLE untied;
`

// asVersion2 lets a reader of version 1 read the backlog as if it had ties.
const asVersion2 = "CREATE TEMP VIEW backlog AS SELECT host, round, rank, 0.0 AS tie, url, body FROM main.backlog"

// additions are tables that were added after the first release of a schema. An
// older file gets them when it is next opened for writing; older programs
// ignore them.
const additions = `
CREATE TABLE IF NOT EXISTS sketches ( -- what recurs on the pages of a host
	crawl INTEGER, host TEXT, body BLOB NOT NULL,
	version  TEXT NOT NULL,           -- of what was learned, '' for nothing
	taught   INTEGER NOT NULL,        -- it was something, once
	revision INTEGER NOT NULL,        -- counts the writes
	PRIMARY KEY (crawl, host)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refused (  -- pages that were kept, and are not
	crawl INTEGER, url TEXT, rule TEXT NOT NULL,
	PRIMARY KEY (crawl, url)
) WITHOUT ROWID;
`

// create makes the tables in an empty file, or upgrades those of an older one, all
// or none, and refuses a file of a later version.
func create(c *conn) error {
	if _, err := c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := createTables(c)
	end := "COMMIT"
	if err != nil {
		end = "ROLLBACK"
	}
	if _, e := c.exec(end); err == nil {
		err = e
	}
	return err
}

func createTables(c *conn) error {
	version, err := c.pragmaInt("user_version")
	if err != nil {
		return err
	}
	switch version {
	case schemaVersion:
		_, err := c.exec(additions)
		return err
	case 0:
		// A random seed: outsiders cannot construct a collision of two URL keys.
		if _, err = c.exec(schema + additions); err == nil {
			_, err = c.exec("INSERT INTO store VALUES (1, ?, 1, 0, 0)", int64(rand.Uint64())) //nolint:gosec // any 64 bits
		}
	case 1:
		_, err = c.exec(upgrade + additions)
	default:
		return fmt.Errorf("store has version %d, this program writes %d", version, schemaVersion)
	}
	if err != nil {
		return err
	}
	_, err = c.exec(fmt.Sprintf("PRAGMA user_version=%d", schemaVersion))
	return err
}
