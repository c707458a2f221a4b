package dynamocrawls_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sluice/shared/aws/awsfault"
	"sluice/shared/aws/dynamocrawls"
	"sluice/shared/aws/dynamotest"
	"sluice/shared/fault"
	"sluice/shared/state/job"
	"sluice/shared/state/job/jobtest"
)

func TestRegistry(t *testing.T) {
	jobtest.Run(t, func(t *testing.T) job.Registry {
		client, table := newTable(t)
		return dynamocrawls.New(client, table, dynamocrawls.Options{})
	})
}

func newJob(id string) *job.Job {
	return &job.Job{V: 1, ID: id, Topic: "topics/finance.topic", State: job.Running}
}

func nextRound(j *job.Job) error {
	j.Round++
	return nil
}

// The SDK sends a write again when its answer was lost: that is still one.
func TestLostAnswers(t *testing.T) {
	client, table := newTable(t)
	f := &faulty{Client: client, plans: []dynamotest.Fate{{Twice: true}, {Twice: true}, {}}}
	r := dynamocrawls.New(f, table, dynamocrawls.Options{})
	if err := r.Create(t.Context(), newJob("c")); err != nil {
		t.Fatalf("Create whose answer was lost once: %v", err)
	}
	for want := 1; want <= 2; want++ {
		j, err := r.Update(t.Context(), "c", nextRound)
		if err != nil || j.Round != want || j.Revision != int64(want+1) {
			t.Errorf("update %d: %+v, %v", want, j, err)
		}
	}
}

// An update whose answer was lost counts once, though others have written before
// the SDK sends it again.
func TestLostAnswerBehindOthers(t *testing.T) {
	client, table := newTable(t)
	f := &faulty{Client: client}
	r := dynamocrawls.New(f, table, dynamocrawls.Options{})
	if err := r.Create(t.Context(), newJob("c")); err != nil {
		t.Fatal(err)
	}
	const others = 32
	f.plans = []dynamotest.Fate{{Twice: true, Between: func() {
		other := dynamocrawls.New(client, table, dynamocrawls.Options{})
		for range others {
			if _, err := other.Update(t.Context(), "c", nextRound); err != nil {
				t.Error(err)
			}
		}
	}}}
	if _, err := r.Update(t.Context(), "c", nextRound); err != nil {
		t.Fatal(err)
	}
	if j, err := r.Get(t.Context(), "c"); err != nil || j.Round != others+1 {
		t.Errorf("%+v, %v: want round %d", j, err, others+1)
	}
}

// Errors that outlast the SDK's patience have their class; whether the write was
// applied can be read.
func TestErrors(t *testing.T) {
	throttled := &types.ThrottlingException{Message: new(string)}
	for _, tt := range []struct {
		name    string
		plan    dynamotest.Fate
		class   fault.Class
		rule    string
		applied bool
	}{
		{"throttled", dynamotest.Fate{Err: throttled}, fault.Retryable, awsfault.RuleThrottled, false},
		{"network, not applied", dynamotest.Fate{Err: errors.New("reset")}, fault.Retryable, awsfault.RuleUnavailable, false},
		{"network, applied", dynamotest.Fate{Lost: errors.New("reset")}, fault.Retryable, awsfault.RuleUnavailable, true},
		{"no table", dynamotest.Fate{Err: &types.ResourceNotFoundException{}}, fault.Broken, awsfault.RuleRefused, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client, table := newTable(t)
			f := &faulty{Client: client}
			r := dynamocrawls.New(f, table, dynamocrawls.Options{})
			if err := r.Create(t.Context(), newJob("c")); err != nil {
				t.Fatal(err)
			}
			f.plans = []dynamotest.Fate{tt.plan}
			_, err := r.Update(t.Context(), "c", nextRound)
			if got := fault.Of(err); got == nil || got.Class != tt.class || got.Rule != tt.rule {
				t.Errorf("error %v, want %v, %s", err, tt.class, tt.rule)
			}
			j, err := r.Get(t.Context(), "c")
			if err != nil || (j.Round == 1) != tt.applied {
				t.Errorf("round %d, %v, want applied: %v", j.Round, err, tt.applied)
			}
		})
	}
}

// An update that always loses the race gives up.
func TestContest(t *testing.T) {
	client, table := newTable(t)
	f := &faulty{Client: client}
	slow, fast := dynamocrawls.New(f, table, dynamocrawls.Options{}), dynamocrawls.New(client, table, dynamocrawls.Options{})
	if err := fast.Create(t.Context(), newJob("c")); err != nil {
		t.Fatal(err)
	}
	tries := 0
	_, err := slow.Update(t.Context(), "c", func(j *job.Job) error {
		tries++
		if _, err := fast.Update(t.Context(), "c", nextRound); err != nil {
			t.Fatal(err)
		}
		if j.Round != tries-1 {
			t.Errorf("try %d sees round %d", tries, j.Round)
		}
		return nil
	})
	if !errors.Is(err, job.ErrContest) || tries < 32 {
		t.Errorf("after %d tries: %v, want ErrContest", tries, err)
	}
}

// More jobs than one answer of a query holds.
func TestListPages(t *testing.T) {
	client, table := newTable(t)
	r := dynamocrawls.New(client, table, dynamocrawls.Options{})
	const n = 6
	for i := range n {
		j := newJob(fmt.Sprintf("c%d", i))
		for k := range 150 {
			j.Seeds = append(j.Seeds, fmt.Sprintf("http://a.test/%d/%s", k, strings.Repeat("x", 1900)))
		}
		if err := r.Create(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	all, err := r.List(t.Context())
	if err != nil || len(all) != n {
		t.Fatalf("%d jobs, %v, want %d", len(all), err, n)
	}
	for i, j := range all {
		if j.ID != fmt.Sprintf("c%d", i) || len(j.Seeds) != 150 {
			t.Errorf("job %d is %s with %d seeds", i, j.ID, len(j.Seeds))
		}
	}
}
