// Package control makes the controls: one valid creation and one valid export that every expected rejection is held
// against, plainly and in each context. Without them a deployment that refuses everything would look right.
package control

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Controls are those of a run.
type Controls struct {
	Creation *spec.Observation[target.Answer]
	Export   *spec.Observation[target.Answer]

	p           *spec.Plan
	t           *target.Target
	experiments map[client.Operation]func() *experiment // worked out when the first request needs it
	alive       singleflight.Group
	remade      atomic.Bool // a repeat of the valid creation made a second record

	searching sync.Mutex                            // for what a refused context is refused for
	unwelcome map[client.Operation][]record.Setting // options that are refused by themselves
	mu        sync.Mutex
	dropped   []string
	made      []target.Answer
}

// New declares the controls. They act when the first check needs them.
func New(p *spec.Plan, t *target.Target) *Controls {
	c := &Controls{p: p, t: t, unwelcome: map[client.Operation][]record.Setting{}}
	c.experiments = map[client.Operation]func() *experiment{}
	for _, op := range []client.Operation{client.Create, client.Export} {
		c.experiments[op] = sync.OnceValue(func() *experiment { return c.plan(op) })
	}
	c.Creation = spec.Observe(p, "a valid creation", c.create)
	c.Export = spec.Observe(p, "a valid export", c.export)
	t.PrepareExports(c.Export.Ended)
	return c
}

// Valid is the control of an operation.
func (c *Controls) Valid(op client.Operation) *spec.Observation[target.Answer] {
	if op == client.Create {
		return c.Creation
	}
	return c.Export
}

func (c *Controls) create(ctx context.Context) (target.Answer, error) {
	if c.t.Deployment.Fixtures.ShareholderID == "" {
		return target.Answer{}, spec.Unmet("fixtures.shareholder_id", "")
	}
	var sent target.Creation
	var named func(target.Spelling) target.Spelling
	if id := c.t.Deployment.Fixtures.ProductID; id != "" && c.t.Product() == "" {
		product := target.Variation{Name: "a product named", Change: func(x target.Creation) target.Creation { x.Product = id; return x }}
		named = func(s target.Spelling) target.Spelling { return append(target.Spelling{product}, s...) }
	}
	first, x := search(c.spellings(), named, &c.t.Creations, func() *client.Exchange {
		return c.t.Create(ctx, func() target.Creation {
			sent = c.t.Creation("valid creation")
			if spelling := c.t.Creations.Load().String(); spelling != "" {
				sent.Label += ", " + spelling
			}
			return sent
		})
	})
	a, err := c.accepted(ctx, x, first)
	a.Creation = &sent
	return a, err
}

// accepted is the answer to a control, which has to be accepted; otherwise the reason, by what the plain one got.
func (c *Controls) accepted(ctx context.Context, x, plain *client.Exchange) (target.Answer, error) {
	err, op := c.t.Usable(ctx, x), x.Operation
	why := fmt.Sprintf("a valid %s was not accepted (%s), so nothing can be said about %[1]ss; ask gateassay doctor what to correct",
		noun(op), target.Quoted(plain))
	switch {
	case err != nil:
	case x.Crashed(): // which may be gone when it is sent again
		err = spec.Transient("%s", why)
	case !x.Success():
		err = spec.Unclear("%s", why)
	default:
		err = target.WebPage(x)
	}
	return target.Answer{Exchange: x, Attempts: []*client.Exchange{x}}, err
}

// export sends the plain export and, as long as it is refused as a bad request, other spellings of it.
func (c *Controls) export(ctx context.Context) (target.Answer, error) {
	var named func(target.ExportSpelling) target.ExportSpelling
	if c.t.Deployment.Fixtures.ProductID != "" {
		named = func(s target.ExportSpelling) target.ExportSpelling { s.Product = true; return s }
	}
	first, x := search([]target.ExportSpelling{
		{}, {Language: true}, {Whole: true}, {Extension: true}, {Whole: true, Extension: true},
	}, named, &c.t.Exports, func() *client.Exchange {
		return c.t.SendExport(ctx, func() target.ExportCall { return c.t.Export("valid export", c.t.Unique("valid export")) })
	})
	return c.accepted(ctx, x, first)
}
