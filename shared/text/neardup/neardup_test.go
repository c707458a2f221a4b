package neardup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// prose writes n characters that no other seed writes.
func prose(seed uint64, n int) string {
	draw := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	for range n {
		b.WriteRune(rune(0x4E00 + draw.IntN(1200)))
		if draw.IntN(15) == 0 {
			b.WriteString("，")
		}
	}
	return Normalise(b.String())
}

// typos replaces a share of the characters.
func typos(text string, share float64, seed uint64) string {
	draw := rand.New(rand.NewPCG(seed, 11))
	runes := []rune(text)
	for i := range runes {
		if draw.Float64() < share {
			runes[i] = rune(0x4E00 + draw.IntN(1200))
		}
	}
	return string(runes)
}

// repeats finds what repeats what, by id, in a corpus of any order.
func repeats(t testing.TB, o Options, docs ...Doc) map[string]string {
	t.Helper()
	found := find(t, o, docs)
	got := make(map[string]string)
	for i, d := range docs {
		if r, ok := found.Repeat(i); ok {
			got[d.ID] = fmt.Sprintf("%s of %s", r.Kind, docs[r.Of].ID)
		}
	}
	return got
}

func find(t testing.TB, o Options, docs []Doc) *Result {
	t.Helper()
	if o.TempDir == "" {
		o.TempDir = t.TempDir()
	}
	f := New(o)
	for i := range docs {
		if err := f.Add(&docs[i]); err != nil {
			t.Fatal(err)
		}
	}
	found, err := f.Find(t.Context(), func(i int) (string, error) { return docs[i].Text, nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestCopies(t *testing.T) {
	text, other := prose(1, 600), prose(2, 500)
	header, footer := prose(3, 60), prose(4, 90)
	for _, tc := range []struct {
		name, a, b string
		want       map[string]string
	}{
		{name: "layout", a: "你好，世界！", b: " 你好\n世界 ", want: map[string]string{"b": "exact of a"}},
		{name: "width, case and script", a: "ＧＤＰ增長", b: "gdp增长", want: map[string]string{"b": "exact of a"}},
		{name: "without letters", a: "……！", b: "……！", want: map[string]string{}},
		{name: "a tenth changed", a: text, b: typos(text, 0.1, 1), want: map[string]string{"b": "near of a"}},
		{name: "a fifth changed", a: text, b: typos(text, 0.2, 1), want: map[string]string{"b": "near of a"}},
		{name: "a tenth of few characters", a: text[:300], b: typos(text[:300], 0.1, 1), want: map[string]string{"b": "near of a"}},
		{name: "just enough for near copies", a: text[:3*50], b: typos(text[:3*50], 0.05, 1), want: map[string]string{"b": "near of a"}},
		{name: "too few for near copies", a: text[:3*49], b: typos(text[:3*49], 0.1, 1), want: map[string]string{}},
		{name: "other frames", a: header + text + prose(5, 80), b: prose(6, 50) + text + footer, want: map[string]string{"b": "near of a"}},
		{name: "a frame", a: text[:600], b: header + text[:600] + footer, want: map[string]string{"a": "contained of b"}},
		{name: "cropped", a: text, b: text[:1200], want: map[string]string{"b": "near of a"}},
		{name: "joined", a: text, b: text + other, want: map[string]string{"a": "contained of b"}},
		{name: "joined behind", a: other, b: text + other, want: map[string]string{"a": "contained of b"}},
		{name: "a paragraph put in", a: text, b: text[:900] + footer + text[900:], want: map[string]string{"a": "near of b"}},
		{name: "the text twice", a: text, b: text + text, want: map[string]string{"a": "contained of b"}},
		{name: "a footer in common", a: text + footer, b: other + footer, want: map[string]string{}},
		{name: "half in common", a: text + other, b: text + prose(9, 500), want: map[string]string{}},
		{name: "English", a: englishText, b: everyTenth(strings.ToUpper(englishText)), want: map[string]string{"b": "near of a"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := repeats(t, Options{}, Doc{ID: "a", Text: tc.a, Fetched: time.Unix(60, 0)}, Doc{ID: "b", Text: tc.b, Fetched: time.Unix(120, 0)})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("repeats (-want +got):\n%s", diff)
			}
		})
	}
}

const englishText = `The committee said on Tuesday that the fair will be put off by a year, as
restrictions on travel are still in place in most of the countries that had signed up to
take part. Tickets that were sold remain valid for the new dates, and exhibitors will not
have to apply again. A final decision is expected when members meet in June.`

// everyTenth replaces every tenth letter of an English text.
func everyTenth(text string) string {
	letters := []byte(text)
	for i := 5; i < len(letters); i += 10 {
		if letters[i] > ' ' {
			letters[i] = 'x'
		}
	}
	return string(letters)
}

// Pairs that share a form, and are about different events.
func TestLookAlikes(t *testing.T) {
	for _, tc := range []struct{ name, a, b string }{
		{
			"tides",
			"据国家海洋预报台消息，预计今天夜间到明天白天，渤海将出现1.2到1.8米的轻浪到中浪，黄海北部将出现0.8到1.5米的轻浪，沿岸海面将出现0.6米的小浪。建议作业船舶注意安全，及时关注后续预报。",
			"据国家海洋预报台消息，预计今天夜间到明天白天，渤海将出现2.2到3.1米的中浪到大浪，黄海北部将出现1.9到2.6米的中浪，沿岸海面将出现1.4米的轻浪。建议作业船舶注意安全，及时关注后续预报。",
		},
		{
			"awards",
			"经学校评审委员会评审并公示无异议，授予数学学院王立峰同学本年度优秀毕业生称号，颁发证书和奖学金。王立峰同学在校期间成绩优异，积极参加社会实践，受到师生好评。希望王立峰同学珍惜荣誉，再接再厉，在今后的工作中取得更好的成绩。",
			"经学校评审委员会评审并公示无异议，授予外语学院陈晓梅同学本年度优秀毕业生称号，颁发证书和奖学金。陈晓梅同学在校期间成绩优异，积极参加社会实践，受到师生好评。希望陈晓梅同学珍惜荣誉，再接再厉，在今后的工作中取得更好的成绩。",
		},
		{
			"lottery",
			"福利彩票双色球第2023045期开奖，红球号码为02、07、13、19、24、31，蓝球号码为08。当期一等奖开出5注，单注奖金为8236541元；二等奖开出97注，单注奖金为215874元。奖池滚存至18.6亿元，下一期将于周四晚间开奖。",
			"福利彩票双色球第2023051期开奖，红球号码为05、11、16、22、28、33，蓝球号码为14。当期一等奖开出9注，单注奖金为6871230元；二等奖开出141注，单注奖金为173406元。奖池滚存至20.1亿元，下一期将于周四晚间开奖。",
		},
		{
			"names alone",
			"我校化学系教授林志明先生因病医治无效，在沈阳逝世。先生毕生从事教学与研究，治学严谨，为人谦和，深受师生爱戴。遵照先生的遗愿，丧事一切从简，不举行告别仪式。先生的学生王海涛说，老师的品格将永远激励着我们前进。",
			"我校化学系教授周大年先生因病医治无效，在武汉逝世。先生毕生从事教学与研究，治学严谨，为人谦和，深受师生爱戴。遵照先生的遗愿，丧事一切从简，不举行告别仪式。先生的学生李小红说，老师的品格将永远激励着我们前进。",
		},
		{
			"one number",
			"受外汇交易中心委托，现公布今日银行间外汇市场人民币汇率中间价，一美元兑人民币7.0282元。中间价由做市商在开市前报价，去掉最高和最低的报价以后加权平均得到，供各会员单位在交易时参考使用。",
			"受外汇交易中心委托，现公布今日银行间外汇市场人民币汇率中间价，一美元兑人民币6.9513元。中间价由做市商在开市前报价，去掉最高和最低的报价以后加权平均得到，供各会员单位在交易时参考使用。",
		},
		{
			"dates in Chinese numerals",
			"经研究决定，图书馆定于十月二十三日上午进行设备检修，届时各阅览室暂停开放，自习室照常使用，借阅和归还图书请使用一楼大厅的自助设备。检修完成后恢复正常开放，不便之处敬请读者谅解。",
			"经研究决定，图书馆定于十二月十五日上午进行设备检修，届时各阅览室暂停开放，自习室照常使用，借阅和归还图书请使用一楼大厅的自助设备。检修完成后恢复正常开放，不便之处敬请读者谅解。",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := repeats(t, Options{}, Doc{ID: "a", Text: tc.a}, Doc{ID: "b", Text: tc.b}); len(got) > 0 {
				t.Errorf("repeats = %v, want none", got)
			}
			want := map[string]string{"copy": "near of a"}
			cropped := string([]rune(tc.a)[:utf8.RuneCountInString(tc.a)*9/10])
			got := repeats(t, Options{}, Doc{ID: "a", Text: tc.a}, Doc{ID: "copy", Text: cropped}, Doc{ID: "b", Text: tc.b})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("repeats with a copy (-want +got):\n%s", diff)
			}
		})
	}
}

const article = "今天上午，市图书馆的新馆正式对读者开放，大厅里已经排起了长队。馆长介绍说，新馆的阅览座位比老馆多了一倍，还为孩子们准备了专门的活动空间，" +
	"所有的书架都可以自己取阅。不少市民一早就带着家人赶来，他们希望以后周末能在这里安静地读书。记者看到，自助借书机前的年轻人很多，老人则更愿意请馆员帮忙。" +
	"馆方表示，开放以后会根据读者的意见继续调整服务，也欢迎大家把家里不用的旧书送来交换。为了让上班的人也能借到书，每周三和周五的晚上将延长开放的时间。"

// Copies of short texts in which whole words were changed.
func TestReworded(t *testing.T) {
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(article) }
	for _, tc := range []struct {
		name, copy string
		want       bool
	}{
		{"a tenth of the words", replace("今天", "昨日", "排起", "出现", "介绍", "告诉", "还为", "并给", "所有", "全部", "不少", "许多", "希望", "盼望", "很多", "不少",
			"则更", "却也", "表示", "认为", "调整", "改进", "送来", "拿到", "延长", "增加"), true},
		{"neighbours that changed places", replace("正式", "式正", "排起", "起排", "座位", "位座", "孩子", "子孩", "书架", "架书", "家人", "人家", "周末", "末周",
			"年轻", "轻年", "馆员", "员馆", "意见", "见意", "旧书", "书旧", "晚上", "上晚"), true},
		{"words that changed places", replace("阅览座位", "座位阅览", "活动空间", "空间活动", "自己取阅", "取阅自己", "周末能在", "能在周末", "继续调整", "调整继续"), true},
		{"a few names", replace("市图书", "县博物", "今天上午", "昨天傍晚", "周三和周五", "周一和周日"), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := repeats(t, Options{}, Doc{ID: "a", Text: article}, Doc{ID: "b", Text: tc.copy})
			if len(got) > 0 != tc.want {
				t.Errorf("repeats = %v, want one: %v", got, tc.want)
			}
		})
	}
}

func TestBetterCopyStays(t *testing.T) {
	text := prose(1, 400)
	day := func(n int) time.Time { return time.Date(2024, 5, n, 0, 0, 0, 0, time.UTC) }
	for _, tc := range []struct {
		name           string
		stays, repeats Doc
	}{
		{"published earlier", Doc{Text: text, Published: day(1), Fetched: day(9)}, Doc{Text: text, Published: day(2), Fetched: day(8)}},
		{"fetched earlier", Doc{Text: text, Fetched: day(1)}, Doc{Text: text, Fetched: day(2)}},
		{"published, against fetched", Doc{Text: text, Published: day(1), Fetched: day(9)}, Doc{Text: text, Fetched: day(2)}},
		{"a date before the web", Doc{Text: text, Fetched: day(1)}, Doc{Text: text, Published: time.Unix(0, 0), Fetched: day(2)}},
		{"a date to come", Doc{Text: text, Fetched: day(2)}, Doc{Text: text, Published: day(20), Fetched: day(3)}},
		{
			"on the site that it names",
			Doc{Text: text, Site: "xinhuanet.com", Source: "新华网", Fetched: day(2)},
			Doc{Text: text, Site: "example.com", Source: "新华网", Fetched: day(1)},
		},
		{
			"on the host that it names",
			Doc{Text: text, Site: "daily.test", Source: "www.daily.test", Fetched: day(2)},
			Doc{Text: text, Site: "example.com", Source: "www.daily.test", Fetched: day(1)},
		},
		{
			"names no source",
			Doc{Text: text, Site: "daily.test", Fetched: day(2)},
			Doc{Text: text, Site: "example.com", Source: "日报", Fetched: day(1)},
		},
		{"longer", Doc{Text: text + prose(2, 80), Fetched: day(2)}, Doc{Text: text, Fetched: day(1)}},
		{"hardly shorter, and earlier", Doc{Text: text, Fetched: day(1)}, Doc{Text: text + prose(2, 10), Fetched: day(2)}},
		{"a little longer, of one day", Doc{Text: text + prose(2, 10), Fetched: day(1)}, Doc{Text: text, Fetched: day(1)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, order := range [][]int{{0, 1}, {1, 0}} {
				docs := []Doc{tc.stays, tc.repeats}
				docs = []Doc{docs[order[0]], docs[order[1]]}
				stays := order[0]
				found := find(t, Options{}, docs)
				if r, ok := found.Repeat(1 - stays); !ok || r.Of != stays {
					t.Errorf("Repeat(%d) = %+v, %v, want one of %d", 1-stays, r, ok, stays)
				}
				if r, ok := found.Repeat(stays); ok {
					t.Errorf("Repeat(%d) = %+v, want none", stays, r)
				}
			}
		})
	}
}

// corpus has copies of all kinds, chains of them, and texts of their own.
func corpus() []Doc {
	var docs []Doc
	add := func(id, text string) {
		docs = append(docs, Doc{ID: id, Text: text, Fetched: time.Unix(60*int64(len(docs)%5), 0)})
	}
	for i := range 30 {
		seed := uint64(100 + i)
		text := prose(seed, 200+20*i)
		add(fmt.Sprint(i), text)
		switch i % 5 {
		case 0:
			add(fmt.Sprint(i, " same"), text)
		case 1:
			add(fmt.Sprint(i, " joined"), text+prose(seed+1, 220+20*i))
		case 2:
			for n := range uint64(12) {
				add(fmt.Sprint(i, " changed ", n), typos(text, 0.1, n))
			}
		case 3:
			add(fmt.Sprint(i, " cropped"), string([]rune(text)[:150+10*i]))
		}
	}
	return docs
}

func TestOrderDoesNotMatter(t *testing.T) {
	docs := corpus()
	want := repeats(t, Options{}, docs...)
	if len(want) < 90 {
		t.Fatalf("%d documents repeat others, want 90: %v", len(want), want)
	}
	for seed := range uint64(5) {
		rand.New(rand.NewPCG(seed, 3)).Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		if diff := cmp.Diff(want, repeats(t, Options{}, docs...)); diff != "" {
			t.Fatalf("order %d (-want +got):\n%s", seed, diff)
		}
	}
}

func TestMemoryDoesNotMatter(t *testing.T) {
	docs := corpus()
	dir := t.TempDir()
	if diff := cmp.Diff(repeats(t, Options{}, docs...), repeats(t, Options{TempDir: dir, Held: 100}, docs...)); diff != "" {
		t.Errorf("with runs on disk (-without +with):\n%s", diff)
	}
	assertEmpty(t, dir)
}

// What a document repeats stays, and none repeats itself.
func TestRepeatsLeadToWhatStays(t *testing.T) {
	docs := corpus()
	found := find(t, Options{}, docs)
	for i, d := range docs {
		r, ok := found.Repeat(i)
		if !ok {
			continue
		}
		if _, again := found.Repeat(r.Of); again || r.Of == i {
			t.Errorf("%s repeats %s, which repeats another", d.ID, docs[r.Of].ID)
		}
		if r.Similarity <= 0 || r.Similarity > 1 || (r.Kind == Exact) != (r.Similarity == 1 && Normalise(d.Text) == Normalise(docs[r.Of].Text)) {
			t.Errorf("%s: %+v", d.ID, r)
		}
	}
}

// The copies of a text that is joined with others, in turn, stay apart from these.
func TestContainedTextsDoNotLinkTheirContainers(t *testing.T) {
	a, b, c := prose(1, 400), prose(2, 420), prose(3, 440)
	got := repeats(t, Options{},
		Doc{ID: "a", Text: a}, Doc{ID: "a changed", Text: typos(a, 0.1, 1)}, Doc{ID: "b", Text: b}, Doc{ID: "c", Text: c},
		Doc{ID: "ab", Text: a + b}, Doc{ID: "ac", Text: a + c})
	want := map[string]string{"a": "contained of ac", "a changed": "contained of ac", "b": "contained of ab", "c": "contained of ac"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("repeats (-want +got):\n%s", diff)
	}
}

func TestManyEqualDocuments(t *testing.T) {
	text := prose(1, 300)
	const n = 5_000
	f := New(Options{TempDir: t.TempDir()})
	for i := range n {
		if err := f.Add(&Doc{ID: fmt.Sprint(i), Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	reads := 0
	found, err := f.Find(t.Context(), func(int) (string, error) { reads++; return text, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if s := found.Stats; s.Texts != 1 || s.Candidates != 0 || reads != 0 {
		t.Errorf("%d texts, %d candidates, %d reads, want 1, 0, 0", s.Texts, s.Candidates, reads)
	}
	stay := 0
	for i := range n {
		if _, ok := found.Repeat(i); !ok {
			stay++
		}
	}
	if stay != 1 {
		t.Errorf("%d stay, want 1", stay)
	}
}

// A cluster of copies that are all different costs a bounded number of
// comparisons for each.
func TestManyNearCopies(t *testing.T) {
	text := prose(1, 200)
	var docs []Doc
	for i := range 1000 {
		docs = append(docs, Doc{ID: fmt.Sprint(i), Text: typos(text, 0.05, uint64(i))})
	}
	found := find(t, Options{}, docs)
	if limit := 40 * len(docs); found.Stats.Candidates > limit {
		t.Errorf("%d comparisons, want at most %d", found.Stats.Candidates, limit)
	}
	stay := 0
	for i := range docs {
		if _, ok := found.Repeat(i); !ok {
			stay++
		}
	}
	if stay > 10 {
		t.Errorf("%d of %d stay, want 10 at most", stay, len(docs))
	}
}

func TestHostileTexts(t *testing.T) {
	long := strings.Repeat("啊", 1<<20)
	docs := []Doc{
		{ID: "empty"}, {ID: "empty again"},
		{ID: "one character", Text: long}, {ID: "the same", Text: long}, {ID: "a little less", Text: long[3:]},
		{ID: "invalid", Text: "\xff\xfe" + prose(1, 100)}, {ID: "invalid again", Text: prose(1, 100) + "\xe4\xb8"},
		{ID: "zero bytes", Text: strings.Repeat("\x00", 1000)},
		{ID: "digits", Text: strings.Repeat("1234567890", 10_000)}, {ID: "digits again", Text: strings.Repeat("1234567890", 10_000) + "1"},
		{ID: "marks", Text: strings.Repeat("́", 1000)},
	}
	got := repeats(t, Options{}, docs...)
	if a, b := got["one character"], got["the same"]; a != "exact of the same" && b != "exact of one character" {
		t.Errorf("the equal texts: %q, %q", a, b)
	}
	if a, b := got["invalid"], got["invalid again"]; (a == "") == (b == "") {
		t.Errorf("the invalid texts: %q, %q", a, b)
	}
	if len(got) != 2 {
		t.Errorf("repeats = %v, want two", got)
	}
}

func TestFindReportsErrors(t *testing.T) {
	text := prose(1, 100)
	newFinder := func() *Finder {
		f := New(Options{TempDir: t.TempDir()})
		for i := range 2 {
			if err := f.Add(&Doc{Text: typos(text, 0.05, uint64(i))}); err != nil {
				t.Fatal(err)
			}
		}
		return f
	}
	t.Run("of reading", func(t *testing.T) {
		gone := errors.New("gone")
		if _, err := newFinder().Find(t.Context(), func(int) (string, error) { return "", gone }); !errors.Is(err, gone) {
			t.Errorf("Find = %v, want the reader's error", err)
		}
	})
	t.Run("of the context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := newFinder().Find(ctx, func(int) (string, error) { return text, nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("Find = %v, want the context's error", err)
		}
	})
	t.Run("of the disk", func(t *testing.T) {
		f := New(Options{TempDir: t.TempDir() + "/none", Held: 10})
		if err := f.Add(&Doc{Text: text}); err == nil {
			t.Error("Add into a folder that is not there: no error")
		}
	})
	t.Run("of a text that is another now", func(t *testing.T) {
		found, err := newFinder().Find(t.Context(), func(int) (string, error) { return "", nil })
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := found.Repeat(0); ok {
			t.Error("a document repeats another whose text is gone")
		}
	})
}

func FuzzJudge(f *testing.F) {
	text := prose(1, 120)
	f.Add(text, typos(text, 0.2, 1))
	f.Add("上证指数报3012.5点"+text, text+text)
	f.Add("", "a")
	f.Add(strings.Repeat("ab1", 100), strings.Repeat("ba1", 90))
	f.Fuzz(func(t *testing.T, x, y string) {
		a, b := newText(Normalise(x)), newText(Normalise(y))
		var l aligner
		pieces := slices.Clone(l.align(a, b))
		for i, p := range pieces {
			if i > 0 && (p.same == pieces[i-1].same || p.a0 != pieces[i-1].a1 || p.b0 != pieces[i-1].b1) {
				t.Fatalf("pieces %d and %d do not fit: %+v", i-1, i, pieces)
			}
			if p.same && !slices.Equal(a.runes[p.a0:p.a1], b.runes[p.b0:p.b1]) {
				t.Fatalf("piece %d is not the same in both: %+v", i, p)
			}
		}
		rel, similarity := l.judge(a, b)
		if rel != apart && !(similarity > 0 && similarity <= 1) {
			t.Fatalf("similarity of relation %d is %v", rel, similarity)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	text := prose(1, 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	f := New(Options{TempDir: b.TempDir()})
	defer func() { _ = f.Close() }()
	for b.Loop() {
		if err := f.Add(&Doc{ID: "a", Text: text}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	text := prose(1, 1000)
	x, y := newText(text), newText(typos(text, 0.1, 1))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var l aligner
	for b.Loop() {
		l.judge(x, y)
	}
}
