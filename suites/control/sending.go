package control

import (
	"context"
	"slices"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/suites/design"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Call is a request of either operation, before it is sent.
type Call struct {
	*target.Request
	Creation *target.Creation   // nil: it is an export
	Export   *target.ExportCall // nil: it is a creation
}

// OfCreation is a creation as a call.
func OfCreation(x *target.Creation) Call { return Call{Request: &x.Request, Creation: x} }

// OfExport is an export as a call.
func OfExport(x *target.ExportCall) Call { return Call{Request: &x.Request, Export: x} }

// Start sends a request, which edit makes of a valid one, and waits for its answer, whatever that is.
func (c *Controls) Start(ctx context.Context, op client.Operation, edit func(Call)) *client.Exchange {
	name := spec.Acting(ctx)
	if op == client.Create {
		return c.t.Create(ctx, func() target.Creation {
			x := c.t.Creation(name)
			edit(OfCreation(&x))
			return x
		})
	}
	return c.t.StartExport(ctx, func() target.ExportCall {
		x := c.t.Export(name, c.t.Unique(name))
		edit(OfExport(&x))
		return x
	})
}

// Settle sends a request, which edit makes of a valid one, until its answer is clear. What one that is unwelcome gets is no
// example of the answer to a valid one.
func (c *Controls) Settle(ctx context.Context, op client.Operation, clear target.Clear, edit func(Call)) (target.Answer, error) {
	last, alive := Call{Request: &target.Request{}}, c.ExportAlive
	if op == client.Create {
		alive = c.CreationAlive
	}
	a, err := c.t.Settle(ctx, clear, func() *client.Exchange {
		return c.Start(ctx, op, func(x Call) { edit(x); last = x })
	}, alive)
	a.Creation, a.Subject = last.Creation, last.Label
	if last.Unwelcome {
		c.t.Disown(a.Attempts...)
	} else if op == client.Create && err == nil && a.Success() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.made = append(c.made, a)
	}
	return a, err
}

// Made is what valid creations got that were accepted so far, but for the first.
func (c *Controls) Made() []target.Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.made)
}

// Send settles a request in a context, once a valid one was accepted.
func (c *Controls) Send(ctx context.Context, op client.Operation, clear target.Clear, with design.Context, edit func(Call),
) (target.Answer, error) {
	if _, err := c.Valid(op).Get(ctx); err != nil {
		return target.Answer{}, err
	}
	subject := ""
	a, err := c.Settle(ctx, op, clear, func(x Call) {
		c.Give(x, with)
		edit(x)
		if subject = x.Label; len(with) > 0 {
			x.Label += ", with " + with.String()
		}
	})
	a.Subject = subject
	return a, err
}

// Trial is a request that is sent in several contexts.
type Trial struct {
	Op      client.Operation
	In      []design.Context // none: it is sent plainly
	Without []string         // factors that it is about itself
	Clear   target.Clear
	Right   func(target.Answer) bool
	Edit    func(Call) // makes it of a valid one
}

// Try sends a request in one context after the other until one is not answered right. The condition of the answer is the
// smallest context that it takes.
func (c *Controls) Try(ctx context.Context, t Trial) (target.Answer, error) {
	a, condition, err := InContexts(ctx, c, t.Op, t.In, t.Right, func(with design.Context) (target.Answer, error) {
		return c.Send(ctx, t.Op, t.Clear, with.Without(t.Without...), t.Edit)
	})
	a.Condition = condition
	if valid, err := c.Valid(t.Op).Get(ctx); err == nil {
		a.Control = valid.Exchange
	}
	return a, err
}

// InContexts acts in one context after the other, or plainly, until what it finds is not right. Then it looks for the smallest
// context with which that is so, the condition: none where it is so without any.
func InContexts[T any](ctx context.Context, c *Controls, op client.Operation, in []design.Context, right func(T) bool,
	act func(design.Context) (T, error),
) (found T, condition design.Context, err error) {
	if len(in) == 0 {
		in = []design.Context{nil}
	}
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
			found, condition = minimise(c.experiments[op]().Design, with, found, right, act)
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

// CreationAlive asks for a definite answer without creating anything: the control's creation once more, under a fresh
// nonce, gets a conflict or the record that exists. It returns the control where that is so, else what the repeat got.
// Who asks while another waits for the answer shares it. A repeat makes no record, so it may be asked although the run may
// create no more, until one was made all the same.
func (c *Controls) CreationAlive(ctx context.Context) (*client.Exchange, bool) {
	base, err := c.Creation.Get(ctx)
	if err != nil {
		return nil, false
	}
	answer, _, _ := c.alive.Do("", func() (any, error) {
		x := c.t.Create(ctx, func() target.Creation {
			again := *base.Creation
			again.Label, again.Nonce = "valid creation again, to see whether the deployment answers", target.UUID()
			again.Repeats = !c.remade.Load()
			return again
		})
		if x.Success() && representative.ID(base.Body) != representative.ID(x.Body) {
			c.remade.Store(true)
		}
		return x, nil
	})
	x := answer.(*client.Exchange)
	if target.AboutField(x) { // the control is what was accepted, not the repeat of it
		return base.Exchange, true
	}
	return x, false
}

// ExportAlive asks for a definite answer: one more valid export.
func (c *Controls) ExportAlive(ctx context.Context) (*client.Exchange, bool) {
	x := c.t.StartExport(ctx, func() target.ExportCall {
		return c.t.Export("valid export again, to see whether the deployment answers", c.t.Unique("alive"))
	})
	return x, x.Success()
}
