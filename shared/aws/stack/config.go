package stack

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"

	"sluice/shared/aws/meter"
	"sluice/shared/fault"
)

// Retries and timeouts of all clients. A function has 60 to 90 seconds, so that
// a service that does not answer may only cost it seconds.
const (
	maxAttempts    = 8
	firstBackoff   = 200 * time.Millisecond
	maxBackoff     = 5 * time.Second
	connectTimeout = 2 * time.Second
	tlsTimeout     = 3 * time.Second
	headerTimeout  = 30 * time.Second // longer than the longest long poll
)

// Config loads region, credentials and endpoint as the SDK finds them
// (AWS_ENDPOINT_URL included). Requests are tried up to 8 times with
// exponential, jittered backoff of at most 5 s. The SDK prints nothing. m, unless nil, counts them.
func Config(ctx context.Context, m *meter.Meter) (aws.Config, error) {
	cfg, err := config.LoadDefaultConfig(ctx,
		config.WithRetryer(func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.Backoff = maxAttempts, retry.BackoffDelayerFunc(backoff)
			})
		}),
		config.WithHTTPClient(httpClient()),
		// Its warnings are of connections that it does not use again.
		config.WithLogger(logging.Nop{}))
	if err != nil {
		return aws.Config{}, fmt.Errorf("load AWS configuration: %w", err)
	}
	if m != nil {
		m.Install(&cfg)
	}
	return cfg, nil
}

// backoff returns between half of and a whole step that doubles with each
// attempt, counted from 1. The SDK's own backoff has no jitter once it is at
// its maximum, so that throttled workers would come back together.
func backoff(attempt int, _ error) (time.Duration, error) {
	return fault.Backoff(firstBackoff, maxBackoff, attempt-1), nil
}

// httpClient keeps as many connections as a function has requests at once:
// the default of the SDK closes all but ten to a host.
func httpClient() *awshttp.BuildableClient {
	return awshttp.NewBuildableClient().
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = connectTimeout }).
		WithTransportOptions(func(t *http.Transport) {
			t.TLSHandshakeTimeout = tlsTimeout
			t.ResponseHeaderTimeout = headerTimeout
			t.MaxIdleConnsPerHost = 64
		})
}

// S3 returns a client that also works with an emulator, which has no host
// name for each bucket.
func S3(cfg aws.Config) *s3.Client {
	return s3.NewFromConfig(cfg, func(o *s3.Options) {
		o.UsePathStyle = o.BaseEndpoint != nil && !amazon(*o.BaseEndpoint)
	})
}

// amazon reports whether an endpoint is AWS's own, as those of a VPC are.
func amazon(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return strings.HasSuffix(host, ".amazonaws.com") || strings.HasSuffix(host, ".amazonaws.com.cn")
}
