//go:build linux

package cloud_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
)

// statement is one of a role's policy. Intrinsic functions of the template read as their
// arguments: "UrlsTable.Arn", "${Bucket.Arn}/raw/*".
type statement struct {
	Action, Resource any // a string, or several
	Condition        map[string]map[string][]string
}

// guard passes requests of the functions on to the emulator, which allows all of them, and
// reports those that the function's role in template.yaml does not allow.
type guard struct {
	*httptest.Server
	roles map[string][]statement // by function
	stack string

	mu    sync.Mutex
	asked map[string]bool
}

func newGuard(t *testing.T, stack string) *guard {
	t.Helper()
	to, err := url.Parse(os.Getenv("AWS_ENDPOINT_URL"))
	if err != nil {
		t.Fatal(err)
	}
	g := &guard{roles: rolesOf(t), stack: stack, asked: map[string]bool{}}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // it is signed
	}, ErrorHandler: func(http.ResponseWriter, *http.Request, error) {
		panic(http.ErrAbortHandler) // the function was killed
	}, Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // the function was killed
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		g.check(t, r, body)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		g.Close()
		g.mu.Lock()
		defer g.mu.Unlock()
		t.Logf("asked for: %v", slices.Sorted(maps.Keys(g.asked)))
	})
	return g
}

// rolesOf reads the statements of the roles in template.yaml.
func rolesOf(t *testing.T) map[string][]statement {
	t.Helper()
	data, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var template struct {
		Resources map[string]struct {
			Type       string `yaml:"Type"`
			Properties any    `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	// The parser takes the colons of a flow mapping's plain value for the next key's.
	data = bytes.ReplaceAll(data, []byte("!Ref AWS::"), []byte("!Ref AWS."))
	if err := yaml.Unmarshal(data, &template); err != nil {
		t.Fatal(err)
	}
	roles := map[string][]statement{}
	for name, r := range template.Resources {
		if r.Type != "AWS::IAM::Role" {
			continue
		}
		var role struct {
			Policies []struct {
				PolicyDocument struct{ Statement []statement }
			}
		}
		text, err := json.Marshal(r.Properties)
		if err == nil {
			err = json.Unmarshal(text, &role)
		}
		if err != nil {
			t.Fatalf("read %s: %v", name, err)
		}
		roles[strings.ToLower(strings.TrimSuffix(name, "Role"))] = role.Policies[0].PolicyDocument.Statement
	}
	if len(roles) != 5 {
		t.Fatalf("template.yaml has %d roles, want those of five functions", len(roles))
	}
	return roles
}

// need is what IAM is asked about a request.
type need struct{ action, resource, key, value string } // key: of a condition, with its value

func (n need) String() string { return strings.TrimSpace(n.action + " " + n.resource + " " + n.value) }

// check reports what the role of the function that signed a request does not allow.
func (g *guard) check(t *testing.T, r *http.Request, body []byte) {
	_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	function, _, _ := strings.Cut(scope, "/")
	role, known := g.roles[function]
	if !known {
		return // of the other template
	}
	for _, n := range g.needs(r, body) {
		if !slices.ContainsFunc(role, func(s statement) bool { return s.allows(n) }) {
			t.Errorf("the role of %s does not allow %s", function, n)
		}
		g.mu.Lock()
		g.asked[function+" "+n.action+" "+strings.SplitN(n.resource, "/", 3)[0]] = true
		g.mu.Unlock()
	}
}

func (s *statement) allows(n need) bool {
	if !slices.Contains(texts(s.Action), n.action) {
		return false
	}
	for _, of := range s.Condition {
		if patterns := of[n.key]; n.key != "" && len(patterns) > 0 && !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, n.value) }) {
			return false
		}
	}
	return slices.ContainsFunc(texts(s.Resource), func(r string) bool {
		r = strings.NewReplacer("${", "", "}", "", ".Arn", "").Replace(r)
		return n.resource == "" || matches(r, n.resource)
	})
}

func matches(pattern, s string) bool {
	start, open := strings.CutSuffix(pattern, "*")
	return s == pattern || open && strings.HasPrefix(s, start)
}

func texts(v any) []string {
	if one, ok := v.(string); ok {
		return []string{one}
	}
	var all []string
	list, _ := v.([]any)
	for _, one := range list {
		all = append(all, fmt.Sprint(one))
	}
	return all
}

// needs names what a request needs. Of switches only the action is compared.
func (g *guard) needs(r *http.Request, body []byte) []need {
	prefix, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	c := callOf(r, body)
	switch {
	case c.service == serviceDynamo:
		return g.rowsOf(operation, c.input)
	case c.service == serviceSQS:
		name := strings.TrimPrefix(c.resource, g.stack+"-")
		if lane := map[string]bool{"high": true, "normal": true, "low": true}; lane[name] {
			name = "frontier-" + name
		}
		return []need{{action: "sqs:" + strings.TrimSuffix(operation, "Batch"), resource: camel(name) + "Queue"}}
	case prefix == "AWSEvents":
		return []need{{action: "events:" + operation}}
	case c.service == serviceS3:
		_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case r.URL.Query().Has("list-type"):
			return []need{{action: "s3:ListBucket", resource: "Bucket", key: "s3:prefix", value: r.URL.Query().Get("prefix")}}
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			return []need{{action: "s3:GetObject", resource: "Bucket/" + key}, {action: "s3:ListBucket", resource: "Bucket"}}
		}
		return []need{{action: "s3:" + strings.ToUpper(r.Method[:1]) + strings.ToLower(r.Method[1:]) + "Object", resource: "Bucket/" + key}}
	}
	return []need{{action: "lambda:" + map[string]string{http.MethodGet: "Get", http.MethodPut: "Update"}[r.Method] + "EventSourceMapping"}}
}

// rowsOf names what an operation on tables needs, row by row.
func (g *guard) rowsOf(operation string, in map[string]any) (needs []need) {
	add := func(operation, table string, row any) {
		n := need{action: "dynamodb:" + operation, resource: camel(strings.TrimPrefix(table, g.stack+"-")) + "Table"}
		if key, ok := row.(map[string]any); ok {
			if p, ok := key["p"].(map[string]any); ok {
				n.key, n.value = "dynamodb:LeadingKeys", fmt.Sprint(p["S"])
			}
		}
		needs = append(needs, n)
	}
	object := func(v any) map[string]any { m, _ := v.(map[string]any); return m }
	list := func(v any) []any { l, _ := v.([]any); return l }
	switch operation {
	case "TransactWriteItems": // has no action of its own
		for _, item := range list(in["TransactItems"]) {
			for kind, of := range object(item) {
				add(kind+"Item", fmt.Sprint(object(of)["TableName"]), object(of)["Key"])
			}
		}
	case "BatchGetItem":
		for table, of := range object(in["RequestItems"]) {
			for _, key := range list(object(of)["Keys"]) {
				add(operation, table, key)
			}
		}
	case "BatchWriteItem":
		for table, of := range object(in["RequestItems"]) {
			for _, write := range list(of) {
				for _, w := range object(write) { // PutRequest, DeleteRequest
					row := object(w)["Key"]
					if row == nil {
						row = object(w)["Item"]
					}
					add(operation, table, row)
				}
			}
		}
	case "Query":
		add(operation, fmt.Sprint(in["TableName"]), map[string]any{"p": object(in["ExpressionAttributeValues"])[":p"]})
		if index, ok := in["IndexName"]; ok {
			needs[0].resource += fmt.Sprintf("/index/%v", index)
		}
	default:
		row := in["Key"]
		if row == nil {
			row = in["Item"]
		}
		add(operation, fmt.Sprint(in["TableName"]), row)
	}
	return needs
}

// camel writes seeds-dead as SeedsDead.
func camel(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}
