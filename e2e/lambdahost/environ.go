//go:build linux

package lambdahost

import (
	"encoding/hex"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// account is the AWS account all functions belong to.
const account = "123456789012"

func (f *Function) arn() string {
	return "arn:aws:lambda:" + f.opts.Region + ":" + account + ":function:" + f.name
}

// environ returns the variables of a new environment: those Lambda sets for a
// function with JSON logs, and the caller's. There is no HOME. TMPDIR replaces
// /tmp, which is private to each environment.
func (f *Function) environ(runtimeAPI, tmp string) []string {
	instance := uuid.New()
	vars := map[string]string{
		"AWS_LAMBDA_FUNCTION_NAME":        f.name,
		"AWS_LAMBDA_FUNCTION_VERSION":     "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": strconv.Itoa(f.opts.MemoryMB),
		"AWS_LAMBDA_INITIALIZATION_TYPE":  "on-demand",
		"AWS_LAMBDA_LOG_FORMAT":           "JSON",
		"AWS_LAMBDA_LOG_LEVEL":            "INFO",
		"AWS_LAMBDA_LOG_GROUP_NAME":       "/aws/lambda/" + f.name,
		"AWS_LAMBDA_LOG_STREAM_NAME":      time.Now().UTC().Format("2006/01/02/[$LATEST]") + hex.EncodeToString(instance[:]),
		"AWS_LAMBDA_RUNTIME_API":          runtimeAPI,
		"AWS_REGION":                      f.opts.Region,
		"AWS_DEFAULT_REGION":              f.opts.Region,
		"LAMBDA_TASK_ROOT":                filepath.Dir(f.binary),
		"LAMBDA_RUNTIME_DIR":              "/var/runtime",
		"_HANDLER":                        filepath.Base(f.binary),
		"LANG":                            "en_US.UTF-8",
		"PATH":                            "/usr/local/bin:/usr/bin/:/bin:/opt/bin",
		"TMPDIR":                          tmp,
		"TZ":                              ":UTC",
	}
	maps.Copy(vars, f.opts.Env)
	env := make([]string, 0, len(vars))
	for _, k := range slices.Sorted(maps.Keys(vars)) {
		env = append(env, k+"="+vars[k])
	}
	return env
}
