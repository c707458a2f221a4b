package job

// Reopen lets a crawl go on whose frontier was empty, since new seeds came.
// Any other crawl is left as it is.
func (j *Job) Reopen() error {
	if j.State == Done && j.Reason == ReasonFrontierEmpty {
		j.enter(Running, "")
	}
	return nil
}
