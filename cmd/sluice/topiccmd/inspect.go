package topiccmd

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"sluice/cmd/sluice/cli"
	"sluice/shared/text/segment"
	"sluice/shared/topic"
)

// inspectOptions are the flags of topic inspect.
type inspectOptions struct {
	topic  string
	words  []string
	text   string
	fields []string
}

func newTopicInspect(s cli.Streams) *cobra.Command {
	var o inspectOptions
	cmd := &cobra.Command{
		Use:   "inspect TOPIC [WORD…]",
		Short: "Show the parts of a topic, and why a word has its score",
		Long: `Show what a topic is made of: parameters, thresholds, size, and the words that
carry it; for each WORD what it is worth and which topic words give it that, or
why it is worth nothing; with --text the relevance of a text by its words.

TOPIC is a compiled topic or a topic file.`,
		Example: `  sluice topic inspect my.topic 央行 天气
  echo 央行宣布降息 | sluice topic inspect my.topic --text -`,
		Args: cli.WantSome("TOPIC"),
	}
	fl := cmd.Flags()
	fl.StringVar(&o.text, "text", "", "score the text of a `FILE`, or of standard input by -")
	fl.StringArrayVar(&o.fields, "field", nil, "field `NAME` of JSON lines that holds text; repeatable")
	return cli.WithResult(s, cmd, func(ctx context.Context, args []string) (*inspection, error) {
		o.topic, o.words = args[0], args[1:]
		return runInspect(ctx, s, &o)
	}, inspectPage)
}

// inspection is what the command prints as JSON.
type inspection struct {
	Topic      string          `json:"topic"`
	ID         string          `json:"id"`
	Compiled   bool            `json:"compiled"`
	Bytes      int64           `json:"bytes"` // of the file
	TopicWords int             `json:"topic_words"`
	Vocabulary int             `json:"vocabulary"`
	Relevant   int             `json:"relevant"` // words with c above 0
	UserWords  int             `json:"user_words"`
	Thresholds []threshold     `json:"thresholds"`
	Weights    priorityParts   `json:"weights"`
	Meta       topic.Meta      `json:"meta"`
	Heaviest   []topic.Row     `json:"heaviest"`
	Words      []inspectedWord `json:"words"`
	Texts      []scored        `json:"texts"`
}

// priorityParts are the weights of eq. 5.
type priorityParts struct {
	Alpha  float64 `json:"alpha"`
	Beta   float64 `json:"beta"`
	Lambda float64 `json:"lambda"`
}

// inspectedWord is a word, and why it is worth what it is worth.
type inspectedWord struct {
	Word       string        `json:"word"` // as asked
	Form       string        `json:"form"` // as texts yield it
	Vocabulary bool          `json:"in_vocabulary"`
	TopicWord  bool          `json:"topic_word"`
	Value      float64       `json:"value"`  // c
	Weight     float64       `json:"weight"` // w_d; 0, too, where no topic word is similar
	Top        []topic.Share `json:"top"`
	Yields     []string      `json:"yields"` // the words that the segmenter makes of it
	Reason     string        `json:"reason"`
}

func runInspect(ctx context.Context, s cli.Streams, o *inspectOptions) (*inspection, error) {
	c, err := topic.LoadAny(o.topic)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(o.topic)
	if err != nil {
		return nil, fmt.Errorf("read topic: %w", err)
	}
	sc, err := newScorer(c)
	if err != nil {
		return nil, err
	}
	w := c.File.Weights
	result := &inspection{
		Topic: c.File.Name, ID: c.ID, Compiled: isArtifact(o.topic), Bytes: info.Size(),
		TopicWords: len(c.File.Words), Vocabulary: c.Lexicon.Len(), Relevant: relevantWords(c.Lexicon), UserWords: len(c.UserWords),
		Thresholds: thresholdsOf(c), Weights: priorityParts{w.Alpha, w.Beta, w.Lambda}, Meta: c.Meta,
		Heaviest: c.Lexicon.Heaviest(heaviestShown), Words: []inspectedWord{}, Texts: []scored{},
	}
	for _, word := range o.words {
		result.Words = append(result.Words, inspectWord(c, sc.segmenter, word))
	}
	if o.text != "" {
		err = result.scoreText(ctx, s, o, sc)
	}
	return result, err
}

// scoreText adds the relevance of each document of a file.
func (r *inspection) scoreText(ctx context.Context, s cli.Streams, o *inspectOptions, sc *scorer) error {
	source, err := openTexts(s, []string{o.text}, o.fields)
	if err != nil {
		return err
	}
	damage := &skips{w: s.Err}
	for doc, err := range readable(ctx, source, damage.add) {
		if err != nil {
			return err
		}
		r.Texts = append(r.Texts, sc.score(doc))
	}
	damage.end()
	if len(r.Texts) == 0 {
		return fmt.Errorf("there is no text in %s", o.text)
	}
	return nil
}

func relevantWords(l *topic.Lexicon) int {
	n := 0
	for _, value := range l.All() {
		if value > 0 {
			n++
		}
	}
	return n
}

// inspectWord says what a word is worth, and why.
func inspectWord(c *topic.Compiled, segmenter *segment.Segmenter, word string) inspectedWord {
	w := inspectedWord{Word: word, Form: segment.Fold(word), Top: []topic.Share{}, Yields: []string{}}
	form, err := segment.Form(c.File.Language, word)
	if err != nil {
		w.Reason = "no text yields it: " + err.Error()
		return w
	}
	w.Form, w.TopicWord = form, formsOf(c.File)[form]
	w.Yields = append(w.Yields, segmenter.Words(word)...)
	row, ok := c.Lexicon.Row(form)
	if ok {
		w.Vocabulary, w.Value, w.Weight = true, row.Value, row.Weight
		w.Top = append(w.Top, row.Top...)
	}
	w.Reason = whyWorth(&w)
	return w
}

// whyWorth says in words what decides about a word.
func whyWorth(w *inspectedWord) string {
	single := len(w.Yields) == 1 && w.Yields[0] == w.Form
	var reason string
	switch {
	case !w.Vocabulary && single:
		reason = "not in the vocabulary: c is 0, and it counts in M and as oov"
	case !w.Vocabulary:
		reason = "not in the vocabulary"
	case w.Value > 0 && w.TopicWord:
		reason = "a topic word"
	case w.Value > 0:
		reason = "similar to topic words"
	case len(w.Top) > 0 || w.TopicWord:
		reason = "it weighs nothing: c is 0"
	default:
		reason = "in the vocabulary, but similar to no topic word, or of no weight: c is 0"
	}
	switch {
	case single:
	case len(w.Yields) == 0:
		reason += "; texts never yield it: it is a stop word or carries no content"
	default:
		reason += "; texts yield it in other pieces"
	}
	return reason
}
