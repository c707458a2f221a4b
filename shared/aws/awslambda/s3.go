package awslambda

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"sluice/shared/fault"
)

// ErrNotS3Event says that the message is not an S3 event.
var ErrNotS3Event = errors.New("not an S3 event")

// s3Event has the fields used of an S3 event notification. The types of
// aws-lambda-go reject the times of some emulators.
type s3Event struct {
	Event   string `json:"Event"` // of a test event
	Records []struct {
		Name string `json:"eventName"`
		S3   struct {
			Bucket struct {
				Name string `json:"name"`
			} `json:"bucket"`
			Object struct {
				Key string `json:"key"`
			} `json:"object"`
		} `json:"s3"`
	} `json:"Records"`
}

// S3Objects returns the keys of the objects that the S3 event in a message body
// reports as created, in order. S3's test event and other kinds of events, such as
// removals, have none. Errors wrap ErrNotS3Event.
//
// S3 escapes keys as forms do: a space is "+", a plus "%2B". Some emulators do
// not escape: S3Objects then takes a key that cannot be unescaped unchanged,
// and turns a plus into a space. Keys of this program have neither.
func S3Objects(body string) (keys []string, err error) {
	var e s3Event
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotS3Event, err)
	}
	if e.Event == "s3:TestEvent" {
		return nil, nil
	}
	if e.Records == nil {
		return nil, fmt.Errorf("%w: no Records", ErrNotS3Event)
	}
	for i, r := range e.Records {
		escaped := r.S3.Object.Key
		if r.Name == "" || r.S3.Bucket.Name == "" || escaped == "" {
			return nil, fmt.Errorf("%w: record %d names no event, bucket or key", ErrNotS3Event, i)
		}
		if !strings.HasPrefix(strings.TrimPrefix(r.Name, "s3:"), "ObjectCreated:") {
			continue
		}
		key, err := url.QueryUnescape(escaped)
		if err != nil {
			key = escaped
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// S3Created returns the body of a message that reports an object as created, as
// S3 does: S3Objects reads it.
func S3Created(bucket, key string, at time.Time) (string, error) {
	var o struct {
		Bucket struct {
			Name string `json:"name"`
		} `json:"bucket"`
		Object struct {
			Key string `json:"key"`
		} `json:"object"`
	}
	o.Bucket.Name, o.Object.Key = bucket, url.QueryEscape(key)
	body, err := json.Marshal(map[string]any{"Records": []any{map[string]any{
		"eventSource": "sluice", "eventName": "ObjectCreated:Again", "eventTime": at.UTC().Format(time.RFC3339), "s3": o,
	}}})
	return string(body), err
}

// EachObject calls f for the key of each object that the S3 event in a record reports as
// created, even after errors. It returns the first retryable error, so that the
// event is delivered again, or else all errors of f. Without an S3 event the
// error wraps ErrNotS3Event.
func EachObject(rec Record, f func(key string) error) error {
	keys, err := S3Objects(rec.Body)
	if err != nil {
		return fault.New(fault.Poison, "bad_event", err)
	}
	var passing error
	var given []error
	for _, key := range keys {
		err := f(key)
		switch c := fault.Of(err); {
		case err == nil:
		case c.Class == fault.Poison || c.Class == fault.Permanent:
			given = append(given, err)
		case passing == nil:
			passing = err
		}
	}
	if passing != nil {
		return passing
	}
	return errors.Join(given...)
}
