package sqlitestore

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"modernc.org/sqlite"

	"sluice/shared/fault"
)

// conn is one connection with its prepared statements. It uses the driver
// directly, without database/sql: a page of a crawl is some fifteen small
// statements, and locks, conversions and a context's goroutine for each would
// cost as much as SQLite itself. Not safe for concurrent use.
type conn struct {
	c      driver.Conn
	stmts  map[stmtKey]statement
	args   []driver.NamedValue
	failed error // the first statement that failed, until cleared
}

// stmtKey names a statement: its text, and how often its bracketed part is
// repeated (see execN).
type stmtKey struct {
	sql string
	n   int
}

type statement struct {
	driver.Stmt
	exec  driver.StmtExecContext
	query driver.StmtQueryContext
}

// row is one row of a result; the accessors read NULL as zero.
type row []driver.Value

func (r row) int(i int) int64     { v, _ := r[i].(int64); return v }
func (r row) float(i int) float64 { v, _ := r[i].(float64); return v }
func (r row) text(i int) string   { v, _ := r[i].(string); return v }
func (r row) bytes(i int) []byte  { v, _ := r[i].([]byte); return v }
func (r row) null(i int) bool     { return r[i] == nil }

// How a connection is opened: whether it creates a missing file, and whether it
// needs to write.
const (
	mayCreate  = "rwc"
	mustExist  = "rw"
	readOnly   = "ro"
	unchanging = "ro&immutable=1" // no process writes
)

// openConn opens the database at path and applies the pragmas.
func openConn(path, mode string, pragmas ...string) (*conn, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: "mode=" + mode}
	dc, err := new(sqlite.Driver).Open(name.String())
	if err != nil {
		if f, cause := os.Open(path); cause == nil {
			_ = f.Close()
		} else if !errors.Is(cause, fs.ErrNotExist) {
			err = cause // SQLite says "unable to open"
		}
		return nil, err
	}
	c := &conn{c: dc, stmts: map[stmtKey]statement{}}
	for _, p := range pragmas {
		if err := c.query("PRAGMA "+p, func(row) error { return nil }); err != nil {
			return nil, errors.Join(fmt.Errorf("set %s: %w", p, err), c.close())
		}
	}
	return c, nil
}

func (c *conn) close() error {
	var errs []error
	for _, st := range c.stmts {
		errs = append(errs, st.Close())
	}
	return errors.Join(append(errs, c.c.Close())...)
}

// exec runs a statement that returns no rows.
func (c *conn) exec(sql string, args ...any) (driver.Result, error) {
	return c.execN(sql, 1, args)
}

// execN runs sql with its part in square brackets repeated n times, separated
// by commas: "VALUES [(?,?)]" takes n rows. (To look up many keys, join with
// VALUES: for an IN list SQLite builds a table at every call. To limit a statement that
// is used often write "LIMIT ? + 0": by a parameter alone SQLite prepares it again at
// every call.)
func (c *conn) execN(sql string, n int, args []any) (driver.Result, error) {
	st, err := c.prepare(sql, n)
	if err != nil {
		return nil, c.fail(err)
	}
	res, err := st.exec.ExecContext(context.Background(), c.bind(args))
	if err != nil {
		return nil, c.fail(err)
	}
	return res, nil
}

// query calls scan for each row of the result. The row is valid during the
// call only; its texts and blobs are the caller's. Statements must not be
// nested in themselves.
func (c *conn) query(sql string, scan func(row) error, args ...any) error {
	return c.queryN(sql, 1, args, scan)
}

// queryN is query with the repetition of execN.
func (c *conn) queryN(sql string, n int, args []any, scan func(row) error) error {
	st, err := c.prepare(sql, n)
	if err != nil {
		return c.fail(err)
	}
	rows, err := st.query.QueryContext(context.Background(), c.bind(args))
	if err != nil {
		return c.fail(err)
	}
	values := make([]driver.Value, len(rows.Columns()))
	for {
		switch err := rows.Next(values); {
		case errors.Is(err, io.EOF):
			if err := rows.Close(); err != nil {
				return c.fail(err)
			}
			return nil
		case err != nil:
			return c.fail(errors.Join(err, rows.Close()))
		}
		if err := scan(values); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
}

// one reads the first row of a result, and reports whether there is one.
func (c *conn) one(sql string, scan func(row), args ...any) (bool, error) {
	found := false
	err := c.query(sql, func(r row) error {
		if !found {
			found = true
			scan(r)
		}
		return nil
	}, args...)
	return found, err
}

func (c *conn) prepare(sql string, n int) (statement, error) {
	key := stmtKey{sql, n}
	if st, ok := c.stmts[key]; ok {
		return st, nil
	}
	s, err := c.c.Prepare(repeat(sql, n))
	if err != nil {
		return statement{}, err
	}
	st := statement{Stmt: s}
	var ok bool
	if st.exec, ok = s.(driver.StmtExecContext); !ok {
		return st, errors.New("driver statement has no ExecContext")
	}
	if st.query, ok = s.(driver.StmtQueryContext); !ok {
		return st, errors.New("driver statement has no QueryContext")
	}
	c.stmts[key] = st
	return st, nil
}

// repeat writes the part of sql in square brackets n times.
func repeat(sql string, n int) string {
	head, rest, ok := strings.Cut(sql, "[")
	if !ok {
		return sql
	}
	part, tail, _ := strings.Cut(rest, "]")
	return head + strings.Repeat(part+",", n-1) + part + tail
}

func (c *conn) bind(args []any) []driver.NamedValue {
	c.args = c.args[:0]
	for i, a := range args {
		if v, ok := a.(int); ok {
			a = int64(v)
		}
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return c.args
}

// fail classifies an error of the database and remembers it.
func (c *conn) fail(err error) error {
	err = fault.New(fault.Retryable, "store", err)
	if c.failed == nil {
		c.failed = err
	}
	return err
}

// pragmaInt reads a pragma that answers with a number.
func (c *conn) pragmaInt(name string) (int64, error) {
	var n int64
	_, err := c.one("PRAGMA "+name, func(r row) { n = r.int(0) })
	return n, err
}

func pragma(name string, n int) string { return name + "=" + strconv.Itoa(n) }
