package demo

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// The texts of the demo web, one file per subject. A file is lines:
//
//	# a comment
//	[slots]                     what replaces {name} in the patterns below
//	city = Lan | Qing | Wang    one of these; {city2} is a different one
//	count = 12-48               a number of that range; 0.5-2.5 has one decimal
//	[story]                     one thing that can have happened; or [bridge]
//	title: …                    exactly one of each of title, desc and keys
//	desc: …
//	keys: a, b, c
//	p: …                        the paragraphs that tell it, in order
//	[common]                    paragraphs that fit any story of the subject
//	p: …
//
// A bridge is a story of this subject whose title happens to speak of money.
//
//go:embed texts/*.txt
var textFiles embed.FS

// subject is one parsed text file.
type subject struct {
	name    string
	slots   map[string]slot
	stories []story
	bridges []story
	common  []string
}

// story holds the patterns of one article.
type story struct {
	title, desc, keys string
	paras             []string
}

// slot defines the values of a {name}: one of values or, without any, a number
// between lo and hi, in units of 1/scale.
type slot struct {
	values        []string
	lo, hi, scale int
}

var (
	// slotRef is {name} or {name2} … {name9}, which have different values.
	slotRef   = regexp.MustCompile(`\{([^{}0-9]+)([2-9]?)\}`)
	slotRange = regexp.MustCompile(`^([0-9]{1,6})(?:\.([0-9]))?-([0-9]{1,6})(?:\.([0-9]))?$`)
)

// loadSubjects parses the embedded files. The simplified ones share the
// slots of shared.txt.
func loadSubjects() (map[string]*subject, error) {
	shared, err := loadSubject("shared", nil)
	if err != nil {
		return nil, err
	}
	subjects := map[string]*subject{}
	for _, name := range []string{"finance", "sports", "education", "travel", "food",
		"culture", "technology", "health", "local", "finance-hant", "life-hant"} {
		if subjects[name], err = loadSubject(name, shared.slots); err != nil {
			return nil, err
		}
	}
	return subjects, nil
}

func loadSubject(name string, base map[string]slot) (*subject, error) {
	text, err := textFiles.ReadFile("texts/" + name + ".txt")
	if err != nil {
		return nil, fmt.Errorf("read text: %w", err)
	}
	s, err := parseSubject(name, bytes.NewReader(text), base)
	if err != nil {
		return nil, fmt.Errorf("parse texts/%s.txt: %w", name, err)
	}
	return s, nil
}

// parseSubject reads one text file. Its own slots go before those of base.
// Every slot that a pattern names exists and has enough values: composing
// from the result cannot fail.
func parseSubject(name string, r io.Reader, base map[string]slot) (*subject, error) {
	s := &subject{name: name, slots: map[string]slot{}}
	for k, v := range base {
		s.slots[k] = v
	}
	section := ""
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			section = line
			if err := s.open(section); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		default:
			if err := s.add(section, line); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read line: %w", err)
	}
	return s, s.check()
}

// open begins a section.
func (s *subject) open(section string) error {
	switch section {
	case "[story]":
		s.stories = append(s.stories, story{})
	case "[bridge]":
		s.bridges = append(s.bridges, story{})
	case "[slots]", "[common]":
	default:
		return fmt.Errorf("unknown section %s", section)
	}
	return nil
}

// add puts one line into the section that is open.
func (s *subject) add(section, line string) error {
	if section == "[slots]" {
		return s.addSlot(line)
	}
	field, value, ok := strings.Cut(line, ": ")
	value = strings.TrimSpace(value)
	if !ok || value == "" {
		return fmt.Errorf("want \"field: text\", have %q", line)
	}
	switch {
	case section == "[common]" && field == "p":
		s.common = append(s.common, value)
		return nil
	case section == "[story]":
		return s.stories[len(s.stories)-1].add(field, value)
	case section == "[bridge]":
		return s.bridges[len(s.bridges)-1].add(field, value)
	}
	return fmt.Errorf("field %q has no place here", field)
}

func (st *story) add(field, value string) error {
	if field == "p" {
		st.paras = append(st.paras, value)
		return nil
	}
	at := map[string]*string{"title": &st.title, "desc": &st.desc, "keys": &st.keys}[field]
	if at == nil || *at != "" {
		return fmt.Errorf("unknown or repeated field %q", field)
	}
	*at = value
	return nil
}

func (s *subject) addSlot(line string) error {
	name, value, ok := strings.Cut(line, " = ")
	if !ok || !slotRef.MatchString("{"+name+"}") {
		return fmt.Errorf("want \"name = values\", have %q", line)
	}
	if m := slotRange.FindStringSubmatch(value); m != nil {
		s.slots[name] = rangeSlot(m)
		return nil
	}
	var values []string
	for v := range strings.SplitSeq(value, "|") {
		v = strings.TrimSpace(v)
		if v == "" || strings.ContainsAny(v, "{}") {
			return fmt.Errorf("slot %s has a bad value %q", name, v)
		}
		values = append(values, v)
	}
	s.slots[name] = slot{values: values}
	return nil
}

// rangeSlot builds a slot from the groups of slotRange: whole and tenth of
// either end. It swaps the ends of a reversed range.
func rangeSlot(m []string) slot {
	num := func(digits string) int { n, _ := strconv.Atoi(digits); return n }
	sl := slot{lo: num(m[1]), hi: num(m[3]), scale: 1}
	if m[2]+m[4] != "" {
		sl = slot{lo: sl.lo*10 + num(m[2]), hi: sl.hi*10 + num(m[4]), scale: 10}
	}
	return slot{lo: min(sl.lo, sl.hi), hi: max(sl.lo, sl.hi), scale: sl.scale}
}

// check finds incomplete stories and patterns that name slots which are not
// there or too short.
func (s *subject) check() error {
	patterns := append([]string(nil), s.common...)
	for _, st := range append(append([]story(nil), s.stories...), s.bridges...) {
		if st.title == "" || st.desc == "" || st.keys == "" || len(st.paras) == 0 {
			return fmt.Errorf("story %q is incomplete", st.title)
		}
		patterns = append(append(patterns, st.title, st.desc, st.keys), st.paras...)
	}
	for _, p := range patterns {
		if rest := slotRef.ReplaceAllString(p, ""); strings.ContainsAny(rest, "{}") {
			return fmt.Errorf("pattern %q has a bad slot", p)
		}
		for _, m := range slotRef.FindAllStringSubmatch(p, -1) {
			sl, ok := s.slots[m[1]]
			if !ok || sl.values != nil && ordinal(m[2]) >= len(sl.values) {
				return fmt.Errorf("pattern %q: no slot for %s", p, m[0])
			}
		}
	}
	return nil
}

// ordinal is 0 for {name}, 1 for {name2} and so on.
func ordinal(suffix string) int {
	if suffix == "" {
		return 0
	}
	return int(suffix[0]-'0') - 1
}
