package job

// Reopen resumes a crawl that ended with an empty frontier, since it has new
// seeds. Any other crawl is left unchanged.
func (j *Job) Reopen() error {
	if j.State == Done && j.Reason == ReasonFrontierEmpty {
		j.enter(Running, "")
	}
	return nil
}
