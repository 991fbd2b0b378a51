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
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// awaitFetchable waits for the first file. It ends the act where the file was not fetched.
func (s *Suite) awaitFetchable(l spec.Context) *completedExport {
	first := s.plain.window.Await(l)
	if first.refused || first.fault != nil {
		l.StopOnError(first.unusableReason())
	}
	return first
}

// takeExport starts an export, fetches its file and reads it. A failure that shows nothing about
// the rules ends the act; the result keeps all others.
func (s *Suite) takeExport(l spec.Context, q exportQuery) (sh *completedExport) {
	for range 2 { // a failure may be temporary
		x := s.sendExport(l, q)
		l.StopOnError(s.lab.TransientError(l, x))
		if sh = s.fetchAndRead(l, q, x); !sh.endedInFailedState() {
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, sh)
	return sh
}

// takenExports returns the exports so far whose file the run looked for.
func (s *Suite) takenExports() []*completedExport {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// takeUsable takes an export. It ends the act where its file shows no rows.
func (s *Suite) takeUsable(l spec.Context, q exportQuery) *completedExport {
	sh := s.takeExport(l, q)
	l.StopOnError(sh.unusableReason())
	return sh
}

// fetchAndRead fetches and reads the file of an answered export.
func (s *Suite) fetchAndRead(l spec.Context, q exportQuery, x *client.Exchange) *completedExport {
	sh := &completedExport{query: q, answer: x}
	if sh.refused = !x.IsSuccess(); sh.refused {
		return sh
	}
	id, ok := answers.FileID(x)
	if !ok {
		const why = "the export's answer holds no file_id"
		sh.fault = &client.FetchError{Failure: client.FetchUnusableAnswer, Status: x.Status, Detail: why}
		return sh
	}
	sh.fileID = id
	var err error
	sh.fetched, err = s.t.Client.FetchFile(l, id, s.credentialOf(q.asked), client.FetchOptions{
		MaxBytes: q.maxBytes(), QueueTime: s.queueTime(),
		NotFoundTimeout: func() time.Duration { return s.notFoundTimeout(0) },
		Read: func(r io.Reader) error { // replaces what an earlier attempt has read
			sh.csv, sh.table, sh.broken, sh.alien = statement.Read(r, s.t.Deployment.Export.CSV,
				maxKeptQuotes)
			return nil
		},
	})
	switch {
	case err != nil && l.Err() != nil:
		l.StopOnError(spec.ErrInterrupted)
	case errors.As(err, &sh.fault) && sh.fault.Failure == client.FetchNoData:
		sh.fault, sh.noData, sh.table = nil, true, &statement.Table{}
	case sh.fault != nil:
		l.StopOnError(s.transientReason(sh))
		return sh
	case err != nil:
		l.Inconclusivef("the file could not be fetched: %v", err)
	}
	s.notFoundTimeout(sh.fetched.Took)
	sh.inspectRows()
	return sh
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
// a server error.
func (s *Suite) sendExport(ctx context.Context, q exportQuery) *client.Exchange {
	defer s.noteAnswer()
	s.lab.AwaitControlAnswer(ctx, client.OperationExport)
	answered := func(x *client.Exchange) bool { return !x.IsServerError() }
	a, _ := s.lab.SendUntilConclusive(ctx, answered, func() *client.Exchange {
		return s.t.Send(ctx, func() target.Request { return s.buildExport(q) })
	}, nil)
	return a.Exchange
}

// transientReason returns why a retrieval failed for reasons outside of the rules. One that used
// up the timeout is not retried.
func (s *Suite) transientReason(sh *completedExport) error {
	f, limit := sh.fault, s.t.Deployment.Export.File
	switch {
	case f.Failure != client.FetchBroken, f.Status == http.StatusInternalServerError,
		f.Status > http.StatusGatewayTimeout:
		return nil
	case limit != nil && sh.fetched.Took >= limit.Timeout:
		return spec.Inconclusivef("the file could not be fetched: %s", f.Error())
	}
	return spec.Transientf("the file could not be fetched: %s", f.Error())
}
