package awsfault_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/aws/smithy-go"

	"sluice/shared/aws/awsfault"
	"sluice/shared/fault"
)

func TestWrap(t *testing.T) {
	api := func(code string, f smithy.ErrorFault) error {
		return fmt.Errorf("operation error: %w", &smithy.GenericAPIError{Code: code, Message: "m", Fault: f})
	}
	for _, tt := range []struct {
		name  string
		err   error
		class fault.Class
		rule  string
	}{
		{"throttled table", api("ProvisionedThroughputExceededException", smithy.FaultClient), fault.Retryable, awsfault.RuleThrottled},
		{"slow bucket", api("SlowDown", smithy.FaultServer), fault.Retryable, awsfault.RuleThrottled},
		{"server error", api("InternalServerError", smithy.FaultServer), fault.Retryable, awsfault.RuleUnavailable},
		{"error without a side", api("Strange", smithy.FaultUnknown), fault.Retryable, awsfault.RuleUnavailable},
		{"no permission", api("AccessDeniedException", smithy.FaultClient), fault.Broken, awsfault.RuleRefused},
		{"no table", api("ResourceNotFoundException", smithy.FaultClient), fault.Broken, awsfault.RuleRefused},
		{"queue of another region", api("InvalidAddress", smithy.FaultClient), fault.Broken, awsfault.RuleRefused},
		{"mapping that is just being changed", api("ResourceInUseException", smithy.FaultClient), fault.Retryable, awsfault.RuleUnavailable},
		{"rule that is just being changed", api("ConcurrentModificationException", smithy.FaultClient), fault.Retryable, awsfault.RuleUnavailable},
		{"bad request", api("ValidationException", smithy.FaultClient), fault.Permanent, awsfault.RuleBadRequest},
		{"bad request without a culprit", api("ValidationException", smithy.FaultUnknown), fault.Permanent, awsfault.RuleBadRequest},
		{"network", errors.New("connection reset"), fault.Retryable, awsfault.RuleUnavailable},
		{"canceled", context.Canceled, fault.Retryable, "canceled"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := awsfault.Wrap("read states", tt.err)
			if f := fault.Of(err); f.Class != tt.class || f.Rule != tt.rule {
				t.Errorf("class %v, rule %s, want %v, %s", f.Class, f.Rule, tt.class, tt.rule)
			}
			if !errors.Is(err, tt.err) {
				t.Error("the cause is lost")
			}
		})
	}
	if err := awsfault.Wrap("read states", nil); err != nil {
		t.Errorf("Wrap of nil is %v", err)
	}
}
