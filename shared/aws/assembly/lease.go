package assembly

import (
	"fmt"
	"strconv"
	"time"
)

// leaseVariable is how long a dead worker's hosts remain leased, in seconds.
// The function's timeout must be at most half of it: then no invocation
// outlives its leases, and no URL is fetched twice at a time.
const leaseVariable = "SLUICE_LEASE_S"

const (
	defaultLease = 3 * time.Minute
	minLease     = 10 * time.Second
	maxLease     = time.Hour
)

// staleLeases is how many leases after its start an unended task stops counting
// as in progress. It exceeds the time in which its message may be redelivered:
// six times, after three leases each.
const staleLeases = 20

// lease reads how long leases are.
func lease(getenv func(string) string) (time.Duration, error) {
	return seconds(getenv, leaseVariable, defaultLease, minLease, maxLease)
}

// seconds reads a variable that the template does not set.
func seconds(getenv func(string) string, name string, usual, least, most time.Duration) (time.Duration, error) {
	v := getenv(name)
	if v == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(v)
	d := time.Duration(n) * time.Second
	if err != nil || n > int(most/time.Second) || d < least {
		return 0, fmt.Errorf("read the function's environment: %s is %q, want seconds from %.0f to %.0f", name, v, least.Seconds(), most.Seconds())
	}
	return d, nil
}
