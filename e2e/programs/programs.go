// Package programs builds what the end-to-end tests run.
package programs

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Build puts programs of the module in dir into the folder bin; flags are more
// flags of go build.
func Build(bin, dir string, flags []string, programs ...string) error {
	args := append([]string{"build", "-C", dir, "-o", bin + string(os.PathSeparator)}, flags...)
	cmd := exec.CommandContext(context.Background(), "go", append(args, programs...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %v: %w\n%s", programs, err, out)
	}
	return nil
}

// Replay builds the server of frozen webs, if it is in the shared folder.
func Replay(bin, shared string, flags []string) error {
	replay := filepath.Join(shared, "tools", "webreplay")
	if !Exist(replay) {
		return nil
	}
	return Build(bin, replay, flags, ".")
}

// Shared is the folder of the frozen webs and their server: SLUICE_SHARED, or
// "shared" beside the repository, which is at root.
func Shared(root string) string {
	return cmp.Or(os.Getenv("SLUICE_SHARED"), filepath.Join(root, "..", "shared"))
}

// Exist reports whether there is a file or folder at path.
func Exist(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
