package s3corpus

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
)

func rand8() string { return rand.Text()[:8] }

// keySafe makes a valid bucket name part.
func keySafe(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(s))
	return strings.Trim(s[:min(len(s), 30)], "-") + "-"
}

func testObjects(t *testing.T, o *Objects, client Client, bucket string) {
	t.Helper()
	for i, key := range []string{"b/2", "a/1", "b/1", "b/上海 ü"} {
		if err := o.Put(t.Context(), key, fmt.Append(nil, "content ", i), "text/plain"); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := headOf(t, client, bucket, "a/1"); got != "" && got != "text/plain" {
		t.Errorf("content type is %q", got)
	}
	data, err := o.Get(t.Context(), "b/上海 ü", 9)
	if err != nil || string(data) != "content 3" {
		t.Errorf("get: %q, %v", data, err)
	}
	_, err = o.Get(t.Context(), "b/2", 8)
	if f := fault.Of(err); f == nil || f.Class != fault.Permanent || f.Rule != ruleTooLarge {
		t.Errorf("get of a large object: %v", err)
	}
	_, err = o.Get(t.Context(), "b/3", 8)
	if f := fault.Of(err); f == nil || f.Class != fault.Permanent || f.Rule != ruleNoObject || !errors.Is(err, ErrNotFound) {
		t.Errorf("get of a missing object: %v", err)
	}

	body, err := o.open(t.Context(), "a/1", "")
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if read, err := io.ReadAll(body); err != nil || string(read) != "content 1" || body.etag == "" || body.size != 9 {
		t.Errorf("open: %q, etag %s, %d bytes, error %v", read, body.etag, body.size, err)
	}
	if _, err := o.open(t.Context(), "a/1", body.etag); !errors.Is(err, errUnchanged) {
		t.Errorf("open of what is known: %v", err)
	}
	if err := o.Put(t.Context(), "a/1", []byte("other"), "text/plain"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.open(t.Context(), "a/1", body.etag); err != nil {
		t.Errorf("open of what has changed: %v", err)
	}

	var keys []string
	for obj, err := range o.List(t.Context(), "b/") {
		if err != nil {
			t.Fatal(err)
		}
		if obj.Size != 9 {
			t.Errorf("%s has %d bytes", obj.Key, obj.Size)
		}
		keys = append(keys, obj.Key)
	}
	if diff := cmp.Diff([]string{"b/1", "b/2", "b/上海 ü"}, keys); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
}

func TestNoBucket(t *testing.T) {
	client, _ := openWire(t)
	o := NewObjects(client, "s3corpus-no-such-bucket")
	_, get := o.Get(t.Context(), "a", 1)
	put := o.Put(t.Context(), "a", nil, "text/plain")
	var list error
	for _, err := range o.List(t.Context(), "a") {
		list = err
	}
	for name, err := range map[string]error{"get": get, "put": put, "list": list} {
		if f := fault.Of(err); f == nil || f.Class != fault.Broken || f.Rule != awsfault.RuleRefused {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// tearing is a bucket whose connections break while an object is read.
type tearing struct{ *bucket }

func (b tearing) GetObject(ctx context.Context, in *s3.GetObjectInput, opts ...func(*s3.Options)) (*s3.GetObjectOutput, error) {
	out, err := b.bucket.GetObject(ctx, in, opts...)
	if err == nil {
		out.Body = io.NopCloser(io.MultiReader(io.LimitReader(out.Body, 20), iotest.ErrReader(errReset)))
	}
	return out, err
}

// A broken connection is not a damaged object.
func TestTornReads(t *testing.T) {
	b := newBucket()
	s := New(NewObjects(tearing{b}, "b"), Options{})
	put(t, s.Store("c"), 0)
	if err := s.Store("c").Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, dropped := s.Dropped(t.Context(), "c", "http://a.test/")
	_, get := s.objects.Get(t.Context(), b.keys()[0], 1<<20)
	for name, err := range map[string]error{"dropped": dropped, "get": get} {
		if f := fault.Of(err); f == nil || f.Class != fault.Retryable || !errors.Is(err, errReset) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A segment over the wire has its metadata, and its topics are current.
func TestSegmentOverTheWire(t *testing.T) {
	client, name := openWire(t)
	objects := NewObjects(client, name)
	s := New(objects, Options{})
	loc := put(t, s.Store("c"), 0)
	if err := s.Store("c").Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	contentType, meta := headOf(t, client, name, loc.File)
	if diff := cmp.Diff(map[string]string{"documents": "1", "rejects": "0", "decisions": "0"}, meta); diff != "" || contentType != "application/warc" {
		t.Errorf("content type %q, counts (-want +got):\n%s", contentType, diff)
	}

	w := newTopicWorld()
	w.topics.objects = objects
	for _, content := range []string{"one", "one", "two"} {
		if err := objects.Put(t.Context(), "topics/a", fmt.Appendf(nil, topicFile, content), "text/yaml"); err != nil {
			t.Fatal(err)
		}
		w.want(t, "topics/a", content, 0)
		w.now = w.now.Add(topicAge)
	}
	if _, err := w.topics.Get(t.Context(), "topics/missing"); fault.Of(err) == nil || fault.Of(err).Rule != RuleNoTopic {
		t.Errorf("missing topic: %v", err)
	}
}
