package stack_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"sluice/shared/aws/meter"
	"sluice/shared/aws/stack"
)

// credentials keep the SDK from looking for some on the machine.
func credentials(t *testing.T) {
	for key, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "cn-north-1", "AWS_RETRY_MODE": "adaptive",
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_ENDPOINT_URL": "",
	} {
		t.Setenv(key, value)
	}
}

func TestConfigRetries(t *testing.T) {
	credentials(t)
	cfg, err := stack.Config(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := cfg.Retryer()
	if r.MaxAttempts() != 8 {
		t.Errorf("%d attempts, want 8", r.MaxAttempts())
	}
	distinct := map[time.Duration]bool{}
	for range 50 {
		d, err := r.RetryDelay(7, http.ErrHandlerTimeout)
		if err != nil || d < 0 || d > 5*time.Second {
			t.Fatalf("delay %v, %v, want at most 5 s", d, err)
		}
		distinct[d] = true
	}
	if len(distinct) < 2 {
		t.Error("delays are not jittered")
	}
}

// A warning of the SDK, here that an object has no checksum, is not printed.
func TestConfigPrintsNothing(t *testing.T) {
	credentials(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if _, err := w.Write([]byte("data")); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	printed, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	before := os.Stderr
	t.Cleanup(func() { os.Stderr = before })
	os.Stderr = printed
	cfg, err := stack.Config(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.BaseEndpoint = &server.URL
	out, err := stack.S3(cfg).GetObject(t.Context(), &s3.GetObjectInput{Bucket: aws.String("bucket"), Key: aws.String("key"), ChecksumMode: types.ChecksumModeEnabled})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(out.Body.Close(), printed.Close()); err != nil {
		t.Fatal(err)
	}
	if said, err := os.ReadFile(printed.Name()); err != nil || len(said) > 0 {
		t.Errorf("printed %q, error %v", said, err)
	}
}

// An emulator has no name for each bucket, AWS has.
func TestS3(t *testing.T) {
	credentials(t)
	for _, tt := range []struct {
		name, endpoint string
		path           bool
	}{
		{"none", "", false},
		{"emulator", "http://127.0.0.1:4566", true},
		{"endpoint of a VPC", "https://bucket.vpce-1.s3.cn-north-1.vpce.amazonaws.com.cn", false},
		{"looks like AWS", "https://amazonaws.com.test", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("AWS_ENDPOINT_URL", tt.endpoint)
			cfg, err := stack.Config(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := stack.S3(cfg).Options().UsePathStyle; got != tt.path {
				t.Errorf("path style: %t, want %t", got, tt.path)
			}
		})
	}
}

func TestConfigMeter(t *testing.T) {
	credentials(t)
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1); r.URL.Path != "/bucket/key" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.Header().Set("ETag", `"1"`)
	}))
	defer server.Close()
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	m := meter.New()
	cfg, err := stack.Config(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stack.S3(cfg).HeadObject(t.Context(), &s3.HeadObjectInput{Bucket: aws.String("bucket"), Key: aws.String("key")}); err != nil {
		t.Fatalf("HeadObject: %v", err)
	}
	if asked.Load() != 1 || len(m.Snapshot()) == 0 {
		t.Errorf("%d requests, metered %v", asked.Load(), m.Snapshot())
	}
}
