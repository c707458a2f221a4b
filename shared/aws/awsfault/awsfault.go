// Package awsfault classifies errors of AWS services as package fault does. The
// SDK has already retried these errors.
package awsfault

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/smithy-go"

	"sluice/shared/fault"
)

// Rules of the faults, for logs and dead letters.
const (
	RuleThrottled   = "aws_throttled"
	RuleUnavailable = "aws_unavailable"
	RuleRefused     = "aws_refused"     // no permission, no such table, queue or bucket
	RuleBadRequest  = "aws_bad_request" // the request itself is invalid
)

// throttles are error codes that ask to slow down.
var throttles = []string{
	"ProvisionedThroughputExceededException", "ThrottlingException", "Throttling", "ThrottledException",
	"RequestLimitExceeded", "RequestThrottled", "SlowDown", "TooManyRequestsException", "LimitExceededException",
	"TransactionInProgressException", "TransactionConflictException", "OverLimit", "RequestThrottledException",
}

// refusals are error codes of a stack that is set up wrong: neither a retry nor
// another task helps.
var refusals = []string{
	"AccessDenied", "AccessDeniedException", "UnrecognizedClientException", "InvalidClientTokenId", "ExpiredToken",
	"ExpiredTokenException", "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSignatureException", "IncompleteSignature",
	"MissingAuthenticationTokenException", "ResourceNotFoundException", "NoSuchBucket", "PermanentRedirect", "AuthorizationHeaderMalformed",
	"AWS.SimpleQueueService.NonExistentQueue", "QueueDoesNotExist", "InvalidAddress", "KMSAccessDeniedException",
}

// collisions are error codes of concurrent requests about the same resource.
// The SDK classifies them as client errors, but they pass.
var collisions = []string{
	"ConcurrentModificationException", "ResourceConflictException", "ResourceInUseException", "OperationAborted", "RequestTimeout",
}

// mistakes are error codes of requests that would be refused again. The SDK
// does not always say whose fault they are.
var mistakes = []string{
	"ValidationException", "ValidationError", "SerializationException", "InvalidParameterValue", "InvalidParameterCombination",
	"InvalidParameterValueException", "MissingParameter", "InvalidArgument", "InvalidRequest", "InvalidMessageContents", "BatchRequestTooLong",
	"AWS.SimpleQueueService.BatchRequestTooLong", "EntityTooLarge", "KeyTooLongError", "NoSuchKey", "NotFound", "ItemCollectionSizeLimitExceededException",
}

// Wrap classifies err; nil stays nil. The verb says what was done: "read
// states".
func Wrap(verb string, err error) error {
	if err == nil {
		return nil
	}
	class, rule := classify(err)
	return fmt.Errorf("%s: %w", verb, fault.New(class, rule, err))
}

func classify(err error) (fault.Class, string) {
	if errors.Is(err, context.Canceled) {
		return fault.Retryable, "canceled"
	}
	api, ok := errors.AsType[smithy.APIError](err)
	switch {
	case !ok:
		return fault.Retryable, RuleUnavailable // network, credentials, deadline
	case slices.Contains(throttles, api.ErrorCode()):
		return fault.Retryable, RuleThrottled
	case slices.Contains(refusals, api.ErrorCode()):
		return fault.Broken, RuleRefused
	case slices.Contains(collisions, api.ErrorCode()):
		return fault.Retryable, RuleUnavailable
	case api.ErrorFault() == smithy.FaultClient, slices.Contains(mistakes, api.ErrorCode()):
		return fault.Permanent, RuleBadRequest
	}
	return fault.Retryable, RuleUnavailable
}
