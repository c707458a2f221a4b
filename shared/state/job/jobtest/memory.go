package jobtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"sluice/shared/state/job"
)

// Memory is a registry for tests of code that needs one. It passes Run. Make it
// with NewMemory.
type Memory struct {
	now func() time.Time

	mu   sync.Mutex
	jobs map[string][]byte
}

var _ job.Registry = (*Memory)(nil)

// NewMemory returns an empty registry with the clock now.
func NewMemory(now func() time.Time) *Memory {
	return &Memory{now: now, jobs: map[string][]byte{}}
}

// Create implements job.Registry.
func (m *Memory) Create(ctx context.Context, j *job.Job) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("create crawl %s: %w", j.ID, err)
	}
	if m.jobs[j.ID] != nil {
		return fmt.Errorf("create crawl %s: %w", j.ID, job.ErrExists)
	}
	stored := *j
	stored.Revision = 0
	if err := m.put(&stored); err != nil {
		return fmt.Errorf("create crawl %s: %w", j.ID, err)
	}
	j.Revision, j.Updated = stored.Revision, stored.Updated
	return nil
}

// Get implements job.Registry.
func (m *Memory) Get(ctx context.Context, id string) (*job.Job, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("get crawl %s: %w", id, err)
	}
	return m.get(id)
}

// List implements job.Registry.
func (m *Memory) List(ctx context.Context) ([]*job.Job, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("list crawls: %w", err)
	}
	var all []*job.Job
	for _, id := range slices.Sorted(maps.Keys(m.jobs)) {
		j, err := m.get(id)
		if err != nil {
			return nil, err
		}
		all = append(all, j)
	}
	return all, nil
}

// Update implements job.Registry.
func (m *Memory) Update(ctx context.Context, id string, change func(*job.Job) error) (*job.Job, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("update crawl %s: %w", id, err)
	}
	j, err := m.get(id)
	if err != nil {
		return nil, err
	}
	revision := j.Revision
	if err := change(j); err != nil {
		return nil, err
	}
	if j.ID != id {
		return nil, fmt.Errorf("update crawl %s: its id became %q", id, j.ID)
	}
	j.Revision = revision
	if err := m.put(j); err != nil {
		return nil, fmt.Errorf("update crawl %s: %w", id, err)
	}
	return j, nil
}

func (m *Memory) get(id string) (*job.Job, error) {
	stored, ok := m.jobs[id]
	if !ok {
		return nil, fmt.Errorf("get crawl %q: %w", id, job.ErrUnknown)
	}
	j := new(job.Job)
	return j, json.Unmarshal(stored, j)
}

// put stores j as its next revision.
func (m *Memory) put(j *job.Job) error {
	j.Revision++
	j.Updated = m.now()
	if err := j.Validate(); err != nil {
		return err
	}
	b, err := json.Marshal(j)
	if err == nil {
		m.jobs[j.ID] = b
	}
	return err
}
