// Package s3sites keeps what is known of sites in a bucket, sites/HOST.yaml, which
// people may correct.
package s3sites

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/shared/aws/awsfault"
	"sluice/shared/structure/site"
)

// Folder is where the files are in the bucket.
const Folder = "sites/"

// Client is the subset of *s3.Client that the package uses.
type Client interface {
	PutObject(ctx context.Context, in *s3.PutObjectInput, opts ...func(*s3.Options)) (*s3.PutObjectOutput, error)
	GetObject(ctx context.Context, in *s3.GetObjectInput, opts ...func(*s3.Options)) (*s3.GetObjectOutput, error)
}

// Store is a site.Store in a bucket.
type Store struct {
	client Client
	bucket string
}

var _ site.Store = (*Store)(nil)

// New returns the store of a bucket.
func New(client Client, bucket string) *Store { return &Store{client, bucket} }

// Site implements site.Store.
func (s *Store) Site(ctx context.Context, host string) (*site.Site, error) {
	known, _, err := s.read(ctx, host)
	return known, err
}

// read returns a site with the ETag of its file.
func (s *Store) read(ctx context.Context, host string) (_ *site.Site, etag string, err error) {
	key, err := keyOf(host)
	if err != nil {
		return nil, "", err
	}
	out, err := s.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &s.bucket, Key: &key})
	var missing *types.NoSuchKey
	switch {
	case errors.As(err, &missing):
		return nil, "", fmt.Errorf("read %s: %w", key, site.ErrUnknown)
	case err != nil:
		return nil, "", awsfault.Wrap("read "+key, err)
	}
	data, err := io.ReadAll(io.LimitReader(out.Body, site.MaxBytes+1))
	if err = errors.Join(err, out.Body.Close()); err != nil {
		return nil, "", awsfault.Wrap("read "+key, err)
	}
	known, err := site.Parse(data, key, host)
	if err != nil {
		return nil, "", err
	}
	return known, aws.ToString(out.ETag), nil
}

// Update implements site.Store. The file is only replaced if it is still the one that
// was read.
func (s *Store) Update(ctx context.Context, found *site.Site) (*site.Site, error) {
	key, err := keyOf(found.Host)
	if err != nil {
		return nil, err
	}
	for {
		old, etag, err := s.read(ctx, found.Host)
		if err != nil && !errors.Is(err, site.ErrUnknown) {
			return nil, err
		}
		updated := site.Update(old, found)
		data, err := updated.Marshal()
		if err != nil {
			return nil, err
		}
		in := &s3.PutObjectInput{
			Bucket: &s.bucket, Key: &key, Body: bytes.NewReader(data), ContentType: aws.String("application/yaml"),
			ChecksumAlgorithm: types.ChecksumAlgorithmCrc32,
		}
		if in.IfMatch = &etag; etag == "" {
			in.IfMatch, in.IfNoneMatch = nil, aws.String("*")
		}
		_, err = s.client.PutObject(ctx, in)
		if err == nil {
			return updated, nil
		}
		var resp *awshttp.ResponseError
		if !errors.As(err, &resp) || resp.HTTPStatusCode() != http.StatusPreconditionFailed && resp.HTTPStatusCode() != http.StatusConflict {
			return nil, awsfault.Wrap("write "+key, err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

func keyOf(host string) (string, error) {
	name, err := site.FileName(host)
	return Folder + name, err
}
