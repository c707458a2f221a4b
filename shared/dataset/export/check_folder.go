package export

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"sluice/shared/state/corpus"
	"sluice/shared/text/neardup"
)

// CheckedFolder is what CheckFolder found; the keys are stable.
type CheckedFolder struct {
	Dir     string `json:"dir"`
	State   string `json:"state"`   // of the crawl, running or stopped; "" where there is no ledger
	Records int64  `json:"records"` // documents that count
	Others  int64  `json:"others"`  // documents that the ledger does not point at: older versions, and what a kill has left
	Located int64  `json:"located"` // documents that count whose response was found in the archives
	Rejects int64  `json:"rejects"`
	Unknown int64  `json:"unknown"` // documents without a simhash, by which their texts could be checked
	Findings
}

// CheckFolder checks the folder of a crawl, or one without a ledger, by itself:
//
//   - every line of corpus/ is a document with the id, the number of characters
//     and the simhash that it should have; every line of rejects/ is a reject;
//   - every document that the ledger points at is there, once; there are as many
//     as the crawl says it has kept;
//   - the place in the archives that each of them names holds the response of its
//     final URL, with the payload that its digest is of;
//   - every record in the archives can be read.
//
// Without a ledger every document counts, and places are looked up where the
// folder has archives. Of a crawl that is running a last line may be half, and
// what is done by now counts. It changes nothing. What is wrong is in the
// result; an error is that of ctx.
//
// No digest of the records is kept: a text that has changed is found by its
// length, and by its simhash unless that is the same for both, as it may be where
// some of very many characters differ; a title is not.
func CheckFolder(ctx context.Context, f *Folder, progress func(step string, done, all int64)) (*CheckedFolder, error) {
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	k := &folderChecker{
		f: f, progress: progress, archive: archive{dir: f.Dir}, gone: map[string]int64{},
		res: &CheckedFolder{Dir: f.Dir, Findings: noFindings()},
	}
	k.run(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k.res.end()
	return k.res, nil
}

// folderChecker checks one folder.
type folderChecker struct {
	f        *Folder
	progress func(step string, done, all int64)
	res      *CheckedFolder
	ledger   Ledger // nil if none can be read
	roll     *roll  // of that ledger
	archive  archive
	archives []Input
	located  bool             // places are looked up
	gone     map[string]int64 // archives that are not there, with the documents whose response lies in them
	census   census
}

func (k *folderChecker) run(ctx context.Context) {
	defer k.archive.close()
	if k.f.Ledger != nil {
		k.res.State = StateStopped
		if k.f.Open {
			k.res.State = StateRunning
		}
	}
	k.callRoll(ctx)
	k.findArchives()
	for _, name := range k.files(corpus.DocumentFolder) {
		k.lines(ctx, name, func(l corpus.Line) error { return k.document(ctx, name, l) })
		k.asked(k.census.flush(ctx))
	}
	k.missing(ctx)
	k.unpack(ctx)
	for _, name := range k.files(corpus.RejectFolder) {
		k.lines(ctx, name, k.reject)
	}
	k.counts()
	if k.res.Unknown > 0 {
		k.res.note("%d documents have no simhash: of their texts the length alone was checked", k.res.Unknown)
	}
	for _, name := range slices.Sorted(maps.Keys(k.gone)) {
		k.res.wrong("%.200q is missing: %d documents have their responses there", name, k.gone[name])
	}
}

// callRoll asks the ledger what it points at. Without an answer the folder is
// checked as one without a ledger.
func (k *folderChecker) callRoll(ctx context.Context) {
	k.progress("read the ledger", 0, 0)
	var err error
	if k.roll, err = newRoll(ctx, k.f.Ledger); err == nil {
		k.ledger, k.census.ledger = k.f.Ledger, k.f.Ledger
		return
	}
	k.res.wrong("%v", err)
}

// findArchives decides whether places are looked up: those of a crawl, and of
// others where there is something to look into.
func (k *folderChecker) findArchives() {
	var err error
	if k.archives, err = inputs(k.f.Dir, corpus.ArchiveFolder, ".warc", ".warc.gz"); err != nil {
		k.res.wrong("%v", err)
	}
	k.located = len(k.archives) > 0 || k.f.Ledger != nil
	if !k.located {
		k.res.note("%s keeps no archives: the places of its documents were not checked", k.f.Dir)
	}
}

// files lists the files of lines in a folder.
func (k *folderChecker) files(folder string) []string {
	list, err := inputs(k.f.Dir, folder, linesEnd)
	if err != nil {
		k.res.wrong("%v", err)
	}
	names := make([]string, len(list))
	for i, in := range list {
		names[i] = in.Name
	}
	return names
}

// lines visits the lines of a file; what is wrong with one does not end it.
func (k *folderChecker) lines(ctx context.Context, name string, visit func(l corpus.Line) error) {
	n := int64(0)
	err := eachLineOf(filepath.Join(k.f.Dir, filepath.FromSlash(name)), 1<<62, func(l corpus.Line) error {
		n++
		k.progress("check "+name, n, 0)
		if err := visit(l); err != nil && (!l.Torn() || !k.f.Open) {
			k.res.wrong("%s, line %d: %v", name, l.Number, err)
		}
		return ctx.Err()
	})
	if err != nil {
		k.res.wrong("%v", err)
	}
}

// document checks a document alone.
func (k *folderChecker) document(ctx context.Context, name string, l corpus.Line) error {
	d, err := readDocument(l.Text())
	if err != nil {
		return fmt.Errorf("no document: %w", err)
	}
	k.asked(k.census.ask(ctx, d, func(counts bool) error {
		if counts {
			k.current(d, name, l.Number)
		} else {
			k.res.Others++
		}
		return nil
	}))
	if id := corpus.DocumentID(d.FinalURL, d.Version); d.ID != id {
		return fmt.Errorf("id is %.40q, that of %.200s is %s", d.ID, d.FinalURL, id)
	}
	if have := count(d.Text); int64(d.CharCount) != have {
		return fmt.Errorf("char_count is %d, the text has %d", d.CharCount, have)
	}
	if d.SimHash == "" {
		k.res.Unknown++
		return nil
	}
	if have := fmt.Sprintf("%016x", neardup.SimHash(neardup.Normalise(d.Text))); d.SimHash != have {
		return fmt.Errorf("simhash is %.40q, that of the text is %s", d.SimHash, have)
	}
	return nil
}

// asked notes that the ledger does not answer.
func (k *folderChecker) asked(err error) {
	if err != nil {
		k.res.wrong("%v", err)
	}
}

func (k *folderChecker) reject(l corpus.Line) error {
	var r corpus.Reject
	if err := json.Unmarshal(l.Text(), &r); err != nil {
		return fmt.Errorf("no reject: %w", err)
	}
	if err := r.Check(); err != nil {
		return err
	}
	k.res.Rejects++
	return nil
}
