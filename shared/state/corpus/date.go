package corpus

import "time"

// Date is a time; the zero time is unknown. Records have it in UTC and whole
// seconds.
type Date struct{ time.Time }

// dateLayout has milliseconds for readers that infer types: without them they
// take the column for timestamps, and then refuse the empty string.
const dateLayout = `"2006-01-02T15:04:05.000Z"`

// MarshalJSON implements json.Marshaler: "" for the zero time, and for years that
// do not have four digits.
func (d Date) MarshalJSON() ([]byte, error) {
	at := d.UTC().Truncate(time.Second)
	if at.IsZero() || at.Year() < 1 || at.Year() > 9999 {
		return []byte(`""`), nil
	}
	return at.AppendFormat(nil, dateLayout), nil
}

// UnmarshalJSON implements json.Unmarshaler, for every date of RFC 3339.
func (d *Date) UnmarshalJSON(text []byte) error {
	if string(text) == `""` {
		*d = Date{}
		return nil
	}
	return d.Time.UnmarshalJSON(text)
}
