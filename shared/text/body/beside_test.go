package body

import (
	"testing"
	"time"
)

func TestBeside(t *testing.T) {
	fetched := time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"2024-05-01":       "2024-05-01",
		"[2024/5/1 10:00]": "2024-05-01",
		"发布日期：2024年5月1日":   "2024-05-01",
		"May 1, 2024":      "2024-05-01",
		"05-01":            "", // of which year?
		"3月1日":             "",
		"2024-09-01":       "", // not yet
		"1024-05-01":       "",
		"12:30":            "",
		"28\n2024-05":      "2024-05-28", "2024年5月\n8日": "2024-05-08", "2024-05\n42": "", "2024-05": "", "28": "",
		"第12期\n2024-05-01": "2024-05-01", "发布时间：2024-05-28 来源：青岭日报 浏览次数：801次 字号：大 中 小": "2024-05-28",
		"2024-05-01 银行开了一家新店，从早上排到傍晚": "",
	} {
		if got := Beside(text, fetched); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestDay(t *testing.T) {
	for _, date := range []string{"2024-02-29", "1990-01-01", ""} {
		if got := DayOf(date).String(); got != date {
			t.Errorf("%q becomes %q", date, got)
		}
	}
}
