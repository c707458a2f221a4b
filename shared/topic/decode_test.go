package topic

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// mend makes size and checksum right again.
func mend(data []byte) []byte {
	if len(data) < headerSize+sha256.Size {
		return data
	}
	body := slices.Clone(data[:len(data)-sha256.Size])
	binary.LittleEndian.PutUint64(body[len(magic)+4:], uint64(len(data)))
	sum := sha256.Sum256(body)
	return append(body, sum[:]...)
}

// section returns the start and end of a section's content.
func section(tb testing.TB, data []byte, tag string) (start, end int) {
	tb.Helper()
	for at := headerSize; at < len(data)-sha256.Size; {
		size := int(binary.LittleEndian.Uint64(data[at+4:]))
		if string(data[at:at+4]) == tag {
			return at + 12, at + 12 + size
		}
		at += 12 + size
	}
	tb.Fatalf("no section %s", tag)
	return 0, 0
}

// replace puts other content into a section.
func replace(tb testing.TB, data []byte, tag string, change func(content []byte) []byte) []byte {
	tb.Helper()
	start, end := section(tb, data, tag)
	content := change(slices.Clone(data[start:end]))
	size := binary.LittleEndian.AppendUint64(nil, uint64(len(content)))
	return mend(slices.Concat(data[:start-8], size, content, data[end:]))
}

func TestDecodeRefuses(t *testing.T) {
	good := encode(t, money(t))
	edit := func(tag string, change func([]byte) []byte) []byte { return replace(t, good, tag, change) }
	swap := func(old, by string) func([]byte) []byte {
		return func(b []byte) []byte {
			if !bytes.Contains(b, []byte(old)) {
				t.Fatalf("no %q in %q", old, b)
			}
			return bytes.Replace(b, []byte(old), []byte(by), 1)
		}
	}
	set := func(at int, x byte) func([]byte) []byte {
		return func(b []byte) []byte { b[at] = x; return b }
	}
	put := func(x float64) func([]byte) []byte {
		return func(b []byte) []byte { return appendNumber(b[:len(b)-8], x) }
	}
	shorter := func(b []byte) []byte { return b[:len(b)-1] }
	list := func(words ...string) func([]byte) []byte {
		return func([]byte) []byte { return newWordList(words).bytes() }
	}
	header := func(at int, x byte) []byte {
		data := slices.Clone(good)
		data[at] = x
		return data
	}
	metaStart, _ := section(t, good, sectionMeta)
	for _, test := range []struct {
		name string
		data []byte
		want error
		says string
	}{
		{"nothing", nil, errNotArtifact, ""},
		{"a topic file", []byte(compiledYAML), errNotArtifact, ""},
		{"converted line ends", bytes.Replace(good, []byte("\n"), []byte("\r\n"), 1), errDamaged, "copied as text"},
		{"the magic alone", []byte(magic), ErrTruncated, ""},
		{"half of it", good[:len(good)/2], ErrTruncated, "bytes are there"},
		{"without its last byte", good[:len(good)-1], ErrTruncated, ""},
		{"a byte more", append(slices.Clone(good), 0), errDamaged, "1 bytes follow"},
		{"a later version", header(len(magic), 9), ErrVersion, "it is 9, this program reads 1: compile the topic again"},
		{"a size beyond all", header(len(magic)+10, 0xff), errDamaged, "size"},
		{"no size", mend(good)[:headerSize+3], ErrTruncated, ""},
		{"a flipped bit", header(metaStart+5, 'X'), errDamaged, "checksum"},
		{"an unknown section", mend(header(metaStart-12, 'X')), errDamaged, `"XETA"`},
		{"an endless section", mend(header(metaStart-2, 0xff)), errDamaged, "too long"},
		{"a section too many", mend(slices.Concat(good[:len(good)-sha256.Size], []byte("MOREabcdefgh"), good[len(good)-sha256.Size:])), errDamaged, "unknown sections"},
		{"a section less", mend(good[:len(good)-sha256.Size-72-12+sha256.Size]), errDamaged, ""},
		{"other JSON", edit(sectionMeta, swap(`"version"`, `"vorsion"`)), errDamaged, "unknown field"},
		{"two JSON values", edit(sectionMeta, func(b []byte) []byte { return append(b, "{}"...) }), errDamaged, "more than one"},
		{"deep JSON", edit(sectionMeta, func([]byte) []byte { return bytes.Repeat([]byte(`{"calibration":`), 20_000) }), errDamaged, "depth"},
		{"endless JSON", edit(sectionMeta, func(b []byte) []byte { return append(b, bytes.Repeat([]byte{' '}, maxJSON)...) }), errDamaged, "at most"},
		{"another language", edit(sectionMeta, swap(`"zh"`, `"en"`)), errDamaged, "another topic"},
		{"an invalid name", edit(sectionFile, swap("money", "MONEY")), errDamaged, "name is"},
		{"a weight below 0", edit(sectionFile, swap(`"Weight":2`, `"Weight":-2`)), errDamaged, "weight of"},
		{"lambda above the threshold", edit(sectionFile, swap(`"Lambda":0.06`, `"Lambda":0.6`)), errDamaged, "lambda is"},
		{"an invalid seed", edit(sectionFile, swap("https:", "javas:")), errDamaged, "seed is"},
		{"no pages", edit(sectionFile, swap(`"MaxPages":10000`, `"MaxPages":-1`)), errDamaged, "max_pages is"},
		{"an unfolded word", edit(sectionFile, swap("股市", "Ａ股")), errDamaged, "form"},
		{"user words cut off", edit(sectionUser, shorter), errDamaged, "user words"},
		{"no list at all", edit(sectionUser, func([]byte) []byte { return nil }), errDamaged, "user words"},
		{"four billion user words", edit(sectionUser, func(b []byte) []byte { return append([]byte{0xff, 0xff, 0xff, 0xff}, b...) }), errDamaged, "no room"},
		{"an invalid user word", edit(sectionUser, list("央行", "!")), errDamaged, "not a word"},
		{"characters cut in two", edit(sectionTerms, list("a", "\xe8\x82", "\xa1")), errDamaged, "UTF-8"},
		{"not UTF-8", edit(sectionWords, list("a", "b", "c", "d", "e", "\xff")), errDamaged, "UTF-8"},
		{"a word beyond the text", edit(sectionWords, set(9, 0xff)), errDamaged, "word"},
		{"words out of order", edit(sectionWords, list("b", "a", "c", "d", "e", "f")), errDamaged, "order"},
		{"a word twice", edit(sectionWords, list("b", "c", "d", "e", "f", "b")), errDamaged, "not found"},
		{"other words", edit(sectionWords, list("b", "c", "d", "e", "f", "a")), errDamaged, "not found"},
		{"a word less", edit(sectionWords, list("b", "c", "d", "e", "f")), errDamaged, "slots"},
		{"topic words out of order", edit(sectionTerms, list("b", "a", "c")), errDamaged, "order"},
		{"a topic word less", edit(sectionTerms, list("a", "b")), errDamaged, "topic words"},
		{"a weight that is no number", edit(sectionWeights, put(math.NaN())), errDamaged, "NaN"},
		{"a value below 0", edit(sectionValues, put(-1)), errDamaged, "is -1"},
		{"a value whose sums are infinite", edit(sectionValues, put(1e308)), errDamaged, "is 1e+308"},
		{"an infinite value", edit(sectionValues, put(math.Inf(1))), errDamaged, "+Inf"},
		{"a word's weight that is no number", edit(sectionRows, put(math.NaN())), errDamaged, "NaN"},
		{"a value less", edit(sectionValues, func(b []byte) []byte { return b[8:] }), errDamaged, "values"},
		{"half a value", edit(sectionValues, func(b []byte) []byte { return append(b, 0) }), errDamaged, "bytes"},
		{"values for no words", edit(sectionValues, func([]byte) []byte { return make([]byte, 800) }), errDamaged, "values"},
		{"an unknown topic word", edit(sectionShares, set(0, 4)), errDamaged, "topic word 3 of 3"},
		{"a similarity that is no number", edit(sectionShares, func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[4:], math.Float32bits(float32(math.NaN())))
			return b
		}), errDamaged, "similarity"},
		{"full slots", edit(sectionSlots, func(b []byte) []byte { return bytes.Repeat([]byte{1, 0, 0, 0}, len(b)/4) }), errDamaged, "slots"},
		{"empty slots", edit(sectionSlots, func(b []byte) []byte { return make([]byte, len(b)) }), errDamaged, "slots"},
		{"slots to nowhere", edit(sectionSlots, func(b []byte) []byte { return bytes.Repeat([]byte{0xff, 0, 0, 0}, len(b)/4) }), errDamaged, "row"},
		{"a slot less", edit(sectionSlots, func(b []byte) []byte { return b[4:] }), errDamaged, "slots"},
		{"slots turned", edit(sectionSlots, func(b []byte) []byte { return slices.Concat(b[4:], b[:4]) }), errDamaged, "not found"},
		{"another dictionary", edit(sectionMeta, swap(`"d1"`, `"d2"`)), ErrSegmenter, "compile it again (other: dictionary (d2, here d1))"},
		{"other rules and stop words", edit(sectionMeta, func(b []byte) []byte {
			return swap(`"s1"`, `""`)(swap(`"rules":"zh"`, `"rules":"x"`)(b))
		}), ErrSegmenter, "stop words (none, here s1), rules (x, here zh)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := decodeFor(test.data, atHand)
			if c != nil || !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("Decode = %v, %v; want %v: %q", c, err, test.want, test.says)
			}
		})
	}
}

// An artifact with any bit flipped, or truncated anywhere, is refused.
func TestDecodeRefusesAnyDamage(t *testing.T) {
	good := encode(t, money(t))
	refuses := func(what string, at int, data []byte) {
		c, err := decodeFor(data, atHand)
		known := slices.ContainsFunc([]error{errNotArtifact, ErrVersion, ErrTruncated, errDamaged}, func(want error) bool {
			return errors.Is(err, want)
		})
		if c != nil || !known {
			t.Fatalf("%s %d: Decode = %v, %v", what, at, c, err)
		}
	}
	for at := range good {
		refuses("cut off at byte", at, good[:at])
		for bit := range 8 {
			data := slices.Clone(good)
			data[at] ^= 1 << bit
			refuses("a flipped bit in byte", at, data)
		}
	}
}

// Input with the right checksum is refused, or safe to use.
func FuzzDecode(f *testing.F) {
	good := encode(f, money(f))
	f.Add(good)
	for _, tag := range sectionTags {
		start, end := section(f, good, tag)
		f.Add(replace(f, good, tag, func(b []byte) []byte { return b[:len(b)/2] }))
		data := slices.Clone(good)
		data[(start+end)/2] ^= 0x11
		f.Add(data)
	}
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := decodeFor(mend(data), atHand)
		if err != nil {
			return
		}
		for word, value := range c.Lexicon.All() {
			row, ok := c.Lexicon.Row(word)
			if !ok || row.Value != value {
				t.Fatalf("Row(%q) = %v, %v; want %v", word, row, ok, value)
			}
			c.Lexicon.Rel([]string{word, word + "x"})
		}
		c.Lexicon.Heaviest(10)
		c.Lexicon.MatchAnchor("今日央行公告")
		again, err := Encode(c)
		if err != nil {
			t.Fatalf("what Decode accepts Encode refuses: %v", err)
		}
		if _, err := decodeFor(again, atHand); err != nil {
			t.Fatal(err)
		}
	})
}
