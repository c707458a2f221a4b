package sift

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// BenchmarkSift reads and cleans pages of a WARC file on one processor: two of
// three are on the topic. MB are those of the pages, unpacked.
func BenchmarkSift(b *testing.B) {
	const pages = 300
	links := strings.Repeat("<li><a href=/n/%d.html>今天的要闻和其他的消息</a>\n", 60)
	var records []string
	size := 0
	for i := range pages {
		subject := []string{"银行", "股市", "天气"}[i%3]
		body := strings.Replace(html(subject+"的消息", article(subject, i)), "<ul>", "<ul>"+fmt.Sprintf(strings.ReplaceAll(links, "%d", "%[1]d"), i), 1)
		size += len(body)
		records = append(records, response(fmt.Sprintf("http://a.test/%d", i), body))
	}
	dir := b.TempDir()
	path := write(b, dir, "a.warc.gz", gz(b, records...))
	c, source := parseTopic(b, topicFile)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b.SetBytes(int64(size))
	n := 0
	for b.Loop() {
		n++
		s, err := Open(Spec{Dir: filepath.Join(dir, fmt.Sprint(n)), Topic: c, Source: source, Files: []string{path}, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		report, err := s.Run(b.Context())
		if err != nil || report.Total.Kept != pages*2/3 {
			b.Fatalf("%+v, error %v", report, err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n*pages)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(size)/pages/1000, "kB/page")
}
