package topiccmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"sluice/cmd/sluice/cli"
	"sluice/shared/topic"
)

// scoreWriter prints scores as they come: there may be millions. The first
// error is that of end, at the latest.
type scoreWriter interface {
	begin(c *topic.Compiled)
	document(d *scored) error
	end(sum *scoreSummary) error
}

// add counts a document.
func (sum *scoreSummary) add(d *scored) {
	sum.Documents++
	if d.Description.Reaches {
		sum.Description++
	}
	if d.Body.Reaches {
		sum.Body++
	}
	for _, part := range []*partScore{&d.Description, &d.Body} {
		if part.Direct == nil {
			continue
		}
		difference := math.Abs(part.Value - *part.Direct)
		if sum.Difference == nil {
			sum.Difference = new(float64)
		}
		*sum.Difference = max(*sum.Difference, difference)
	}
}

// scorePages prints scores for people.
type scorePages struct{ w *bufio.Writer }

func (p *scorePages) begin(c *topic.Compiled) {
	t := c.File.Thresholds
	fmt.Fprintf(p.w, "Topic %s: description from %.4g, body from %.4g\n\n", c.File.Name, t.Description, t.Body)
}

func (p *scorePages) document(d *scored) error {
	w := new(bytes.Buffer)
	printScored(w, d)
	_, err := w.WriteTo(p.w)
	return err
}

func (p *scorePages) end(sum *scoreSummary) error {
	fmt.Fprintf(p.w, "\n%s: %d reach the description threshold, %d that of the body", cli.Count(sum.Documents, "document"), sum.Description, sum.Body)
	if sum.Difference != nil {
		fmt.Fprintf(p.w, "; compiled and direct differ by at most %.3g", *sum.Difference)
	}
	fmt.Fprintln(p.w)
	return p.w.Flush()
}

// printScored prints a document with the parts of it that have words.
func printScored(w *bytes.Buffer, d *scored) {
	fmt.Fprintf(w, "%s  %s\n", cli.Clean(d.ID), cli.Clean(d.Title))
	for _, part := range []struct {
		name string
		*partScore
	}{{"description", &d.Description}, {"body", &d.Body}} {
		if part.Words == 0 {
			fmt.Fprintf(w, "  %-11s  no words\n", part.name)
			continue
		}
		verdict := "below "
		if part.Reaches {
			verdict = "reaches"
		}
		fmt.Fprintf(w, "  %-11s  %.4f %s %.4g  %d words, %.0f %% unknown  %s\n", part.name, part.Value, verdict, part.Threshold,
			part.Words, 100*part.OOV, contributions(part.Top))
		if part.Direct != nil {
			fmt.Fprintf(w, "  %-11s  %.10g compiled, %.10g direct, difference %.3g\n", "", part.Value, *part.Direct, math.Abs(part.Value-*part.Direct))
		}
	}
}

// contributions names words with what each adds to a relevance.
func contributions(top []topic.Contribution) string {
	parts := make([]string, len(top))
	for i, c := range top {
		parts[i] = fmt.Sprintf("%s %.4f", cli.Clean(c.Word), c.Value)
		if c.Topic != c.Word {
			parts[i] += " (" + cli.Clean(c.Topic) + ")"
		}
	}
	return strings.Join(parts, ", ")
}

// scoreJSON prints scores as one JSON object, written as they come.
type scoreJSON struct {
	w    *bufio.Writer
	some bool
	err  error
}

func (j *scoreJSON) begin(c *topic.Compiled) {
	j.put(`{"topic":`, c.File.Name)
	j.put(`,"id":`, c.ID)
	j.put(`,"thresholds":`, thresholdsOf(c))
	j.put(`,"documents":[`, nil)
}

func (j *scoreJSON) document(d *scored) error {
	comma := ","
	if !j.some {
		j.some, comma = true, ""
	}
	j.put(comma, d)
	return j.err
}

func (j *scoreJSON) end(sum *scoreSummary) error {
	j.put(`],"summary":`, sum)
	j.put("}\n", nil)
	return errors.Join(j.err, j.w.Flush())
}

// put writes text and, unless it is nil, a value in JSON.
func (j *scoreJSON) put(text string, value any) {
	if j.err != nil {
		return
	}
	if _, j.err = j.w.WriteString(text); j.err != nil || value == nil {
		return
	}
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if j.err = encoder.Encode(value); j.err == nil {
		_, j.err = j.w.Write(bytes.TrimRight(encoded.Bytes(), "\n"))
	}
}

// newScoreWriter prints as JSON or for people.
func newScoreWriter(w io.Writer, asJSON bool) scoreWriter {
	if asJSON {
		return &scoreJSON{w: bufio.NewWriter(w)}
	}
	return &scorePages{w: bufio.NewWriter(w)}
}
