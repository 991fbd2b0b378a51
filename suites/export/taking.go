package export

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// export declares an export; ask says what for, and may look at other exports first.
func (s *Suite) export(label string, ask func(l look) query) download {
	return spec.Observe(s.Plan, label, act(func(l look) *sheet {
		q := ask(l)
		q.label = label
		return s.take(l, q)
	}))
}

// fetchable ends the act where the first file could not be fetched.
func (s *Suite) fetchable(l look) {
	if first := l.sheet(s.plain.window); first.refused || first.fault != nil {
		l.end(first.usable())
	}
}

// take starts an export, fetches its file and reads it. Trouble that says nothing about the deployment's rules ends the
// act; all else is in the sheet.
func (s *Suite) take(l look, q query) *sheet {
	q = s.spelling(q)
	x := s.start(l, q)
	l.end(s.t.Usable(l, x))
	sh := s.finish(l, q, x)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, sh)
	return sh
}

// spelling is the query as the deployment accepts it: with bounds in whole seconds.
func (s *Suite) spelling(q query) query {
	if q.as == nil {
		q.as = s.t.Deployment.Credentials.Main()
	}
	if s.t.ExportSpelling().Whole {
		for _, bound := range []string{"date_start", "date_end"} {
			if text, ok := q.fields[bound].(string); ok {
				q.fields = q.fields.With(bound, noFraction.ReplaceAllString(text, "$1"))
			}
		}
	}
	text := func(field string) string { value, _ := q.fields[field].(string); return value }
	q.asked.Sort, q.asked.Order, q.asked.Extension = text("sort"), text("order"), text("type_extension")
	q.asked.Start, q.asked.End = text("date_start"), text("date_end")
	return q
}

// noFraction is the fraction of a whole second.
var noFraction = regexp.MustCompile(`\.0+(Z|[+-])`)

// finish fetches and reads the file of an export that was answered.
func (s *Suite) finish(l look, q query, x *client.Exchange) *sheet {
	sh := &sheet{query: q, answer: x}
	if sh.refused = !x.Success(); sh.refused {
		return sh
	}
	id, ok := target.FileID(x)
	if !ok {
		const why = "the export's answer holds no file_id"
		sh.fault = &client.FetchError{Fault: client.Unusable, Status: x.Status, Detail: why}
		return sh
	}
	sh.fileID = id
	var err error
	sh.fetched, err = s.t.Client.FetchWith(l, id, q.as, client.FetchOptions{
		Most: q.most, Absent: s.pace.absent, Read: func(r io.Reader) error {
			sh.read(r, s.t.Deployment.Export.CSV)
			return nil
		},
	})
	switch {
	case err != nil && l.Err() != nil:
		l.end(spec.Interrupted)
	case errors.As(err, &sh.fault):
		l.end(s.transient(sh))
		return sh
	case err != nil:
		l.unclear("the file could not be fetched: %v", err)
	}
	s.pace.saw(sh.fetched.Took)
	sh.finish()
	return sh
}

// start sends the export; a server error is given two more chances, because it may have been about the moment.
func (s *Suite) start(ctx context.Context, q query) *client.Exchange {
	pauses := &backoff.ExponentialBackOff{
		InitialInterval: 200 * time.Millisecond, Multiplier: 2, MaxInterval: time.Second,
	}
	var lost []*client.Exchange
	x, _ := backoff.Retry(ctx, func() (*client.Exchange, error) {
		x := s.t.StartExport(ctx, func() target.ExportCall {
			call := s.t.Export(q.label, q.fields)
			call.Credential, call.Mode = q.as, cmp.Or(q.mode, call.Mode)
			if strings.Contains(call.Mode, target.HeaderTransaction) {
				call.Transaction = target.UUID()
			}
			for name, value := range q.header {
				call = call.Set(name, value)
			}
			return call
		})
		if x.Crashed() {
			lost = append(lost, x)
			return x, errServer
		}
		s.t.Came(x, lost)
		return x, nil
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(3), backoff.WithMaxElapsedTime(0))
	return x
}

var errServer = errors.New("a server error")

// transient returns why a retrieval broke for reasons outside of the rules. One that took all the time there is is
// not tried anew.
func (s *Suite) transient(sh *sheet) error {
	f := sh.fault
	if f.Fault != client.Broken || f.Status == http.StatusInternalServerError || f.Status > http.StatusGatewayTimeout {
		return nil
	}
	if limit := s.t.Deployment.Export.File; limit != nil && sh.fetched.Took >= limit.Timeout {
		return spec.Unclear("the file could not be fetched: %s", f.Error())
	}
	return spec.Transient("the file could not be fetched: %s", f.Error())
}

// pace is how long the files of this run took.
type pace struct {
	mu      sync.Mutex
	files   int
	longest time.Duration
}

func (p *pace) saw(took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files++
	p.longest = max(p.longest, took)
}

const (
	enoughFiles   = 3               // to know how long a file takes
	leastPatience = 5 * time.Second // with a file that is nowhere, whatever the others took
)

// absent is how long a file that is answered with 404 or 204 may just be early; 0 while too few files came.
func (p *pace) absent() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files < enoughFiles {
		return 0
	}
	return max(leastPatience, 4*p.longest)
}
