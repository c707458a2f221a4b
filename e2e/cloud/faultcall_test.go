//go:build linux

package cloud_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	"path"
	"strconv"
	"strings"
)

const (
	serviceDynamo = "dynamodb"
	serviceSQS    = "sqs"
	serviceS3     = "s3"
	serviceOther  = "other" // EventBridge, Lambda
)

// call is a request as the service sees it.
type call struct {
	service   string
	operation string // "" for S3
	resource  string // table, queue or bucket; else the service
	id        string // the same for all attempts

	input map[string]any // of operations in JSON
}

func callOf(r *http.Request, body []byte) *call {
	c := &call{id: r.Header.Get("Amz-Sdk-Invocation-Id")}
	prefix, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	switch {
	case strings.HasPrefix(prefix, "DynamoDB"):
		c.service, c.operation = serviceDynamo, operation
	case prefix == "AmazonSQS":
		c.service, c.operation = serviceSQS, operation
	case prefix != "" || strings.HasPrefix(r.URL.Path, "/2015-03-31/"):
		c.service, c.operation = serviceOther, operation
	default:
		c.service = serviceS3
		c.resource, _, _ = strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		return c
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if dec.Decode(&c.input) != nil {
		c.input = nil
	}
	c.resource = resourceOf(c.input)
	if c.resource == "" {
		c.resource = c.service
	}
	return c
}

// resourceOf returns the table or queue that an operation is about; of a
// transaction the first.
func resourceOf(input map[string]any) string {
	if name, ok := input["TableName"].(string); ok {
		return name
	}
	if queue, ok := input["QueueUrl"].(string); ok {
		return path.Base(queue)
	}
	if tables, ok := input["RequestItems"].(map[string]any); ok {
		for name := range tables {
			return name
		}
	}
	if items, ok := input["TransactItems"].([]any); ok && len(items) > 0 {
		if item, ok := items[0].(map[string]any); ok {
			for _, action := range item {
				if action, ok := action.(map[string]any); ok {
					return resourceOf(action)
				}
			}
		}
	}
	return ""
}

// refuse answers that the service is out of order.
func (c *call) refuse(w http.ResponseWriter) {
	status := []int{http.StatusInternalServerError, http.StatusServiceUnavailable}[len(c.id+c.operation)%2]
	if c.service == serviceS3 {
		xmlError(w, status, "InternalError")
		return
	}
	jsonError(w, status, "InternalServerError", nil)
}

// throttle answers as the service does to too many requests.
func (c *call) throttle(w http.ResponseWriter) {
	switch {
	case c.service == serviceS3:
		xmlError(w, http.StatusServiceUnavailable, "SlowDown")
	case c.service == serviceSQS:
		jsonError(w, http.StatusBadRequest, "RequestThrottled", nil)
	case c.service == serviceOther:
		jsonError(w, http.StatusTooManyRequests, "TooManyRequestsException", nil)
	case c.operation == "TransactWriteItems":
		var reasons []map[string]string
		items, _ := c.input["TransactItems"].([]any)
		for range items {
			reasons = append(reasons, map[string]string{"Code": "None"})
		}
		if len(reasons) > 0 {
			reasons[0]["Code"] = "TransactionConflict"
		}
		jsonError(w, http.StatusBadRequest, "TransactionCanceledException", reasons)
	case len(c.id) > 0 && c.id[0]%2 == 0:
		jsonError(w, http.StatusBadRequest, "ThrottlingException", nil)
	default:
		jsonError(w, http.StatusBadRequest, "ProvisionedThroughputExceededException", nil)
	}
}

func jsonError(w http.ResponseWriter, status int, code string, reasons []map[string]string) {
	answer := map[string]any{"__type": "com.amazonaws.fault#" + code, "message": "injected"}
	if reasons != nil {
		answer["CancellationReasons"] = reasons
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("X-Amzn-Errortype", code)
	body, err := json.Marshal(answer)
	if err != nil {
		panic(err) // strings always encode
	}
	w.Header().Set("X-Amz-Crc32", checksum(body))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// checksum is the one of DynamoDB's answers.
func checksum(body []byte) string { return strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10) }

func xmlError(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>injected</Message></Error>", code)
}

// batch reports whether the service may leave a part of the call undone.
func (c *call) batch() bool {
	switch c.operation {
	case "SendMessageBatch", "DeleteMessageBatch", "ChangeMessageVisibilityBatch", "BatchWriteItem", "BatchGetItem":
		return c.input != nil
	}
	return false
}

// halve has the emulator do the first half of a batch, and reports the
// unprocessed entries.
func (p *faultProxy) halve(w http.ResponseWriter, r *http.Request, c *call) {
	held := c.holdBack()
	body, err := json.Marshal(c.input)
	if err != nil {
		panic(err) // it was JSON before
	}
	status, header, answer := p.forward(r, body)
	out := map[string]any{}
	if status == http.StatusOK && json.Unmarshal(answer, &out) == nil {
		held(out)
		if answer, err = json.Marshal(out); err != nil {
			panic(err)
		}
		header = header.Clone()
		header.Set("X-Amz-Crc32", checksum(answer))
	}
	reply(w, status, header, answer)
}

// holdBack removes entries from the input of a batch. The returned function
// adds them to the answer.
func (c *call) holdBack() func(answer map[string]any) {
	if c.service == serviceSQS {
		entries, _ := c.input["Entries"].([]any)
		n := len(entries) / 2
		c.input["Entries"] = entries[:max(n, 1)]
		return func(answer map[string]any) {
			failed, _ := answer["Failed"].([]any)
			for _, e := range entries[max(n, 1):] {
				if e, ok := e.(map[string]any); ok {
					failed = append(failed, map[string]any{"Id": e["Id"], "SenderFault": false, "Code": "InternalError", "Message": "injected"})
				}
			}
			answer["Failed"] = failed
		}
	}
	undone := map[string]any{}
	tables, _ := c.input["RequestItems"].(map[string]any)
	for name, of := range tables {
		tables[name], undone[name] = split(of)
		if undone[name] == nil {
			delete(undone, name)
		}
	}
	return func(answer map[string]any) {
		key := "UnprocessedItems"
		if c.operation == "BatchGetItem" {
			key = "UnprocessedKeys"
		}
		answer[key] = undone
	}
}

// split halves the requests of a batch to a table: a list of writes, or keys
// with projections. The first half has at least one, the second may be nil.
func split(of any) (first, second any) {
	switch of := of.(type) {
	case []any:
		if n := max(len(of)/2, 1); n < len(of) {
			return of[:n], of[n:]
		}
	case map[string]any:
		keys, rest := split(of["Keys"])
		if rest == nil {
			break
		}
		a, b := map[string]any{}, map[string]any{}
		for k, v := range of {
			a[k], b[k] = v, v
		}
		a["Keys"], b["Keys"] = keys, rest
		return a, b
	}
	return of, nil
}
