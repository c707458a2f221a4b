package awslambda_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/awslambda"
	"sluice/shared/fault"
)

const created = `{"Records":[
	{"eventVersion":"2.1","eventSource":"aws:s3","eventTime":"2026-11-21T08:00:00.123Z","eventName":"ObjectCreated:Put",
	 "s3":{"bucket":{"name":"data","arn":"arn:aws:s3:::data"},"object":{"key":"seeds/c/a+b%2B%E5%85%9A.txt","size":7,"eTag":"abc","sequencer":"1"}}},
	{"eventTime":"2026-11-21 08:00:00","eventName":"s3:ObjectCreated:CompleteMultipartUpload",
	 "s3":{"bucket":{"name":"data"},"object":{"key":"raw/c/100%.warc.gz","eTag":"\"def\""}}},
	{"eventTime":"2026-11-21T08:00:00Z","eventName":"ObjectRemoved:Delete","s3":{"bucket":{"name":"data"},"object":{"key":"gone"}}}]}`

func TestS3Objects(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       []string
		fails      bool
	}{
		{name: "created and removed", body: created, want: []string{"seeds/c/a b+党.txt", "raw/c/100%.warc.gz"}},
		{name: "test event", body: `{"Service":"Amazon S3","Event":"s3:TestEvent","Bucket":"data"}`},
		{name: "no records", body: `{"Records":[]}`},
		{name: "empty", body: "", fails: true},
		{name: "a URL", body: "http://a.test/", fails: true},
		{name: "another message", body: `{"v":1,"crawl":"c"}`, fails: true},
		{name: "null", body: "null", fails: true},
		{name: "array", body: "[]", fails: true},
		{name: "records of another kind", body: `{"Records":[{"body":"x"}]}`, fails: true},
		{name: "records of another type", body: `{"Records":"x"}`, fails: true},
		{name: "no key", body: `{"Records":[{"eventName":"ObjectCreated:Put","s3":{"bucket":{"name":"b"},"object":{}}}]}`, fails: true},
		{name: "two values", body: created + created, fails: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := awslambda.S3Objects(tt.body)
			if errors.Is(err, awslambda.ErrNotS3Event) != tt.fails || !tt.fails && err != nil {
				t.Fatalf("S3Objects: %v, want an error: %t", err, tt.fails)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("objects (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzS3Objects checks that a body is not an S3 event or names keys.
func FuzzS3Objects(f *testing.F) {
	for _, seed := range []string{created, "", "null", `{"Event":"s3:TestEvent"}`, `{"Records":[null]}`, `{"Records":[{"s3":{"object":{"size":1e99}}}]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		keys, err := awslambda.S3Objects(body)
		if err != nil && (!errors.Is(err, awslambda.ErrNotS3Event) || keys != nil) {
			t.Fatalf("keys %q, error %v", keys, err)
		}
	})
}

// A bad object of an event does not stop the others, and retryable errors are
// retried.
func TestEachObject(t *testing.T) {
	record := func(keys ...string) awslambda.Record {
		var objects []string
		for _, k := range keys {
			objects = append(objects, fmt.Sprintf(`{"eventName":"ObjectCreated:Put","s3":{"bucket":{"name":"b"},"object":{"key":%q}}}`, k))
		}
		return awslambda.Record{Body: `{"Records":[` + strings.Join(objects, ",") + `]}`}
	}
	for _, tt := range []struct {
		name  string
		keys  []string
		class fault.Class
		fails bool
	}{
		{"all well", []string{"a", "b"}, 0, false},
		{"one poison", []string{"poison", "a", "b"}, fault.Poison, true},
		{"poison and one that may pass", []string{"poison", "a", "retryable", "b"}, fault.Retryable, true},
		{"none", nil, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var seen []string
			err := awslambda.EachObject(record(tt.keys...), func(key string) error {
				seen = append(seen, key)
				for _, c := range []fault.Class{fault.Poison, fault.Retryable} {
					if key == c.String() {
						return fault.New(c, "test", errors.New(key))
					}
				}
				return nil
			})
			if (err != nil) != tt.fails || err != nil && fault.Of(err).Class != tt.class {
				t.Errorf("EachObject() = %v", err)
			}
			if diff := cmp.Diff(tt.keys, seen); diff != "" {
				t.Errorf("objects (-want +got):\n%s", diff)
			}
		})
	}
}

// The event made for a key reads back as that of S3 would.
func TestS3Created(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	for _, key := range []string{"raw/c/1.warc.gz", "raw/c/a b+c%2B党\".warc", "raw/c/\n<&>"} {
		body, err := awslambda.S3Created("data", key, at)
		if err != nil {
			t.Fatal(err)
		}
		got, err := awslambda.S3Objects(body)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if diff := cmp.Diff([]string{key}, got); diff != "" {
			t.Errorf("objects of %s (-want +got):\n%s", body, diff)
		}
	}
}
