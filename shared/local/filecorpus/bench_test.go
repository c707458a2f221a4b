package filecorpus

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"sluice/shared/state/corpus"
)

// BenchmarkPut writes pages of Chinese HTML, a tenth of it main text.
func BenchmarkPut(b *testing.B) {
	for _, size := range []int{10_000, 45_000} {
		b.Run(fmt.Sprintf("%dkB", size/1000), func(b *testing.B) {
			body := chineseHTML(size)
			x := &corpus.Exchange{
				Date:         time.Unix(1_800_000_000, 0),
				IP:           "192.0.2.1",
				RequestHead:  []byte("GET / HTTP/1.1\r\nHost: www.news.test\r\n\r\n"),
				ResponseHead: fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(body)),
				Body:         body,
				Metadata:     []byte(`{"parent":"http://www.news.test/","anchor":"新闻","depth":1}`),
			}
			d := &corpus.Document{Title: "标题", Text: string(body[:size/10]), DateFetched: corpus.Date{Time: x.Date}}
			c := mustOpen(b, b.TempDir(), Options{})
			b.SetBytes(int64(len(body)))
			i := 0
			for b.Loop() {
				i++
				x.URL = "http://www.news.test/" + strconv.Itoa(i)
				d.URL, d.FinalURL = x.URL, x.URL
				if _, err := c.Put(b.Context(), x, d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func chineseHTML(size int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	var page []byte
	for len(page) < size {
		page = fmt.Appendf(page, "<div class=\"item\"><a href=\"/news/%d.html\">", rnd.IntN(1e6))
		for range 30 {
			page = append(page, string(rune(0x4e00+int(rnd.ExpFloat64()*300)))...)
		}
		page = append(page, "</a></div>\n"...)
	}
	return page
}
