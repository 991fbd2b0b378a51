package control

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/gateassay/gateassay/gateway/client"
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

// mostContexts bounds the controls of an operation, as each is a request, and each creation leaves a record.
const mostContexts = 10

func (c *Controls) plan(op client.Operation) *experiment {
	e := &experiment{options: c.options(op)}
	for _, o := range e.options {
		e.Factors = append(e.Factors, o.Factor)
	}
	onBehalf := c.headers(op).OnBehalfOf
	e.Constraints = []design.Constraint{
		{When: record.Setting{Factor: onBehalf}, Factor: target.HeaderProduct, Values: []string{given}},
		{When: record.Setting{Factor: onBehalf}, Factor: target.HeaderWallet, Values: []string{absent}},
		{When: record.Setting{Factor: onBehalf}, Factor: "filter_type", Values: []string{absent}},
	}
	e.blocks = e.Blocks(c.t.Chance("contexts of "+string(op)), mostContexts)
	return e
}

// Contexts are those of an operation in a run.
func (c *Controls) Contexts(op client.Operation) []design.Context {
	return slices.Concat(c.experiment(op).blocks...)
}

// Assign returns the contexts of each of n cases of a rule. Together they meet every value of every option.
func (c *Controls) Assign(op client.Operation, rule string, n int) [][]design.Context {
	return design.Assign(c.experiment(op).blocks, n, c.t.Chance("contexts of "+rule))
}

// Spread returns one context for each of n cases of a rule, of those that meet not every value by themselves.
func (c *Controls) Spread(op client.Operation, rule string, n int) []design.Context {
	return design.Spread(c.experiment(op).blocks, n, c.t.Chance("contexts of "+rule))
}

func (c *Controls) experiment(op client.Operation) *experiment {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.experiments[op] == nil {
		c.experiments[op] = sync.OnceValue(func() *experiment { return c.plan(op) })
	}
	return c.experiments[op]()
}

// Whose are the options of an operation that decide whose request it is, or about whose objects.
func (c *Controls) Whose(op client.Operation) (names []string) {
	for _, o := range c.experiment(op).options {
		if o.whose {
			names = append(names, o.Name)
		}
	}
	return names
}

// Change gives a creation the options of a context, which are as ordinary as the rest of it.
func (c *Controls) Change(x *target.Creation, with design.Context) {
	*x = x.Amended(func(x *target.Creation) {
		c.each(client.Create, with, func(o option, value string) { o.create(x, value) })
	})
}

// ChangeExport gives an export the options of a context.
func (c *Controls) ChangeExport(x *target.ExportCall, with design.Context) {
	c.each(client.Export, with, func(o option, value string) { o.export(x, value) })
}

// RequestIn settles a request of either operation that a check is about, in a context. change makes it of a valid one.
func (c *Controls) RequestIn(ctx context.Context, op client.Operation, clear target.Clear, with design.Context,
	change func(*target.Request),
) (a target.Answer, err error) {
	var subject string
	edit := func(r *target.Request) {
		change(r)
		if subject = r.Label; len(with) > 0 {
			r.Label += ", with " + with.String()
		}
	}
	if op == client.Create {
		a, err = c.Creations(ctx, clear, func(x *target.Creation) {
			c.Change(x, with)
			edit(&x.Request)
		})
	} else {
		a, err = c.Exports(ctx, clear, func(x *target.ExportCall) {
			c.ChangeExport(x, with)
			edit(&x.Request)
		})
	}
	a.Subject = subject
	return a, err
}

func (c *Controls) each(op client.Operation, with design.Context, set func(option, string)) {
	for _, o := range c.experiment(op).options {
		if value, has := with.Value(o.Name); has {
			set(o, value)
		}
	}
}

// Control is a valid request in a context.
type Control struct {
	Context design.Context // as much of it as the deployment accepts
	Answer  target.Answer
	Refused *target.Answer // what a valid request got with options that are accepted one by one; nil: nothing did
}

// In is the control of a context, sent once in a run. Options with which a valid request is refused are noted and left
// out: no other rule is judged by them, and they are tried in no further context.
func (c *Controls) In(op client.Operation, with design.Context) *spec.Observation[Control] {
	name := fmt.Sprintf("a valid %s with %s", noun(op), with)
	return spec.Observe(c.p, name, func(ctx context.Context) (found Control, err error) {
		if len(with) == 0 {
			return found, nil
		}
		a, err := c.validIn(ctx, op, with)
		if err != nil || a.Success() {
			return Control{Context: with, Answer: a}, err
		}
		c.searching.Lock()
		defer c.searching.Unlock()
		for rest := c.welcome(op, with); len(rest) > 0; rest = c.welcome(op, rest) {
			if len(rest) < len(with) {
				if a, err = c.validIn(ctx, op, rest); err != nil || a.Success() {
					found.Context, found.Answer = rest, a
					return found, err
				}
			}
			least, refused, clear := c.least(ctx, op, rest, a)
			if ctx.Err() != nil {
				return found, spec.Interrupted
			}
			last := least[len(least)-1]
			c.Drop("a valid %s is refused with %s, so the other rules were judged without it", noun(op), last)
			switch {
			case len(c.beyondNeeds(op, least)) == 1:
				c.unwelcome[op] = append(c.unwelcome[op], last)
				if clear && op == client.Export && slices.Contains([]string{"sort", "order", "type_extension"}, last.Factor) {
					found.Refused = cmp.Or(found.Refused, &refused) // no value of the document is to be refused
				}
			case clear && found.Refused == nil && !c.reasonable(op, least, refused):
				found.Refused = &refused
			}
			rest = rest.Without(last.Factor)
		}
		return found, nil
	})
}

// welcome is a context without the options that were refused by themselves, and without those that need them.
func (c *Controls) welcome(op client.Operation, with design.Context) (rest design.Context) {
	for _, s := range with {
		if more := append(slices.Clone(rest), s); !slices.Contains(c.unwelcome[op], s) && c.experiment(op).Allows(more) {
			rest = more
		}
	}
	return rest
}

// least is the smallest part found of a context with which a valid request is refused, and what that got. It is not
// clear where some part could not be tried.
func (c *Controls) least(ctx context.Context, op client.Operation, with design.Context, refused target.Answer) (
	design.Context, target.Answer, bool,
) {
	clear := true
	part := c.experiment(op).Minimise(with, func(some design.Context) (bool, error) {
		if len(some) == 0 {
			return false, nil // it was accepted: it is the control
		}
		a, err := c.validIn(ctx, op, some)
		if err == nil && !a.Success() {
			refused = a
		}
		clear = clear && err == nil
		return err == nil && !a.Success(), err
	})
	if len(part) == 0 {
		part = with
	}
	if len(part) > 1 && clear { // once more, as something may come and go
		again, err := c.validIn(ctx, op, part)
		clear = err == nil && !again.Success()
	}
	refused.Condition = part
	return part, refused, clear
}

// beyondNeeds are settings without a product that one of them needs.
func (c *Controls) beyondNeeds(op client.Operation, with design.Context) design.Context {
	if _, has := with.Value(c.headers(op).OnBehalfOf); has {
		return with.Without(target.HeaderProduct)
	}
	return with
}

// reasonable reports whether there may be a reason to refuse options that are accepted one by one: a wallet may be of
// another product.
func (c *Controls) reasonable(op client.Operation, with design.Context, refused target.Answer) bool {
	whose := c.Whose(op)
	about := slices.DeleteFunc(slices.Clone(with), func(s record.Setting) bool { return !slices.Contains(whose, s.Factor) })
	return op == client.Export && len(about) == len(with) && refused.Status < 500
}

func (c *Controls) validIn(ctx context.Context, op client.Operation, with design.Context) (target.Answer, error) {
	return c.RequestIn(ctx, op, target.AboutCaller, with, func(r *target.Request) { r.Label = "valid " + noun(op) })
}

func noun(op client.Operation) string {
	if op == client.Create {
		return "creation"
	}
	return "export" // a file is that of one
}

// InContexts acts in one context after the other, until what it finds is not right. Then it looks for the smallest
// context with which that is so, the condition: none where it is so without any.
func InContexts[T any](ctx context.Context, c *Controls, op client.Operation, in []design.Context, right func(T) bool,
	act func(design.Context) (T, error),
) (found T, condition design.Context, err error) {
	for _, with := range in {
		control, err := c.In(op, with).Get(ctx)
		if err != nil && ctx.Err() != nil {
			return found, nil, spec.Interrupted
		}
		with = control.Context // empty where the control was not answered
		if found, err = act(with); err != nil {
			return found, nil, err
		}
		if !right(found) {
			found, condition = minimise(c.experiment(op).Design, with, found, right, act)
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
	condition := d.Minimise(with, func(some design.Context) (bool, error) {
		seen, err := act(some)
		wrong := err == nil && !right(seen)
		if wrong {
			smallest = seen
		}
		return wrong, err
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

// Drop notes why an option is in no context.
func (c *Controls) Drop(why string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if said := fmt.Sprintf(why, args...); !slices.Contains(c.dropped, said) {
		c.dropped = append(c.dropped, said)
	}
}

// Dropped says which options the deployment does not accept.
func (c *Controls) Dropped() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.dropped)
}
