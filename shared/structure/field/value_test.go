package field_test

import (
	"net/url"
	"testing"

	"sluice/shared/structure/field"
	"sluice/shared/structure/template"
)

// fieldOf is a field of a template, by its YAML.
func fieldOf(t testing.TB, yaml string) *template.Field {
	t.Helper()
	got, err := template.Parse("t", []byte("name: t\nfields:\n  f: "+yaml+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return &got.Fields[0]
}

func TestPrice(t *testing.T) {
	f := fieldOf(t, "{type: price, labels: [价格, Price]}")
	for text, want := range map[string]struct {
		text      string
		low, high float64
		currency  string
	}{
		"￥1,299.00":            {"￥1,299.00", 1299, 0, "CNY"},
		"价格：¥ 99":              {"¥ 99", 99, 0, "CNY"},
		"358万":                 {"358万", 3580000, 0, ""},
		"29.9元（需用券）":           {"29.9元", 29.9, 0, "CNY"},
		"1299 RMB":             {"1299 RMB", 1299, 0, "CNY"},
		"US$ 19.99":            {"US$ 19.99", 19.99, 0, "USD"},
		"Price: $9,970":        {"$9,970", 9970, 0, "USD"},
		"$10.00 - $25.50":      {"$10.00 - $25.50", 10, 25.5, "USD"},
		"10-15万元":              {"10-15万元", 100000, 150000, "CNY"},
		"99～199元":              {"99～199元", 99, 199, "CNY"},
		"1.299,00 €":           {"1.299,00 €", 1299, 0, "EUR"},
		"12,50 €":              {"12,50 €", 12.5, 0, "EUR"},
		"£5":                   {"£5", 5, 0, "GBP"},
		"HK$1,000":             {"HK$1,000", 1000, 0, "HKD"},
		"2 for ¥30":            {"¥30", 30, 0, "CNY"},
		"$25.00 CAD":           {"$25.00 CAD", 25, 0, "CAD"},
		"AU $25":               {"AU $25", 25, 0, "AUD"},
		"NZ$25.50":             {"NZ$25.50", 25.5, 0, "NZD"},
		"MX$250":               {"MX$250", 250, 0, "MXN"},
		"R$ 129,90":            {"R$ 129,90", 129.9, 0, "BRL"},
		"All boots $50":        {"$50", 50, 0, "USD"},
		"1\u00a0299,00\u00a0€": {"1 299,00 €", 1299, 0, "EUR"},
		"1\u202f299,00 €":      {"1 299,00 €", 1299, 0, "EUR"},
		"12 499 kr":            {"12 499 kr", 12499, 0, ""},
		"1 999 ₽":              {"1 999 ₽", 1999, 0, "RUB"},
		"PLN 2 100":            {"PLN 2 100", 2100, 0, "PLN"},
		"1'299.00 CHF":         {"1'299.00 CHF", 1299, 0, "CHF"},
		"12 for 499 kr":        {"499 kr", 499, 0, ""},
		"4 999 reviews, $12":   {"$12", 12, 0, "USD"},
		"￥ 128 .00":            {"￥ 128 .00", 128, 0, "CNY"},
		"₹1,25,000":            {"₹1,25,000", 125000, 0, "INR"},
		"Rs. 1,25,000.50":      {"Rs. 1,25,000.50", 125000.5, 0, "INR"},
		"1.250.000₫":           {"1.250.000₫", 1250000, 0, "VND"},
		"44 890 тг.":           {"44 890 тг", 44890, 0, "KZT"},
		"44 890 ₸":             {"44 890 ₸", 44890, 0, "KZT"},
		"30,000원~":             {"30,000원", 30000, 0, "KRW"},
		"RM 25.90":             {"RM 25.90", 25.9, 0, "MYR"},
		"S/ 129.90":            {"S/ 129.90", 129.9, 0, "PEN"},
		"1.299,99 lei":         {"1.299,99 lei", 1299.99, 0, "RON"},
		"1.250.000 đ":          {"1.250.000 đ", 1250000, 0, "VND"},
		"Rp 1.250.000":         {"Rp 1.250.000", 1250000, 0, "IDR"},
		"Rp75.000":             {"Rp75.000", 75000, 0, "IDR"},
		"$ 1.250.000":          {"$ 1.250.000", 1250000, 0, "USD"},
		"$ 12.990":             {"$ 12.990", 12990, 0, "USD"},
		"$129.990":             {"$129.990", 129990, 0, "USD"},
		"8.500 CLP":            {"8.500 CLP", 8500, 0, "CLP"},
		"1.250 €":              {"1.250 €", 1250, 0, "EUR"},
		"€ 1.250,-":            {"€ 1.250", 1250, 0, "EUR"},
		"1.299,– €":            {"1.299,– €", 1299, 0, "EUR"},
		"499,- Kč":             {"499,- Kč", 499, 0, "CZK"},
		"1.299 zł":             {"1.299 zł", 1299, 0, "PLN"},
		"₺1.250":               {"₺1.250", 1250, 0, "TRY"},
		"1.250,50 TL":          {"1.250,50 TL", 1250.5, 0, "TRY"},
		"R$ 1.250":             {"R$ 1.250", 1250, 0, "BRL"},
		"1.250 kr":             {"1.250 kr", 1250, 0, ""},
		"kr. 1.250":            {"kr. 1.250", 1250, 0, ""},
		"1.200 - 1.900 €":      {"1.200 - 1.900 €", 1200, 1900, "EUR"},
		"$3.459 a gallon":      {"$3.459", 3.459, 0, "USD"},
		"7.125元/升":             {"7.125元", 7.125, 0, "CNY"},
		"0.125 €/kWh":          {"0.125 €", 0.125, 0, "EUR"},
		"1.25 €":               {"1.25 €", 1.25, 0, "EUR"},
		"128.00":               {"128.00", 128, 0, ""},
		"$1,234,567.89 today":  {"$1,234,567.89", 1234567.89, 0, "USD"},
	} {
		v, ok := field.Clean(f, text, nil)
		if !ok || v.Amount == nil {
			t.Errorf("%q is no price: %+v", text, v)
			continue
		}
		high := 0.0
		if v.Most != nil {
			high = *v.Most
		}
		if v.Text != want.text || *v.Amount != want.low || high != want.high || v.Currency != want.currency {
			t.Errorf("%q: %q, %v to %v %s, want %+v", text, v.Text, *v.Amount, high, v.Currency, want)
		}
	}
	old := fieldOf(t, "{type: price, words: [del: 4]}")
	for text, want := range map[string][2]float64{"Was $30 Now $20": {20, 30}, "原价30元 现价：20元": {20, 30}, "Save now! $5": {5, 5}} {
		now, ok := field.Clean(f, text, nil)
		was, is := field.Clean(old, text, nil)
		if !ok || !is || *now.Amount != want[0] || *was.Amount != want[1] {
			t.Errorf("%q: now %+v, before %+v, want %v", text, now, was, want)
		}
	}
	for _, text := range []string{"", "面议", "暂无报价", "￥", "：", "call for price"} {
		if v, ok := field.Clean(f, text, nil); ok {
			t.Errorf("%q is a price: %+v", text, v)
		}
	}
}

func TestDate(t *testing.T) {
	f := fieldOf(t, "{type: date, labels: [发布时间, Posted]}")
	for text, want := range map[string][2]string{
		"2024-03-26":                      {"2024-03-26", "2024-03-26"},
		"发布时间：2024年3月26日 08:05":           {"2024年3月26日 08:05", "2024-03-26T08:05"},
		"2024/3/6":                        {"2024/3/6", "2024-03-06"},
		"2024-03-26T08:05:59+08:00":       {"2024-03-26T08:05", "2024-03-26T08:05"},
		"March 4, 2025 9:10 PM":           {"March 4, 2025 9:10 PM", "2025-03-04T21:10"},
		"March 4, 2025 at 12:05 a.m. EST": {"March 4, 2025 at 12:05 a.m.", "2025-03-04T00:05"},
		"3/4/2025 12:05:30 PM":            {"3/4/2025 12:05:30 PM", "2025-03-04T12:05"},
		"2025-03-04 9:10 from PMI":        {"2025-03-04 9:10", "2025-03-04T09:10"},
		"2025年3月4日 下午3:20":                {"2025年3月4日 下午3:20", "2025-03-04T15:20"},
		"2025年3月4日晚上 11:05":               {"2025年3月4日晚上 11:05", "2025-03-04T23:05"},
		"2025年3月4日凌晨12:05":                {"2025年3月4日凌晨12:05", "2025-03-04T00:05"},
		"2025年3月4日上午9:20":                 {"2025年3月4日上午9:20", "2025-03-04T09:20"},
		"二〇二四年三月二十六日":                     {"二〇二四年三月二十六日", "2024-03-26"},
		"二○二四年十二月三十一日":                    {"二○二四年十二月三十一日", "2024-12-31"},
		"二〇二四年十月十日":                       {"二〇二四年十月十日", "2024-10-10"},
		"Posted: May 25, 2010":            {"May 25, 2010", "2010-05-25"},
		"(June 23rd, 2009)":               {"June 23rd, 2009", "2009-06-23"},
		"25 Dec 2010":                     {"25 Dec 2010", "2010-12-25"},
		"11-23-2010":                      {"11-23-2010", "2010-11-23"},
		"11.12.2024":                      {"11.12.2024", "2024-12-11"},
		"17 2024-11":                      {"17 2024-11", "2024-11-17"},
		"25/12/2010":                      {"25/12/2010", "2010-12-25"},
		"12/6/10":                         {"12/6/10", "2010-12-06"},
		"1er février 2026":                {"1er février 2026", "2026-02-01"},
		"1. März 2026, 10:30 Uhr":         {"1. März 2026, 10:30", "2026-03-01T10:30"},
		"12 de mayo de 2026":              {"12 de mayo de 2026", "2026-05-12"},
		"3 DE OUTUBRO DE 2026":            {"3 DE OUTUBRO DE 2026", "2026-10-03"},
		"12 maggio 2026":                  {"12 maggio 2026", "2026-05-12"},
		"9 maart 2026":                    {"9 maart 2026", "2026-03-09"},
		"12 мая 2026":                     {"12 мая 2026", "2026-05-12"},
		"5 novels 2026":                   {"2026", "2026"},
		"June 2010":                       {"June 2010", "2010-06"},
		"2010年6月":                         {"2010年6月", "2010-06"},
		"2010":                            {"2010", "2010"},
		"3月26日 08:05":                     {"3月26日 08:05", ""},
		"3 days ago":                      {"3 days ago", ""},
		"5分钟前":                            {"5分钟前", ""},
		"昨天 08:05":                        {"昨天 08:05", ""},
		"Sept. 1, 2011, in print":         {"Sept. 1, 2011", "2011-09-01"},
		"Knopf; 1 edition (May 25, 2010)": {"May 25, 2010", "2010-05-25"},
	} {
		v, ok := field.Clean(f, text, nil)
		if !ok || v.Text != want[0] || v.Date != want[1] {
			t.Errorf("%q: %v %q %q, want %q", text, ok, v.Text, v.Date, want)
		}
	}
	for _, text := range []string{"", "soon", "1.5", "13:45"} {
		if v, ok := field.Clean(f, text, nil); ok {
			t.Errorf("%q is a date: %+v", text, v)
		}
	}
}

func TestNumber(t *testing.T) {
	f := fieldOf(t, "{type: number, labels: [销量]}")
	for text, want := range map[string]float64{"销量：2273": 2273, "5.8万+": 58000, "1,024 条评价": 1024, "3亿": 3e8, "12k": 12000, "销量：-12": -12, "−3.5 °C": -3.5, "约 -7": -7, "- 5": 5, "COVID-19": 19, "A-5": 5} {
		if v, ok := field.Clean(f, text, nil); !ok || v.Amount == nil || *v.Amount != want {
			t.Errorf("%q: %+v, want %v", text, v, want)
		}
	}
	counts := fieldOf(t, "{type: number, labels: [Reviews, Customer Reviews, 评价]}")
	for text, want := range map[string]float64{"4.6 (128 reviews)": 128, "4.6/5 (1,280 Customer Reviews)": 1280, "4.6": 4.6, "3 stars, 12 votes": 3, "5 reviews": 5} {
		if v, ok := field.Clean(counts, text, nil); !ok || v.Amount == nil || *v.Amount != want {
			t.Errorf("%q: %+v, want %v reviews", text, v, want)
		}
	}
	for _, text := range []string{"无", "buyer0 2026-10-10 Good kettle", "2026-10-10", "2026.10.10 09:30"} {
		if v, ok := field.Clean(f, text, nil); ok {
			t.Errorf("%q has a number: %+v", text, v)
		}
	}
}

func TestText(t *testing.T) {
	f := fieldOf(t, "{labels: [品牌, Publisher]}")
	for text, want := range map[string]string{
		"品牌：  索尼（SONY）": "索尼（SONY）", " : 9780316125581 ": "9780316125581", "Publisher: Knopf;\n\t First Edition": "Knopf; First Edition",
		"【华为】": "华为", "Time: 3 pm": "Time: 3 pm", "A Song – live": "A Song – live", "99503  | ": "99503", "(Vintage)": "Vintage", "Girl (Vintage)": "Girl (Vintage)",
		"品牌：-12 °C": "-12 °C", "-3.5": "-3.5", "−12 °C": "−12 °C", "- 12 °C": "12 °C", "-010-1234": "010-1234", "-2024-05-01": "2024-05-01", "-live": "live",
		"=SUM(A1:A9)": "=SUM(A1:A9)", "品牌：=1+1": "=1+1", "= Sony =": "Sony", "==Sony": "Sony",
	} {
		if v, ok := field.Clean(f, text, nil); !ok || v.Text != want {
			t.Errorf("%q: %v %q, want %q", text, ok, v.Text, want)
		}
	}
	for _, text := range []string{"", " ：|", "\u200b"} {
		if v, ok := field.Clean(f, text, nil); ok {
			t.Errorf("%q is a value: %+v", text, v)
		}
	}
	phone := fieldOf(t, `{pattern: '\d{3}-\d{4}'}`)
	if _, ok := field.Clean(phone, "no phone", nil); ok {
		t.Error("a text without the pattern is a value")
	}
}

func TestLink(t *testing.T) {
	base, err := url.Parse("https://shop.test/list/2.html")
	if err != nil {
		t.Fatal(err)
	}
	f := fieldOf(t, "{type: image}")
	for ref, want := range map[string]string{
		"//img.test/a.jpg": "https://img.test/a.jpg", "../b.png": "https://shop.test/b.png", " /c d.jpg ": "https://shop.test/c%20d.jpg", "?p=3": "https://shop.test/list/2.html?p=3",
	} {
		if v, ok := field.Clean(f, ref, base); !ok || v.Text != want {
			t.Errorf("%q: %v %q, want %q", ref, ok, v.Text, want)
		}
	}
	for _, ref := range []string{"", "#top", "javascript:;", "data:image/gif;base64,R0", "mailto:a@b.test"} {
		if v, ok := field.Clean(f, ref, base); ok {
			t.Errorf("%q is an address: %+v", ref, v)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("￥1,299.00-1,599")
	f.Add("二〇二四年三月二十六日")
	f.Add("品牌：索尼")
	f.Add("May 3, 2026 | by Ann Reid (Post)")
	f.Add("//")
	fields := []*template.Field{fieldOf(f, "{type: price}"), fieldOf(f, "{type: date}"), fieldOf(f, "{type: number}"), fieldOf(f, "{labels: [品牌, By]}"), fieldOf(f, "{type: link}")}
	f.Fuzz(func(t *testing.T, text string) {
		for _, of := range fields {
			v, ok := field.Clean(of, text, nil)
			if ok && (v.Text == "" || (of.Type == template.Price || of.Type == template.Number) && v.Amount == nil) {
				t.Errorf("%s of %q: %+v", of.Type, text, v)
			}
		}
	})
}
