package stack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sluice/shared/aws/stack"
)

// environment is what template.yaml sets for the functions.
func environment() map[string]string {
	return map[string]string{
		"SLUICE_STACK": "s", "SLUICE_URLS_TABLE": "urls", "SLUICE_BACKLOG_TABLE": "backlog", "SLUICE_HOSTS_TABLE": "hosts",
		"SLUICE_CRAWLS_TABLE": "crawls", "SLUICE_BUCKET": "bucket",
		"SLUICE_FRONTIER_QUEUES":     "https://sqs/1/high, https://sqs/1/normal,https://sqs/1/low,",
		"SLUICE_FRONTIER_DEAD_QUEUE": "https://sqs/1/dead",
		"SLUICE_SEEDS_QUEUE":         "https://sqs/1/seeds", "SLUICE_SEEDS_DEAD_QUEUE": "https://sqs/1/seeds-dead",
		"SLUICE_CLEAN_QUEUE": "https://sqs/1/clean", "SLUICE_CLEAN_DEAD_QUEUE": "https://sqs/1/clean-dead",
		"SLUICE_STRUCTURE_QUEUE": "https://sqs/1/structure", "SLUICE_STRUCTURE_DEAD_QUEUE": "https://sqs/1/structure-dead", "SLUICE_STRUCTURE_MAPPING": "c",
		"SLUICE_MAPPINGS": "a,b", "SLUICE_SCHEDULE": "each-minute",
		"SLUICE_CONTACT": "me@a.test", "SLUICE_PROXY": "http://proxy.test:3128", "SLUICE_ALLOW_ADDRESSES": "10.0.0.1",
		"SLUICE_MAX_PAGES": "10000", "SLUICE_DELAY_MS": "1500",
	}
}

func getenv(env map[string]string) func(string) string {
	return func(key string) string { return env[key] }
}

func TestFromEnv(t *testing.T) {
	got, err := stack.FromEnv(getenv(environment()))
	if err != nil {
		t.Fatalf("FromEnv: %v", err)
	}
	want := &stack.Resources{
		Stack: "s", URLsTable: "urls", BacklogTable: "backlog", HostsTable: "hosts", CrawlsTable: "crawls", Bucket: "bucket",
		FrontierQueues:    []string{"https://sqs/1/high", "https://sqs/1/normal", "https://sqs/1/low"},
		FrontierDeadQueue: "https://sqs/1/dead",
		SeedsQueue:        "https://sqs/1/seeds", SeedsDeadQueue: "https://sqs/1/seeds-dead",
		CleanQueue: "https://sqs/1/clean", CleanDeadQueue: "https://sqs/1/clean-dead",
		StructureQueue: "https://sqs/1/structure", StructureDeadQueue: "https://sqs/1/structure-dead", StructureMapping: "c",
		Mappings: []string{"a", "b"}, Schedule: "each-minute",
		Contact: "me@a.test", Proxy: "http://proxy.test:3128", AllowAddresses: []string{"10.0.0.1"},
		MaxPages: 10000, Delay: 1500 * time.Millisecond,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
	for capacity, provisioned := range map[string]bool{stack.OnDemand: false, stack.Provisioned: true} {
		env := environment()
		env["SLUICE_CAPACITY"] = capacity
		if r, err := stack.FromEnv(getenv(env)); err != nil || r.Provisioned != provisioned || r.Capacity() != capacity {
			t.Errorf("capacity %s: %+v, %v", capacity, r, err)
		}
	}
	for name, url := range map[string]string{
		"low": "https://sqs/1/low", "clean-dead": "https://sqs/1/clean-dead", "seeds": "https://sqs/1/seeds", "structure": "https://sqs/1/structure", "other": "", "": "",
	} {
		if got := got.Queue(name); got != url {
			t.Errorf("Queue(%q) = %q, want %q", name, got, url)
		}
	}
}

func TestFromEnvOptional(t *testing.T) {
	env := environment()
	for _, key := range []string{"SLUICE_MAPPINGS", "SLUICE_STRUCTURE_MAPPING", "SLUICE_SCHEDULE", "SLUICE_CONTACT", "SLUICE_PROXY", "SLUICE_ALLOW_ADDRESSES"} {
		delete(env, key)
	}
	if r, err := stack.FromEnv(getenv(env)); err != nil || r.Mappings != nil || r.AllowAddresses != nil {
		t.Errorf("FromEnv without what may be missing: %+v, %v", r, err)
	}
}

// A function that lacks something says all that it lacks, at its start.
func TestFromEnvErrors(t *testing.T) {
	_, err := stack.FromEnv(getenv(nil))
	if err == nil {
		t.Fatal("FromEnv of nothing succeeded")
	}
	for key := range environment() {
		optional := strings.HasSuffix(key, "MAPPINGS") || strings.HasSuffix(key, "MAPPING") || strings.HasSuffix(key, "SCHEDULE") || strings.HasSuffix(key, "CONTACT") ||
			strings.HasSuffix(key, "PROXY") || strings.HasSuffix(key, "ADDRESSES")
		if named := strings.Contains(err.Error(), key+" is not set"); named == optional {
			t.Errorf("%s named as missing: %t", key, named)
		}
	}
	env := environment()
	env["SLUICE_MAX_PAGES"], env["SLUICE_DELAY_MS"], env["SLUICE_FRONTIER_QUEUES"], env["SLUICE_BUCKET"] = "0", "1s", " , ", " "
	_, err = stack.FromEnv(getenv(env))
	for _, want := range []string{
		`SLUICE_MAX_PAGES is "0", want a whole number from 1`, `SLUICE_DELAY_MS is "1s"`, "SLUICE_FRONTIER_QUEUES is not set", "SLUICE_BUCKET is not set",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

// A crawl is not at its end while pages wait for a browser.
func TestWorkQueues(t *testing.T) {
	env := environment()
	for _, render := range []string{"", "https://sqs/1/render"} {
		env["SLUICE_RENDER_QUEUE"] = render
		r, err := stack.FromEnv(getenv(env))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"https://sqs/1/clean", "https://sqs/1/seeds", "https://sqs/1/high", "https://sqs/1/normal", "https://sqs/1/low"}
		if render != "" {
			want = append(want, render)
		}
		if diff := cmp.Diff(want, r.WorkQueues()); diff != "" {
			t.Errorf("queues of work with the render queue %q (-want +got):\n%s", render, diff)
		}
	}
}
