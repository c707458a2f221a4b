package body

import "testing"

// TestSignature wants the name and the date that end a notice, but not what stands so
// outside its container.
func TestSignature(t *testing.T) {
	const (
		closed = "因东湖路地下管线施工需要，即日起至本月二十日，东湖路禁止一切机动车通行。"
		so     = "特此通告。"
		signed = "青岭市公安局东湖分局"
		day    = "2020年6月3日"
	)
	for name, tt := range map[string]struct{ page, want string }{
		"paragraphs":     {paragraphs(closed, so, signed, day), closed + "\n" + so + "\n" + signed + "\n" + day},
		"lines":          {"<p>" + closed + "<br>" + so + "<br>" + signed + "<br>二〇二〇年六月三日</p>", closed + "\n" + so + "\n" + signed + "\n二〇二〇年六月三日"},
		"below the text": {"<div>" + paragraphs(closed) + "</div><div><div>" + signed + "</div><div>" + day + "</div></div>", closed},
		"date alone":     {paragraphs(closed, day), closed},
		"a link":         {paragraphs(closed, `<a href="/b">`+signed+"</a>", day), closed},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := extract(t, "<title>东湖路通告</title><div><h1>东湖路通告</h1><div>"+tt.page+`</div></div><div><a href="/c">另一条与本文无关的通告</a></div>`, "http://www.example.test/a.html")
			if err != nil || b.Text != tt.want {
				t.Errorf("error %v, text:\n%s\nwant:\n%s", err, b.Text, tt.want)
			}
		})
	}
}
