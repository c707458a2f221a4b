package wordvec

import (
	"bytes"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// rowsOf returns vectors in a form that cmp.Diff can show.
func rowsOf(v *Vectors) map[string][]float32 {
	rows := make(map[string][]float32)
	for i, word := range v.words {
		rows[word] = v.row(i)
	}
	return rows
}

func mustRead(t testing.TB, text string) *Vectors {
	t.Helper()
	v, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

const (
	one  = "\x00\x00\x80\x3f" // 1 as little-endian float32
	half = "\x00\x00\x00\xbf" // -0.5
	nan  = "\x00\x00\xc0\x7f"
)

// bzipped is the vectors of TestRead, compressed: no library here writes bzip2.
const bzipped = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\xbd\xae\x12\x2d\x00\x00\x08\xd9\xa9\x00\x10\x40\x03\x72" +
	"\x00\x02\x40\x04\x00\x01\x80\x40\x08\x01\x20\x20\x00\x31\x43\x4d\x30\x00\x35\x18\x8c\x43\x09\xa5" +
	"\x52\x63\x94\xd8\x70\xc0\xb0\xce\x39\xd3\xab\x9a\x4b\xf8\xbb\x92\x29\xc2\x84\x85\xed\x70\x91\x68"

func TestRead(t *testing.T) {
	want := map[string][]float32{"新闻": {1, -0.5}, "the": {-0.5, 1}}
	tests := []struct{ name, input string }{
		{"word2vec text", "2 2\n新闻 1 -0.5\nthe -0.5 1\n"},
		{"no line end", "2 2\n新闻 1 -0.5\nthe -0.5 1"},
		{"trailing spaces, as word2vec and fastText write", "2 2\n新闻 1 -0.5 \nthe -0.5 1 \n"},
		{"windows line ends", "2 2\r\n新闻 1 -0.5\r\nthe -0.5 1\r\n"},
		{"tabs", "2 2\n新闻\t1\t-0.5\nthe\t-0.5\t1\n"},
		{"exponents and signs", "2 2\n新闻 +1e0 -5E-1\nthe -.5 10e-1\n"},
		{"empty lines behind", "2 2\n新闻 1 -0.5\nthe -0.5 1\n\n\n"},
		{"no header", "新闻 1 -0.5\nthe -0.5 1\n"},
		{"a word twice", "3 2\n新闻 1 -0.5\n新闻 7 7\nthe -0.5 1\n"},
		{"byte order mark", "\uFEFF2 2\n新闻 1 -0.5\nthe -0.5 1\n"},
		{"byte order mark, no header", "\uFEFF新闻 1 -0.5\nthe -0.5 1\n"},
		{"bzip2", bzipped},
		{"binary", "2 2\n新闻 " + one + half + "\nthe " + half + one + "\n"},
		{"binary without line ends", "2 2\n新闻 " + one + half + "the " + half + one},
		{"binary, a word twice", "3 2\n新闻 " + one + half + "the " + half + one + "the " + one + one},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := mustRead(t, tt.input)
			if diff := cmp.Diff(want, rowsOf(v)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{"新闻", "the"}, v.Words()); diff != "" || v.Len() != 2 || v.Dim() != 2 {
				t.Errorf("%d words of %d components (-want +got):\n%s", v.Len(), v.Dim(), diff)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"nothing", "", "empty"},
		{"blanks", " \n\n", "empty"},
		{"header alone", "2 2\n", "line 2: the header says 2 words, the text ends after 0"},
		{"no words", "0 100\n", "line 1: the header says 0 words"},
		{"negative dimension", "1 -1\nx 1\n", "line 1"},
		{"absurd count", "1000000000000 100\nx 1\n", "line 2: word \"x\" has 1 values: want 100"},
		{"absurd count, binary", "1000000000000 1\nx \x01\x02\x03\x04", "byte 22: the header says 1000000000000 words, the file ends after 1"},
		{"absurd dimension", "1 1000000000000\nx 1\n", "line 1: the header says 1 words of 1000000000000 components"},
		{"too few rows", "3 1\nx 1\ny 1\n", "line 4: the header says 3 words, the text ends after 2"},
		{"too many rows", "1 1\nx 1\ny 1\n", "line 3: the header says 1 words, here is one more"},
		{"short row", "2 2\nx 1 2\ny 1\n", `line 3: word "y" has 1 values: want 2`},
		{"long row", "2 2\nx 1 2\ny 1 2 3\n", `line 3: word "y" has 3 values: want 2`},
		{"word without row", "新闻\n", "line 1"},
		{"short row without header", "x 1 2 3\ny 1 2\n", `line 2: word "y" has 2 values: want 3`},
		{"empty line", "2 1\nx 1\n\ny 1\n", "line 3: the line is empty"},
		{"no number", "2 1\nx 1\ny a\n", `line 3: word "y" has the value "a"`},
		{"hexadecimal", "2 1\nx 1\ny 0x1p2\n", "line 3"},
		{"nan", "2 1\nx 1\ny nan\n", "line 3"},
		{"nan first", "1 1\nx NaN\n", "line 2"},
		{"infinite", "2 1\nx 1\ny -inf\n", "line 3"},
		{"overflow", "2 1\nx 1\ny 1e99\n", "line 3"},
		{"huge", "2 1\nx 1\ny 1e30\n", "line 3"},
		{"long word", "1 1\n" + strings.Repeat("x", maxWord+1) + " 1\n", "line 2: word"},
		{"long line", "1 1\nx " + strings.Repeat("1", 2*maxLine) + "\n", "line 2 is longer than"},
		{"prose", "A paragraph of text.\nAnd another.\n", "line 1"},
		{"binary, cut in a row", "2 2\nx " + one + half + "y " + one, "byte 16: the header says 2 words, the file ends after 1"},
		{"binary, cut in a word", "2 2\nx " + one + half + "\ny", "byte 14: the header says 2 words, the file ends after 1"},
		{"binary, more rows", "1 2\nx " + one + half + "y " + one + half, "byte 14: the header says 1 words, here is more"},
		{"binary, nan", "1 2\nx " + one + nan, "byte 4: word \"x\" has the value NaN"},
		{"binary, empty word", "1 2\n " + one + nan, "byte 4: empty word"},
		{"binary, long word", "1 2\n" + strings.Repeat("\x01", maxWord+2) + " " + one + one, "byte 4: no word of at most"},
		{"binary, tab in a word", "1 2\na\tb " + one + one, "byte 4"},
		{"zip", "PK\x03\x04\x14\x00", "unpack it"},
		{"xz", "\xFD7zXZ\x00\x00", "unpack it"},
		{"model of fastText", "\xBA\x16\x4F\x2F\x0C\x00\x00\x00", "take the .vec"},
		{"array of NumPy", "\x93NUMPY\x01\x00", "word2vec's format"},
		{"UTF-16", "\xFF\xFE1\x00 \x001\x00\n\x00", "UTF-8"},
		{"damaged bzip2", bzipped[:40], "bzip2 data invalid"},
		{"damaged gzip", "\x1f\x8b\x08\x00\x01", "EOF"},
		{"damaged zstd", "\x28\xb5\x2f\xfd\x01\x02", "EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Read(strings.NewReader(tt.input))
			if err == nil {
				t.Fatalf("no error, but %d words", v.Len())
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "read vectors: ") {
				t.Errorf("error %q does not say %q", err, tt.want)
			}
			if len(err.Error()) > 300 {
				t.Errorf("error of %d bytes", len(err.Error()))
			}
		})
	}
}

// TestReadTellsFormatsApart has rows that look like the other format.
func TestReadTellsFormatsApart(t *testing.T) {
	tests := []struct {
		name, input string
		want        map[string][]float32
	}{
		{"a line end in the first float", "1 2\nx \n\x00\x80\x3f" + half, map[string][]float32{"x": {math.Float32frombits(0x3f80000a), -0.5}}},
		{"text before a line end in a float", "1 2\nx 1\n\x80\x3f" + half, map[string][]float32{"x": {math.Float32frombits(0x3f800a31), -0.5}}},
		{"a control character in the next word", "2 1\nx 1\n\x01 2\n", map[string][]float32{"x": {1}, "\x01": {2}}},
		{"a word that is no UTF-8", "1 1\n\xff 1\n", map[string][]float32{"\xff": {1}}},
		{"words that are numbers", "2 1\n1 1\n2 2\n", map[string][]float32{"1": {1}, "2": {2}}},
		{"a first line without header that has three numbers", "1 1 1\n2 2 2\n", map[string][]float32{"1": {1, 1}, "2": {2, 2}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, rowsOf(mustRead(t, tt.input))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// odd has the values that formats lose first.
func odd(t testing.TB) *Vectors {
	t.Helper()
	return vectorsOf(t, 3, map[string][]float32{
		"a":        {math.SmallestNonzeroFloat32, 1.0 / 3, -maxValue},
		"<b>":      {0, float32(math.Copysign(0, -1)), 16777217},
		"新\u3000闻": {0.1, 1e-30, 3.4028e-20},
		"\xff":     {1, 2, 3},
		"2":        {4, 5, 6},
	})
}

// vectorsOf returns the rows as vectors, by word.
func vectorsOf(t testing.TB, dim int, rows map[string][]float32) *Vectors {
	t.Helper()
	filled := newTable(0, dim)
	for _, word := range slices.Sorted(maps.Keys(rows)) {
		filled.values = append(filled.values, rows[word]...)
		if err := filled.add(word); err != nil {
			t.Fatal(err)
		}
	}
	return filled.vectors()
}

func sameBits(a, b *Vectors) string {
	bits := func(v *Vectors) (list []uint32) {
		for _, x := range v.values {
			list = append(list, math.Float32bits(x))
		}
		return list
	}
	return cmp.Diff(a.words, b.words) + cmp.Diff(bits(a), bits(b))
}

func TestRoundTrips(t *testing.T) {
	v := odd(t)
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":   func(b *bytes.Buffer) error { return v.WriteText(b) },
		"binary": func(b *bytes.Buffer) error { return v.WriteBinary(b) },
	} {
		var plain, gz, zst bytes.Buffer
		if err := write(&plain); err != nil {
			t.Fatal(err)
		}
		g := gzip.NewWriter(&gz)
		_, _ = g.Write(plain.Bytes())
		_ = g.Close()
		z, _ := zstd.NewWriter(&zst)
		_, _ = z.Write(plain.Bytes())
		_ = z.Close()
		for suffix, data := range map[string][]byte{"": plain.Bytes(), ".gz": gz.Bytes(), ".zst": zst.Bytes()} {
			t.Run(name+suffix, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "v.vec"+suffix)
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				got, err := Load(path)
				if err != nil {
					t.Fatal(err)
				}
				if diff := sameBits(v, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestLoadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad.vec")
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "bad.vec") {
		t.Errorf("missing file: %v", err)
	}
	if err := os.WriteFile(path, []byte("1 1\nx y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "bad.vec") || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("damaged file: %v", err)
	}
}

// A header's promise makes room for four times the rows read so far, not for
// all of them, nor for a few more each time.
func TestMakeRoom(t *testing.T) {
	const dim, rows = 64, 1 << 17
	for _, tt := range []struct {
		name  string
		count int64
		moves int // of the rows, at most
	}{
		{"the truth", rows, 2},
		{"a lie", 1 << 60, 2},
		{"no header", 0, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			values, moves := newTable(tt.count, dim), 0
			for i := range rows {
				before := cap(values.values)
				values.makeRoom()
				values.values = append(values.values, make([]float32, dim)...)
				if err := values.add(strconv.Itoa(i)); err != nil {
					t.Fatal(err)
				}
				if cap(values.values) != before {
					moves++
				}
			}
			if moves > tt.moves || cap(values.values) > 5*dim*rows {
				t.Errorf("the rows moved %d times, to room for %d", moves, cap(values.values)/dim)
			}
		})
	}
}

// FuzzRead checks that vectors accepted by Read survive both formats to the
// bit.
func FuzzRead(f *testing.F) {
	f.Add([]byte("2 2\n新闻 1 -0.5\nthe -0.5 1\n"))
	f.Add([]byte("新闻 1 -0.5\nthe -0.5 1\n"))
	f.Add([]byte("2 2\n新闻 " + one + half + "\nthe " + half + one + "\n"))
	f.Add([]byte("1000000000000 1\nx \x01\x02\x03\x04"))
	f.Add([]byte("1 1\nx 1 \r\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		if v.Len() == 0 || v.Dim() == 0 || len(v.values) != v.Len()*v.Dim() {
			t.Fatalf("%d words, %d components, %d values", v.Len(), v.Dim(), len(v.values))
		}
		var text, binary bytes.Buffer
		if err := v.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if err := v.WriteBinary(&binary); err != nil {
			t.Fatal(err)
		}
		got, err := Read(&text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := sameBits(v, got); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
		// A row of bytes that are all digits would be taken for text.
		if _, rows, _ := bytes.Cut(binary.Bytes(), []byte("\n")); isTextRow(rows, v.Dim()) {
			return
		}
		if got, err = Read(&binary); err != nil {
			t.Fatal(err)
		}
		if diff := sameBits(v, got); diff != "" {
			t.Errorf("binary (-want +got):\n%s", diff)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	v := random(5_000, 100)
	var text, binary bytes.Buffer
	_ = v.WriteText(&text)
	_ = v.WriteBinary(&binary)
	for name, data := range map[string][]byte{"text": text.Bytes(), "binary": binary.Bytes()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Read(bytes.NewReader(data)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
