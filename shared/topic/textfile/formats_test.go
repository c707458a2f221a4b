package textfile

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"sluice/shared/fixture"
	"sluice/shared/state/corpus"
	"sluice/shared/text/body"
)

func isTooLarge(err error) bool { return errors.Is(err, errTooLarge) }

// packed compresses text.
func packed(t *testing.T, compressor func(io.Writer) (io.WriteCloser, error), text string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := compressor(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(w io.Writer) (io.WriteCloser, error)   { return gzip.NewWriter(w), nil }
func zstandard(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }

// encoded writes text in a charset.
func encoded(t *testing.T, e encoding.Encoding, text string) string {
	t.Helper()
	out, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// bzipped is a file of two streams, as multistream dumps are: the page
// 数学/压缩的条目。 and the line 第二段流.
func bzipped(t *testing.T) string {
	t.Helper()
	var out []byte
	for _, stream := range []string{
		"QlpoOTFBWSZTWSSNKdoAAAlZ+QAQAADABSav3cBUCQIaISNABAuAIAByMaGgMmgABiGHqCVT9CoBk09T0aQNAAIqIKk0JsOrukLRbWNO5mh3mZBi0kbS4zEiZMoWFDKViL76CaBMlIcwIhJyRYI97+ePx4iJ80FYyh6wRoAgLuSKcKEgSRpTtA==",
		"QlpoOTFBWSZTWd8dnLMAAAZAWQAQIAQABQIQBYAgACIA0eoQAwjEIbijTxdyRThQkN8dnLM=",
	} {
		raw, err := base64.StdEncoding.DecodeString(stream)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, raw...)
	}
	return string(out)
}

func onePage(title, wikitext string) string {
	return fmt.Sprintf("<page><title>%s</title><ns>0</ns><revision><model>wikitext</model><text bytes=\"9\">%s</text></revision></page>", title, wikitext)
}

func dumpOf(pages ...string) string {
	return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><siteinfo><dbname>x</dbname></siteinfo>` +
		strings.Join(pages, "\n") + "</mediawiki>\n"
}

const prose = "央行决定下调存款准备金率零点五个百分点，释放长期资金约一万亿元。市场人士认为，此举有利于降低企业融资成本，稳定经济增长预期。"

const htmlPage = `<!DOCTYPE html><html><head><title>央行降准_财经网</title><meta name="description" content="降准释放资金"></head>
<body><div class="nav"><a href="/">首页</a></div><h1>央行降准</h1><div class="article"><p>` + prose + `</p><p>` + prose + `</p></div></body></html>`

// response is a WARC file as the crawl writes it: response, request, metadata.
func response(t *testing.T, url, status, header, content string) string {
	t.Helper()
	return shownResponse(t, url, status, header, content, "")
}

// shownResponse is the same with what a browser showed.
func shownResponse(t *testing.T, url, status, header, content, shown string) string {
	t.Helper()
	var enc corpus.Encoder
	head := fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n", status, header, len(content))
	out, _ := corpus.AppendExchange(nil, &corpus.Exchange{
		URL: url, Date: time.Unix(0, 0), RequestHead: []byte("GET / HTTP/1.1\r\n\r\n"),
		ResponseHead: []byte(head), Body: []byte(content), Shown: []byte(shown), Metadata: []byte("{}"),
	}, &enc)
	return string(out)
}

func textRecord(text string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.test/\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(text), text)
}

func warcOf(records ...string) string { return strings.Join(records, "") }

func TestFormats(t *testing.T) {
	page := Document{Title: "央行降准", Description: "央行降准_财经网\n降准释放资金", Text: prose + "\n" + prose}
	for _, tc := range []struct {
		name, file, content string
		opts                Options
		want                []Document // ids without the folder
	}{
		{
			name: "paragraphs", file: "a.txt", content: "一\r\n\n  二　\n\t\n三",
			want: []Document{{ID: "a.txt:1", Text: "一"}, {ID: "a.txt:3", Text: "二"}, {ID: "a.txt:5", Text: "三"}},
		},
		{name: "empty", file: "a.txt"},
		{name: "blank", file: "a.txt", content: "\n \n\n"},
		{name: "byte order mark", file: "a.txt", content: "\xEF\xBB\xBF一", want: []Document{{ID: "a.txt:1", Text: "一"}}},
		{
			name: "UTF-16", file: "a.txt", content: encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "第一行\n第二行"),
			want: []Document{{ID: "a.txt:1", Text: "第一行"}, {ID: "a.txt:2", Text: "第二行"}},
		},
		{
			name: "GB18030 after ASCII", file: "a.txt", content: "title\n" + encoded(t, simplifiedchinese.GB18030, prose+"\n一目\n"),
			want: []Document{{ID: "a.txt:1", Text: "title"}, {ID: "a.txt:2", Text: prose}, {ID: "a.txt:3", Text: "一目"}},
		},
		{
			name: "Big5", file: "a.txt", content: encoded(t, traditionalchinese.Big5, "臺灣的經濟發展與金融市場，許功蓋說這個問題還沒有解決。"),
			want: []Document{{ID: "a.txt:1", Text: "臺灣的經濟發展與金融市場，許功蓋說這個問題還沒有解決。"}},
		},
		{
			name: "UTF-8 with a broken byte", file: "a.txt", content: prose + "\n坏\xff字\n" + prose,
			want: []Document{{ID: "a.txt:1", Text: prose}, {ID: "a.txt:2", Text: "坏\uFFFD字"}, {ID: "a.txt:3", Text: prose}},
		},
		{name: "gzip under any name", file: "a.txt", content: packed(t, gzipped, "一") + packed(t, gzipped, "\n二"), want: []Document{{ID: "a.txt:1", Text: "一"}, {ID: "a.txt:2", Text: "二"}}},
		{name: "zstd", file: "a.zst", content: packed(t, zstandard, "一"), want: []Document{{ID: "a.zst:1", Text: "一"}}},
		{name: "layers", file: "a.gz", content: packed(t, gzipped, packed(t, zstandard, packed(t, gzipped, "一"))), want: []Document{{ID: "a.gz:1", Text: "一"}}},
		{name: "bzip2 of two streams", file: "x.xml.bz2", content: bzipped(t), want: []Document{{ID: "x.xml.bz2:数学", Title: "数学", Text: "压缩的条目。"}}},
		{
			name: "JSON lines", file: "a.jsonl.gz", content: packed(t, gzipped, `{"title":" 题 ","text":"甲","url":"http://a.test/"}`+"\n\n"+`{"content":["一","二"]}`+"\n"+`{"text":"","body":"丙"}`+"\n"+`{"text":null}`),
			want: []Document{{ID: "http://a.test/", Title: "题", Text: "甲"}, {ID: "a.jsonl.gz:3", Text: "一\n二"}, {ID: "a.jsonl.gz:4", Text: "丙"}},
		},
		{
			name: "named fields", file: "a", content: `{"title":"题","lead":"甲","main":"乙"}` + "\n" + `{"main":"丙"}`,
			opts: Options{Fields: []string{"title", "lead", "main"}},
			want: []Document{{ID: "a:1", Text: "题\n甲\n乙"}, {ID: "a:2", Text: "丙"}},
		},
		{name: "JSON in GB18030", file: "a", content: encoded(t, simplifiedchinese.GB18030, `{"text":"`+prose+`"}`), want: []Document{{ID: "a:1", Text: prose}}},
		{name: "braces are no JSON", file: "a.txt", content: "{{模板}}\n{一}", want: []Document{{ID: "a.txt:1", Text: "{{模板}}"}, {ID: "a.txt:2", Text: "{一}"}}},
		{name: "tab-separated", file: "a.tsv", content: "体育\t球队获胜", want: []Document{{ID: "a.tsv:1", Text: "体育\t球队获胜"}}},
		{
			name: "dump", file: "x.xml", content: dumpOf(
				onePage("甲", "'''甲'''是&lt;ref&gt;注&lt;/ref&gt;[[天干|天干]]&amp;nbsp;之一。"),
				"<page><title>Talk:甲</title><ns>1</ns><revision><text>讨论</text></revision></page>",
				`<page><title>乙</title><ns>0</ns><redirect title="甲" /><revision><text>x</text></revision></page>`,
				onePage("丙", "#重定向 [[甲]]"), onePage("丁", "#重新導向 [[甲]]"), onePage("空", ""),
				"<page><title>丁</title><ns>0</ns><revision><text>旧</text></revision><revision><text>新</text></revision></page>",
				"<page><title>x.js</title><ns>0</ns><revision><model>javascript</model><text>code</text></revision></page>",
			),
			want: []Document{{ID: "x.xml:甲", Title: "甲", Text: "甲是天干 之一。"}, {ID: "x.xml:丁", Title: "丁", Text: "新"}},
		},
		{name: "HTML", file: "a.html", content: htmlPage, want: []Document{{ID: "a.html", Title: page.Title, Description: page.Description, Text: page.Text}}},
		{name: "HTML in GBK, no ending", file: "a", content: encoded(t, simplifiedchinese.GBK, htmlPage), want: []Document{{ID: "a", Title: page.Title, Description: page.Description, Text: page.Text}}},
		{
			name: "WARC", file: "a.warc.gz", content: warcOf(
				response(t, "http://a.test/1", "200 OK", "Content-Type: text/html\r\n", htmlPage),
				response(t, "http://a.test/2", "404 Not Found", "Content-Type: text/html\r\n", htmlPage),
				response(t, "http://a.test/3", "200 OK", "Content-Type: image/png\r\n", "\x89PNG"),
				response(t, "http://a.test/4", "200 OK", "Content-Type: text/html\r\n", "<html><a href=/>首页</a>"),
				response(t, "http://a.test/5", "200 OK", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", packed(t, gzipped, htmlPage)),
				shownResponse(t, "http://a.test/6", "200 OK", "Content-Type: text/html\r\n", "<div id=app></div>", htmlPage),
				shownResponse(t, "http://a.test/7", "200 OK", "Content-Type: text/html\r\n", strings.ReplaceAll(htmlPage, "<h1>央行降准</h1>", "<h1>加载中</h1>"), htmlPage),
				packed(t, gzipped, textRecord("纯文本")),
			),
			want: []Document{
				{ID: "http://a.test/1", Title: page.Title, Description: page.Description, Text: page.Text},
				{ID: "http://a.test/5", Title: page.Title, Description: page.Description, Text: page.Text},
				{ID: "http://a.test/6", Title: page.Title, Description: page.Description, Text: page.Text},
				{ID: "http://a.test/7", Title: page.Title, Description: page.Description, Text: page.Text},
				{ID: "http://a.test/", Text: "纯文本"},
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := fixture.Folder(t, map[string]string{tc.file: tc.content})
			docs, errs := drain(t, open(t, tc.opts, dir))
			for i := range docs {
				docs[i].ID = strings.TrimPrefix(docs[i].ID, dir+"/")
			}
			if diff := cmp.Diff(tc.want, docs); diff != "" || errs != nil {
				t.Errorf("errors %v; documents (-want +got):\n%s", errs, diff)
			}
		})
	}
}

// Damage and missing text are reported with their place, and other documents
// are still read.
func TestErrors(t *testing.T) {
	good := Document{Text: "好"}
	for _, tc := range []struct {
		name, file, content string
		opts                Options
		docs                int
		want                []string // parts of the errors
	}{
		{name: "gzip breaks off", file: "a.gz", content: packed(t, gzipped, strings.Repeat("好\n", 3))[:25], docs: 2, want: []string{"a.gz: it breaks off"}},
		{name: "gzip is damaged", file: "a.gz", content: "\x1f\x8b\x08broken and more", want: []string{"read", "a.gz"}},
		{name: "bzip2 is damaged", file: "a.bz2", content: "BZh91AY&SYxxxxxxxxxxxxxxxxx", want: []string{"a.bz2"}},
		{name: "zstd is damaged", file: "a.zst", content: "\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff", want: []string{"a.zst"}},
		{name: "zstd wants much memory", file: "a.zst", content: "\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00", want: []string{"a.zst"}},
		{name: "layers without end", file: "a", content: layers(t, 6), want: []string{"compressed more than"}},
		{name: "a picture", file: "a.txt", content: "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x00\x00\x00", want: []string{"binary data"}},
		{name: "zip", file: "a.docx", content: "PK\x03\x04rest", want: []string{"zip archive"}},
		{name: "tar", file: "a.tgz", content: packed(t, gzipped, strings.Repeat("\x00", 257)+"ustar\x00"), want: []string{"tar archive"}},
		{name: "JSON array", file: "a.json", content: `[{"text":"好"}]`, want: []string{"an object a line"}},
		{name: "other XML", file: "a.xml", content: `<?xml version="1.0"?><rss/>`, want: []string{"only MediaWiki dumps"}},
		{
			name: "JSON lines", file: "a.jsonl", docs: 2,
			content: `{"text":"好"}` + "\n{\n" + `[1]` + "\n" + `null` + "\n" + `{"x":"y"}` + "\n" + `{"text":{}}` + "\n" + `{"text":"好"}` + "\n" + `{"text":"torn`,
			want: []string{"a.jsonl:2: ", "a.jsonl:3: read JSON line: a line must be an object; this one is of type array", "a.jsonl:4: ", "a.jsonl:5: no field text, content, body, description: name the one",
				`a.jsonl:6: field "text" is not a text`, "a.jsonl:8: "},
		},
		{name: "named field is missing", file: "a.jsonl", content: `{"text":"好"}`, opts: Options{Fields: []string{"main"}}, want: []string{"a.jsonl:1: no field main"}},
		{
			name: "pages of a dump", file: "a.xml", docs: 2,
			content: dumpOf(onePage("a", "好"), "<page><title>x</revision></page>", onePage("c", "&bomb;"), onePage("d", "好")) + "<page><title>torn",
			want:    []string{"a.xml: page 2: ", "a.xml: page 3: ", "it breaks off"},
		},
		{name: "HTML without text", file: "a.html", content: "<html><title>题</title><a href=/>首页</a>", want: []string{body.ErrNoText.Error()}},
		{name: "WARC breaks off", file: "a.warc", docs: 1, content: textRecord("好") + textRecord("好")[:60], want: []string{"record 2: "}},
		{name: "WARC loses its way", file: "a.warc", docs: 1, content: textRecord("好") + "XXXX\r\n\r\n", want: []string{"where a record should begin"}},
		{name: "WARC without length", file: "a.warc", content: "WARC/1.0\r\nWARC-Type: response\r\n\r\n", want: []string{"is not a length"}},
		{name: "WARC with an endless head", file: "a.warc", content: "WARC/1.0\r\nX: " + strings.Repeat("x", 1<<20), want: []string{"head is larger"}},
		{name: "WARC block breaks off", file: "a.warc", content: strings.Replace(textRecord("好"), "Content-Length: 3", "Content-Length: 3000", 1), docs: 1, want: []string{"it breaks off"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := fixture.Folder(t, map[string]string{tc.file: tc.content, "z.txt": good.Text})
			docs, errs := drain(t, open(t, tc.opts, dir))
			var messages []string
			for _, err := range errs {
				messages = append(messages, err.Error())
			}
			if len(errs) != len(tc.want) && tc.name != "gzip is damaged" {
				t.Fatalf("errors are %q, want %d", messages, len(tc.want))
			}
			for i, message := range messages {
				if !strings.Contains(message, tc.want[i]) {
					t.Errorf("error is %q, want it to say %q", message, tc.want[i])
				}
			}
			if len(docs) != tc.docs+1 {
				t.Errorf("%d documents, want %d and that of the next file", len(docs), tc.docs)
			}
			for _, d := range docs {
				if d.Text != good.Text {
					t.Errorf("document %s is %q", d.ID, d.Text)
				}
			}
		})
	}
}

// layers compresses n times.
func layers(t *testing.T, n int) string {
	t.Helper()
	text := "好"
	for range n {
		text = packed(t, gzipped, text)
	}
	return text
}
