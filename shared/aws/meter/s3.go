package meter

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"sluice/shared/console/cost"
)

// addS3 adds the request class of an attempt and the bytes it sent. Received
// bytes are counted as they are read.
func addS3(usage cost.Usage, a attempt) {
	if a.request == nil {
		return
	}
	usage[s3Class(a.operation, a.request.Method)] = 1
	if n := sentBytes(a.request); n > 0 {
		usage[cost.S3BytesIn] = float64(n)
	}
}

// s3Class returns the class that S3 bills an operation under.
func s3Class(operation, method string) cost.Item {
	switch {
	case strings.HasPrefix(operation, "List"):
		return cost.S3Put
	case operation == "DeleteObjects": // a POST, billed as a DELETE
		return cost.S3Delete
	case operation == "SelectObjectContent": // a POST, billed as a GET
		return cost.S3Get
	case method == http.MethodPut, method == http.MethodPost:
		return cost.S3Put
	case method == http.MethodDelete:
		return cost.S3Delete
	}
	return cost.S3Get
}

// sentBytes returns the size of the body, without the frames of a chunked
// encoding.
func sentBytes(request *smithyhttp.Request) int64 {
	if n, err := strconv.ParseInt(request.Header.Get("X-Amz-Decoded-Content-Length"), 10, 64); err == nil {
		return n
	}
	return request.ContentLength
}

// body counts the bytes of S3's answers.
func (m *Meter) body(ctx context.Context, in middleware.DeserializeInput, next middleware.DeserializeHandler) (
	middleware.DeserializeOutput, middleware.Metadata, error,
) {
	out, metadata, err := next.HandleDeserialize(ctx, in)
	response, ok := out.RawResponse.(*smithyhttp.Response)
	if ok && response.Response != nil && response.Body != nil && serviceName(awsmiddleware.GetServiceID(ctx)) == "s3" {
		response.Body = &countedBody{response.Body, m}
	}
	return out, metadata, err
}

// countedBody counts the bytes read from a body.
type countedBody struct {
	io.ReadCloser
	meter *Meter
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.meter.add(cost.Usage{cost.S3BytesOut: float64(n)})
	}
	return n, err
}
