package operator

import (
	"testing"

	"sluice/shared/aws/operator/operatortest"
)

// testStack is a stack of a test and its operator.
type testStack struct {
	*operatortest.Stack
	*Operator
}

// newStack creates a stack and opens it by name.
func newStack(t *testing.T) *testStack {
	t.Helper()
	s := &testStack{Stack: operatortest.New(t)}
	var err error
	if s.Operator, err = Open(t.Context(), s.Name); err != nil {
		t.Fatal(err)
	}
	return s
}
