package replay

import (
	"context"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// refusedBeside notes that a first request was refused in company, though it has a query of its own where that is
// allowed, so that nothing earlier is like it.
func (s *Suite) refusedBeside(m rules.Mode, with control.Company, x *client.Exchange) {
	if len(with) == 0 || x == nil || !x.Refusal() || x.Transient() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.beside[m.Name] == nil {
		s.beside[m.Name] = map[string]bool{}
	}
	s.beside[m.Name][with.String()] = true
}

// firstBeside sends another first request in each company in which one was refused, and looks for the partner that it
// takes: a valid export is accepted in that company, under the value that the company itself has, and so is one of this
// mode without it. Where none was refused, nothing is sent.
func (s *Suite) firstBeside(m rules.Mode, chains []*repetition) *spec.Observation[target.Answer] {
	name := "first request beside what others were refused with, " + called(m)
	return spec.Observe(s.Plan, name, func(ctx context.Context) (target.Answer, error) {
		for _, o := range chains {
			if _, err := o.Get(ctx); ctx.Err() != nil {
				return target.Answer{}, err
			}
		}
		rows := s.rowsRefused(ctx, m)
		if len(rows) == 0 {
			return target.Answer{}, nil
		}
		_, unknown := s.unknownQuery().Get(ctx)
		accepted := func(a target.Answer) bool { return a.Success() }
		a, err := s.c.Answer(ctx, client.Export, rows, accepted, func(with control.Company) (target.Answer, error) {
			return s.t.Settle(ctx, target.AboutField, func() *client.Exchange {
				return s.t.StartExport(ctx, func() target.ExportCall {
					call := s.request(m, name)
					if unknown == nil {
						tagged(&call)
					}
					accompany(&call, with)
					return call
				})
			}, s.c.ExportAlive)
		})
		switch {
		case err != nil || a.Success():
			return target.Answer{}, err
		case len(a.Condition) == 0:
			return target.Answer{}, spec.Unclear("a first request is refused without other options as well (%s)", a)
		case m.Header != "":
			a.Condition = append(record.Only(m.Header), a.Condition...)
		}
		return a, nil
	})
}

// rowsRefused are the rows in whose company a first request of a mode was refused.
func (s *Suite) rowsRefused(ctx context.Context, m rules.Mode) (rows []control.Row) {
	for _, r := range control.Accompanied(client.Export) {
		with := s.c.Company(ctx, client.Export, r).String()
		s.mu.Lock()
		if s.beside[m.Name][with] {
			rows = append(rows, r)
		}
		s.mu.Unlock()
	}
	return rows
}
