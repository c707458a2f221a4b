package quality

// lines is what the lines of a text, and the paragraphs and sentences made of
// them, are like.
type lines struct {
	line      line
	paragraph block
	parted    bool // a blank line has ended a paragraph
	blank     bool // and so has this one, unless nothing follows

	count, characters               int
	short, sentence, bullet, dotted int // lines
	inCode                          int // characters
	lengths                         [maxLength + 1]int32

	different, paragraphs, sentences copies
}

const (
	maxLength = 1000 // of lines that are told apart
	narrow    = 30   // columns: FineWeb's short line
	// codeMarks is how many characters of a line of code have one sign of
	// code among them, at least: prose has next to none.
	codeMarks = 10
)

// line is the current line.
type line struct {
	block
	columns int
	marks   int  // signs of code
	points  int  // in a row, at the end
	first   kind // of its characters
	last    kind // but for closing quotes and brackets
	before  rune
}

func (l *lines) add(r rune, k kind) {
	n := &l.line
	if n.size == 0 {
		n.first = k
		if r == '-' || r == '*' {
			n.first = bullet
		}
	}
	n.add(uint64(r), 1)
	n.columns++
	if k.isWide() {
		n.columns++
	}
	if k == point {
		n.points++
	} else if !k.isCloser() {
		n.points = 0
	}
	if !k.isCloser() {
		n.last = k
	}
	if k == mark || r == ';' || (r == '(' || r == '[') && isASCIILetter(n.before) || n.before == '.' && isASCIILetter(r) {
		n.marks++
	}
	n.before = r
}

// addWord adds a word as a whole.
func (l *lines) addWord(hash uint64, size int) {
	n := &l.line
	if n.size == 0 {
		n.first = letter
	}
	n.add(hash, size)
	n.columns += size
	n.last, n.points, n.before = letter, 0, 0
}

// end ends the current line. One without characters ends the paragraph.
func (l *lines) end() {
	n := &l.line
	if n.size == 0 {
		l.blank = true
		return
	}
	if l.blank {
		l.parted = l.parted || l.paragraph.size > 0
		l.endParagraph()
	}
	l.count++
	l.characters += n.size
	l.lengths[min(n.size, maxLength)]++
	if n.columns < narrow {
		l.short++
	}
	if n.last.endsSentence() {
		l.sentence++
	}
	if n.first == bullet {
		l.bullet++
	}
	if n.last == ellipsis || n.points >= 3 {
		l.dotted++
	}
	if n.marks*codeMarks >= n.size {
		l.inCode += n.size
	}
	l.different.count(n.block)
	l.paragraph.add(n.hash, n.size)
	*n = line{}
}

func (l *lines) endParagraph() {
	l.paragraphs.count(l.paragraph)
	l.paragraph, l.blank = block{}, false
}

// median returns the lower median of the lengths.
func (l *lines) median() int {
	left := (l.count + 1) / 2
	for length, n := range l.lengths {
		if left -= int(n); left <= 0 {
			return length
		}
	}
	return 0
}

func (l *lines) report(s *Signals) {
	s.Lines, s.MeanLine, s.MedianLine = l.count, share(l.characters, l.count), l.median()
	s.ShortLines, s.SentenceLines = share(l.short, l.count), share(l.sentence, l.count)
	s.BulletLines, s.EllipsisLines = share(l.bullet, l.count), share(l.dotted, l.count)
	s.Code = share(l.inCode, l.characters)
	s.DuplicateLines = share(l.different.again, l.characters)
	s.DuplicateSentences = share(l.sentences.again, l.characters)
	s.DuplicateParagraphs = s.DuplicateLines
	if l.parted {
		s.DuplicateParagraphs = share(l.paragraphs.again, l.characters)
	}
}

func isASCIILetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
