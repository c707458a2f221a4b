package dynamohosts

import (
	"fmt"
	"testing"

	"sluice/shared/web/hosts"
)

// The memo stays within its bytes, and forgets what was not asked for.
func TestMemo(t *testing.T) {
	m := newMemo(100 * (1000 + overhead))
	loved := new(hosts.Rules)
	m.put("loved", loved, 1000)
	for i := range 1000 {
		m.put(fmt.Sprint(i), new(hosts.Rules), 1000)
		if m.get("loved") != loved {
			t.Fatalf("forgotten after %d others, though it was asked for", i+1)
		}
		if n := len(m.young) + len(m.old); n > 101 {
			t.Fatalf("%d entries, at most 100 wanted", n)
		}
	}
	if m.get("0") != nil {
		t.Error("the oldest entry is still there")
	}
	newer := new(hosts.Rules)
	m.put("loved", newer, 1<<30) // larger than all
	if m.get("loved") != newer {
		t.Error("the newer entry is not there")
	}
	m.put("small", newer, 1)
	m.put("other", newer, 1<<30)
	if m.get("loved") == loved {
		t.Error("an entry that was replaced is back")
	}
}
