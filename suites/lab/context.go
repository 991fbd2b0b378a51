package lab

import (
	"context"
	"fmt"
	"slices"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// experiment is the options of an operation that the deployment file has values for, and the contexts of the run.
type experiment struct {
	design.Design
	options []option
	blocks  [][]design.Context
}

// mostContexts bounds the controls of an operation, as each is a request. Fewer than everyPair meet every pair of values, and
// nearlyAll meet most: each creation leaves a record.
const mostContexts, nearlyAll, everyPair = 10, 12, 100

func (l *Lab) plan(op client.Operation) *experiment {
	e := &experiment{options: l.options(op)}
	for _, o := range e.options {
		e.Factors = append(e.Factors, o.Factor)
	}
	onBehalf := record.Setting{Factor: l.headers(op).OnBehalfOf}
	e.Constraints = []design.Constraint{
		{When: onBehalf, Factor: target.HeaderProduct, Value: given},
		{When: onBehalf, Factor: target.HeaderWallet, Value: absent},
		{When: onBehalf, Factor: "filter_type", Value: absent},
	}
	if l.t.Depth != record.Quick { // its requests are sent plainly
		thorough := map[client.Operation]int{Create: nearlyAll, Export: everyPair}[op]
		e.blocks = e.Blocks(l.t.Chance("contexts of "+string(op)), target.ByDepth(l.t, 0, mostContexts, thorough))
	}
	return e
}

// Contexts are those of an operation in a run.
func (l *Lab) Contexts(op client.Operation) []design.Context {
	return slices.Concat(l.experiments[op]().blocks...)
}

// Assign returns the contexts of each of n cases of a rule. Together they meet every value of every option, at depth thorough
// every pair of values; at depth quick they are sent plainly.
func (l *Lab) Assign(op client.Operation, rule string, n int) [][]design.Context {
	blocks := l.experiments[op]().blocks
	switch all := slices.Concat(blocks...); {
	case len(blocks) == 0:
		return make([][]design.Context, n)
	case l.t.Depth == record.Thorough: // each case meets every value
		return design.Spread(all, n, len(blocks[0]))
	}
	return design.Assign(blocks, n, l.t.Chance("contexts of "+rule))
}

// Few are the contexts of what leaves records behind: they meet every value of every option, at any depth but quick.
func (l *Lab) Few(op client.Operation, what string) []design.Context {
	return design.Assign(l.experiments[op]().blocks, 1, l.t.Chance("contexts of "+what))[0]
}

// Whose are the options of an operation that decide whose request it is, or about whose objects.
func (l *Lab) Whose(op client.Operation) (names []string) {
	for _, o := range l.experiments[op]().options {
		if o.whose {
			names = append(names, o.Name)
		}
	}
	return names
}

// Give gives a request the options of a context, which are as ordinary as the rest of it.
func (l *Lab) Give(r *target.Request, with design.Context) {
	for _, o := range l.experiments[r.Operation]().options {
		if value, has := with.Value(o.Name); has {
			o.give(r, value)
		}
	}
	r.Amended()
}

// Control is a valid request in a context.
type Control struct {
	Context design.Context // as much of it as the deployment accepts
	Answer  target.Answer
	Refused *target.Answer // what a valid request got with options that should be accepted; nil: nothing did
}

// In is the control of a context, sent once in a run. Options with which a valid request is refused are noted and left
// out: no other rule is judged by them, and they are tried in no further context.
func (l *Lab) In(op client.Operation, with design.Context) *spec.Observation[Control] {
	name := fmt.Sprintf("a valid %s with %s", noun(op), with)
	return spec.Observe(l.p, name, func(ctx context.Context) (found Control, err error) {
		if len(with) == 0 {
			return found, nil
		}
		valid := func(some design.Context) (target.Answer, error) { return l.validIn(ctx, op, some) }
		if found.Answer, err = valid(with); err != nil || found.Answer.Success() {
			found.Context = with
			return found, err
		}
		l.searching.Lock()
		defer l.searching.Unlock()
		for rest := l.welcome(op, with); len(rest) > 0; rest = l.welcome(op, rest) {
			if len(rest) < len(with) {
				if found.Answer, err = valid(rest); err != nil || found.Answer.Success() {
					found.Context = rest
					return found, err
				}
			}
			refused, least := minimise(l.experiments[op]().Design, rest, found.Answer, target.Answer.Success, valid)
			if ctx.Err() != nil {
				return found, spec.ErrInterrupted
			}
			clear := len(least) > 0
			if !clear {
				least = rest
			}
			last := least[len(least)-1]
			alone := len(least) == 1
			if last.Factor == l.headers(op).OnBehalfOf { // which needs a product
				alone = len(least.Without(target.HeaderProduct)) == 1
			}
			if alone {
				l.refused[op] = append(l.refused[op], last)
			}
			if refused.Condition = least; clear && found.Refused == nil && l.wrongly(op, refused, alone) {
				found.Refused = &refused
			}
			l.Drop("a valid %s is refused with %s, so the other rules were judged without it", noun(op), last)
			rest = rest.Without(last.Factor)
		}
		return Control{Refused: found.Refused}, nil
	})
}

// wrongly reports whether options should have been accepted: values of the document, and what is accepted one by one,
// unless a wallet may be of another product.
func (l *Lab) wrongly(op client.Operation, refused target.Answer, alone bool) bool {
	whose := l.Whose(op)
	others := slices.ContainsFunc(refused.Condition, func(s record.Setting) bool { return !slices.Contains(whose, s.Factor) })
	if alone {
		return op == client.Export && slices.Contains([]string{"sort", "order", "type_extension"}, refused.Condition[0].Factor)
	}
	return op == client.Create || others || refused.Status >= 500
}

// welcome is a context without the options that were refused by themselves, and without those that need them.
func (l *Lab) welcome(op client.Operation, with design.Context) (rest design.Context) {
	for _, s := range with {
		if more := append(slices.Clone(rest), s); !slices.Contains(l.refused[op], s) && l.experiments[op]().Allows(more) {
			rest = more
		}
	}
	return rest
}

// validIn sends a valid request with options, once one without was accepted.
func (l *Lab) validIn(ctx context.Context, op client.Operation, with design.Context) (target.Answer, error) {
	if len(with) == 0 {
		return l.Valid(op).Get(ctx)
	}
	valid := "valid " + noun(op)
	a, err := l.Try(ctx, Probe{
		Operation: op, Label: valid + ", with " + with.String(), Welcome: true, Expectation: Expectation{Clear: target.AboutCaller},
		Edit: func(r *target.Request) { l.Give(r, with) },
	})
	a.Subject = valid
	return a, err
}

// InContexts acts in one context after the other, or plainly, until what it finds is not right. Then it looks for the smallest
// context with which that is so, the condition: none where it is so without any.
func InContexts[T any](ctx context.Context, l *Lab, op client.Operation, in []design.Context, right func(T) bool,
	act func(design.Context) (T, error),
) (found T, condition design.Context, err error) {
	if len(in) == 0 {
		in = []design.Context{nil}
	}
	for _, with := range in {
		control, err := l.In(op, with).Get(ctx)
		if err != nil && ctx.Err() != nil {
			return found, nil, spec.ErrInterrupted
		}
		with = control.Context // empty where the control was not answered
		if found, err = act(with); err != nil {
			return found, nil, err
		}
		if !right(found) {
			found, condition = minimise(l.experiments[op]().Design, with, found, right, act)
			return found, condition, nil
		}
	}
	return found, nil, nil
}

// minimise names a condition only where what is found is right without it, twice, and wrong with it, twice: it may take
// something else, which comes and goes.
func minimise[T any](d design.Design, with design.Context, found T, right func(T) bool, act func(design.Context) (T, error),
) (T, design.Context) {
	if len(with) == 0 {
		return found, nil
	}
	smallest := found
	condition := d.Minimise(with, func(some design.Context) bool {
		seen, err := act(some)
		wrong := err == nil && !right(seen)
		if wrong {
			smallest = seen
		}
		return wrong
	})
	if len(condition) == 0 {
		return smallest, nil
	}
	if again, err := act(condition); err != nil || right(again) {
		return found, nil
	}
	if plain, err := act(nil); err == nil && !right(plain) {
		return plain, nil
	}
	return smallest, condition
}
