package corpus

import (
	"net/textproto"
	"strings"
)

// fields reads the lines of a head, of a record or of an HTTP message, in time
// linear in their length. The zero value is ready.
type fields struct {
	header textproto.MIMEHeader
	name   string // of the field that may continue; "" if none
	value  []byte // of it, so far
}

// add reads a line. An indented one continues the field before it; one without
// a colon is ignored.
func (f *fields) add(line string) {
	if f.name != "" && line != "" && (line[0] == ' ' || line[0] == '\t') {
		if line = strings.TrimSpace(line); line != "" {
			f.value = append(append(f.value, ' '), line...)
		}
		return
	}
	f.end()
	if name, value, ok := strings.Cut(line, ":"); ok {
		f.name = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name))
		f.value = append(f.value[:0], strings.TrimSpace(value)...)
	}
}

// end puts the field that went on so far into the header.
func (f *fields) end() {
	if f.header == nil {
		f.header = textproto.MIMEHeader{}
	}
	if f.name != "" {
		f.header[f.name] = append(f.header[f.name], strings.TrimSpace(string(f.value)))
	}
	f.name = ""
}

// done returns the header.
func (f *fields) done() textproto.MIMEHeader {
	f.end()
	return f.header
}
