package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"
)

// policyFile is the policy of those who operate a stack, as docs/deploy.md has it attached.
const policyFile = "../../infra/aws/operator.json"

// watched has what the program asks of AWS in the rest of the test go through a proxy,
// which reports requests that the policy of operators does not allow.
func watched(t *testing.T) {
	t.Helper()
	if os.Getenv("SLUICE_WATCHED") != "" {
		return // since an earlier command of the test
	}
	to, err := url.Parse(os.Getenv("AWS_ENDPOINT_URL"))
	if err != nil {
		t.Fatal(err)
	}
	allowed := operatorActions(t)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // it is signed
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, action := range actionsOf(r) {
			if !allowed[action] {
				t.Errorf("%s does not allow %s, which a command needs", policyFile, action)
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	t.Setenv("SLUICE_WATCHED", "1")
}

func operatorActions(t *testing.T) map[string]bool {
	t.Helper()
	data, err := os.ReadFile(policyFile)
	if err != nil {
		t.Fatal(err)
	}
	var policy struct {
		Statement []struct {
			Effect string
			Action []string
		}
	}
	if err := json.Unmarshal(data, &policy); err != nil {
		t.Fatal(err)
	}
	actions := map[string]bool{}
	for _, s := range policy.Statement {
		for _, a := range s.Action {
			actions[a] = s.Effect == "Allow"
		}
	}
	return actions
}

// actionsOf names what IAM is asked about a request: "sqs:SendMessage".
func actionsOf(r *http.Request) []string {
	_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	parts := strings.Split(scope, "/") // KEY/DATE/REGION/SERVICE/aws4_request
	if len(parts) < 5 {
		return []string{"a request without a signature"}
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	switch service := parts[3]; service {
	case "s3":
		return []string{"s3:" + objectAction(r)}
	case "lambda":
		return []string{"lambda:" + map[string]string{http.MethodGet: "Get", http.MethodPut: "Update"}[r.Method] + "EventSourceMapping"}
	case "monitoring":
		return []string{"cloudwatch:" + path.Base(r.URL.Path)}
	case "cloudformation":
		form, err := url.ParseQuery(string(peek(r)))
		if err != nil {
			return []string{err.Error()}
		}
		return []string{service + ":" + form.Get("Action")}
	case "sqs":
		return []string{"sqs:" + strings.TrimSuffix(operation, "Batch")} // IAM has one action for both
	default:
		if operation == "TransactWriteItems" {
			return partsOf(peek(r))
		}
		return []string{service + ":" + operation}
	}
}

// partsOf names the actions of a transaction, which has none of its own.
func partsOf(body []byte) (actions []string) {
	var in struct{ TransactItems []map[string]json.RawMessage }
	if err := json.Unmarshal(body, &in); err != nil {
		return []string{err.Error()}
	}
	for _, item := range in.TransactItems {
		for kind := range item { // Update, Put, Delete, ConditionCheck
			actions = append(actions, "dynamodb:"+kind+"Item")
		}
	}
	return actions
}

func objectAction(r *http.Request) string {
	switch {
	case r.Method == http.MethodGet && r.URL.Query().Has("list-type"):
		return "ListBucket"
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return "GetObject"
	case r.Method == http.MethodDelete || r.URL.Query().Has("delete"):
		return "DeleteObject"
	}
	return "PutObject"
}

// peek reads the body of a request, which stays to be sent.
func peek(r *http.Request) []byte {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}
