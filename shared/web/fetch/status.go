package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sluice/shared/fault"
)

// Pauses for a busy server.
const (
	minRetryAfter     = time.Second
	defaultRetryAfter = 30 * time.Second
	maxRetryAfter     = time.Hour
)

// Status classifies the status of an answer, under the rule "http_NNN":
//   - 2xx and 3xx are nil: redirects and 304 are the caller's business;
//   - 429 and 503 pass after Retry-After, 30 s without one, within 1 s to 1 h;
//   - 408, 425 and the other 5xx are Retryable, or pass after a Retry-After;
//   - anything else is Permanent.
func Status(r *Response, now time.Time) error {
	if r.Status >= 200 && r.Status < 400 {
		return nil
	}
	rule := "http_" + strconv.Itoa(r.Status)
	err := fmt.Errorf("fetch %s: status %d", r.URL, r.Status)
	switch {
	case r.Status == http.StatusTooManyRequests, r.Status == http.StatusServiceUnavailable:
		return fault.NewAfter(retryAfter(r.Header.Get("Retry-After"), now), rule, err)
	case r.Status == http.StatusRequestTimeout, r.Status == http.StatusTooEarly,
		r.Status >= 500 && r.Status < 600:
		if after := r.Header.Get("Retry-After"); after != "" {
			return fault.NewAfter(retryAfter(after, now), rule, err)
		}
		return fault.New(fault.Retryable, rule, err)
	}
	return fault.New(fault.Permanent, rule, err)
}

// retryAfter reads a Retry-After header: seconds or a date (RFC 9110, 10.2.3).
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil {
		return clampRetry(time.Duration(seconds) * time.Second)
	} else if errors.Is(err, strconv.ErrRange) {
		return maxRetryAfter
	}
	if at, err := http.ParseTime(value); err == nil {
		return clampRetry(at.Sub(now))
	}
	return defaultRetryAfter
}

func clampRetry(d time.Duration) time.Duration {
	return min(max(d, minRetryAfter), maxRetryAfter)
}
