package s3corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
)

// Client is the subset of *s3.Client that the package uses. It is safe for
// concurrent use and retries.
type Client interface {
	PutObject(ctx context.Context, in *s3.PutObjectInput, opts ...func(*s3.Options)) (*s3.PutObjectOutput, error)
	GetObject(ctx context.Context, in *s3.GetObjectInput, opts ...func(*s3.Options)) (*s3.GetObjectOutput, error)
	ListObjectsV2(ctx context.Context, in *s3.ListObjectsV2Input, opts ...func(*s3.Options)) (*s3.ListObjectsV2Output, error)
}

var _ Client = (*s3.Client)(nil)

// ErrNotFound says that no object has that key. S3 reports this only with
// permission to list the bucket; otherwise it denies access.
var ErrNotFound = errors.New("no such object")

// errUnchanged says that the object is still the known one.
var errUnchanged = errors.New("object is unchanged")

// Rules of the faults of objects.
const (
	ruleNoObject = "no_object"
	ruleTooLarge = "object_too_large"
)

// Objects reads and writes whole objects of one bucket. Errors have the classes
// of package awsfault; that of a missing object is Permanent and wraps
// ErrNotFound. It is safe for concurrent use.
type Objects struct {
	client Client
	bucket string
}

// NewObjects returns the objects of a bucket.
func NewObjects(client Client, bucket string) *Objects {
	return &Objects{client: client, bucket: bucket}
}

// Object is an entry of a listing.
type Object struct {
	Key      string
	Size     int64 // in bytes
	Modified time.Time
}

// Open opens an object for reading, which verifies its checksum at the end. The
// caller closes it.
func (o *Objects) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	body, err := o.open(ctx, key, "")
	if err != nil {
		return nil, err
	}
	return body, nil
}

// open reads an object unless its ETag is the one given, "" for none.
func (o *Objects) open(ctx context.Context, key, known string) (*object, error) {
	in := &s3.GetObjectInput{Bucket: &o.bucket, Key: &key, ChecksumMode: types.ChecksumModeEnabled}
	if known != "" {
		in.IfNoneMatch = &known
	}
	out, err := o.client.GetObject(ctx, in)
	if err == nil {
		return &object{out.Body, key, aws.ToString(out.ETag), aws.ToInt64(out.ContentLength)}, nil
	}
	var missing *types.NoSuchKey
	var resp *awshttp.ResponseError
	switch {
	case errors.As(err, &missing):
		return nil, fault.New(fault.Permanent, ruleNoObject, fmt.Errorf("get %s: %w", key, ErrNotFound))
	case errors.As(err, &resp) && resp.HTTPStatusCode() == http.StatusNotModified:
		return nil, errUnchanged
	}
	return nil, awsfault.Wrap("get "+key, err)
}

// object is the body of an object. Its errors have classes, too.
type object struct {
	io.ReadCloser
	key, etag string
	size      int64 // in bytes, if the header has it
}

func (b *object) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	return n, awsfault.Wrap("read "+b.key, err)
}

// Get returns the content of an object. One of more than limit bytes is a
// Permanent fault.
func (o *Objects) Get(ctx context.Context, key string, limit int64) ([]byte, error) {
	data, _, err := o.get(ctx, key, "", limit)
	return data, err
}

func (o *Objects) get(ctx context.Context, key, known string, limit int64) (data []byte, etag string, err error) {
	body, err := o.open(ctx, key, known)
	if err != nil {
		return nil, "", err
	}
	defer body.Close()
	var buf bytes.Buffer
	buf.Grow(int(max(0, min(body.size, limit))) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(body, limit+1))
	switch {
	case err != nil:
		return nil, "", err
	case n > limit:
		return nil, "", fault.New(fault.Permanent, ruleTooLarge, fmt.Errorf("get %s: more than %d bytes", key, limit))
	}
	return buf.Bytes(), body.etag, nil
}

// Put writes an object, replacing an existing one. After an error it may be
// there or not, but is never partial.
func (o *Objects) Put(ctx context.Context, key string, data []byte, contentType string) error {
	return o.put(ctx, key, data, contentType, nil)
}

func (o *Objects) put(ctx context.Context, key string, data []byte, contentType string, meta map[string]string) error {
	_, err := o.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &o.bucket, Key: &key, Body: bytes.NewReader(data), ContentType: &contentType, Metadata: meta,
		ChecksumAlgorithm: types.ChecksumAlgorithmCrc32,
	})
	return awsfault.Wrap("put "+key, err)
}

// List returns the objects whose keys start with prefix, by key. It stops after
// an error.
func (o *Objects) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		pages := s3.NewListObjectsV2Paginator(o.client, &s3.ListObjectsV2Input{Bucket: &o.bucket, Prefix: &prefix})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(Object{}, awsfault.Wrap("list "+prefix, err))
				return
			}
			for _, c := range page.Contents {
				obj := Object{Key: aws.ToString(c.Key), Size: aws.ToInt64(c.Size), Modified: aws.ToTime(c.LastModified)}
				if !yield(obj, nil) {
					return
				}
			}
		}
	}
}

// Keys returns the keys of the objects that List returns.
func (o *Objects) Keys(ctx context.Context, prefix string) ([]string, error) {
	keys, _, err := o.Sized(ctx, prefix)
	return keys, err
}

// Sized returns also how many bytes they have.
func (o *Objects) Sized(ctx context.Context, prefix string) (keys []string, bytes int64, err error) {
	for obj, err := range o.List(ctx, prefix) {
		if err != nil {
			return nil, 0, err
		}
		keys, bytes = append(keys, obj.Key), bytes+obj.Size
	}
	return keys, bytes, nil
}
