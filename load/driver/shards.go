package driver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/load/store"
)

// late is how long after the start a shard may still begin; what it sends until then is merely late.
const late = 100 * time.Millisecond

// together checks what shards must have in common.
func (o *Options) together() error {
	switch n := o.Plan.Shards; {
	case o.Shard < 0 || o.Shard >= n:
		return fmt.Errorf("--shard: expected a shard from 0 to %d of %d, found %d", n-1, n, o.Shard)
	case n > 1 && o.RunID == "":
		return errors.New("--run-id: the shards of one run need an ID that all are given, and that no other run had")
	case !o.StartAt.IsZero() && o.Rendezvous.Place != "":
		return errors.New("--start-at and --rendezvous both say when to begin; give only one")
	case n > 1 && o.StartAt.IsZero() && o.Rendezvous.Place == "":
		return errors.New("--start-at: shards must begin together; give all the same time, or a folder that all see " +
			"with --rendezvous")
	}
	return nil
}

// mostRequests bounds how long a shard takes to find out which of them are its own, about 20 ns for each.
const mostRequests = 500_000_000

// layOut makes the traffic, and finds out which of it this shard sends: a repeat belongs to whoever sends its original.
func (r *run) layOut() (err error) {
	if r.pairs, err = newPairs(r.plan, r.o.Deployment, r.schedule); err != nil {
		return err
	}
	origin := r.pairs.Origin
	if r.plan.Repeats == 0 {
		origin = nil
	} else if k := r.schedule.K(); r.plan.Shards > 1 && k > mostRequests {
		return fmt.Errorf("--shard: expected a plan of at most %d requests, found %d; split it into several runs, or "+
			"leave repeats out with --repeats 0", mostRequests, k)
	}
	r.share = r.schedule.Share(r.o.Shard, r.plan.Shards, origin)
	return nil
}

// begin is when the schedule starts. It fails when that moment has passed, or the shards did not come together.
func (r *run) begin(ctx context.Context) (time.Time, error) {
	at := r.o.StartAt
	if m := r.o.Rendezvous; m.Place != "" {
		m.Place = store.Join(m.Place, r.plan.RunID, terms(r.plan.Hash(), r.o.Deployment.BaseURL))
		m.Timeout, m.Lead = cmp.Or(m.Timeout, meetTimeout), cmp.Or(m.Lead, meetLead)
		r.o.View.Note(fmt.Sprintf("ready; waiting for all %d shards in %s", r.plan.Shards, m.Place))
		var err error
		if at, err = m.meet(ctx, r.o.Shard, r.plan.Shards); err != nil {
			return at, fmt.Errorf("--rendezvous: %w", err)
		}
	}
	now := time.Now()
	if at.IsZero() {
		return now.Add(lead), nil
	}
	return now.Add(at.Sub(now)), inTime(at) // with a monotonic reading
}

func inTime(at time.Time) error {
	if now := time.Now(); !at.IsZero() && now.Sub(at) > late {
		return tooLate(at, now)
	}
	return nil
}

func tooLate(at, now time.Time) error {
	return fmt.Errorf("the start was set for %s, and it is now %s: too late to begin with the others. Start shards "+
		"earlier, or give a later start",
		at.UTC().Format(time.RFC3339Nano), now.UTC().Format(time.RFC3339Nano))
}

// preflightID keeps the requests before the run apart from those of other shards.
func (r *run) preflightID() string {
	id := r.plan.RunID + "/preflight"
	if r.plan.Shards > 1 {
		id += fmt.Sprintf("/%d", r.o.Shard)
	}
	return id
}
