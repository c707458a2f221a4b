package maintext

import "sluice/shared/eval/metric"

// Agreement is the result of the methods for a set without references.
type Agreement struct {
	Set   string `json:"set"`
	Pages int    `json:"pages"` // without lists
	// Documents are the pages with a main text, Media those of which only a
	// player or pictures are kept; Lost has neither.
	Documents int      `json:"documents"`
	Media     int      `json:"media"`
	Lost      []string `json:"lost"` // names
	// F1 is the mean F1 between the texts of two methods on Documents.
	F1 struct {
		Methods metric.Number `json:"methods"` // go-readability and density
		Library metric.Number `json:"library"` // go-readability and sluice
		Density metric.Number `json:"density"` // density and sluice
	} `json:"f1"`
	Apart []string `json:"apart"` // names of Documents on which the two methods share less than half

	Lists         int      `json:"lists"`           // pages known for lists of links
	TakenForLists int      `json:"taken_for_lists"` // of these, not taken for documents
	TakenForText  []string `json:"taken_for_text"`  // names of the others
}

// half is the F1 from which two texts have most in common.
const half = 0.5

// Agree compares the methods with each other on a set without references.
func Agree(s *Set) (*Agreement, error) {
	readings, err := readAll(s)
	if err != nil {
		return nil, err
	}
	a := &Agreement{Set: s.Name, Lost: []string{}, Apart: []string{}, TakenForText: []string{}}
	var methods, library, density mean
	for i, r := range readings {
		p := &s.Pages[i]
		text := r.texts[Sluice]
		document := text != "" && !r.media
		if p.List {
			a.list(p, document)
			continue
		}
		a.Pages++
		switch {
		case r.media:
			a.Media++
			continue
		case !document:
			a.Lost = append(a.Lost, p.Name)
			continue
		}
		a.Documents++
		between := F1(r.texts[Readability], r.texts[Density])
		methods.add(between)
		library.add(F1(r.texts[Readability], text))
		density.add(F1(r.texts[Density], text))
		if between < half {
			a.Apart = append(a.Apart, p.Name)
		}
	}
	a.F1.Methods, a.F1.Library, a.F1.Density = methods.value(), library.value(), density.value()
	return a, nil
}

// list counts a page known for a list.
func (a *Agreement) list(p *Page, document bool) {
	a.Lists++
	if document {
		a.TakenForText = append(a.TakenForText, p.Name)
	} else {
		a.TakenForLists++
	}
}
