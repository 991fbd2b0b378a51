package export

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/record"
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

// follow declares an export that is held back until the first file was seen, so that a deployment whose files cannot be
// fetched is found out by one file and not by forty.
func (s *Suite) follow(label string, ask func() query) download {
	return s.export(label, func(l look) query {
		s.fetchable(l)
		return ask()
	})
}

// fetchable ends the act where the first file could not be fetched.
func (s *Suite) fetchable(l look) {
	if first := l.sheet(s.window); first.refused || first.fault != nil {
		l.end(first.usable())
	}
}

// take starts an export, fetches its file and reads it. Trouble that says nothing about the deployment's rules ends the
// act; all else is in the sheet.
func (s *Suite) take(l look, q query) *sheet {
	q = s.spelling(q)
	x := s.start(l, q)
	l.end(s.t.Usable(l, x))
	return s.collect(s.finish(l, q, x))
}

// spelling is the query as the deployment accepts it: with bounds in whole seconds, or without a field that has a
// default.
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
	for _, field := range s.scope.omitted() {
		if q.fields[field] == defaultOf(field) {
			q.fields = q.fields.Without(field)
		}
	}
	return q
}

// defaultOf is the value of a field that may as well be left out.
func defaultOf(field string) string {
	return map[string]string{"type_extension": "CSV", "sort": string(statement.CreatedAt), "order": "desc"}[field]
}

// takeFirst is take for the export that all others follow. Where it is refused, it is sent without one of the fields
// that have a default; what helped is left out of all further exports.
func (s *Suite) takeFirst(l look, q query) *sheet {
	first := s.take(l, q)
	for _, field := range []string{"type_extension", "sort", "order"} {
		if !first.denied() {
			break
		}
		s.scope.omit(field)
		if sh := s.take(l, q); !sh.refused {
			return sh
		}
		s.scope.omit()
	}
	return first
}

// refusedAlone says which part of a refused export is refused by itself, too: one finding, of export.success, and no
// other.
func (s *Suite) refusedAlone(l look, q query, refused *client.Exchange) error {
	bounds := [2]bool{q.fields["date_start"] != nil, q.fields["date_end"] != nil}
	alone := map[[2]bool]attempt{
		{}: s.emptyObject, {true, false}: s.onlyBound("date_start"), {false, true}: s.onlyBound("date_end"),
	}
	parts := []attempt{alone[bounds]}
	for _, field := range []string{"type_extension", "sort", "order"} {
		if value := q.fields[field]; value != nil {
			parts = append(parts, s.only(field, value))
		}
	}
	if q.fields["filter_type"] != nil {
		parts = append(parts, s.filterAlone)
	}
	for _, a := range parts {
		if a.Observation == nil {
			continue
		}
		if got, err := a.Get(l); err == nil && got.Refusal() {
			return spec.Unmet("", "the deployment refuses an export with %s (%s); see %s", a.what, got, spec.Ref("export.success"))
		}
	}
	if together := s.refusedTogether(l, q); together != nil {
		return together
	}
	return s.refusedBeside(l, q, refused)
}

// refusedTogether says which partners of a refused export are refused together in another one, too.
func (s *Suite) refusedTogether(l look, q query) error {
	for _, r := range control.Accompanied(client.Export) {
		o := s.c.Joint(client.Export, r)
		if !o.Launched() {
			continue
		}
		joint, err := o.Get(l)
		if err != nil || joint.Refused == nil {
			continue
		}
		if !slices.ContainsFunc(joint.Refused.Condition, func(s record.Setting) bool { return !q.has(s.String()) }) {
			return spec.Unmet("", "the deployment refuses an export%s (%s); see %s",
				record.OnlyWith(joint.Refused.Condition), joint.Refused, spec.Ref("export.success"))
		}
	}
	return nil
}

// has reports whether a partner, or a field that one is made of, stands beside a query.
func (q query) has(partner string) bool {
	field, value, _ := strings.Cut(partner, " ")
	return q.fields[field] == value || slices.Contains(q.partners(), partner)
}

// noFraction is the fraction of a whole second.
var noFraction = regexp.MustCompile(`\.0+(Z|[+-])`)

// finish fetches and reads the file of an export that was answered.
func (s *Suite) finish(l look, q query, x *client.Exchange) *sheet {
	sh := &sheet{query: q, answer: x}
	if sh.refused = !x.Success(); sh.refused {
		if s.t.ExportSpelling().Whole && strings.Contains(boundsOf(q.fields), ".") {
			sh.variation = spec.Unmet("", "the deployment refuses bounds with a fraction (%s)", target.Describe(x))
		} else if x.Refusal() {
			sh.variation = s.refusedAlone(l, q, x)
		}
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
	most := q.most
	if most == 0 && !q.brief && s.parted() {
		most = enoughOfAPart
	}
	sh.fetched, err = s.t.Client.FetchWith(l, id, q.credential(), client.FetchOptions{
		Most: most, Absent: s.pace.absent, Read: func(r io.Reader) error {
			sh.read(r, s.t.Deployment.Export.CSV, s.keep(q))
			if errors.Is(sh.broken, statement.ErrTooMany) {
				return sh.broken
			}
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

// credential is that of whoever asks for the export, and fetches its file.
func (q query) credential() *deployment.Credential {
	call := target.ExportCall{Request: target.Request{Credential: q.as, Header: http.Header{}}}
	q.company.Export(&call)
	return call.Credential
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
			call.Credential = q.as
			q.company.Export(&call)
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
