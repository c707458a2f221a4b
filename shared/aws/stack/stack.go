// Package stack describes the resources of a deployed stack, as functions read
// them (from the environment that template.yaml sets) and as the command line
// does (from the outputs of the stack), and configures access to AWS.
package stack

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
)

// Resources are the names of a stack's resources and the parameters it was
// deployed with. Queues are URLs.
type Resources struct {
	Stack string

	URLsTable    string
	BacklogTable string
	HostsTable   string
	CrawlsTable  string
	Bucket       string

	FrontierQueues    []string // the lanes, best first
	FrontierDeadQueue string
	SeedsQueue        string
	SeedsDeadQueue    string
	RenderQueue       string // of the functions with a browser; "": there are none
	CleanQueue        string
	CleanDeadQueue    string

	StructureQueue     string
	StructureDeadQueue string
	StructureMapping   string // id; of functions only keeper has it. It is on only while there are structured crawls

	// The ids of event source mappings and the name of an EventBridge rule that
	// are off while no crawl is active. In functions, only seed and keeper have
	// them.
	Mappings []string
	Schedule string

	// Names of the functions; only in the outputs.
	CrawlFunction     string
	CleanFunction     string
	SeedFunction      string
	KeeperFunction    string
	StructureFunction string

	// Parameters; all but the first only in the environment. The first four may be empty.
	Provisioned    bool // DynamoDB is paid for by provisioned capacity
	Contact        string
	Proxy          string
	AllowAddresses []string
	MaxPages       int
	Delay          time.Duration
}

// Capacity is how DynamoDB is paid for.
func (r *Resources) Capacity() string {
	if r.Provisioned {
		return Provisioned
	}
	return OnDemand
}

// Queue returns the URL of the named queue, "" if the stack has none. Records
// of messages and dead letters have such names.
func (r *Resources) Queue(name string) string {
	all := append([]string{r.FrontierDeadQueue, r.SeedsQueue, r.SeedsDeadQueue, r.CleanQueue, r.CleanDeadQueue, r.StructureQueue, r.StructureDeadQueue, r.RenderQueue}, r.FrontierQueues...)
	for _, url := range all {
		if url != "" && path.Base(url) == name {
			return url
		}
	}
	return ""
}

// WorkQueues returns the URLs of the queues in which the work of crawls waits. While one
// holds a message, a crawl may not be at its end. That of analyses is not among them.
func (r *Resources) WorkQueues() []string {
	all := append([]string{r.CleanQueue, r.SeedsQueue}, r.FrontierQueues...)
	if r.RenderQueue != "" {
		all = append(all, r.RenderQueue)
	}
	return all
}

// FromEnv reads the environment of a function. The error lists everything
// missing or invalid.
func FromEnv(getenv func(string) string) (*Resources, error) {
	e := env{get: getenv}
	r := &Resources{Stack: e.text("SLUICE_STACK")}
	for _, v := range r.shared() {
		*v.to = e.text(v.env)
	}
	r.FrontierQueues = e.list("SLUICE_FRONTIER_QUEUES")
	r.RenderQueue = getenv("SLUICE_RENDER_QUEUE")
	r.Mappings, r.Schedule = list(getenv("SLUICE_MAPPINGS")), getenv("SLUICE_SCHEDULE")
	r.StructureMapping = getenv("SLUICE_STRUCTURE_MAPPING")
	r.Provisioned = getenv("SLUICE_CAPACITY") == Provisioned
	r.Contact, r.Proxy = getenv("SLUICE_CONTACT"), getenv("SLUICE_PROXY")
	r.AllowAddresses = list(getenv("SLUICE_ALLOW_ADDRESSES"))
	r.MaxPages = e.number("SLUICE_MAX_PAGES", 1, maxPages)
	r.Delay = time.Duration(e.number("SLUICE_DELAY_MS", 0, maxDelayMS)) * time.Millisecond
	if len(e.problems) > 0 {
		return nil, fmt.Errorf("read the function's environment: %w", errors.Join(e.problems...))
	}
	return r, nil
}

// How DynamoDB may be paid for: the values of the parameter Capacity.
const (
	OnDemand    = "on-demand"
	Provisioned = "provisioned"
)

// Bounds of the numbers: a larger one is a typing error.
const (
	maxPages   = 1 << 40
	maxDelayMS = 24 * 60 * 60 * 1000
)

// variable is one name under which functions and command line find the same
// thing.
type variable struct {
	to          *string
	env, output string
}

// shared returns the variables that both the environment and the outputs must
// have.
func (r *Resources) shared() []variable {
	return []variable{
		{&r.URLsTable, "SLUICE_URLS_TABLE", "UrlsTable"},
		{&r.BacklogTable, "SLUICE_BACKLOG_TABLE", "BacklogTable"},
		{&r.HostsTable, "SLUICE_HOSTS_TABLE", "HostsTable"},
		{&r.CrawlsTable, "SLUICE_CRAWLS_TABLE", "CrawlsTable"},
		{&r.Bucket, "SLUICE_BUCKET", "Bucket"},
		{&r.FrontierDeadQueue, "SLUICE_FRONTIER_DEAD_QUEUE", "FrontierDeadQueue"},
		{&r.SeedsQueue, "SLUICE_SEEDS_QUEUE", "SeedsQueue"},
		{&r.SeedsDeadQueue, "SLUICE_SEEDS_DEAD_QUEUE", "SeedsDeadQueue"},
		{&r.CleanQueue, "SLUICE_CLEAN_QUEUE", "CleanQueue"},
		{&r.CleanDeadQueue, "SLUICE_CLEAN_DEAD_QUEUE", "CleanDeadQueue"},
		{&r.StructureQueue, "SLUICE_STRUCTURE_QUEUE", "StructureQueue"},
		{&r.StructureDeadQueue, "SLUICE_STRUCTURE_DEAD_QUEUE", "StructureDeadQueue"},
	}
}

// env reads variables and collects problems.
type env struct {
	get      func(string) string
	problems []error
}

func (e *env) text(name string) string {
	v := strings.TrimSpace(e.get(name))
	if v == "" {
		e.problems = append(e.problems, fmt.Errorf("%s is not set", name))
	}
	return v
}

func (e *env) list(name string) []string {
	v := list(e.get(name))
	if len(v) == 0 {
		e.problems = append(e.problems, fmt.Errorf("%s is not set", name))
	}
	return v
}

func (e *env) number(name string, low, high int) int {
	v := e.text(name)
	if v == "" {
		return 0
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > high {
		e.problems = append(e.problems, fmt.Errorf("%s is %q, want a whole number from %d to %d", name, v, low, high))
	}
	return n
}

// list splits a comma-separated list and drops empty elements.
func list(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
