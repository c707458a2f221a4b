package s3sites_test

import (
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"sluice/shared/aws/s3sites"
	"sluice/shared/aws/stack"
	"sluice/shared/structure/site"
	"sluice/shared/structure/site/sitetest"
)

func TestStore(t *testing.T) {
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Skip("AWS_ENDPOINT_URL names no emulator: run make test-aws")
	}
	cfg, err := stack.Config(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	client := stack.S3(cfg)
	buckets := map[string]string{}
	sitetest.Run(t, func(t *testing.T, name string) site.Store {
		if buckets[name] == "" {
			bucket := "s3sites-" + time.Now().Format("150405.000000000")
			if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &bucket}); err != nil {
				t.Fatalf("create bucket: %v", err)
			}
			buckets[name] = bucket
		}
		return s3sites.New(client, buckets[name])
	})
}
