package demo

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAccount(t *testing.T) {
	w := New()
	for _, url := range []string{
		"http://tiyu.demo.test/", "http://tiyu.demo.test/", "http://tiyu.demo.test/?utm_source=x",
		"http://tiyu.demo.test/robots.txt", "http://tiyu.demo.test/ai.txt", "http://jiaoyu.demo.test/.well-known/tdmrep.json", "http://tiyu.demo.test/nothing",
		"http://zhuanti.demo.test/neibu/pingji.html", "http://169.254.169.254/latest/meta-data/",
	} {
		get(t, w, url)
	}
	want := Account{
		Requests: 5, Robots: 1, Files: 2, Distinct: 4, Repeated: 1, Denied: 1, Outside: 1,
		Status: map[int]int{200: 4, 404: 1},
		Hosts: map[string]HostAccount{
			"tiyu.demo.test":    {Requests: 4, Peak: 1},
			"jiaoyu.demo.test":  {Peak: 1},
			"zhuanti.demo.test": {Requests: 1, Denied: 1, Peak: 1},
		},
	}
	if diff := cmp.Diff(want, w.Account()); diff != "" {
		t.Errorf("account (-want +got):\n%s", diff)
	}
}

func TestAccountConcurrently(t *testing.T) {
	w := New()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				get(t, w, "http://keji.demo.test/")
				w.Account().Hosts["keji.demo.test"] = HostAccount{} // a copy
			}
		})
	}
	wg.Wait()
	a := w.Account()
	if a.Requests != 160 || a.Distinct != 1 || a.Repeated != 159 || a.Hosts["keji.demo.test"].Requests != 160 {
		t.Errorf("account = %+v, want 160 requests of one URL", a)
	}
}

func TestAccountJSON(t *testing.T) {
	w := New()
	get(t, w, "http://tiyu.demo.test/")
	b, err := json.Marshal(w.Account())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"requests":1`, `"repeated_requests":0`, `"robots_denied_requests":0`, `"200":1`, `"tiyu.demo.test":{`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("account %s lacks %s", b, want)
		}
	}
}
