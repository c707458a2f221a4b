package textfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// textFields are the fields of an object that may have the text.
var textFields = [...]string{"text", "content", "body", "description"}

// jsonLines reads a document from every line, each a JSON object. It leaves out
// objects with an empty text.
func (in *input) jsonLines() iter.Seq2[Document, error] {
	return in.eachLine(func(line, place string) (Document, error) {
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &object); err != nil || object == nil {
			return Document{}, fmt.Errorf("read JSON line: %w", whatIsWrong(err))
		}
		return in.document(object, place)
	})
}

// whatIsWrong describes what is wrong with a line.
func whatIsWrong(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("a line must be an object; this one is of type %s", wrong.Value)
	}
	if err == nil {
		return errors.New("a line must be an object, not null")
	}
	return fmt.Errorf("%w (a line must hold one whole object)", err)
}

// document takes the fields that make a document.
func (in *input) document(object map[string]json.RawMessage, place string) (Document, error) {
	doc := Document{ID: place}
	var err error
	if doc.Text, err = in.textOf(object); err != nil {
		return Document{}, err
	}
	// A title among the fields of the text would count twice.
	if !slices.Contains(in.opts.Fields, "title") {
		doc.Title, _ = stringOf(object["title"])
	}
	if url, _ := stringOf(object["url"]); url != "" {
		doc.ID = url
	}
	return doc, nil
}

// textOf joins the text fields of an object.
func (in *input) textOf(object map[string]json.RawMessage) (string, error) {
	wanted, found := in.opts.Fields, 0
	if len(wanted) == 0 {
		wanted = textFields[:]
	}
	var parts []string
	for _, field := range wanted {
		raw, ok := object[field]
		if !ok {
			continue
		}
		text, ok := stringOf(raw)
		if !ok {
			return "", fmt.Errorf("field %q is not a text", field)
		}
		found++
		if text != "" {
			parts = append(parts, text)
			if len(in.opts.Fields) == 0 {
				break
			}
		}
	}
	if found == 0 {
		return "", fmt.Errorf("no field %s: name the one that holds the text", strings.Join(wanted, ", "))
	}
	return strings.Join(parts, "\n"), nil
}

// stringOf returns a trimmed text, or a list of texts as paragraphs. null is
// the empty text.
func stringOf(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 {
		return "", false
	}
	if raw[0] == '[' {
		var list []string
		if json.Unmarshal(raw, &list) != nil {
			return "", false
		}
		return strings.TrimSpace(strings.Join(list, "\n")), true
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return strings.TrimSpace(text), true
}
