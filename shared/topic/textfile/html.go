package textfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"sluice/shared/text/body"
	"sluice/shared/web/page"
	"sluice/shared/web/urlnorm"
)

// html reads the file as one HTML page. A page without main text is an error
// that wraps body.ErrNoText.
func (in *input) html() iter.Seq2[Document, error] {
	raw, err := readWhole(in.r)
	if errors.Is(err, errTooLarge) {
		return one(Document{}, fmt.Errorf("read %s: skip page: %w", in.path, err))
	}
	if err != nil {
		return one(Document{}, in.broken(err))
	}
	doc, err := fromHTML(raw, "", "")
	if err != nil {
		return one(Document{}, fmt.Errorf("read page %s: %w", in.path, err))
	}
	doc.ID = in.path
	return one(doc, nil)
}

// readWhole reads to the end, up to MaxDocument.
func readWhole(r io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxDocument+1))
	if err == nil && len(raw) > MaxDocument {
		err = errTooLarge
	}
	return raw, err
}

// fromHTML takes title, description and main text of a page.
func fromHTML(raw []byte, contentType, pageURL string) (Document, error) {
	base, _ := urlnorm.Parse(pageURL) // the zero URL resolves no links, which are not used here
	text, pg, err := page.Read(raw, contentType, base)
	if err != nil {
		return Document{}, err
	}
	main, err := body.Extract(text, pageURL, pg, body.Options{})
	if err != nil {
		return Document{}, err
	}
	if main.Text == "" || main.MediaOnly {
		return Document{}, body.ErrNoText
	}
	doc := Document{ID: pageURL, Title: main.Title, Description: about(pg), Text: main.Text}
	doc.Title = cmp.Or(doc.Title, pg.Title)
	return doc, nil
}

// about is a page's description of itself, as a crawl scores it (METHOD A1).
func about(pg *page.Page) string {
	return strings.TrimSpace(strings.Join(append([]string{pg.Title, pg.Description}, pg.Keywords...), "\n"))
}
