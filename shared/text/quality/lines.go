package quality

// lines is what the lines of a text, and the sentences in them, are like.
type lines struct {
	line line

	count, characters       int
	short, sentence, dotted int // lines
	inCode                  int // characters

	sentences copies
}

const (
	narrow = 30 // columns: FineWeb's short line
	// codeMarks is how many characters of a line of code have one sign of
	// code among them, at least: prose has next to none.
	codeMarks = 10
)

// line is the current line.
type line struct {
	size    int // characters
	columns int
	marks   int  // signs of code
	points  int  // in a row, at the end
	last    kind // of its characters, but for closing quotes and brackets
	before  rune
}

func (l *lines) add(r rune, k kind) {
	n := &l.line
	n.size++
	n.columns++
	if k.isWide() {
		n.columns++
	}
	if !k.isCloser() {
		n.last = k
		if n.points++; k != point {
			n.points = 0
		}
	}
	if k == mark || r == ';' || (r == '(' || r == '[') && isASCIILetter(n.before) || n.before == '.' && isASCIILetter(r) {
		n.marks++
	}
	n.before = r
}

// end ends the current line.
func (l *lines) end() {
	n := &l.line
	if n.size == 0 {
		return
	}
	l.count++
	l.characters += n.size
	if n.columns < narrow {
		l.short++
	}
	if n.last.endsSentence() {
		l.sentence++
	}
	if n.last == ellipsis || n.points >= 3 {
		l.dotted++
	}
	if n.marks*codeMarks >= n.size {
		l.inCode += n.size
	}
	*n = line{}
}

func (l *lines) report(s *Signals) {
	s.Lines = l.count
	s.ShortLines, s.SentenceLines, s.EllipsisLines = share(l.short, l.count), share(l.sentence, l.count), share(l.dotted, l.count)
	s.Code, s.DuplicateSentences = share(l.inCode, l.characters), share(l.sentences.again, l.characters)
}

func isASCIILetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
