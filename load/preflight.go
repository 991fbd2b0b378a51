package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/traffic"
)

type preflightResult struct {
	statuses []int            // of blocked requests, by mode; 0: unknown
	violated map[string]int64 // answers to repeats, by the rule that they broke
	notes    []string
}

// A failingError says that the deployment answered each valid export with an error of its own.
type failingError struct{ error }

// maxPreflightRequests limits how many requests of the plan are searched for one of each mode.
const maxPreflightRequests = 4000

// preflight sends a fresh export in each mode of the plan and with each identity, and repeats
// each one that is accepted. It fails if the deployment cannot be reached or accepts none.
func (r *loadRun) preflight(ctx context.Context) (*preflightResult, error) {
	// A separate ID keeps these requests apart from those of the run and of other shards.
	id := fmt.Sprintf("%s/preflight/%d", r.plan.RunID, r.o.Shard)
	g, err := r.plan.WithRunID(id).Generator(r.o.Deployment, r.schedule)
	if err != nil {
		return nil, &UsageError{err}
	}
	modes, blocks := rules.ReplayModes(), map[int]bool{} // statuses of blocked requests
	found := &preflightResult{statuses: make([]int, len(modes)), violated: map[string]int64{}}
	accepted, users, done := 0, 0, make([]bool, len(modes))
	var refused *client.Exchange // first export that was not accepted
	failing := true              // all others failed, too
	request := &traffic.Request{}
	for k := range int64(maxPreflightRequests) {
		mode := g.Mode(k)
		if done[mode] && users >= len(r.target.Identities) {
			continue
		}
		done[mode] = true
		g.FillFresh(k, request)
		request.Identity = users % len(r.target.Identities)
		users++
		note := func(format string, what any) {
			found.notes = append(found.notes,
				fmt.Sprintf("before the run, "+format+" (mode %s)", what, modes[mode].Name))
		}
		x := r.sendPreflight(ctx, request)
		switch {
		case x.Err != nil:
			return nil, r.explainRefusal(x, fmt.Errorf("no load can be sent to the deployment %s: %s",
				r.o.Deployment.Name, x.Err.Detail))
		case !x.IsSuccess() || judge.FindDefect(x.Body) != judge.DefectNone:
			refused, failing = cmp.Or(refused, x), failing && judge.IsFailing(x.Status)
			note("a fresh export was not accepted: %d", x.Status)
			continue
		}
		accepted++
		x = r.sendPreflight(ctx, request)
		answer := judge.Answer{
			Status: x.Status, Body: x.Body, RetryAfter: x.Header.Get("Retry-After") != "",
		}
		if rule := judge.New(nil).JudgeAnswer(answer, judge.ExpectBlock, mode).Rule; x.Err == nil &&
			rule != "" {
			found.violated[rule]++
		}
		switch {
		case x.Err != nil:
			note("a repeated export got no answer: %s", x.Err.Detail)
		case answer.IsThrottling():
			note("a repeated export was throttled: %d", x.Status)
		case x.Status < 400 || x.Status > 499:
			note("a repeated export was not blocked: %d", x.Status)
		default:
			blocks[x.Status], found.statuses[mode] = true, x.Status
		}
	}
	if len(blocks) == 1 { // likely in the other modes, too
		for status := range blocks {
			found.statuses = slices.Repeat([]int{status}, len(modes))
		}
	}
	switch {
	case accepted > 0:
		return found, nil
	case refused == nil:
		return nil, errors.New("the plan sends no request")
	}
	if err = r.explainRefusal(refused, r.refusalError(refused)); failing {
		err = failingError{err}
	}
	return nil, err
}

// refusalError says how the deployment answered a valid export that it did not accept.
func (r *loadRun) refusalError(x *client.Exchange) error {
	did := "refuses a valid export"
	if x.IsSuccess() {
		did = "answers a valid export with something else"
	}
	body := printable.Truncate(printable.Clean(r.client.Redactor().Text(string(x.Body))), 200)
	return fmt.Errorf("the deployment %s %s: it answered %s; run gateassay doctor to learn why",
		r.o.Deployment.Name, did, strings.TrimSpace(fmt.Sprint(x.Status, " ", body)))
}

func (r *loadRun) explainRefusal(x *client.Exchange, err error) error {
	if r.o.Explain != nil {
		return cmp.Or(r.o.Explain(x), err)
	}
	return err
}

func (r *loadRun) sendPreflight(ctx context.Context, q *traffic.Request) *client.Exchange {
	header := r.target.Header.Clone()
	q.EachHeader(func(name, value string) { header[name] = []string{value} })
	return r.client.SendOnce(ctx, &client.Request{
		Label: "before the run", Operation: client.OperationExport, Path: r.o.Deployment.Export.Path,
		Header: header, Body: q.Body, MayBlock: true,
		Credential: loadCredentials(r.o.Deployment)[q.Identity],
	})
}
