package dynamotest

// Fate is what happens to a write.
type Fate struct {
	Lost    error  // returned in place of the answer; the write was applied
	Err     error  // returned; the write was not applied
	Twice   bool   // sent again, as the SDK does after a lost answer
	Between func() // called before it is sent again, if not nil
}

// Next takes the first of the fates; without any a write succeeds.
func Next(fates *[]Fate) Fate {
	if len(*fates) == 0 {
		return Fate{}
	}
	first := (*fates)[0]
	*fates = (*fates)[1:]
	return first
}
