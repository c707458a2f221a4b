package local

// OnEffect calls f before each effect of Forget; an error of it ends the call
// like a crash.
func OnEffect(f func(name string) error) ForgetOptions { return ForgetOptions{effect: f} }
