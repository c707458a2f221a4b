package frozenweb

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/zstd"

	"sluice/shared/web/fetch"
)

const file = `{"web": "small", "seeds": ["http://x.test/"], "note": "invented"}
{"url": "http://x.test/", "type": "text/html; charset=gbk", "b64": "PHRpdGxlPrLGvq08L3RpdGxlPg==", "label": "none", "kind": "home"}

{"url": "http://x.test/a?b=1", "type": "text/plain", "text": "财经", "label": "finance"}
{"url": "http://x.test/c", "title": "赛事", "text": "比赛", "label": "sports"}
{"url": "http://x.test/空", "kind": "list"}
`

var want = Web{
	Name: "small", Note: "invented", Seeds: []string{"http://x.test/"},
	Pages: []Page{
		{URL: "http://x.test/", Type: "text/html; charset=gbk", Body: []byte("<title>\xb2\xc6\xbe\xad</title>"), Label: "none", Kind: "home"},
		{URL: "http://x.test/a?b=1", Type: "text/plain", Body: []byte("财经"), Label: "finance", Kind: "article"},
		{URL: "http://x.test/c", Body: []byte("比赛"), Label: "sports", Kind: "article", Plain: true, Title: "赛事"},
		{URL: "http://x.test/空", Body: []byte{}, Kind: "list"},
	},
}

func pack(t *testing.T, w io.WriteCloser) {
	t.Helper()
	if _, err := io.WriteString(w, file); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	var gz, zs bytes.Buffer
	pack(t, gzip.NewWriter(&gz))
	z, err := zstd.NewWriter(&zs)
	if err != nil {
		t.Fatal(err)
	}
	pack(t, z)
	for name, packed := range map[string][]byte{"plain": []byte(file), "gzip": gz.Bytes(), "zstd": zs.Bytes()} {
		t.Run(name, func(t *testing.T) {
			web, err := Read(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&want, web, cmpopts.IgnoreUnexported(Web{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if name == "plain" {
				return
			}
			if _, err := Read(bytes.NewReader(packed[:len(packed)-9])); err == nil {
				t.Error("no error for a file that is cut off")
			}
		})
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "small.web.jsonl")
	if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	web, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	index, err := LoadIndex(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(web, index, cmpopts.IgnoreUnexported(Web{}), cmpopts.IgnoreFields(Page{}, "Body")); diff != "" {
		t.Errorf("index (-web +index):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"finance", "sports"}, web.Labels()); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if _, err := Load(path + ".none"); err == nil {
		t.Error("no error for a file that is not there")
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"nothing", "", "no pages"},
		{"head alone", `{"web": "x", "seeds": []}`, "no pages"},
		{"not JSON", "{\"url\": \"http://x.test/\"}\n\n<html>", "line 3: "},
		{"not an object", "[]", "line 1: "},
		{"no url", `{"label": "x"}`, "line 1: no url"},
		{"head in the middle", "{\"url\": \"http://x.test/\"}\n{\"web\": \"x\"}", "line 2: no url"},
		{"two heads", "{\"web\": \"x\"}\n{\"web\": \"y\"}", "line 2: the web is named twice"},
		{"relative url", `{"url": "/a"}`, `line 1: url "/a"`},
		{"bad seed", `{"seeds": ["x"]}`, `line 1: seed "x"`},
		{"twice", "{\"url\": \"http://x.test/\"}\n{\"url\": \"http://x.test/\"}", "line 2: url \"http://x.test/\" is there twice"},
		{"two bodies", `{"url": "http://x.test/", "b64": "eA==", "text": "x"}`, "both b64 and text"},
		{"bad base64", `{"url": "http://x.test/", "b64": "***"}`, "line 1: illegal base64"},
		{"wrong type", `{"url": 1}`, "line 1: json"},
		{"redirect with a body", `{"url": "http://x.test/", "redirect": "http://x.test/a", "text": "x"}`, "has a redirect and a body"},
		{"bad redirect", `{"url": "http://x.test/", "redirect": "/a"}`, `redirect "/a"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(test.file)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want it to say %q", err, test.want)
			}
		})
	}
}

func TestServeHTTP(t *testing.T) {
	web, err := Read(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, method, url string
		status            int
		mime, body        string
	}{
		{"page", "GET", "http://x.test/", 200, "text/html; charset=gbk", "<title>\xb2\xc6\xbe\xad</title>"},
		{"query", "GET", "http://x.test/a?b=1", 200, "text/plain", "财经"},
		{"host in capitals, port", "GET", "http://X.test:80/a?b=1", 200, "text/plain", "财经"},
		{"escaped", "GET", "http://x.test/%E7%A9%BA", 200, "text/html", ""},
		{"head", "HEAD", "http://x.test/a?b=1", 200, "text/plain", ""},
		{"other query", "GET", "http://x.test/a?b=2", 404, "", ""},
		{"plain page", "GET", "http://x.test/c", 404, "", ""},
		{"robots", "GET", "http://x.test/robots.txt", 404, "", ""},
		{"other host", "GET", "http://y.test/", 404, "", ""},
		{"https", "GET", "https://x.test/", 502, "", ""},
		{"post", "POST", "http://x.test/", 405, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := httptest.NewRecorder()
			web.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), test.method, test.url, nil))
			if answer.Code != test.status {
				t.Fatalf("status %d, want %d", answer.Code, test.status)
			}
			if test.status != http.StatusOK {
				return
			}
			if mime := answer.Header().Get("Content-Type"); mime != test.mime || answer.Body.String() != test.body {
				t.Errorf("answer is %s %q, want %s %q", mime, answer.Body, test.mime, test.body)
			}
		})
	}
}

// A client that crawls by the transport sees what it would over the network.
func TestTransport(t *testing.T) {
	web, err := Read(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	client, err := fetch.New(fetch.Options{Transport: Transport{web}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, test := range []struct {
		url    string
		status int
		body   string
	}{
		{"http://x.test/a?b=1", 200, "财经"},
		{"http://x.test/%E7%A9%BA", 200, ""},
		{"http://x.test/%zz", 400, ""},
		{"http://x.test//a?b=1", 404, ""},
		{"http://y.test/", 404, ""},
		{"https://x.test/", 502, ""},
	} {
		resp, err := client.Fetch(t.Context(), &fetch.Request{URL: test.url})
		if err != nil {
			t.Errorf("fetch %s: %v", test.url, err)
			continue
		}
		if resp.Status != test.status || string(resp.Body) != test.body {
			t.Errorf("%s: status %d, body %q; want %d, %q", test.url, resp.Status, resp.Body, test.status, test.body)
		}
	}
}

// A web that is written is read as it was; its redirects lead on, also over https.
func TestWriter(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, "small", "invented", []string{"http://x.test/"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Page{
		{URL: "http://x.test/", Type: "text/html; charset=gbk", Body: []byte("<title>\xb2\xc6\xbe\xad</title>"), Label: "finance", Kind: Article},
		{URL: "http://x.test/old", Redirect: "https://x.test/new", Label: None, Kind: "other"},
		{URL: "https://x.test/new", Type: "text/html", Body: []byte("<p>new"), Label: None, Kind: "other"},
	}
	for i := range want {
		if err := w.Add(&want[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	web, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, web.Pages, cmpopts.EquateEmpty()); diff != "" || web.Name != "small" || len(web.Seeds) != 1 {
		t.Errorf("web %q, seeds %v, pages (-want +got):\n%s", web.Name, web.Seeds, diff)
	}
	client := &http.Client{Transport: Transport{web}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://x.test/old", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != "<p>new" || resp.Request.URL.String() != "https://x.test/new" {
		t.Errorf("the redirect leads to %s: %q, error %v", resp.Request.URL, body, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(file))
	f.Add([]byte("{\"url\": \"http://x.test/%zz?\\ud800\", \"text\": \"\\u0000\"}\n{"))
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0})
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		web, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range web.Pages {
			if p := &web.Pages[i]; p.URL != "" && web.Page(p.URL) != p {
				t.Errorf("Page(%q) is another page", p.URL)
			}
		}
	})
}
