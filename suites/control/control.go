// Package control makes the controls: one valid creation and one valid export that every expected rejection is held
// against, plainly and in each context. Without them a deployment that refuses everything would look right.
package control

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/representative"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// Controls are those of a run.
type Controls struct {
	Creation *spec.Observation[target.Answer]
	Export   *spec.Observation[Export]
	// KeyBlocked is whether a valid export that the API key repeats is blocked. That proves that both credentials are one
	// user's; a file may be open to everybody of a legal person. A second repeat by the key would be blocked by the first.
	KeyBlocked *spec.Observation[bool]

	p           *spec.Plan
	experiments map[client.Operation]func() *experiment // worked out when the first request needs it
	t           *target.Target
	mu          sync.Mutex
	dropped     []string
	searching   sync.Mutex                            // for what a refused context is refused for
	unwelcome   map[client.Operation][]record.Setting // options that are refused by themselves
	alive       struct {
		sync.Mutex
		at    time.Time // when the question was put
		x     *client.Exchange
		again bool // a repeat made a second record
	}
}

// Export is a valid export that was accepted.
type Export struct {
	target.Answer
	Sent target.ExportCall
}

// New declares the controls. They act when the first check needs them.
func New(p *spec.Plan, t *target.Target) *Controls {
	c := &Controls{
		p: p, experiments: map[client.Operation]func() *experiment{}, unwelcome: map[client.Operation][]record.Setting{},
		t: t,
	}
	c.Creation = spec.Observe(p, "a valid creation", c.create)
	c.Export = spec.Observe(p, "a valid export", c.export)
	c.KeyBlocked = spec.Observe(p, "a valid export again by the API key", c.repeatByKey)
	t.PrepareExports(c.Export.Ended)
	return c
}

func (c *Controls) create(ctx context.Context) (target.Answer, error) {
	if c.t.Deployment.Fixtures.ShareholderID == "" {
		return target.Answer{}, spec.Unmet("fixtures.shareholder_id", "")
	}
	var sent target.Creation
	send := func(s target.Spelling) *client.Exchange {
		return c.t.Create(ctx, func() target.Creation {
			if sent = c.t.Creation("valid creation"); s.Change != nil {
				sent = s.Change(sent)
				sent.Label += ", " + s.Name
			}
			return sent
		})
	}
	first, x := c.search(send)
	why := fmt.Sprintf("a valid creation was not accepted (%s), so nothing can be said about creations; check %s",
		target.Quoted(first), c.suspects(first))
	if key, do := Suspect(c.t.Deployment, first); badRequest(first) && key != "" {
		// One key is named ahead of the answer, whose words may be long.
		why = fmt.Sprintf("a valid creation was not accepted; check %s: %s. It got %s", key, do, target.Quoted(first))
	}
	a, err := c.accepted(ctx, x, "%s", why)
	a.Creation = &sent
	return a, err
}

// accepted is the answer to a control, which has to be accepted; otherwise the reason, and why says of whom.
func (c *Controls) accepted(ctx context.Context, x *client.Exchange, why string, args ...any) (target.Answer, error) {
	if err := c.t.Usable(ctx, x); err != nil {
		return target.Answer{}, err
	}
	if x.Crashed() { // which may be gone when it is sent again
		return target.Answer{}, spec.Transient(why, args...)
	}
	if !x.Success() {
		return target.Answer{}, spec.Unclear(why, args...)
	}
	if err := target.WebPage(x); err != nil {
		return target.Answer{}, err
	}
	return target.Answer{Exchange: x, Attempts: []*client.Exchange{x}}, nil
}

// wantsProduct reports whether a product may help after a refusal: the document lets an endpoint require one.
func (c *Controls) wantsProduct(x *client.Exchange) bool {
	return (badRequest(x) || x.Status == http.StatusForbidden) && c.t.Deployment.Fixtures.ProductID != "" &&
		!c.t.ProductRequired()
}

// blamed is the key that a status alone puts in doubt; path is the one of the operation.
func (c *Controls) blamed(x *client.Exchange, path string) string {
	switch x.Status {
	case http.StatusUnauthorized:
		return "credentials." + c.t.Deployment.Credentials.Main().Name
	case http.StatusMethodNotAllowed, http.StatusNotFound:
		return path
	}
	return ""
}

// suspects names the keys whose values the refusal of a valid creation puts in doubt, and of which of them a default was used.
func (c *Controls) suspects(refused *client.Exchange) string {
	if key := c.blamed(refused, "legal_representative.path"); key != "" {
		if refused.Status == http.StatusNotFound {
			key += ", fixtures.shareholder_id"
		}
		return key
	}
	keys := []string{
		"legal_representative.headers.transaction_id", "legal_representative.headers.nonce",
		"legal_representative.fields", "legal_representative.field_types", "fixtures.shareholder_id",
	}
	if !c.t.Deployment.Has("fixtures.product_id") { // the deployment may require one
		keys = append(keys, "fixtures.product_id")
	}
	for i, key := range keys {
		if !c.t.Deployment.Has(key) {
			keys[i] += " (not given)"
		}
	}
	return strings.Join(keys, ", ")
}

func (c *Controls) export(ctx context.Context) (Export, error) {
	var sent target.ExportCall
	send := func() *client.Exchange {
		return c.t.StartExport(target.Unprepared(ctx), func() target.ExportCall {
			sent = c.t.Export("valid export", c.t.Unique("valid export"))
			return sent
		})
	}
	x := send()
	plain := x
	for _, s := range []target.ExportSpelling{
		{}, {Language: true}, {Whole: true}, {Extension: true}, {Whole: true, Extension: true},
	} {
		if c.t.SpellExports(s); s != (target.ExportSpelling{}) && badRequest(x) {
			x = send()
		}
		if c.wantsProduct(x) {
			c.t.RequireProduct()
			if again := send(); again.Success() {
				x = again
			} else {
				c.t.ForgetProduct()
			}
		}
		if !badRequest(x) {
			break
		}
	}
	if badRequest(x) {
		c.t.SpellExports(target.ExportSpelling{})
		x = plain
	}
	why := ""
	if key := c.blamed(x, "export.path"); key != "" {
		why = "; check " + key
	}
	a, err := c.accepted(ctx, x, "a valid export was not accepted (%s), so nothing can be said about exports%s", target.Quoted(x), why)
	return Export{Answer: a, Sent: sent}, err
}

// CreationAlive asks for a definite answer without creating anything: the control's creation once more, under a fresh
// nonce, gets a conflict or the record that exists. Whoever asks while another question waits its turn shares the
// answer.
func (c *Controls) CreationAlive(ctx context.Context) (*client.Exchange, bool) {
	base, err := c.Creation.Get(ctx)
	if err != nil {
		return nil, false
	}
	asked := time.Now()
	c.alive.Lock()
	defer c.alive.Unlock()
	if c.alive.at.After(asked) {
		return c.alive.x, target.AboutField(c.alive.x)
	}
	at := time.Now()
	x := c.repeatControl(ctx, base, false)
	if x.Err != nil && x.Err.Kind == client.Budget && !c.alive.again {
		// A repeat makes no record, so it may be asked although the run may create no more; where one was made all
		// the same, it is asked no more.
		x = c.repeatControl(ctx, base, true)
		c.alive.again = x.Success() && !sameRecord(base.Exchange, x)
	}
	if ctx.Err() == nil {
		c.alive.at, c.alive.x = at, x
	}
	return x, target.AboutField(x)
}

func (c *Controls) repeatControl(ctx context.Context, base target.Answer, repeats bool) *client.Exchange {
	return c.t.Create(ctx, func() target.Creation {
		again := *base.Creation
		again.Label = "valid creation again, to see whether the deployment answers"
		again.Nonce = target.UUID()
		again.Repeats = repeats
		return again
	})
}

func sameRecord(a, b *client.Exchange) bool {
	return representative.ID(a.Body) == representative.ID(b.Body)
}

// ExportAlive asks for a definite answer: one more valid export.
func (c *Controls) ExportAlive(ctx context.Context) (*client.Exchange, bool) {
	x := c.t.StartExport(ctx, func() target.ExportCall {
		return c.t.Export("valid export again, to see whether the deployment answers", c.t.Unique("alive"))
	})
	return x, x.Success()
}

// Creations settles a creation that a check is about, once the control was accepted. change makes it of a valid one.
func (c *Controls) Creations(ctx context.Context, clear target.Clear, change func(*target.Creation)) (target.Answer, error) {
	if _, err := c.Creation.Get(ctx); err != nil {
		return target.Answer{}, err
	}
	var sent target.Creation
	a, err := c.t.Settle(ctx, clear, func() *client.Exchange {
		return c.t.Create(ctx, func() target.Creation {
			sent = c.t.Creation(spec.Acting(ctx))
			change(&sent)
			return sent
		})
	}, c.CreationAlive)
	a.Creation, a.Subject = &sent, sent.Label
	return a, err
}

// Exports settles an export that a check is about, once the control was accepted. change makes it of a valid one.
func (c *Controls) Exports(ctx context.Context, clear target.Clear, change func(*target.ExportCall)) (target.Answer, error) {
	if _, err := c.Export.Get(ctx); err != nil {
		return target.Answer{}, err
	}
	var sent target.ExportCall
	a, err := c.t.Settle(ctx, clear, func() *client.Exchange {
		return c.t.StartExport(ctx, func() target.ExportCall {
			sent = c.t.Export("", c.t.Unique(spec.Acting(ctx)))
			change(&sent)
			return sent
		})
	}, c.ExportAlive)
	a.Subject = sent.Label
	return a, err
}
