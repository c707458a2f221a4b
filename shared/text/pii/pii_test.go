package pii

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// All numbers here are made up: of the right form, with checksums, given to
// nobody or printed in a standard or a manual.

func TestMask(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"mobile", "请拨打13800138000咨询", "请拨打<MOBILE>咨询"},
		{"mobile alone", "13800138000", "<MOBILE>"},
		{"mobile with hyphens", "手机：138-0013-8000。", "手机：<MOBILE>。"},
		{"mobile with spaces", "手机 138 0013 8000，张先生", "手机 <MOBILE>，张先生"},
		{"mobile with points", "Tel.138.0013.8000", "Tel.<MOBILE>"},
		{"mobile in 4-3-4", "1380-013-8000", "<MOBILE>"},
		{"mobile in full width", "手机１３８００１３８０００（微信同号）", "手机<MOBILE>（微信同号）"},
		{"mobile with wide hyphens", "138－0013－8000", "<MOBILE>"},
		{"mobile with what does not show", "138\u200b0013\u200b8000 138\x000013\x008000", "<MOBILE> <MOBILE>"},
		{"country code", "+8613800138000", "<MOBILE>"},
		{"country code with spaces", "电话+86 138 0013 8000", "电话<MOBILE>"},
		{"country code with hyphens", "+86-138-0013-8000", "<MOBILE>"},
		{"country code in brackets", "(+86)13800138000、（+86）138 0013 8000", "<MOBILE>、<MOBILE>"},
		{"country code without plus", "86-13800138000 8613800138000", "<MOBILE> <MOBILE>"},
		{"country code with zeros", "008613800138000，0086 138 0013 8000", "<MOBILE>，<MOBILE>"},
		{"virtual operators", "16200138000 16500138000 16700138000 17000138000 17100138000", "<MOBILE> <MOBILE> <MOBILE> <MOBILE> <MOBILE>"},
		{"new prefixes", "19000138000/19200138000/19900138000", "<MOBILE>/<MOBILE>/<MOBILE>"},
		{"list", "13800138000、13900139000，15000150000;18600186000", "<MOBILE>、<MOBILE>，<MOBILE>;<MOBILE>"},
		{"mobile and landlines", "手机13800138000、66123456，0912-345-678", "手机<MOBILE>、66123456，<MOBILE>"},
		{"list with spaces", "138 0013 8000 139 0013 9000 010-62345678", "<MOBILE> <MOBILE> 010-62345678"},
		{"landline and mobile", "010-62345678/13800138000", "010-62345678/<MOBILE>"},
		{"Latin label", "Tel13800138000 tel:13800138000 Mobile:13800138000", "Tel<MOBILE> tel:<MOBILE> Mobile:<MOBILE>"},
		{"next field without a space", "电话13800138000QQ：12345678", "电话<MOBILE>QQ：12345678"},
		{"next sentence", "电话13800138000. 地址北京", "电话<MOBILE>. 地址北京"},
		{"name that is a unit", "联系电话：13800138000万先生", "联系电话：<MOBILE>万先生"},
		{"also QQ", "QQ/微信/手机：13800138000", "QQ/微信/手机：<MOBILE>"},
		{"account that is a mobile number", "支付宝账号：13800138000", "支付宝账号：<MOBILE>"},
		{"table that lost its cells", "图书馆138001380005月1日，文化站1380013800012月3日", "图书馆<MOBILE>5月1日，文化站<MOBILE>12月3日"},
		{"label that is vague", "Mobile No.: 13800138000", "Mobile No.: <MOBILE>"},
		{"table row", "5 张三 13800138000 2023-11-05", "5 张三 <MOBILE> 2023-11-05"},
		{"country code in brackets without plus", "(86)13800138000，(0086)138-0013-8000", "<MOBILE>，<MOBILE>"},
		{"number of a phone", "手机13800138000号，13800138000号码归属地，第二个号码13800138000号码", "手机<MOBILE>号，<MOBILE>号码归属地，第二个号码<MOBILE>号码"},
		{"words that start like a unit", "王芳13800138000人事部，13800138000次日可达，13800138000台州，13800138000户籍", "王芳<MOBILE>人事部，<MOBILE>次日可达，<MOBILE>台州，<MOBILE>户籍"},
		{"phone's label before a unit", "手机号码：13800138000人，电话是13800138000件", "手机号码：<MOBILE>人，电话是<MOBILE>件"},
		{"link to a call", "点击13800138000拨打", "点击<MOBILE>拨打"},
		{"count asked for", "请告知姓名及人数，13800138000", "请告知姓名及人数，<MOBILE>"},
		{"shop that ends like a count", "佳能数码：13800138000", "佳能数码：<MOBILE>"},
		{"year before a phone", "（2024）报名，13800138000", "（2024）报名，<MOBILE>"},
		{"number before a bracketed at", "13800138000 [at] home, 13800138000 AT 5PM, 13800138000 @ home", "<MOBILE> [at] home, <MOBILE> AT 5PM, <MOBILE> @ home"},
		{"Macau", "+853 6612 3456", "<MOBILE>"},
		{"Hong Kong and Taiwan", "+852 6123 4567，+886 912 345 678、0912-345-678", "<MOBILE>，<MOBILE>、<MOBILE>"},
		{"America", "call +1 (212) 555-0123 now", "call <MOBILE> now"},
		{"Britain", "+44 7911 123456", "<MOBILE>"},

		{"numbers of goods", "015000045678\n018000123456", "015000045678\n018000123456"},
		{"labels in 号 that are phones'", "手机号13800138000，微信号：13800138000，抖音号 13800138000，电话号码为13800138000，号码：13800138000，微信同号13800138000", "手机号<MOBILE>，微信号：<MOBILE>，抖音号 <MOBILE>，电话号码为<MOBILE>，号码：<MOBILE>，微信同号<MOBILE>"},
		{"號碼 of somebody", "他的號碼13800138000，李经理号码：13800138000，本机号码 13800138000", "他的號碼<MOBILE>，李经理号码：<MOBILE>，本机号码 <MOBILE>"},
		{"号 of a house", "十全街700号13800138000，人民路八号 13800138000", "十全街700号<MOBILE>，人民路八号 <MOBILE>"},
		{"号 and 码 that end other words", "扫码13800138000，预约挂号：13800138000，百年老字号 13800138000", "扫码<MOBILE>，预约挂号：<MOBILE>，百年老字号 <MOBILE>"},
		{"label before a comma", "请关注公众号，13800138000", "请关注公众号，<MOBILE>"},
		{"unit that starts a word", "13800138000 Mbappe，13800138000 kbc", "<MOBILE> Mbappe，<MOBILE> kbc"},

		{"ID", "身份证号110101199003071233，", "身份证号<ID_NUMBER>，"},
		{"ID with X", "11010519491231002X和11010519491231002x", "<ID_NUMBER>和<ID_NUMBER>"},
		{"ID in full width", "１１０１０５１９４９１２３１００２Ｘ", "<ID_NUMBER>"},
		{"ID in groups", "110101 19900307 1233", "<ID_NUMBER>"},
		{"ID in groups with X", "110105-19491231-002X", "<ID_NUMBER>"},
		{"leap day", "310115200002291059", "<ID_NUMBER>"},
		{"Hong Kong resident", "810000199001010115", "<ID_NUMBER>"},
		{"foreigner", "911124198108030024", "<ID_NUMBER>"},
		{"ID with a label of others", "身份证编号：110101199003071233", "身份证编号：<ID_NUMBER>"},

		{"ID behind the label of what has the same number", "社会保障号：110101199003071233，驾驶证号110101199003071233", "社会保障号：<ID_NUMBER>，驾驶证号<ID_NUMBER>"},

		{"UnionPay", "卡号6222021234567890128", "卡号<BANK_CARD>"},
		{"UnionPay of 16", "工行 6217 0000 1234 5670 张三", "工行 <BANK_CARD> 张三"},
		{"UnionPay in fours", "6222 0212 3456 7890 128。", "<BANK_CARD>。"},
		{"UnionPay with its prefix apart", "622202 1234567890128", "<BANK_CARD>"},
		{"card in full width", "６２２２０２１２３４５６７８９０１２８", "<BANK_CARD>"},
		{"account", "账号：6222021234567890128，银行帐号 6222021234567890128，信用卡号码 4111111111111111", "账号：<BANK_CARD>，银行帐号 <BANK_CARD>，信用卡号码 <BANK_CARD>"},
		{"Visa", "4111111111111111", "<BANK_CARD>"},
		{"Visa with hyphens", "4111-1111-1111-1111", "<BANK_CARD>"},
		{"Visa of 19", "4111111111111111110", "<BANK_CARD>"},
		{"Mastercard", "5555555555554444 2223000048410010", "<BANK_CARD> <BANK_CARD>"},
		{"Amex", "3782 822463 10005 或 371449635398431", "<BANK_CARD> 或 <BANK_CARD>"},
		{"JCB", "3530111333300000", "<BANK_CARD>"},
		{"Diners", "30569309025904，3056 930902 5904", "<BANK_CARD>，<BANK_CARD>"},
		{"Discover", "6011111111111117", "<BANK_CARD>"},

		{"mail", "邮箱zhangsan@example.com。", "邮箱<EMAIL>。"},
		{"mail between Chinese", "请发至zhang.san_1+a@mail.example.com.cn谢谢", "请发至<EMAIL>谢谢"},
		{"mail of digits", "12345678@qq.com", "<EMAIL>"},
		{"mail of a mobile number", "13800138000@163.com", "<EMAIL>"},
		{"mail in full width", "ｚｈａｎｇ＠ｑｑ．ｃｏｍ", "<EMAIL>"},
		{"mail with wide sign", "zhang＠qq.com", "<EMAIL>"},
		{"mail before the next field", "zhang@qq.comTel:010-62345678", "<EMAIL>Tel:010-62345678"},
		{"mail at the end of a sentence", "Write to a.b@example.org. Thanks", "Write to <EMAIL>. Thanks"},
		{"mail in brackets", "<zhang@example.com>;(li@example.cn)", "<<EMAIL>>;(<EMAIL>)"},
		{"mailto", "mailto:zhang@example.com?subject=1", "mailto:<EMAIL>?subject=1"},
		{"capitals", "ZHANG@QQ.COM", "<EMAIL>"},
		{"(at)", "zhang(at)example.com，li [AT] qq.com，wang【at】163.com", "<EMAIL>，<EMAIL>，<EMAIL>"},
		{"spelled in brackets", "wang[at]qq[dot]com，wang(at)qq(dot)com，wang【AT】qq【DOT】com，wang<at>qq<dot>com，wang{at}qq{dot}com，wang（at）qq（dot）com", "<EMAIL>，<EMAIL>，<EMAIL>，<EMAIL>，<EMAIL>，<EMAIL>"},
		{"spelled with spaces", "wang [at] qq [dot] com，wang[ at ]qq[ dot ]com", "<EMAIL>，<EMAIL>"},
		{"reserved host", "user@mail.example", "<EMAIL>"},

		{"IPv4", "来自203.0.113.45的访问", "来自<IP_ADDRESS>的访问"},
		{"IPv4 and port", "198.51.100.7:8080", "<IP_ADDRESS>:8080"},
		{"IPv4 of small parts", "DNS 8.8.8.8，IP：1.2.3.4", "DNS <IP_ADDRESS>，IP：<IP_ADDRESS>"},
		{"IPv4 without a space", "IP203.0.113.45", "IP<IP_ADDRESS>"},
		{"IPv4 range", "203.0.113.1-203.0.113.9", "<IP_ADDRESS>-<IP_ADDRESS>"},
		{"IPv4 network", "203.0.113.0/24", "<IP_ADDRESS>/24"},
		{"IPv4 in full width", "２０３．０．１１３．４５", "<IP_ADDRESS>"},
		{"IPv4 alone in its line", "223.5.5.5\n203.0.113.45", "<IP_ADDRESS>\n<IP_ADDRESS>"},
		{"IPv4 in IPv6", "::ffff:203.0.113.45", "::ffff:<IP_ADDRESS>"},
		{"IPv4 of small parts in IPv6", "::ffff:8.8.8.8", "::ffff:<IP_ADDRESS>"},
		{"IPv4 at the end of a sentence", "The host is 203.0.113.45.", "The host is <IP_ADDRESS>."},
		{"IPv4 as host", "http://203.0.113.45:8080/13800138000", "http://<IP_ADDRESS>:8080/13800138000"},
		{"IPv6", "2001:db8:85a3:0:0:8a2e:370:7334", "<IP_ADDRESS>"},
		{"short IPv6", "地址2001:db8::1，[2001:DB8::a]:80，IPv6:2001:db8::1", "地址<IP_ADDRESS>，[<IP_ADDRESS>]:80，IPv6:<IP_ADDRESS>"},
		{"IPv6 with IPv4", "2001:db8::192.0.2.33.", "<IP_ADDRESS>."},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, counts := Mask(test.text)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Mask(%q) (-want +got):\n%s", test.text, diff)
			}
			if diff := cmp.Diff(masks(test.want), counts); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			checkMask(t, test.text)
		})
	}
}

// masks counts the masks of a text.
func masks(text string) Counts {
	return Counts{
		Mobile:   strings.Count(text, string(Mobile)),
		IDNumber: strings.Count(text, string(IDNumber)),
		Email:    strings.Count(text, string(Email)),
		BankCard: strings.Count(text, string(BankCard)),
		IP:       strings.Count(text, string(IP)),
	}
}

func TestLookAlikesStay(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"order number", "订单号 20231105138001380001"},
		{"order number of a mobile's length", "订单号：13800138000"},
		{"order number of a card's form", "订单编号6222021234567890128"},
		{"tracking number", "运单号：13800138000，SF13800138000"},
		{"tracking number in English", "Tracking number: 4111111111111111"},
		{"dates and times", "2023-11-05 13:45:30，20231105，2023.11.05 13:45，20231105134530"},
		{"hotlines", "400-800-8820，800-810-8888，95588，12345，110，4008008820"},
		{"landlines of Hong Kong", "电话：66123456，Tel: 6123 4567"},
		{"landlines", "010-62345678，(021) 62345678，0755-8623-4567，+86 10 6234 5678，+86-755-86234567"},
		{"eight digits without a label of Hong Kong's", "电话：66123456，Tel: 6123 4567，熱線 6123 4567，編號 6123 4567，6123 4567，香港 6123 4567"},
		{"landlines of Hong Kong and Taiwan", "電話：2345 6789，電話 8123 4567，電話：6600-1234，電話：0223456789，電話：(02)6600-1234"},
		{"eight digits that count", "手機 6123 4567 元，香港手机用户达6123 4567户，共6123 4567人"},
		{"ten digits without a label", "0912345678，編號0912345678，0912 345 678"},
		{"count and date", "138 20240315，编号 138 20240315，1380013 8000"},
		{"numbers of a part", "13800138000-001，订单13800138000-801，13800138000-80，13800138000-801-2，13800138000-80123"},
		{"decimal fractions in lists", "3.13800138000\n5.13800138000，1.13800138000，π=1.13800138000\n11.13800138000\n100.13800138000"},
		{"decimal fraction of a card's form", "1.4111111111111111"},
		{"sizes and parts", "规格138/1200/1500，2024/138/0013/8000，138/0013/8000/1，1·138·0013·8000，138·0013·8000·1，138·001·38000，138·0013/8000"},
		{"free phones", "+1-800-555-0199，+44 800 123 4567"},
		{"QQ", "QQ：13800138000，QQ群13800138000，qq 123456789"},
		{"amounts", "13800138000元，13800138000 美元，¥13800138000，13800138000万吨，USD 13800138000，$13800138000"},
		{"amount in bytes", "13800138000 bytes"},
		{"stock codes", "600519，sz000001，00700.HK，股票代码：13800138000"},
		{"ISBN", "ISBN 978-7-302-13800-1，ISBN：9787302138006，ISBN 4111111111111111"},
		{"ISSN", "ISSN 1380-0138"},
		{"landline behind a mobile", "66123456，9123 4567，852 9123 4567，編號852-9123-4567"},
		{"label of a file", "文号：13800138000，案号13800138000，档案号：13800138000"},
		{"police record", "京公网安备11010502030143号，赣公网安备 36010102020002号"},
		{"credit code", "统一社会信用代码：911101081019900301"},
		{"ID of a wrong checksum", "110101199003071234，11010519491231002"},
		{"ID of no date", "44030819990229001X"},
		{"ID of the future", "110101209903071239"},
		{"ID of no province", "160101199003071232，990101199003071237"},
		{"ID in a longer number", "1101011990030712330"},
		{"ID in an order number", "订单号：110101199003071233"},
		{"15 digits without a label", "编号 110105491231002，110105491231002"},
		{"15 digits of no date", "身份证110105491331002"},
		{"card of a wrong checksum", "6222021234567890120，4111111111111112"},
		{"card of no issuer", "7111111111111119，9999999999999995"},
		{"card number in a formula", "2**-4 + 4111111111111111，4111111111111111 / 2**52"},
		{"pages", "上一页…376377378379380…1033下一页"},
		{"number cut off", "6222021234567890128…1"},
		{"card of an issuer's wrong length", "41111111111111"},
		{"card in a longer number", "411111111111111100000"},
		{"card in a decimal fraction", "0.4111111111111111"},
		{"13 digits without a label", "4222222222222"},
		{"IMEI", "IMEI：378282246310005"},
		{"barcode", "条形码6901234567892"},
		{"twelve digits", "138001380001，0138001380001，电话 011800138000"},
		{"no prefix of mobiles", "12800138000，15400138000，14000138000，17900138000，19400138000"},
		{"decimal fractions", "3.13800138000，13800138000.5"},
		{"percentage", "13800138000%"},
		{"parts of longer numbers", "138-0013-8000-1234，13800138000-001，2013800138000"},
		{"table of numbers", "120 138 0013 8000 5210"},
		{"hexadecimal", "a13800138000f，0x13800138000，550e8400-e29b-41d4-a716-13800138000a，446655440000-13800138000"},
		{"URL", "https://example.com/a/13800138000?id=6222021234567890128，www.example.com/13800138000"},
		{"URL without scheme", "example.com/p/13800138000.html"},
		{"names of files", "13800138000.jpg，img_13800138000，13800138000_1.png"},
		{"parameter", "id=13800138000&x"},
		{"number of no country", "+4294967291，+9991234567"},
		{"twelve digits that end in no month", "13800138000013月，138001380005日"},
		{"postcode", "邮编：100000"},
		{"standard", "GB/T 13800-2008，GB 11643-1999，ISO/IEC 7812-1:2017"},
		{"coordinates", "39.904200,116.407400，+39.9042 +116.4074，39°54'15\""},
		{"signed numbers", "+20231105，+5.5%，增长+12345678，2+13800"},
		{"thousands", "13,800,138,000"},
		{"record number", "沪ICP备13800138号-1"},

		{"ID apart without a label", "11010119900307123 3，11010519491231002 X，1101 0119 9003 0712 33"},
		{"mentions", "@张三 回复@lisi：好，//@wang.wu:转发"},
		{"no domain", "user@host，root@localhost，a@b"},
		{"no top-level domain", "image@2x.png，user@host.local，getty@tty1.service"},
		{"versions of packages", "vue@2.6.14，@angular/core@12.0.0，npm i lodash@latest"},
		{"remotes", "git@github.com:owner/repo.git，deploy@example.com:/var/www，deploy@example.com:www/a"},
		{"users in URLs", "https://user:pass@example.com/a，ssh://git@example.com/x，https://medium.com/@someone.com"},
		{"long URL", "https://example.com/@someone.com/" + strings.Repeat("x", 100) + "?a@b"},
		{"names on services", "@user@mastodon.social"},
		{"price", "3个@5.00"},
		{"at in prose", "see (at) home，a at example dot com"},
		{"at and dot in prose", "wang at qq dot com，MEET ME AT HOME DOT，LOOK AT HOST.COM，wang(at)qq(dot)，wang[at]qq[dot]local，wang ATqq DOT com"},
		{"spaces and no provider", "meet @ example.com，see you @ gmail，转自 @ 163.com，user @ qq.com.example"},
		{"spaces and no host", "邮箱 a @ b，联系 3 @ 5.00"},
		{"end of a URL", "https://example.com/zhang @ 163.com"},
		{"#", "C#asp.net，index.html#top.cn，话题#qq.com"},
		{"URL's fragment", "http://example.com/a#qq.com"},

		{"versions", "版本 1.2.3.4，v10.0.1.2，V203.0.113.45，version 203.0.113.45，升级到 12.9.0.164，Chrome 89.0.4389.114"},
		{"versions in a list", "新的稳定版本有 3.4.59 和 2.6.34.14，发布了 2.6.32.70 维护版本，xorg-server 1.18.99.2"},
		{"object identifier", "iso.3.6.1.2.1.92.203.0.113.45"},
		{"fields of a line", "user:x:2240:2243::/home/user"},
		{"versions of software", "iTunes 12.9.0.164，Flash Player 32.0.0.101，Firefox 3.6.12.1"},
		{"releases", "1.2.3.4-beta，203.0.113.45-1，pkg_203.0.113.45"},
		{"five parts", "1.2.3.4.5，203.0.113.45.6"},
		{"sections", "1.1.1.1 节，1.2.3.4 范围，第4.2.1.3条"},
		{"parts too large", "256.1.1.1，1.2.3.456"},
		{"zeros before", "11.01.02.03，203.000.113.045"},
		{"local addresses", "127.0.0.1，192.168.0.1，10.1.2.3，172.16.5.4，169.254.1.1，0.0.0.0，255.255.255.0，224.0.0.251，100.64.1.1"},
		{"hidden addresses", "203.0.113.*，203.0.*.*"},
		{"times", "12:30:45，2023:11:05:30，2001:30:15"},
		{"MAC", "00:1a:2b:3c:4d:5e，20:01:0d:b8:00:01"},
		{"code", "std::vector，a::b，2000::abcz，face::feed"},
		{"local IPv6", "::1，fe80::1，fd00::1234，ff02::1"},
		{"too many groups", "2001:db8:1:2:3:4:5:6:7，2001:db8::1::2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, counts := Mask(test.text)
			if diff := cmp.Diff(test.text, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if counts != (Counts{}) {
				t.Errorf("counts = %+v", counts)
			}
		})
	}
}

func TestCountsJSON(t *testing.T) {
	got, err := json.Marshal(Counts{Mobile: 1})
	want := `{"mobile_number":1,"id_number":0,"email":0,"bank_card":0,"ip_address":0}`
	if err != nil || string(got) != want {
		t.Errorf("Marshal = %s, %v; want %s", got, err, want)
	}
}

// TestMasksAreBarriers: what is between two finds is not part of either,
// and what the first pass spared next to one the second spares.
func TestMasksAreBarriers(t *testing.T) {
	for _, text := range []string{
		"13800138000 yuan@qq.com",
		"订单号13800138000zhang@qq.com",
		"身份证 " + strings.Repeat("a", 60) + "@qq.com 110105491231002",
		"138 0013 8000 6222021234567890128",
		"1.2.3.4 203.0.113.45 DNS",
		"203.0.113.45.13800138000@qq.com",
	} {
		checkMask(t, text)
	}
}

// checkMask checks the promises of Mask.
func checkMask(t *testing.T, text string) {
	t.Helper()
	masked, counts := Mask(text)
	if again, _ := Mask(masked); again != masked {
		t.Errorf("Mask(%q) = %q; masked again %q", text, masked, again)
	}
	var rebuilt strings.Builder
	var total Counts
	done := 0
	f := finder{text: text}
	for m, ok := f.next(); ok; m, ok = f.next() {
		if m.Start < done || m.End <= m.Start || m.End > len(text) {
			t.Fatalf("match %+v of %q behind %d", m, text, done)
		}
		rebuilt.WriteString(text[done:m.Start] + string(m.Kind))
		done = m.End
		total.add(m.Kind)
	}
	rebuilt.WriteString(text[done:])
	if rebuilt.String() != masked || total != counts {
		t.Errorf("matches of %q make %q, %+v; Mask %q, %+v", text, rebuilt.String(), total, masked, counts)
	}
	if before, after := masks(text), masks(masked); after.Mobile-before.Mobile != counts.Mobile || after.IDNumber-before.IDNumber != counts.IDNumber ||
		after.Email-before.Email != counts.Email || after.BankCard-before.BankCard != counts.BankCard || after.IP-before.IP != counts.IP {
		t.Errorf("Mask(%q) = %q with %+v", text, masked, counts)
	}
}

func ExampleMask() {
	masked, found := Mask("联系人张三，手机138 0013 8000，邮箱zhangsan@example.com，订单号20231105138001380001。")
	fmt.Println(masked)
	fmt.Println(found.Mobile, found.Email)
	// Output:
	// 联系人张三，手机<MOBILE>，邮箱<EMAIL>，订单号20231105138001380001。
	// 1 1
}
