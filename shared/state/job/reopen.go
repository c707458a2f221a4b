package job

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
	return j.State == Done && (j.Reason == ReasonFrontierEmpty || j.Reason == ReasonHarvestRate || j.Reason == ReasonCoverage)
}
