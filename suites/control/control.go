// Package control makes the controls: one valid creation and one valid export that every expected rejection is held
// against, plainly and in each context. Without them a deployment that refuses everything would look right.
package control

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"github.com/gateassay/gateassay/gateway/client"
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
	exported    target.ExportCall                       // the valid export
	byKey       *spec.Observation[bool]                 // see OneUser
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
	c.byKey = spec.Observe(p, "a valid export again by the API key", c.keyBlocked)
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
	first, x := c.search(func(s target.Spelling) *client.Exchange {
		return c.t.Create(ctx, func() target.Creation {
			if sent = c.t.Creation("valid creation"); s.Change != nil {
				sent = s.Change(sent)
				sent.Label += ", " + s.Name
			}
			return sent
		})
	})
	why := fmt.Sprintf("a valid creation was not accepted (%s), so nothing can be said about creations; check %s",
		target.Quoted(first), c.suspects(first))
	if key, do := Suspect(c.t.Deployment, first); badRequest(first) && key != "" {
		// One key is named ahead of the answer, whose words may be long.
		why = fmt.Sprintf("a valid creation was not accepted; check %s: %s. It got %s", key, do, target.Quoted(first))
	}
	a, err := c.accepted(ctx, x, why)
	a.Creation = &sent
	return a, err
}

// accepted is the answer to a control, which has to be accepted; otherwise the reason, and why says of whom.
func (c *Controls) accepted(ctx context.Context, x *client.Exchange, why string) (target.Answer, error) {
	err := c.t.Usable(ctx, x)
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

// export sends the plain export and, as long as it is refused as a bad request, other spellings of it, with a product where
// one may help: the document lets an endpoint require one.
func (c *Controls) export(ctx context.Context) (target.Answer, error) {
	send := func() *client.Exchange {
		return c.t.StartExport(target.Unprepared(ctx), func() target.ExportCall {
			c.exported = c.t.Export("valid export", c.t.Unique("valid export"))
			return c.exported
		})
	}
	first := send()
	x := first
	for _, s := range []target.ExportSpelling{
		{}, {Language: true}, {Whole: true}, {Extension: true}, {Whole: true, Extension: true},
	} {
		if c.t.SpellExports(s); s != (target.ExportSpelling{}) {
			x = send()
		}
		if (badRequest(x) || x.Status == http.StatusForbidden) && c.t.Deployment.Fixtures.ProductID != "" {
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
		x = first
	}
	why := fmt.Sprintf("a valid export was not accepted (%s), so nothing can be said about exports", target.Quoted(x))
	if key := c.blamed(x, "export.path"); key != "" {
		why += "; check " + key
	}
	return c.accepted(ctx, x, why)
}
