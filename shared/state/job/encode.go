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
	Nanoseconds  *int  `json:"max_duration,omitempty"` // nil: it hides that of Limits
}

// MarshalJSON implements json.Marshaler. What a delay or a duration has beyond
// whole milliseconds or seconds counts as a whole one.
func (j Job) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // seeds have many an "&"
	err := enc.Encode(record{plain: plain(j), DelayMS: ceil(j.Delay, time.Millisecond), MaxDurationS: ceil(j.MaxDuration, time.Second)})
	return bytes.TrimSpace(b.Bytes()), err
}

// UnmarshalJSON reads what MarshalJSON wrote, and refuses versions that this
// code does not know: it would lose what they hold.
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
