package operator

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sluice/shared/aws/awslambda"
	"sluice/shared/aws/sqsqueue"
	"sluice/shared/crawl/seeding"
	"sluice/shared/state/frontier"
	"sluice/shared/state/job"
)

// letter is a dead letter and what can be done with it.
type letter struct {
	crawl string   // "" where it names none
	urls  []string // of a task
	why   error    // why it cannot go back; nil if it can
}

// judge reads dead letters of the stack's crawls.
type judge struct {
	o    *Operator
	jobs map[string]*job.Job
}

func (o *Operator) newJudge(ctx context.Context) (*judge, error) {
	all, err := o.parts.Jobs.List(ctx)
	if err != nil {
		return nil, err
	}
	jd := &judge{o: o, jobs: map[string]*job.Job{}}
	for _, j := range all {
		jd.jobs[j.ID] = j
	}
	return jd, nil
}

// judge reads a letter of the named dead-letter queue.
func (jd *judge) judge(ctx context.Context, queue string, l *sqsqueue.Letter) letter {
	var out letter
	switch queue {
	case Frontier:
		out = jd.task(l.Body)
	case Seeds:
		out = jd.seeds(ctx, l.Body)
	case Structure:
		out = jd.site(l.Body)
	default:
		out = jd.event(l.Body, "raw/")
	}
	if l.Cut > 0 {
		out.why = fmt.Errorf("its body was cut: it had %d bytes", l.Cut)
	}
	return out
}

// task reads a host task. One without a crawl is a seed, which the functions
// forward.
func (jd *judge) task(body string) letter {
	t, err := frontier.DecodeTask([]byte(body))
	if err != nil {
		return letter{why: err}
	}
	out := letter{crawl: t.Crawl}
	for _, l := range t.Links {
		out.urls = append(out.urls, l.URL)
	}
	if t.Crawl != "" || strings.HasPrefix(body, "{") {
		out.why = jd.known(t.Crawl)
	}
	return out
}

// seeds reads a message, or an event about an object under seeds/.
func (jd *judge) seeds(ctx context.Context, body string) letter {
	m, err := job.ParseMessage([]byte(body))
	if err != nil {
		if _, notS3 := awslambda.S3Objects(body); notS3 != nil {
			return letter{why: err}
		}
		return jd.event(body, "seeds/")
	}
	out := letter{crawl: m.Crawl, urls: m.Seeds}
	switch {
	case m.Topic != "":
		if _, out.why = jd.o.parts.Topics.Get(ctx, m.Topic); out.why == nil && jd.jobs[m.Crawl] != nil {
			out.why = seeding.Repeats(m, jd.jobs[m.Crawl]) // a repeated message would be refused again
		}
	case m.Crawl != "":
		out.why = jd.known(m.Crawl)
	}
	return out
}

// site reads a message about a site.
func (jd *judge) site(body string) letter {
	m, err := job.ParseSite([]byte(body))
	if err != nil {
		return letter{why: err}
	}
	return letter{crawl: m.Crawl, why: jd.known(m.Crawl)}
}

// event reads the event about an object under a prefix and a crawl.
func (jd *judge) event(body, prefix string) letter {
	keys, err := awslambda.S3Objects(body)
	if err == nil && len(keys) == 0 {
		err = errors.New("the event names no object")
	}
	if err != nil {
		return letter{why: err}
	}
	var out letter
	for _, key := range keys {
		rest, ok := strings.CutPrefix(key, prefix)
		id, name, cut := strings.Cut(rest, "/")
		if !ok || !cut || name == "" {
			return letter{why: fmt.Errorf("object %q is not under %sCRAWL/", key, prefix)}
		}
		out.crawl = id
		if prefix != "seeds/" { // those may start a crawl
			out.why = jd.known(id)
		}
	}
	return out
}

// known refuses crawls that the stack does not have.
func (jd *judge) known(id string) error {
	if jd.jobs[id] == nil {
		return fmt.Errorf("%w: %q", job.ErrUnknown, id)
	}
	return nil
}
