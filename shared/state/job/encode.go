package job

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// plain is a Job without its methods.
type plain Job

// record is the stored form of a Job: durations with their units in the keys.
type record struct {
	plain
	DelayMS      int64 `json:"delay_ms"`
	MaxDurationS int64 `json:"max_duration_s,omitempty"`
	Nanoseconds  *int  `json:"max_duration,omitempty"` // nil: hides that of Limits
}

// MarshalJSON implements json.Marshaler. It rounds delays up to milliseconds,
// durations to seconds.
func (j Job) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // seeds have many an "&"
	err := enc.Encode(record{plain: plain(j), DelayMS: ceil(j.Delay, time.Millisecond), MaxDurationS: ceil(j.MaxDuration, time.Second)})
	return bytes.TrimSpace(b.Bytes()), err
}

// UnmarshalJSON decodes the result of MarshalJSON, and refuses unknown
// versions, whose data it would lose.
func (j *Job) UnmarshalJSON(data []byte) error {
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return fmt.Errorf("read stored crawl: %w", err)
	}
	if r.V != version {
		return fmt.Errorf("read stored crawl %s: version %d, want %d", clip(r.ID), r.V, version)
	}
	*j = Job(r.plain)
	j.Delay = time.Duration(r.DelayMS) * time.Millisecond
	j.MaxDuration = time.Duration(r.MaxDurationS) * time.Second
	return nil
}

// ceil returns d in whole units, rounded up.
func ceil(d, unit time.Duration) int64 { return int64((d + unit - 1) / unit) }
