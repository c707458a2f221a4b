package structure

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Facts about one thing are no list, and rows of records are, with heads or without.
func TestFacts(t *testing.T) {
	table := func(rows ...string) string {
		var b strings.Builder
		for _, row := range rows {
			b.WriteString("<tr>")
			for cell := range strings.SplitSeq(row, "|") {
				b.WriteString("<td>" + cell + "</td>")
			}
			b.WriteString("</tr>")
		}
		return "<h1>Things</h1><table>" + b.String() + "</table>"
	}
	th := strings.NewReplacer("<td>*", "<th>", "*</td>", "</th>")
	terms := func(pairs ...string) string {
		var b strings.Builder
		for _, pair := range pairs {
			label, value, _ := strings.Cut(pair, "|")
			b.WriteString("<dt>" + label + "</dt><dd>" + value + "</dd>")
		}
		return "<h1>Things</h1><dl>" + b.String() + "</dl>"
	}
	for name, tt := range map[string]struct {
		page string
		want int // records of the main list
	}{
		"two pairs in a row":      {table("职位名称|软件工程师|工作地点|北京市海淀区", "招聘人数|3人|学历要求|本科及以上", "工作经验|三年以上|月薪|15000元", "发布日期|2026-05-12|截止日期|2026-06-30"), 0},
		"a first row with digits": {table("租金|5500元|户型|三室一厅|面积|98平米", "朝向|南北|楼层|12/18|装修|精装", "小区|阳光花园|地址|人民路88号|电梯|有"), 0},
		"labels in <th>":          {th.Replace(table("*Power*|750 W|*Speed*|2,800 rpm", "*Cable*|4 m|*Weight*|2.1 kg", "*Width*|12 cm|*Height*|30 cm")), 0},
		"terms":                   {terms("Rooms|42", "Check-in|15:00", "Breakfast|included", "Parking|free", "Pets|on request"), 0},
		"records below heads":     {table("Harbour|Departs|Pier|Takes", "Oslo|08:15|North|20 min", "Molde|09:15|South|25 min", "Alta|10:15|East|30 min", "Moss|11:15|West|35 min", "Bodo|12:15|Middle|40 min"), 5},
		"records with remarks":    {table("产品|价格|产地|备注", "白菜|3.5元|山东|暂无", "萝卜|4.5元|河北|特价3元", "土豆|5.5元|甘肃|促销", "黄瓜|6.5元|北京|缺货", "茄子|7.5元|河南|特价5元"), 5},
		"records without heads":   {table("Ann|3|Reds|20", "Bob|10|Blues|21", "Cem|17|Greens|22", "Dan|24|Whites|23", "Eve|31|Golds|24"), 5},
		"terms that are records": {terms("Jazz in the hall|A night of music with players from three towns, from 8 pm until the last train leaves for the coast",
			"Book fair on the square|Publishers of the region show what they printed in 2026, and read from it to whoever stays to listen",
			"Film club at the mill|A silent film with a piano, and a talk about how it was found after it had been lost for many years",
			"Dance in the barn|The band plays until midnight, the kitchen closes at ten, and everybody brings a plate for the others"), 4},
	} {
		t.Run(name, func(t *testing.T) {
			root, err := html.Parse(strings.NewReader(tt.page))
			if err != nil {
				t.Fatal(err)
			}
			got := 0
			if lists := Analyze(root, nil).Lists; len(lists) > 0 {
				got = len(lists[0].Records)
			}
			if got != tt.want {
				t.Errorf("%d records, want %d", got, tt.want)
			}
		})
	}
}
