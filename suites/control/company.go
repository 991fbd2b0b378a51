package control

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Partner is something optional that stands beside an export. Creations, and the rules of all other suites, have the
// contexts of package design in its place.
type Partner struct {
	record.Setting
	Export func(*target.ExportCall)

	scoped bool // it decides inside what, and for whom, the request runs
	Apart  bool // about neither whom nor what there is: nothing that stands beside makes a reason to refuse it
}

// Company is partners that the deployment accepts together beside a valid request.
type Company []Partner

func (c Company) String() string {
	names := make([]string, len(c))
	for i, p := range c {
		names[i] = p.String()
	}
	return strings.Join(names, ", ")
}

// Settings are what the partners choose.
func (c Company) Settings() (all []record.Setting) {
	for _, p := range c {
		all = append(all, p.Setting)
	}
	return all
}

func (c Company) label() string {
	if len(c) == 0 {
		return ""
	}
	return ", with " + c.String()
}

// Unscoped leaves out the partners that decide inside what product, and for whom, a request runs.
func (c Company) Unscoped() Company {
	return slices.DeleteFunc(slices.Clone(c), func(p Partner) bool { return p.scoped })
}

// is reports whether a name is that of what the partner chooses, alone or with its value.
func (p Partner) is(name string) bool { return p.Factor == name || p.String() == name }

// Has reports whether the partner of a name is among them.
func (c Company) Has(name string) bool {
	return slices.ContainsFunc(c, func(p Partner) bool { return p.is(name) })
}

// Without leaves out the partner of a name.
func (c Company) Without(name string) Company {
	return slices.DeleteFunc(slices.Clone(c), func(p Partner) bool { return p.is(name) })
}

// Export adds the company to an export.
func (c Company) Export(x *target.ExportCall) {
	for _, p := range c {
		p.Export(x)
	}
}

// Row is a company that requests can carry.
type Row int

// The rows. Each partner stands in one of those that are not plain, or in both.
const (
	Plain Row = iota
	First
	Second
	rows
)

// Accompanied lists the rows that have partners.
func Accompanied(client.Operation) []Row { return []Row{First, Second} }

// Rows lists, for each of n requests of a rule, the rows that it goes in: together those that are given, so that the
// rule stands beside each of their partners in every run. Each request goes in one; where there are fewer than rows, the
// first, which is the defect that is overlooked most easily, goes in those that are left, and is sent plain ahead of
// them where that is asked for. Which row is whose moves on with each of the seeds of a cycle.
func (c *Controls) Rows(in []Row, rule string, n int, plain bool) [][]Row {
	if n == 0 {
		return nil
	}
	list := make([][]Row, n)
	if plain && n <= len(in) {
		list[0] = []Row{Plain}
	}
	for i := range max(n, len(in)) {
		to := i
		if i >= n {
			to = 0
		}
		list[to] = append(list[to], c.row(in, rule, i))
	}
	return list
}

func (c *Controls) row(in []Row, rule string, n int) Row {
	if n %= len(in) + 1; n == len(in) {
		return Plain
	}
	epoch, at := c.t.Cycle()
	return in[(epoch.Chance("rows of "+rule).IntN(len(in))+at+n)%len(in)]
}

// FileRow is the partners of a row beside which an export should hold the same quotes.
func (c *Controls) FileRow(r Row) Company { return c.spreads[client.File]()[r] }

// Drop notes why a partner stands beside nothing.
func (c *Controls) Drop(why string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if said := fmt.Sprintf(why, args...); !slices.Contains(c.dropped, said) {
		c.dropped = append(c.dropped, said)
	}
}

// Joint is as much of a row as the deployment accepts.
type Joint struct {
	Company
	valid target.Answer // to a valid request in that company
	// Refused is what a valid request got beside partners of which each is accepted alone; nil: none was refused so.
	Refused *target.Answer
}

// declareCompanies declares a valid export in the company of each row.
func (c *Controls) declareCompanies(p *spec.Plan) {
	for r := range rows {
		c.companies = append(c.companies, spec.Observe(p, fmt.Sprintf("a valid export with company %d", r),
			func(ctx context.Context) (Joint, error) { return c.gather(ctx, c.spreads[client.Export]()[r]) }))
	}
}

// valid sends a valid export in company.
func (c *Controls) valid(ctx context.Context, with Company) (target.Answer, error) {
	return c.Exports(ctx, target.AboutCaller, with, func(x *target.ExportCall) { x.Label = "valid export" })
}

// accepts reports whether a valid export is surely accepted in company.
func (c *Controls) accepts(ctx context.Context, with Company) bool {
	a, err := c.valid(ctx, with)
	return err == nil && a.Success()
}

// gather is as much of a company as the deployment accepts. Partners that a valid request is refused beside are noted
// and left out: no rule is judged by them.
func (c *Controls) gather(ctx context.Context, wanted Company) (Joint, error) {
	var found Joint
	if len(wanted) == 0 {
		return found, nil
	}
	switch a, err := c.valid(ctx, wanted); {
	case err != nil:
		return found, err
	case a.Success():
		return Joint{Company: wanted, valid: a}, nil
	}
	for _, p := range wanted {
		with := append(slices.Clone(found.Company), p)
		a, err := c.valid(ctx, with)
		switch {
		case err == nil && a.Success():
			found.Company, found.valid = with, a
			continue
		case ctx.Err() != nil:
			return found, spec.Interrupted
		}
		c.Drop("a valid export is refused with %s, so the other rules were judged without it", p)
		if err == nil && found.Refused == nil {
			found.Refused = c.clash(ctx, found.Company, p, a)
		}
	}
	return found, nil
}

// clash is the answer to a valid request that was refused for two partners, each of which is accepted alone; nil where
// there may be a reason to: a wallet of an export may be of another product, or nothing that the caller may use.
func (c *Controls) clash(ctx context.Context, kept Company, p Partner, refused target.Answer) *target.Answer {
	if len(kept) == 0 || !c.accepts(ctx, Company{p}) {
		return nil // a matter of the partner
	}
	pair, apart := append(slices.Clone(kept), p), p.Apart
	for _, q := range kept {
		if a, err := c.valid(ctx, Company{q, p}); err == nil && !a.Success() {
			pair, apart, refused = Company{q, p}, q.Apart || p.Apart, a
			break
		}
	}
	if !apart && refused.Status < 500 {
		return nil
	}
	refused.Condition = pair.Settings()
	return &refused
}

// Dropped names the partners that the deployment does not accept.
func (c *Controls) Dropped() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.dropped)
}

// Company is as much of a row as the deployment accepts.
func (c *Controls) Company(ctx context.Context, _ client.Operation, r Row) Company {
	found, _ := c.companies[r].Get(ctx)
	return found.Company
}

// Joint is the twin of a row.
func (c *Controls) Joint(_ client.Operation, r Row) *spec.Observation[Joint] { return c.companies[r] }

// Beside acts in one row after the other until what is found is not right, and then looks for the partner that it
// takes: the condition says so. What cannot be seen in company is seen without it.
func Beside[T any](ctx context.Context, c *Controls, op client.Operation, in []Row, right func(T) bool,
	act func(Company) (T, error),
) (found T, condition []record.Setting, err error) {
	for _, r := range in {
		company := c.Company(ctx, op, r)
		if found, err = act(company); err != nil && len(company) > 0 && ctx.Err() == nil {
			company = nil
			found, err = act(nil)
		}
		switch {
		case err != nil || right(found):
		case len(company) > 0:
			found, condition = blame(company, found, right, act)
			return found, condition, nil
		default:
			return found, nil, nil
		}
		if err != nil {
			return found, nil, err
		}
	}
	return found, nil, nil
}

// blame finds out which partner it takes for what is not right: none, one, or all of them together. Partners are named
// only where it is right without them, and wrong with them, once more: it may take something else that comes and goes.
func blame[T any](company Company, found T, right func(T) bool, act func(Company) (T, error)) (
	T, []record.Setting,
) {
	plain, err := act(nil)
	if err != nil {
		return found, nil
	}
	if !right(plain) {
		return plain, nil
	}
	suspects := company
	for len(suspects) > 1 { // halves, since each look may leave a representative behind
		half := len(suspects) / 2
		if some, err := act(suspects[:half]); err == nil && !right(some) {
			suspects = suspects[:half]
		} else {
			suspects = suspects[half:]
		}
	}
	if alone, err := act(suspects); err == nil && !right(alone) {
		if plain, err := act(nil); err == nil && !right(plain) {
			return plain, nil
		}
		return alone, suspects.Settings()
	}
	if all, err := act(company); err == nil && right(all) {
		return found, nil
	}
	return found, company.Settings()
}

// Answer is Beside for a single request.
func (c *Controls) Answer(ctx context.Context, op client.Operation, in []Row, right func(target.Answer) bool,
	act func(Company) (target.Answer, error),
) (target.Answer, error) {
	a, condition, err := Beside(ctx, c, op, in, right, act)
	a.Condition = condition
	return a, err
}
