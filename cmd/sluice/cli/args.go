package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// CheckFolder refuses as DIR what exists and is not a folder, or would be below a file. It
// accepts what does not exist.
func CheckFolder(dir string) error {
	info, err := os.Stat(dir)
	for errors.Is(err, syscall.ENOTDIR) { // below a file, which is named
		dir = filepath.Dir(dir)
		info, err = os.Stat(dir)
	}
	if err == nil && !info.IsDir() {
		return Usage(fmt.Errorf("%s is not a folder", dir))
	}
	return nil
}

// WantArgs takes exactly the arguments of these names.
func WantArgs(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("%s is missing", names[len(args)])
		case len(args) > len(names):
			return fmt.Errorf("unexpected argument %q", args[len(names)])
		}
		return nil
	}
}

// WantSome takes the arguments of these names and any number of more.
func WantSome(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s is missing", names[len(args)])
		}
		return nil
	}
}

// Required reports the flags that have no value, all at once.
func Required(flags ...[2]string) error {
	var problems []error
	for _, f := range flags {
		if f[1] == "" {
			problems = append(problems, fmt.Errorf("--%s is missing", f[0]))
		}
	}
	return Usage(errors.Join(problems...))
}

// NameOne returns what a command does that has others and nothing of its own: it
// refuses a missing or unknown name, and lists those that there are. placeholder
// is the name in the usage line, kind and of say what it names.
func NameOne(placeholder, kind, of string) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		var names []string
		for _, c := range cmd.Commands() {
			names = append(names, c.Name())
		}
		known := strings.Join(names, ", ")
		if len(args) == 0 {
			return Usage(fmt.Errorf("%s is missing: it is one of %s", placeholder, known))
		}
		return Usage(fmt.Errorf("there is no %s %q%s; there are %s", kind, args[0], of, known))
	}
}

// IsURL tells URLs from the names of files.
func IsURL(arg string) bool {
	scheme, _, ok := strings.Cut(arg, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}
