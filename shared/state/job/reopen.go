package job

import "slices"

// Reopen resumes a crawl that ended because nothing was left that is worth fetching,
// since it has new seeds. Any other crawl is left unchanged.
func (j *Job) Reopen() error {
	if j.Exhausted() {
		j.enter(Running, "")
	}
	return nil
}

// Exhausted reports whether a crawl ended because nothing was left that is worth
// fetching.
func (j *Job) Exhausted() bool {
	return j.State == Done && slices.Contains([]string{ReasonFrontierEmpty, ReasonHostsDown, ReasonHarvestRate, ReasonCoverage}, j.Reason)
}
