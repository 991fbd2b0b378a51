package export

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// awaitFetchable waits for the first file. It ends the act where the file was not fetched.
func (s *Suite) awaitFetchable(ctx spec.Context) *completedExport {
	first := s.plain.window.Await(ctx)
	if first.refused || first.fault != nil {
		ctx.StopOnError(first.unusableReason())
	}
	return first
}

// takeExport starts an export, fetches its file and reads it. A failure that shows nothing about
// the rules ends the act; the result keeps all others.
func (s *Suite) takeExport(ctx spec.Context, q exportQuery) (done *completedExport) {
	for range 2 { // a failure may be temporary
		x := s.sendExport(ctx, q)
		ctx.StopOnError(s.lab.TransientError(ctx, x))
		done = s.fetchAndRead(ctx, q, x)
		if !done.endedInFailedState() {
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, done)
	return done
}

// takenExports returns the exports so far whose file the run looked for.
func (s *Suite) takenExports() []*completedExport {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// takeUsable takes an export. It ends the act where its file shows no rows.
func (s *Suite) takeUsable(ctx spec.Context, q exportQuery) *completedExport {
	done := s.takeExport(ctx, q)
	ctx.StopOnError(done.unusableReason())
	return done
}

// fetchAndRead fetches and reads the file of an answered export, up to three times where it is not
// CSV: it may have been damaged on its way, or called ready too early.
func (s *Suite) fetchAndRead(ctx spec.Context, q exportQuery, x *client.Exchange) *completedExport {
	done := s.fetchOnce(ctx, q, x)
	mayChange := done.broken != nil && (!done.isBlank() || len(s.takenExports()) == 0 ||
		s.countBrokenAtFirst() > 0)
	for again := 0; again < 2 && mayChange && target.SleepContext(ctx, time.Second); again++ {
		if next := s.fetchOnce(ctx, q, x); next.fault == nil && next.broken == nil {
			next.brokenAtFirst = done.broken
			return next
		}
	}
	return done
}

// countBrokenAtFirst counts the exports so far whose file could not be read at first.
func (s *Suite) countBrokenAtFirst() (n int) {
	for _, done := range s.takenExports() {
		if done.brokenAtFirst != nil {
			n++
		}
	}
	return n
}

// fetchOnce fetches and reads the file of an answered export.
func (s *Suite) fetchOnce(ctx spec.Context, q exportQuery, x *client.Exchange) *completedExport {
	done := &completedExport{query: q, answer: x, refused: !x.IsSuccess()}
	if done.refused {
		return done
	}
	id, ok := answers.FileID(x)
	if !ok {
		done.fault = &client.FetchError{
			Failure: client.FetchUnusableAnswer, Status: x.Status,
			Detail: "the export's answer holds no file_id",
		}
		return done
	}
	done.fileID = id
	var err error
	done.fetched, err = s.t.Client.FetchFile(ctx, id, s.credentialOf(q.asked), client.FetchOptions{
		MaxBytes: q.maxBytes(), QueueTime: s.queueTime(),
		NotFoundTimeout: func() time.Duration { return s.notFoundTimeout(0) },
		Read: func(r io.Reader) error { // replaces what an earlier attempt has read
			done.csv, done.table, done.broken, done.alien = statement.Read(r, s.t.Deployment.Export.CSV,
				maxKeptQuotes)
			return nil
		},
	})
	switch {
	case err != nil && ctx.Err() != nil:
		ctx.StopOnError(spec.ErrInterrupted)
	case errors.As(err, &done.fault) && done.fault.Failure == client.FetchNoData:
		done.fault, done.noData, done.table = nil, true, &statement.Table{}
	case done.fault != nil:
		ctx.StopOnError(s.transientReason(done))
		return done
	case err != nil:
		ctx.Inconclusivef("the file could not be fetched: %v", err)
	}
	s.notFoundTimeout(done.fetched.Took)
	done.inspectRows()
	return done
}

// notFoundTimeout returns how long 404 and 204 count as "not ready yet", based on the slowest
// file so far (took included). It is 0 until a file came.
func (s *Suite) notFoundTimeout(took time.Duration) time.Duration {
	const factor, least = 4, 5 * time.Second
	s.mu.Lock()
	defer s.mu.Unlock()
	if took > 0 {
		s.longest = max(s.longest, factor*took, least)
	}
	return s.longest
}

// queueTime returns how long a file may have to wait for those of the run's other exports, up to
// 3 minutes. It is 0 while no file came, and where the first took less than half a second: such a
// deployment is ready within export.file.timeout.
func (s *Suite) queueTime() time.Duration {
	const slow, longest = 500 * time.Millisecond, 3 * time.Minute
	taken := s.takenExports()
	if len(taken) == 0 || taken[0].fault != nil || taken[0].fetched.Took < slow {
		return 0
	}
	started := s.t.Client.Stats().Exports
	return min(time.Duration(started)*taken[0].fetched.Took, longest)
}

// sendExport sends an export, after the control has found which form is accepted, and again after
// a server error or a refusal.
func (s *Suite) sendExport(ctx context.Context, q exportQuery) *client.Exchange {
	defer s.noteAnswer()
	s.lab.AwaitControlAnswer(ctx, client.OperationExport)
	answered := func(x *client.Exchange) bool { return !x.IsServerError() }
	send := func() (target.Answer, error) {
		return s.lab.SendUntilConclusive(ctx, answered, func() *client.Exchange {
			return s.t.Send(ctx, func() target.Request { return s.buildExport(q) })
		}, nil)
	}
	a, err := send()
	if err == nil && q.asked.Wallet != model.WalletForeign { // which is to be refused
		a = s.lab.RetryRefused(ctx, a, send)
	}
	return a.Exchange
}

// transientReason returns why a retrieval failed for reasons outside of the rules. One that used
// up the timeout is not retried.
func (s *Suite) transientReason(done *completedExport) error {
	f, limit := done.fault, s.t.Deployment.Export.File
	switch {
	case f.Failure != client.FetchBroken, f.Status == http.StatusInternalServerError,
		f.Status > http.StatusGatewayTimeout:
		return nil
	case limit != nil && done.fetched.Took >= limit.Timeout:
		return spec.Inconclusivef("the file could not be fetched: %s", f.Error())
	}
	return spec.Transientf("the file could not be fetched: %s", f.Error())
}
