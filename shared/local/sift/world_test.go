package sift

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"sluice/shared/state/corpus"
	"sluice/shared/topic"
)

const topicFile = "name: finance\nlanguage: zh\nwords: [股市, 银行, 基金, 债券]\nthresholds: {description: 0.1, body: 0.02, priority: 0.08}\n"

func parseTopic(t testing.TB, text string) (*topic.Compiled, []byte) {
	t.Helper()
	c, err := topic.Read("topic.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c, []byte(text)
}

// article is a text of some paragraphs about a subject, another one for each n.
func article(subject string, n int) string {
	who := []string{"分析师", "研究人员", "市场人士", "监管部门", "多家机构", "当地企业", "外国投资者", "有关专家", "负责人", "经济学家"}
	when := []string{"昨天", "上周五", "今年三月", "去年年底", "近日", "本月初", "周一上午", "下半年以来", "节前", "年初至今"}
	what := []string{"表示情况正在好转", "认为仍需要观察", "公布了最新的调查报告", "提醒大家注意其中的风险", "给出了相当乐观的预期", "讨论了新办法的细节", "回答了记者提出的问题", "对此作了详细说明", "强调要稳步推进", "指出数据还不完整"}
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	var b strings.Builder
	for range 4 {
		for range 4 {
			fmt.Fprintf(&b, "%s，%s就%s的第%d项变化%s，涉及金额约%d亿元。", when[rnd.IntN(len(when))], who[rnd.IntN(len(who))],
				subject, rnd.IntN(900)+100, what[rnd.IntN(len(what))], rnd.IntN(9000)+10)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// html is a page with an article, between the furniture that pages have.
func html(title, text string) string {
	return fmt.Sprintf("<html><head><meta charset=utf-8><title>%s</title></head><body><ul><li><a href=/>首页</a><li><a href=/n>新闻</a></ul><h1>%[1]s</h1><div><p>%s</p></div></body></html>",
		title, strings.ReplaceAll(strings.TrimSpace(text), "\n", "</p>\n<p>"))
}

// record is a WARC record as others write it.
func record(kind, uri, contentType, block string, more ...string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-03-30T12:00:00Z\r\nWARC-Record-ID: <urn:uuid:%[2]s>\r\n%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, uri, strings.Join(append(more, ""), "\r\n"), contentType, len(block), block)
}

// response is a response record.
func response(uri, body string, more ...string) string {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
	return record("response", uri, "application/http; msgtype=response", head+body, more...)
}

// conversion is a record of a WET file.
func conversion(uri, text string) string { return record("conversion", uri, "text/plain", text) }

func gz(t testing.TB, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, p := range parts { // a member each
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(p)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func zst(t testing.TB, text string) string {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(z.EncodeAll([]byte(text), nil))
}

// write writes an input and returns its path.
func write(t testing.TB, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// sifted sifts files into dir.
func sifted(t testing.TB, dir string, files ...string) *Report {
	t.Helper()
	report, err := trySift(t, dir, topicFile, files...)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func trySift(t testing.TB, dir, topicText string, files ...string) (*Report, error) {
	t.Helper()
	c, source := parseTopic(t, topicText)
	s, err := Open(Spec{Dir: dir, Topic: c, Source: source, Files: files, Workers: 3})
	if err != nil {
		return nil, err
	}
	report, err := s.Run(t.Context())
	if cerr := s.Close(); cerr != nil {
		t.Error(cerr)
	}
	return report, err
}

// readLines reads a file of records.
func readLines[R any](t testing.TB, path string) []R {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var records []R
	for line := range bytes.Lines(data) {
		var r R
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		records = append(records, r)
	}
	return records
}

func documents(t testing.TB, dir, name string) []corpus.Document {
	t.Helper()
	return readLines[corpus.Document](t, filepath.Join(dir, corpus.DocumentFolder, name+lines))
}

// rules are the rejects of an input, each as "URL rule".
func rules(t testing.TB, dir, name string) []string {
	t.Helper()
	var all []string
	for _, r := range readLines[corpus.Reject](t, filepath.Join(dir, corpus.RejectFolder, name+lines)) {
		all = append(all, r.URL+" "+r.Rule)
	}
	return all
}
