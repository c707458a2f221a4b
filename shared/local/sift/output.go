package sift

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sluice/shared/state/corpus"
)

// Endings of files that are not whole: in the first pass, and in the second.
const (
	partEnding  = ".part"
	againEnding = ".again.part"
)

// output is the two files of an input while they are written.
type output struct{ documents, rejects *part }

// part is a file that gets its name when it is whole.
type part struct {
	*bufio.Writer
	file *os.File
	path string
}

// begin opens the outputs of an input, replacing those of a killed run.
func (f *folder) begin(in input, ending string) (*output, error) {
	documents, err := create(filepath.Join(f.dir, corpus.DocumentFolder, in.out+lines), ending)
	if err != nil {
		return nil, err
	}
	rejects, err := create(filepath.Join(f.dir, corpus.RejectFolder, in.out+lines), ending)
	if err != nil {
		return nil, errors.Join(err, documents.discard())
	}
	return &output{documents, rejects}, nil
}

func create(path, ending string) (*part, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("make output folder: %w", err)
	}
	file, err := os.Create(path + ending)
	if err != nil {
		return nil, fmt.Errorf("begin output: %w", err)
	}
	return &part{bufio.NewWriterSize(file, 64<<10), file, path}, nil
}

// write writes the line that a task has become.
func (o *output) write(t *task, document bool) error {
	if t.err != nil {
		return fmt.Errorf("encode record: %w", t.err)
	}
	to := o.rejects
	if document {
		to = o.documents
	}
	if _, err := to.Write(t.line); err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	return nil
}

// reread opens what was written so far, from the beginning.
func (o *output) reread() (documents, rejects *bufio.Reader, end func(), err error) {
	d, err := o.documents.reread()
	if err != nil {
		return nil, nil, nil, err
	}
	r, err := o.rejects.reread()
	if err != nil {
		return nil, nil, nil, errors.Join(err, d.Close())
	}
	end = func() { _, _ = d.Close(), r.Close() } // only read
	return bufio.NewReaderSize(d, 64<<10), bufio.NewReaderSize(r, 64<<10), end, nil
}

func (p *part) reread() (*os.File, error) {
	err := p.Flush()
	var file *os.File
	if err == nil {
		file, err = os.Open(p.file.Name())
	}
	if err != nil {
		return nil, fmt.Errorf("read output again: %w", err)
	}
	return file, nil
}

// commit gives the files their names. The corpus comes last: who sees it sees
// the rejects.
func (o *output) commit() error {
	if err := o.rejects.commit(); err != nil {
		return errors.Join(err, o.documents.discard())
	}
	return o.documents.commit()
}

// discard removes the files.
func (o *output) discard() error { return errors.Join(o.documents.discard(), o.rejects.discard()) }

func (p *part) commit() error {
	err := errors.Join(p.Flush(), p.file.Sync(), p.file.Close())
	if err == nil {
		err = os.Rename(p.file.Name(), p.path)
	}
	if err != nil {
		return fmt.Errorf("end output: %w", err)
	}
	return nil
}

func (p *part) discard() error {
	if err := errors.Join(p.file.Close(), os.Remove(p.file.Name())); err != nil {
		return fmt.Errorf("discard output: %w", err)
	}
	return nil
}
