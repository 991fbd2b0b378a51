package control

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

// mostContexts bounds the controls of an operation, as each is a request, and each creation leaves a record.
const mostContexts = 10

func (c *Controls) plan(op client.Operation) *experiment {
	e := &experiment{options: c.options(op)}
	for _, o := range e.options {
		e.Factors = append(e.Factors, o.Factor)
	}
	onBehalf := record.Setting{Factor: c.headers(op).OnBehalfOf}
	e.Constraints = []design.Constraint{
		{When: onBehalf, Factor: target.HeaderProduct, Value: given},
		{When: onBehalf, Factor: target.HeaderWallet, Value: absent},
		{When: onBehalf, Factor: "filter_type", Value: absent},
	}
	e.blocks = e.Blocks(c.t.Chance("contexts of "+string(op)), mostContexts)
	return e
}

// Contexts are those of an operation in a run.
func (c *Controls) Contexts(op client.Operation) []design.Context {
	return slices.Concat(c.experiments[op]().blocks...)
}

// Assign returns the contexts of each of n cases of a rule. Together they meet every value of every option.
func (c *Controls) Assign(op client.Operation, rule string, n int) [][]design.Context {
	return design.Assign(c.experiments[op]().blocks, n, c.t.Chance("contexts of "+rule))
}

// Whose are the options of an operation that decide whose request it is, or about whose objects.
func (c *Controls) Whose(op client.Operation) (names []string) {
	for _, o := range c.experiments[op]().options {
		if o.whose {
			names = append(names, o.Name)
		}
	}
	return names
}

// Give gives a request the options of a context, which are as ordinary as the rest of it.
func (c *Controls) Give(x Call, with design.Context) {
	op := client.Create
	if x.Export != nil {
		op = client.Export
	}
	for _, o := range c.experiments[op]().options {
		if value, has := with.Value(o.Name); has {
			o.give(x, value)
		}
	}
	if x.Creation != nil {
		x.Creation.Amended()
	}
}

// Control is a valid request in a context.
type Control struct {
	Context design.Context // as much of it as the deployment accepts
	Answer  target.Answer
	Refused *target.Answer // what a valid request got with options that should be accepted; nil: nothing did
}

// In is the control of a context, sent once in a run. Options with which a valid request is refused are noted and left
// out: no other rule is judged by them, and they are tried in no further context.
func (c *Controls) In(op client.Operation, with design.Context) *spec.Observation[Control] {
	name := fmt.Sprintf("a valid %s with %s", noun(op), with)
	return spec.Observe(c.p, name, func(ctx context.Context) (found Control, err error) {
		if len(with) == 0 {
			return found, nil
		}
		valid := func(some design.Context) (target.Answer, error) { return c.validIn(ctx, op, some) }
		if found.Answer, err = valid(with); err != nil || found.Answer.Success() {
			found.Context = with
			return found, err
		}
		c.searching.Lock()
		defer c.searching.Unlock()
		for rest := c.welcome(op, with); len(rest) > 0; rest = c.welcome(op, rest) {
			if len(rest) < len(with) {
				if found.Answer, err = valid(rest); err != nil || found.Answer.Success() {
					found.Context = rest
					return found, err
				}
			}
			refused, least := minimise(c.experiments[op]().Design, rest, found.Answer, target.Answer.Success, valid)
			if ctx.Err() != nil {
				return found, spec.Interrupted
			}
			clear := len(least) > 0
			if !clear {
				least = rest
			}
			last := least[len(least)-1]
			alone := len(least) == 1
			if last.Factor == c.headers(op).OnBehalfOf { // which needs a product
				alone = len(least.Without(target.HeaderProduct)) == 1
			}
			if alone {
				c.unwelcome[op] = append(c.unwelcome[op], last)
			}
			if refused.Condition = least; clear && found.Refused == nil && c.wrongly(op, refused, alone) {
				found.Refused = &refused
			}
			c.Drop("a valid %s is refused with %s, so the other rules were judged without it", noun(op), last)
			rest = rest.Without(last.Factor)
		}
		return Control{Refused: found.Refused}, nil
	})
}

// wrongly reports whether options should have been accepted: values of the document, and what is accepted one by one,
// unless a wallet may be of another product.
func (c *Controls) wrongly(op client.Operation, refused target.Answer, alone bool) bool {
	whose := c.Whose(op)
	others := slices.ContainsFunc(refused.Condition, func(s record.Setting) bool { return !slices.Contains(whose, s.Factor) })
	if alone {
		return op == client.Export && slices.Contains([]string{"sort", "order", "type_extension"}, refused.Condition[0].Factor)
	}
	return op == client.Create || others || refused.Status >= 500
}

// welcome is a context without the options that were refused by themselves, and without those that need them.
func (c *Controls) welcome(op client.Operation, with design.Context) (rest design.Context) {
	for _, s := range with {
		if more := append(slices.Clone(rest), s); !slices.Contains(c.unwelcome[op], s) && c.experiments[op]().Allows(more) {
			rest = more
		}
	}
	return rest
}

func (c *Controls) validIn(ctx context.Context, op client.Operation, with design.Context) (target.Answer, error) {
	if len(with) == 0 {
		return c.Valid(op).Get(ctx)
	}
	return c.Send(ctx, op, target.AboutCaller, with, func(x Call) { x.Label = "valid " + noun(op) })
}

func noun(op client.Operation) string {
	if op == client.Create {
		return "creation"
	}
	return "export" // a file is that of one
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
