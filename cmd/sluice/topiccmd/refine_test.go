package topiccmd

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPatchName(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(filepath.Dir(here), "my.yaml")
	for _, tt := range []struct{ name, path, want string }{
		{"here", "my.yaml", "my.yaml"},
		{"spelled otherwise", "./topics/../my.yaml", "my.yaml"},
		{"around", "../" + filepath.Base(here) + "/my.yaml", "my.yaml"},
		{"absolute", filepath.Join(here, "topics", "my.yaml"), "topics/my.yaml"},
		{"elsewhere", "../my.yaml", "../my.yaml"},
		{"absolute elsewhere", outside, outside},
		{"spaces", "my topic.yaml", "my topic.yaml\t"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := patchName(tt.path); got != tt.want {
				t.Errorf("patchName(%q) = %q, want %q", tt.path, got, tt.want)
			}
		})
	}
}
