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

// Object is a new object, as an S3 event reports it.
type Object struct {
	Bucket string
	Key    string // unescaped
	ETag   string // without quotes; "" where the event has none
	Size   int64
	Time   time.Time // of the event; zero where the event has none that can be read
}

// ErrNotS3Event says that the message is not an S3 event. It may be another
// kind of message.
var ErrNotS3Event = errors.New("not an S3 event")

// s3Event is the part of an S3 event notification that counts. The types of
// aws-lambda-go refuse the times of some emulators.
type s3Event struct {
	Event   string `json:"Event"` // of a test event
	Records []struct {
		Name string `json:"eventName"`
		Time string `json:"eventTime"`
		S3   struct {
			Bucket struct {
				Name string `json:"name"`
			} `json:"bucket"`
			Object struct {
				Key  string `json:"key"`
				ETag string `json:"eTag"`
				Size int64  `json:"size"`
			} `json:"object"`
		} `json:"s3"`
	} `json:"Records"`
}

// S3Objects returns the objects that an S3 event in the body of a message says
// were created, in their order. S3's own test event, and events of other kinds
// (removals), have none. Errors wrap ErrNotS3Event.
//
// S3 escapes keys as in a form: a space is "+", a plus "%2B". There are
// emulators that do not: of theirs, keys that cannot be unescaped are taken as
// they are, and a plus is lost. The keys of this program have none.
func S3Objects(body string) ([]Object, error) {
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
	var out []Object
	for i, r := range e.Records {
		o := r.S3.Object
		if r.Name == "" || r.S3.Bucket.Name == "" || o.Key == "" {
			return nil, fmt.Errorf("%w: record %d names no event, bucket or key", ErrNotS3Event, i)
		}
		if !strings.HasPrefix(strings.TrimPrefix(r.Name, "s3:"), "ObjectCreated:") {
			continue
		}
		key, err := url.QueryUnescape(o.Key)
		if err != nil {
			key = o.Key
		}
		at, err := time.Parse(time.RFC3339, r.Time)
		if err != nil {
			at = time.Time{}
		}
		out = append(out, Object{Bucket: r.S3.Bucket.Name, Key: key, ETag: strings.Trim(o.ETag, `"`), Size: o.Size, Time: at.UTC()})
	}
	return out, nil
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

// EachObject calls f for each object that the S3 event in a record reports as
// created, even after errors. If an error may pass, it returns the first such,
// so that the event comes again; else all errors of f. It wraps ErrNotS3Event
// if the record has no such event.
func EachObject(rec Record, f func(Object) error) error {
	objects, err := S3Objects(rec.Body)
	if err != nil {
		return fault.New(fault.Poison, "bad_event", err)
	}
	var passing error
	var given []error
	for _, o := range objects {
		err := f(o)
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
