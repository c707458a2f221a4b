package local

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"

	"sluice/shared/crawl/records"
	"sluice/shared/local/filecorpus"
	"sluice/shared/state/corpus"
	"sluice/shared/structure/template"
)

// maxRecordFile is how many bytes a file of a layer has before the next one is begun.
const maxRecordFile = 128 << 20

// recordFiles writes records into a folder that takes the place of another once it is
// complete.
type recordFiles struct {
	dir    string
	counts map[string]int // records by SITE/LAYER
	layers map[string]*recordFile
	line   []byte
}

// recordFile is the file of a layer that is being written.
type recordFile struct {
	folder string
	n      int // number of the file
	size   int64
	file   *os.File
	to     *bufio.Writer
}

func newRecordFiles(dir string) (*recordFiles, error) {
	f := &recordFiles{dir: dir, counts: map[string]int{}, layers: map[string]*recordFile{}}
	return f, f.discard()
}

// part is where the files are until they are complete.
func (f *recordFiles) part() string { return f.dir + filecorpus.PartSuffix }

// discard removes what is not complete.
func (f *recordFiles) discard() error {
	var errs []error
	for _, l := range f.layers {
		errs = append(errs, l.close())
	}
	clear(f.layers)
	return errors.Join(append(errs, filecorpus.DiscardFolder(f.dir))...)
}

func (f *recordFiles) add(item *corpus.Item) error {
	layer, err := records.Folder(item)
	if err != nil {
		return err
	}
	if f.line, err = item.AppendJSON(f.line[:0]); err != nil {
		return err
	}
	return f.addLine(layer, f.line)
}

// addLine adds the line of a record of SITE/LAYER.
func (f *recordFiles) addLine(layer string, line []byte) error {
	l := f.layers[layer]
	if l == nil {
		l = &recordFile{folder: filepath.Join(f.part(), filepath.FromSlash(layer))}
		if err := os.MkdirAll(l.folder, 0o755); err != nil {
			return err
		}
		f.layers[layer] = l
	}
	f.counts[layer]++
	return l.add(line)
}

func (l *recordFile) add(line []byte) (err error) {
	if l.file == nil || l.size+int64(len(line)) > maxRecordFile {
		if err := l.close(); err != nil {
			return err
		}
		l.n++
		if l.file, err = os.Create(filepath.Join(l.folder, records.FileName(l.n))); err != nil {
			return err
		}
		l.size, l.to = 0, bufio.NewWriterSize(l.file, 256<<10)
	}
	l.size += int64(len(line))
	_, err = l.to.Write(line)
	return err
}

// close ends the file, if there is one.
func (l *recordFile) close() error {
	if l.file == nil {
		return nil
	}
	err := l.to.Flush()
	if err == nil {
		err = l.file.Sync()
	}
	err = errors.Join(err, l.file.Close())
	l.file = nil
	return err
}

// finish puts the files, with the schema of their lines, in the place of those before.
func (f *recordFiles) finish(t *template.Template) error {
	for _, l := range f.layers {
		err := l.close()
		if err == nil {
			err = filecorpus.Write(filepath.Join(l.folder, records.SchemaFile), records.Schema(t))
		}
		if err != nil {
			return err
		}
	}
	return filecorpus.ReplaceFolder(f.dir)
}
