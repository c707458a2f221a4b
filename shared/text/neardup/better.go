package neardup

import (
	"cmp"
	"strings"
	"time"
)

// earliest returns when a document is first known to have been there, in
// minutes since 1970: when it was published, where the page says so credibly,
// else when it was fetched.
func earliest(d *Doc) int32 {
	at := d.Fetched
	if p := d.Published; p.Year() >= firstYear && (at.IsZero() || p.Before(at.Add(24*time.Hour))) {
		at = p
	}
	if at.IsZero() {
		return 1<<31 - 1
	}
	return int32(min(max(at.Unix()/60, 0), 1<<31-1))
}

// firstYear is that of the first page of the web.
const firstYear = 1990

// origin says what the page names as its source.
type origin uint8

const (
	copied   origin = iota // another publication
	unknown                // none
	original               // the site that it is on
)

// originOf compares the source that a page names with the site it is on.
func originOf(source, site string) origin {
	source, site = strings.ToLower(strings.TrimSpace(source)), strings.ToLower(site)
	if source == "" {
		return unknown
	}
	label, _, _ := strings.Cut(site, ".")
	switch {
	case site == "":
		return copied
	case strings.Contains(source, site), len(label) > 2 && source == label:
		return original
	}
	for _, p := range publications {
		if strings.HasPrefix(source, p.name) && (site == p.site || strings.HasSuffix(site, "."+p.site)) {
			return original
		}
	}
	return copied
}

// publications are names by which pages credit their sources, and the sites of
// these. Some have two of either.
var publications = [...]struct{ name, site string }{
	{"新华", "xinhuanet.com"}, {"新华", "news.cn"},
	{"人民网", "people.com.cn"}, {"人民日报", "people.com.cn"}, {"人民日报", "people.cn"}, {"人民网", "people.cn"},
	{"中新", "chinanews.com"}, {"中新", "chinanews.com.cn"}, {"中国新闻网", "chinanews.com"},
	{"中国新闻网", "chinanews.com.cn"}, {"中国新闻社", "chinanews.com"},
	{"央视", "cctv.com"}, {"央视", "cntv.cn"}, {"新闻联播", "cctv.com"}, {"央广", "cnr.cn"}, {"中国广播网", "cnr.cn"},
	{"中国网", "china.com.cn"}, {"中国日报", "chinadaily.com.cn"}, {"中国经济网", "ce.cn"}, {"经济日报", "ce.cn"},
	{"光明", "gmw.cn"}, {"中国青年", "youth.cn"}, {"中国青年报", "cyol.com"}, {"中青", "cyol.com"},
	{"环球", "huanqiu.com"}, {"澎湃", "thepaper.cn"}, {"界面", "jiemian.com"}, {"财新", "caixin.com"},
	{"第一财经", "yicai.com"}, {"新京报", "bjnews.com.cn"}, {"北京青年报", "ynet.com"}, {"北青", "ynet.com"},
	{"南方都市报", "oeeo.com"}, {"南方", "southcn.com"}, {"南方周末", "infzm.com"}, {"羊城晚报", "ycwb.com"}, {"金羊", "ycwb.com"},
	{"大洋", "dayoo.com"}, {"广州日报", "dayoo.com"}, {"解放", "jfdaily.com"}, {"东方网", "eastday.com"}, {"文汇", "whb.cn"},
	{"红网", "rednet.cn"}, {"大众", "dzwww.com"}, {"浙江在线", "zjol.com.cn"}, {"荆楚", "cnhubei.com"}, {"四川在线", "scol.com.cn"},
	{"千龙", "qianlong.com"}, {"北方网", "enorth.com.cn"}, {"东北网", "dbw.cn"}, {"华龙", "cqnews.net"},
	{"法制", "legaldaily.com.cn"}, {"法治日报", "legaldaily.com.cn"}, {"证券时报", "stcn.com"}, {"中国证券报", "cs.com.cn"}, {"中证", "cs.com.cn"},
	{"上海证券报", "cnstock.com"}, {"证券日报", "zqrb.cn"}, {"每日经济新闻", "nbd.com.cn"}, {"每经", "nbd.com.cn"}, {"21世纪经济报道", "21jingji.com"},
	{"新浪", "sina.com.cn"}, {"搜狐", "sohu.com"}, {"网易", "163.com"}, {"腾讯", "qq.com"}, {"凤凰", "ifeng.com"},
	{"科技日报", "stdaily.com"}, {"中国科技网", "stdaily.com"}, {"科学网", "sciencenet.cn"}, {"linux中国", "linux.cn"},
	{"中国政府网", "gov.cn"}, {"联合早报", "zaobao.com"}, {"中央社", "cna.com.tw"}, {"bbc", "bbc.com"}, {"bbc", "bbc.co.uk"},
}

// trifle is the share of its length by which a text may be shorter than another
// without being the worse copy for it.
const trifle = 0.05

func hardlyShorter(length, than uint32) bool {
	return float64(length) >= (1-trifle)*float64(than)
}

// compareDocs says which of two copies of about one length is better, the
// negative number being for a: the one on the site that it names as its source,
// then one that names none; the earlier; the longer after all; in the end the
// hashes of id and text decide.
func compareDocs(a, b *entry) int {
	return cmp.Or(
		cmp.Compare(b.origin, a.origin),
		cmp.Compare(a.earlier, b.earlier),
		cmp.Compare(b.length, a.length),
		cmp.Compare(a.id, b.id),
		a.digest.compare(b.digest),
	)
}
