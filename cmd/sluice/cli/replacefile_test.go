package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReplaceFile(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"whole", nil, "new"},
		{"not at all", broken, "old"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
			if err := errors.Join(os.WriteFile(target, []byte("old"), 0o600), os.Symlink("target", link)); err != nil {
				t.Fatal(err)
			}
			err := ReplaceFile(link, func(w io.Writer) error {
				_, err := io.WriteString(w, "new")
				return errors.Join(err, tt.err)
			})
			if !errors.Is(err, tt.err) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			got, err := os.ReadFile(target)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("the file holds %q, want %q", got, tt.want)
			}
			if diff := cmp.Diff([]string{"link", "target"}, names(t, dir)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
				t.Errorf("the link is gone: %v, %v", info, err)
			}
		})
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestReplaceDevice(t *testing.T) {
	t.Parallel()
	err := ReplaceFile(os.DevNull, func(w io.Writer) error {
		_, err := io.WriteString(w, "gone")
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s was replaced: %v", os.DevNull, err)
	}
}
