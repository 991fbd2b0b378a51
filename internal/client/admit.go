package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/representative"
)

// admit reserves what requests may create, and waits for their slots and their share of the pace. Those that are Late
// reserve it only then: what waits for its turn would keep it from others. It returns those that may go: those at the end
// are dropped where limits.max_creates does not cover them.
func (c *Client) admit(ctx context.Context, calls ...*call) ([]*call, *Trouble) {
	from := time.Now()
	if n := int64(len(calls)); calls[0].req.Operation != File && c.opts.MaxRequests > 0 &&
		c.counted.Add(n) > int64(c.opts.MaxRequests) {
		c.counted.Add(-n)
		return nil, &Trouble{Kind: Spent, Detail: fmt.Sprintf("this run may send %s (polls for files not counted); raise "+
			"limits.max_requests in the deployment file to allow more",
			printable.Quantity(c.opts.MaxRequests, "request"))}
	}
	for late := calls[0].req.Late; ; {
		going, why := c.reserve(ctx, calls, !late)
		if why != nil {
			return nil, why
		}
		admitted, err := c.gate.acquire(ctx, rank(ctx), len(going))
		if err != nil {
			if !late {
				c.budget.settle(creating(going), 0)
			}
			if errors.Is(err, errExhausted) {
				return nil, &Trouble{Kind: Exhausted, Detail: err.Error()}
			}
			return nil, &Trouble{Kind: Canceled, Detail: "while waiting for its turn"}
		}
		if late && creating(going) > 0 {
			if taken, _ := c.budget.reserve(creating(going), 1, going[0].req.Spares, true); taken < creating(going) {
				c.budget.settle(taken, 0) // another one was faster
				c.gate.release(len(going))
				continue
			}
		}
		for _, k := range going {
			k.admitted, k.queued = admitted, admitted.Sub(from)
		}
		return going, nil
	}
}

// reserve waits until limits.max_creates covers some of what requests may create, and returns those that it does cover. It
// keeps it for them, or only looks.
func (c *Client) reserve(ctx context.Context, calls []*call, keep bool) ([]*call, *Trouble) {
	want := creating(calls)
	if want == 0 {
		return calls, nil
	}
	for {
		taken, changed := c.budget.reserve(want, min(want, 2), calls[0].req.Spares, keep)
		switch {
		case taken > 0:
			return calls[:taken], nil
		case changed == nil:
			return nil, &Trouble{Kind: Budget, Detail: fmt.Sprintf("this run may create %s; raise "+
				"limits.max_creates in the deployment file to allow more",
				printable.Quantity(c.budget.max, "representative"))}
		case !comes(ctx, c, changed):
			return nil, &Trouble{Kind: Canceled, Detail: "while waiting for limits.max_creates"}
		}
	}
}

// comes waits for something, and reports whether it came before the end of the context or the client.
func comes[T any](ctx context.Context, c *Client, what <-chan T) bool {
	select {
	case <-what:
		return true
	case <-ctx.Done():
	case <-c.ctx.Done():
	}
	return false
}

// creating is how many representatives requests of one kind may create.
func creating(calls []*call) int {
	if !calls[0].req.Creates {
		return 0
	}
	return len(calls)
}

// carry sends an admitted request and settles what follows from its answer.
func (c *Client) carry(ctx context.Context, k *call) (*Exchange, time.Duration) {
	x := c.perform(ctx, k)
	if c.outdated(k, x) {
		x.Err = &Trouble{Kind: Outdated, Detail: "it had ended, or another had replaced it, when the 401 came"}
		x.Status, x.Header = 0, nil
	}
	if k.ready != nil {
		k.ready() // whoever failed before the start holds up nobody
	}
	wait := c.pace(k, x)
	c.leave(k)
	c.count(k, x)
	c.finish(ctx, k, x)
	return x, wait
}

// leave gives back the slot of a request, once.
func (c *Client) leave(k *call) {
	if !k.left {
		k.left = true
		c.gate.release(1)
	}
}

// withdraw gives back what admitted requests hold that will not be sent.
func (c *Client) withdraw(calls ...*call) {
	for _, k := range calls {
		c.budget.settle(creating([]*call{k}), 0)
		c.leave(k)
	}
}

// unsent is the outcome of a request that never went out. It has no number and is recorded nowhere.
func (c *Client) unsent(r *Request, attempt int, kind TroubleKind, detail string) *Exchange {
	return &Exchange{
		Label: r.Label, Operation: r.Operation, Attempt: attempt, Err: &Trouble{Kind: kind, Detail: c.redactor.Text(detail)},
	}
}

// pace lets the gate know how the deployment bears the load.
func (c *Client) pace(k *call, x *Exchange) time.Duration {
	asked, yes := throttles(k.req, x)
	if !yes {
		if x.Status != 0 && (k.req.Operation != File || x.Success()) {
			c.gate.answered(k.admitted)
		}
		return 0
	}
	wait := c.gate.throttled(k.admitted, asked)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Throttled++
	if wait <= longestPause {
		c.stats.Waited += wait
	}
	return wait
}

// count finds the id of a created representative and settles the reservation: it is given back when the answer is a
// refusal or names a representative known already, or when nothing went out. Anything unclear counts as created.
func (c *Client) count(k *call, x *Exchange) {
	id, kept := "", creating([]*call{k})
	if x.Success() && x.Operation == Create {
		id = representative.ID(x.Body)
	}
	switch {
	case x.Refusal(), x.Err != nil && (x.Err.Kind == Outdated || !k.headers.Load()):
		kept = 0
	case id != "":
		kept = c.budget.created(id) // also where it was expected to be refused
		c.created.Add(int64(kept))
	}
	c.budget.settle(creating([]*call{k}), kept)
}
