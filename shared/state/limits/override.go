package limits

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sluice/shared/fault"
	"sluice/shared/web/urlnorm"
)

// maxDelay is the longest delay of an override.
const maxDelay = 24 * time.Hour

// Override has limits for some URLs in place of the crawl's; nil: the crawl's.
type Override struct {
	urlnorm.Place
	Entry    string         // as it was given
	Delay    *time.Duration // between two fetches on a host
	MaxPages *int           // of each host, among these URLs
	MaxDepth *int           // links from a seed
}

// ParseOverride reads an entry: a place as urlnorm.NewScope has it, then settings, as in
// "forum.x.cn delay=10s max_pages=200 max_depth=3".
func ParseOverride(entry string) (Override, error) {
	o := Override{Entry: entry}
	place := strings.TrimSpace(entry)
	for {
		rest, setting := "", place
		if i := strings.LastIndexAny(place, " \t"); i >= 0 {
			rest, setting = strings.TrimSpace(place[:i]), place[i+1:]
		}
		key, value, _ := strings.Cut(setting, "=")
		set := o.setting(key)
		if set == nil {
			break
		}
		if err := set(value); err != nil {
			return Override{}, fmt.Errorf("%s: %w", fault.Clip(setting, urlnorm.MaxShown), err)
		}
		place = rest
	}
	if place == "" || o.Delay == nil && o.MaxPages == nil && o.MaxDepth == nil {
		return Override{}, errors.New(`want a place and what holds there, as in "forum.x.cn delay=10s max_pages=200 max_depth=3"`)
	}
	var err error
	o.Place, err = urlnorm.ParsePlace(place)
	return o, err
}

// setting returns what sets a setting, nil if there is none of the name.
func (o *Override) setting(key string) func(value string) error {
	switch key {
	case "delay":
		return func(value string) error {
			d, err := time.ParseDuration(value)
			if err != nil || d < 0 || d > maxDelay {
				return fmt.Errorf("want a time from 0s to %v, such as 1.5s", maxDelay)
			}
			return once(&o.Delay, d)
		}
	case "max_pages":
		return count(&o.MaxPages, 1, MaxPages)
	case "max_depth":
		return count(&o.MaxDepth, 0, MaxDepth)
	}
	return nil
}

func count(target **int, least, most int) func(string) error {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("want a whole number from %d to %d", least, most)
		}
		return once(target, n)
	}
}

func once[V any](target **V, value V) error {
	if *target != nil {
		return errors.New("is given twice")
	}
	*target = &value
	return nil
}

// ParseOverrides reads all entries; the error joins the bad ones by name.
func ParseOverrides(entries []string) ([]Override, error) {
	var all []Override
	var problems []error
	for _, entry := range entries {
		o, err := ParseOverride(entry)
		if err != nil {
			problems = append(problems, fmt.Errorf("override %q: %w", fault.Clip(entry, urlnorm.MaxShown), err))
		}
		all = append(all, o)
	}
	return all, errors.Join(problems...)
}
