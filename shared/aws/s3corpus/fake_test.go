package s3corpus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"sluice/shared/state/corpus"
)

// bucket is a Client on a map, with faults.
type bucket struct {
	mu      sync.Mutex
	objects map[string][]byte
	meta    map[string]map[string]string
	puts    int // requests, those that failed as well
	gets    int
	forged  []string // keys whose object was replaced by another

	// onPut, unless nil, is called before a write. It decides whether the write
	// is applied and what the client gets. It may block.
	onPut func(ctx context.Context, key string) (apply bool, err error)
	onGet func(key string) error
}

var (
	_ Client = (*bucket)(nil)

	errReset = errors.New("connection reset by peer")
)

func newBucket() *bucket {
	return &bucket{objects: map[string][]byte{}, meta: map[string]map[string]string{}}
}

func etagOf(data []byte) string {
	sum := sha256.Sum256(data)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

func (b *bucket) PutObject(ctx context.Context, in *s3.PutObjectInput, _ ...func(*s3.Options)) (*s3.PutObjectOutput, error) {
	data, err := io.ReadAll(in.Body)
	if err != nil {
		return nil, err
	}
	apply := true
	if b.onPut != nil {
		apply, err = b.onPut(ctx, *in.Key)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.puts++
	if apply {
		if old, ok := b.objects[*in.Key]; ok && !bytes.Equal(old, data) {
			b.forged = append(b.forged, *in.Key)
		}
		b.objects[*in.Key], b.meta[*in.Key] = data, in.Metadata
	}
	if err != nil {
		return nil, err
	}
	return &s3.PutObjectOutput{}, nil
}

func (b *bucket) GetObject(_ context.Context, in *s3.GetObjectInput, _ ...func(*s3.Options)) (*s3.GetObjectOutput, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gets++
	if b.onGet != nil {
		if err := b.onGet(*in.Key); err != nil {
			return nil, err
		}
	}
	data, ok := b.objects[*in.Key]
	if !ok {
		return nil, &smithy.OperationError{ServiceID: "S3", OperationName: "GetObject", Err: &types.NoSuchKey{}}
	}
	etag, size := etagOf(data), int64(len(data))
	if in.IfNoneMatch != nil && *in.IfNoneMatch == etag {
		return nil, &awshttp.ResponseError{ResponseError: &smithyhttp.ResponseError{
			Response: &smithyhttp.Response{Response: &http.Response{StatusCode: http.StatusNotModified}},
			Err:      &smithy.GenericAPIError{Code: "NotModified"},
		}}
	}
	return &s3.GetObjectOutput{Body: io.NopCloser(bytes.NewReader(data)), ETag: &etag, ContentLength: &size}, nil
}

func (b *bucket) ListObjectsV2(_ context.Context, in *s3.ListObjectsV2Input, _ ...func(*s3.Options)) (*s3.ListObjectsV2Output, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := new(s3.ListObjectsV2Output)
	for _, key := range slices.Sorted(maps.Keys(b.objects)) {
		if strings.HasPrefix(key, *in.Prefix) {
			size := int64(len(b.objects[key]))
			out.Contents = append(out.Contents, types.Object{Key: &key, Size: &size})
		}
	}
	return out, nil
}

func (b *bucket) requests() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.puts
}

func (b *bucket) keys() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.objects))
}

// responseAt returns the target URI of the response record at a place, "" if
// there is none.
func (b *bucket) responseAt(t *testing.T, loc corpus.Location) string {
	t.Helper()
	b.mu.Lock()
	data := b.objects[loc.File]
	b.mu.Unlock()
	if int64(len(data)) < loc.Offset+loc.Length {
		return ""
	}
	return targetURI(t, data[loc.Offset:loc.Offset+loc.Length])
}

// targetURI returns the target URI of the one response record in a member.
func targetURI(t *testing.T, member []byte) string {
	t.Helper()
	uri := ""
	for rec, err := range corpus.ReadWARC(bytes.NewReader(member)) {
		if err != nil || rec.Type != "response" || uri != "" {
			t.Fatalf("got record %+v, error %v, want one response", rec, err)
		}
		uri = rec.TargetURI
	}
	return uri
}
