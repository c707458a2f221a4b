package keeper

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sluice/shared/state/job"
	"sluice/shared/state/ledger"
)

// maxHosts is how many hosts a crawl has at most whose records are asked for: the job
// holds what became of each.
const maxHosts = 100

// countTime is how long the count of messages in a queue may take to be right.
const countTime = time.Minute

// records asks for the records of structured crawls that have ended and for the second
// look of others, and switches their function on while there may be work for it. It
// reports whether some are still to be made.
func (k *Keeper) records(ctx context.Context, jobs []*job.Job, empty bool) (asking bool, err error) {
	var errs []error
	learning, missing, busy := false, false, false
	for _, j := range jobs {
		learning = learning || j.Structured && j.State == job.Running
		missing = missing || j.Records.Missing() || j.Look.Missing()
		if j.Look.Asked != 0 && !j.Look.Missing() && k.opts.Now().Before(j.Updated.Add(countTime)) {
			busy = true // its segments are cleaned again, and the count of their messages may be late
		}
		if !j.LacksRecords() && !j.LacksLook() {
			continue
		}
		asking = true
		if !empty && k.opts.Now().Before(j.Updated.Add(k.opts.CleanTime)) {
			continue
		}
		if err := k.ask(ctx, j); err != nil {
			errs = append(errs, fmt.Errorf("ask for the end of crawl %s: %w", j.ID, err))
		}
	}
	if missing && !asking { // some may be dead letters
		none, err := k.ports.Structure.Empty(ctx)
		if err != nil {
			return true, errors.Join(append(errs, fmt.Errorf("look at the queue of sites: %w", err))...)
		}
		asking = !none
	}
	turn := k.ports.Structure.Off
	if learning || asking {
		turn = k.ports.Structure.On
	}
	errs = append(errs, k.turned(ctx, "structure", turn(ctx)))
	return asking || busy, errors.Join(errs...)
}

// askLook asks for the second look of a crawl. Its number is the revision of the job, which
// no earlier one has.
func (k *Keeper) askLook(ctx context.Context, j *job.Job) error {
	if err := k.ports.Structure.Send(ctx, []job.SiteMessage{{Crawl: j.ID, Look: j.Revision}}); err != nil {
		return err
	}
	_, err := k.ports.Jobs.Update(ctx, j.ID, func(now *job.Job) error {
		if now.LacksLook() && now.Look.Made <= j.Revision { // else that of another keeper is over, and one more is asked for
			now.Look.Asked = j.Revision
		}
		return nil
	})
	return err
}

// ask sends a message for each host, and then notes that it has: a call that dies in
// between is repeated, which does no harm.
func (k *Keeper) ask(ctx context.Context, j *job.Job) error {
	if j.LacksLook() {
		return k.askLook(ctx, j)
	}
	totals, err := k.ports.Totals.Totals(ctx, j.ID)
	if err != nil {
		return fmt.Errorf("read totals: %w", err)
	}
	standings, err := k.ports.Hosts.Standings(ctx, j.ID)
	if err != nil {
		return fmt.Errorf("list hosts: %w", err)
	}
	var messages []job.SiteMessage
	asked := job.Records{}
	kept := int(totals.Verdicts[ledger.Kept])
	for _, h := range standings {
		if kept > 0 && asked[h.Host] == nil {
			asked[h.Host] = &job.HostRecords{}
			messages = append(messages, job.SiteMessage{Crawl: j.ID, Host: h.Host, Kept: kept})
		}
	}
	if n := len(asked); n > maxHosts {
		asked, messages = job.Records{"*": {Made: true, Left: fmt.Sprintf("%d hosts, more than %d", n, maxHosts)}}, nil
	}
	if err := k.ports.Structure.Send(ctx, messages); err != nil {
		return err
	}
	_, err = k.ports.Jobs.Update(ctx, j.ID, func(now *job.Job) error {
		if now.LacksRecords() {
			now.Records = asked
		}
		return nil
	})
	return err
}
