package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/representative"
)

// prepareAndAdmit returns requests, of one kind if they are several, when they may be sent. It
// drops those at the end that limits.max_creates does not cover.
func (c *Client) prepareAndAdmit(
	ctx context.Context, attempt int, rs ...*Request,
) ([]*pendingRequest, *Trouble) {
	calls := make([]*pendingRequest, len(rs))
	for i, r := range rs {
		k, err := c.prepare(r)
		if err != nil {
			return nil, &Trouble{Kind: TroubleUnsendable, Detail: err.Error()}
		}
		k.attempt, calls[i] = attempt, k
	}
	calls, why := c.admit(ctx, calls)
	for _, k := range calls {
		if err := c.authenticate(ctx, k); err != nil {
			c.cancelAdmission(calls)
			return nil, &Trouble{Kind: TroubleUnsendable, Detail: err.Error()}
		}
	}
	return calls, why
}

// admit reserves creations for requests and waits for their slots and their share of the pace.
// Late requests reserve only when they are admitted, so that they block nobody while they wait.
func (c *Client) admit(
	ctx context.Context, calls []*pendingRequest,
) ([]*pendingRequest, *Trouble) {
	from := time.Now()
	if trouble := c.countRequests(calls); trouble != nil {
		return nil, trouble
	}
	for late := calls[0].request.Late; ; {
		covered, trouble := c.reserveCreations(ctx, calls, !late)
		if trouble != nil {
			return nil, trouble
		}
		admitted, err := c.acquireSlots(ctx, covered)
		if err != nil {
			if !late {
				c.budget.settle(countCreations(covered...), 0)
			}
			if errors.Is(err, errExhausted) {
				return nil, &Trouble{Kind: TroubleThrottled, Detail: err.Error()}
			}
			return nil, &Trouble{Kind: TroubleCanceled, Detail: "while waiting for its turn"}
		}
		if wanted := countCreations(covered...); late {
			taken, _ := c.budget.reserve(wanted, wanted, covered[0].request.CreateReserve, true)
			if taken < wanted { // another request was faster
				c.gate.release(len(covered))
				continue
			}
		}
		for _, k := range covered {
			k.admitted, k.queued = admitted, admitted.Sub(from)
		}
		return covered, nil
	}
}

// countRequests counts requests, unless limits.max_requests does not allow them.
func (c *Client) countRequests(calls []*pendingRequest) *Trouble {
	n := int64(len(calls))
	if calls[0].request.Operation == OperationFile || c.opts.MaxRequests == 0 ||
		c.counted.Add(n) <= int64(c.opts.MaxRequests) {
		return nil
	}
	c.counted.Add(-n)
	return &Trouble{
		Kind: TroubleMaxRequests,
		Detail: fmt.Sprintf("this run may send %s (polls for files not counted); raise "+
			"limits.max_requests in the deployment file to allow more",
			printable.Quantity(c.opts.MaxRequests, "request")),
	}
}

// acquireSlots waits while HoldExports holds the requests back, and then for their turn.
func (c *Client) acquireSlots(
	ctx context.Context, calls []*pendingRequest,
) (admitted time.Time, err error) {
	share := calls[0].request.Operation == OperationExport && ctx.Value(exclusiveKey{}) == nil
	if share {
		if err = c.exports.Acquire(ctx, int64(len(calls))); err != nil {
			return admitted, err
		}
	}
	admitted, err = c.gate.acquire(ctx, priorityOf(ctx), len(calls))
	if err != nil && share {
		c.exports.Release(int64(len(calls)))
	}
	for _, k := range calls {
		k.sharesExports = err == nil && share
	}
	return admitted, err
}

// reserveCreations waits until limits.max_creates covers at least some of the requests, and
// returns those. With reserve it reserves their creations; otherwise it only looks.
func (c *Client) reserveCreations(
	ctx context.Context, calls []*pendingRequest, reserve bool,
) ([]*pendingRequest, *Trouble) {
	want := countCreations(calls...)
	if want == 0 {
		return calls, nil
	}
	for {
		taken, changed := c.budget.reserve(want, min(want, 2), calls[0].request.CreateReserve,
			reserve)
		switch {
		case taken > 0:
			return calls[:taken], nil
		case changed == nil:
			return nil, &Trouble{
				Kind: TroubleMaxCreates,
				Detail: fmt.Sprintf("this run may create %s; raise "+
					"limits.max_creates in the deployment file to allow more",
					printable.Quantity(c.budget.max, "representative")),
			}
		case !waitFor(ctx, c, changed):
			return nil, &Trouble{Kind: TroubleCanceled, Detail: "while waiting for limits.max_creates"}
		}
	}
}

// waitFor waits for a channel. It returns false if the context or the client ends first.
func waitFor[T any](ctx context.Context, c *Client, what <-chan T) bool {
	select {
	case <-what:
		return true
	case <-ctx.Done():
	case <-c.ctx.Done():
	}
	return false
}

// countCreations returns how many representatives requests of one kind may create.
func countCreations(calls ...*pendingRequest) int {
	if !calls[0].request.Creates {
		return 0
	}
	return len(calls)
}

// sendAdmitted sends an admitted request and processes its answer. It returns how long to wait
// before a retry.
func (c *Client) sendAdmitted(ctx context.Context, k *pendingRequest) (*Exchange, time.Duration) {
	x := c.roundTrip(ctx, k)
	if c.hasTokenEnded(k, x) {
		x.Err = &Trouble{
			Kind: TroubleTokenEnded, Detail: "it expired or was replaced before the 401 arrived",
		}
		x.Status, x.Header = 0, nil
	}
	if k.ready != nil {
		k.ready() // a request that failed early does not hold up the race
	}
	wait := c.reportToGate(k, x)
	c.releaseSlot(k)
	c.settleCreation(k, x)
	c.recordAndReport(ctx, k, x)
	return x, wait
}

// releaseSlot returns the slot of a request to the gate, and its share of exports, once.
func (c *Client) releaseSlot(k *pendingRequest) {
	if !k.released {
		k.released = true
		c.gate.release(1)
		if k.sharesExports {
			c.exports.Release(1)
		}
	}
}

// cancelAdmission gives back the reservations and slots of admitted requests that will not be sent.
func (c *Client) cancelAdmission(calls []*pendingRequest) {
	c.budget.settle(countCreations(calls...), 0)
	for _, k := range calls {
		c.releaseSlot(k)
	}
}

// unsentExchange returns the exchange of a request that was never sent. It has no number and is
// not recorded.
func (c *Client) unsentExchange(r *Request, attempt int, why *Trouble) *Exchange {
	return &Exchange{
		Label: r.Label, Operation: r.Operation, Attempt: attempt,
		Err: &Trouble{Kind: why.Kind, Detail: c.redactor.Text(why.Detail)},
	}
}

// reportToGate tells the gate whether the deployment throttles. It returns how long to wait
// before a retry.
func (c *Client) reportToGate(k *pendingRequest, x *Exchange) time.Duration {
	asked, yes := isThrottled(k.request, x)
	if !yes && !c.isOverloaded(k.request, x) {
		if x.postponed = c.isBesideOthers(k, x); x.postponed {
			return c.backOff(k, max(asked, 0))
		}
		if x.Status != 0 && (k.request.Operation != OperationFile || x.IsSuccess()) {
			c.gate.onAnswered(k.admitted)
		}
		return 0
	}
	wait := c.gate.onThrottled(k.admitted, asked)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Throttled++
	if wait <= maxThrottlePause {
		c.stats.Waited += wait
	}
	return wait
}

// isOverloaded reports whether an answer is a 503 and a tenth of all answers were: nginx and others
// throttle so, without a Retry-After.
func (c *Client) isOverloaded(r *Request, x *Exchange) bool {
	if x.Status != http.StatusServiceUnavailable || r.Operation == OperationFile {
		return false
	}
	const least, share = 20, 10
	stats := c.Stats()
	return stats.Unavailable >= least && stats.Unavailable*share > stats.Sent
}

// RetryExportsAfter makes Send send exports again that get this status, unless they repeat others
// or are held alone: the deployment refuses them while it has others to work on.
func (c *Client) RetryExportsAfter(status int) { c.exportLimit.Store(int32(status)) }

// backOff slows down after an export that was refused beside others, and returns how long that
// export waits, at least as long as it was asked. Other requests go on.
func (c *Client) backOff(k *pendingRequest, asked time.Duration) time.Duration {
	c.gate.slowDown(k.admitted)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.Throttled++
	c.stats.Postponed++
	wait := firstBackoff << (k.attempt - 1)
	return min(asked, maxSinglePause) + wait/2 + time.Duration(rand.Int64N(int64(wait)))
}

// isBesideOthers reports whether an export was refused as RetryExportsAfter says. Only a conflict
// is never what an invalid export gets.
func (c *Client) isBesideOthers(k *pendingRequest, x *Exchange) bool {
	r := k.request
	return k.sharesExports && x.Status != 0 && x.Status == int(c.exportLimit.Load()) && !r.Repeats &&
		(x.Status == http.StatusConflict || !r.Late)
}

// settleCreation settles the reservation of a request. Nothing counts as created if the answer is a
// 503, or a 4xx or an error in a 2xx without a record, or names a known representative, or if
// nothing was sent. Unclear outcomes count as created.
func (c *Client) settleCreation(k *pendingRequest, x *Exchange) {
	id, kept := "", countCreations(k)
	if x.IsSuccess() && x.Operation == OperationCreate {
		id = representative.RecordID(x.Body)
	}
	switch {
	case x.IsClientError() && x.PerformedMember() == "",
		x.Status == http.StatusServiceUnavailable,
		x.Err != nil && (x.Err.Kind == TroubleTokenEnded || !k.headers.Load()):
		kept = 0
	case id != "":
		kept = c.budget.recordCreated(id) // even if the creation was expected to be refused
		c.created.Add(int64(kept))
	case x.IsSuccess() && x.HasErrorBody():
		kept = 0
	case x.Status == 0:
		c.unanswered.Add(int64(kept))
	}
	c.budget.settle(countCreations(k), kept)
}
