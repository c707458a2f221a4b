package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strings"

	"code.dny.dev/ssrf"

	"sluice/shared/fault"
)

// Rules of unreadable answers, which say nothing about the page.
const (
	RuleSlowBody    = "slow_body"    // the body takes too long
	RuleBadEncoding = "bad_encoding" // its Content-Encoding cannot be undone
)

// Causes that end a request from inside.
var (
	errHeadTimeout = errors.New("no response head in time")
	errSlowBody    = errors.New("body not complete in time")
)

// classify classifies an error of the transport. ours is the request's own
// context, whose cause names the expired timer; caller is its parent.
func classify(caller, ours context.Context, url string, err error) error {
	switch cause := context.Cause(ours); {
	case errors.Is(caller.Err(), context.Canceled):
		return fmt.Errorf("fetch %s: %w", url, context.Canceled)
	case caller.Err() != nil:
		return fault.New(fault.Retryable, "timeout", fmt.Errorf("fetch %s: %w", url, caller.Err()))
	case errors.Is(cause, errSlowBody):
		return fault.New(fault.Permanent, RuleSlowBody, fmt.Errorf("fetch %s: %w", url, errSlowBody))
	case errors.Is(cause, errHeadTimeout):
		return fault.New(fault.Retryable, "timeout", fmt.Errorf("fetch %s: %w", url, errHeadTimeout))
	}
	class, rule := kindOf(err)
	return fault.New(class, rule, fmt.Errorf("fetch %s: %w", url, err))
}

func kindOf(err error) (fault.Class, string) {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "proxyconnect" {
		return fault.Retryable, "connect" // the proxy is to blame, not the URL
	}
	if errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort) {
		return fault.Permanent, "address"
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound {
			return fault.Permanent, "dns"
		}
		return fault.Retryable, "dns"
	}
	if isTLS(err) {
		return fault.Permanent, "tls"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "dial" || op.Op == "socks connect") {
		return fault.Retryable, "connect"
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return fault.Retryable, "timeout"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.Retryable, "truncated"
	}
	return kindOfProtocol(err)
}

// isTLS reports errors of the server's certificate or of the handshake, which
// last until the server is reconfigured.
func isTLS(err error) bool {
	if errors.Is(err, http.ErrSchemeMismatch) {
		return true
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	_, ok := errors.AsType[tls.AlertError](err)
	return ok
}

// kindOfProtocol distinguishes broken HTTP from broken connections. net/http
// has no types for most of the former, so it matches their texts.
func kindOfProtocol(err error) (fault.Class, string) {
	text := err.Error()
	if strings.Contains(text, "response headers exceeded") {
		return fault.Permanent, "too_large"
	}
	if _, ok := errors.AsType[textproto.ProtocolError](err); ok {
		return fault.Permanent, "protocol"
	}
	for _, s := range []string{"malformed", "Content-Length", "transfer encoding", "chunk"} {
		if strings.Contains(text, s) {
			return fault.Permanent, "protocol"
		}
	}
	return fault.Retryable, "connect"
}
