package hownet

import (
	"strconv"
	"strings"
)

// maxSememes bounds the table of distances to 32 MiB; HowNet has 1,592 names.
const maxSememes = 4096

// sememes are the names of the trees and the distances between them. A name may
// have several places.
type sememes struct {
	names   []string
	byName  map[string]int32 // english|中文
	english map[string]int32 // only one half; of several the first
	chinese map[string]int32
	near    *distances
}

// node is a line of WHOLE.DAT.
type node struct {
	line   int
	id     int
	parent int
	name   int32 // index of sememes.names
}

// parseSememes reads WHOLE.DAT. The error is of type *Problems.
func parseSememes(file source) (*sememes, error) {
	text, err := file.text()
	if err != nil {
		return nil, err
	}
	s := &sememes{
		byName:  make(map[string]int32),
		english: make(map[string]int32),
		chinese: make(map[string]int32),
	}
	var problems Problems
	var nodes []node
	for line, row := range file.lines(text, &problems) {
		n, wrong := s.parseNode(row)
		if wrong != "" {
			problems.add(file.name, line, "%s", wrong)
			continue
		}
		if len(nodes) == 2*maxSememes || len(s.names) > maxSememes {
			problems.add(file.name, line, "too many sememes: want at most %d, in %d places", maxSememes, 2*maxSememes)
			break
		}
		n.line = line
		nodes = append(nodes, n)
	}
	parents := linkNodes(file.name, nodes, &problems)
	if len(nodes) == 0 && problems.count() == 0 {
		problems.add(file.name, 0, "no sememes: want lines of number, english|中文, number of the parent")
	}
	if err := problems.err(); err != nil {
		return nil, err
	}
	s.near = measure(nodes, parents, len(s.names))
	return s, nil
}

// parseNode parses a line of WHOLE.DAT, or says what is wrong with it.
func (s *sememes) parseNode(row string) (n node, wrong string) {
	fields := strings.Fields(row)
	if len(fields) != 3 {
		return n, strconv.Itoa(len(fields)) + " fields: want number, english|中文, number of the parent"
	}
	var err, errParent error
	n.id, err = strconv.Atoi(fields[0])
	n.parent, errParent = strconv.Atoi(fields[2])
	if err != nil || errParent != nil {
		return n, "numbers " + strconv.Quote(clip(fields[0])) + " and " + strconv.Quote(clip(fields[2])) +
			": want those of the sememe and of its parent"
	}
	name := fields[1]
	english, chinese, _ := strings.Cut(name, "|")
	if english == "" || chinese == "" || strings.ContainsAny(name, ",(){}=<>") || strings.TrimLeft(name, marks) != name {
		return n, "sememe " + strconv.Quote(clip(name)) + ": want english|中文 without marks, commas, brackets and ="
	}
	n.name = s.intern(name, english, chinese)
	return n, ""
}

// intern returns the index of a name.
func (s *sememes) intern(name, english, chinese string) int32 {
	if i, ok := s.byName[name]; ok {
		return i
	}
	i := int32(len(s.names))
	s.names = append(s.names, name)
	s.byName[name] = i
	if _, ok := s.english[english]; !ok {
		s.english[english] = i
	}
	if _, ok := s.chinese[chinese]; !ok {
		s.chinese[chinese] = i
	}
	return i
}

// find returns the sememe that a definition names. Names are exact if WHOLE.DAT
// has them, or if they are a half that definitions may write alone
// ({AccordingTo}); otherwise one half is misspelt and the other one decides.
func (s *sememes) find(name string) (index int32, exact, ok bool) {
	if i, ok := s.byName[name]; ok {
		return i, true, true
	}
	english, chinese, both := strings.Cut(name, "|")
	if i, ok := s.english[english]; ok {
		return i, !both, true
	}
	if !both {
		chinese = name
	}
	i, ok := s.chinese[chinese]
	return i, !both, ok
}
