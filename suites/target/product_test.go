package target_test

import (
	"context"
	"testing"

	"github.com/gateassay/gateassay/suites/target"
)

const product = "9d1c7c1e-6a3c-4b52-8f0e-5d8a1f2b3c4d"

func TestTheProductIsNamedWhereItIsRequired(t *testing.T) {
	subject := aim(t, "http://127.0.0.1:1", "fixtures: {shareholder_id: "+shareholder+", product_id: "+product+"}")
	for _, required := range []bool{false, true, false} {
		want := ""
		if required {
			want = product
			subject.RequireProduct()
		} else {
			subject.ForgetProduct()
		}
		header := map[string][]string(subject.Export("x", nil).Header)
		if subject.ProductRequired() != required || subject.Product() != want ||
			subject.Creation("x").Product != want || (len(header[target.HeaderProduct]) == 1) != required {
			t.Errorf("required %v: product %q, creation %q, export %v", required, subject.Product(),
				subject.Creation("x").Product, header)
		}
	}
}

// Exports wait for what finds out how they have to look, except those that find it out, and where there is nothing to
// find out.
func TestExportsWaitForWhatTheyHaveToCarry(t *testing.T) {
	d := deploy(t, 202)
	with := aim(t, d.URL, "fixtures: {product_id: "+product+"}")
	without := aim(t, d.URL)
	for name, c := range map[string]struct {
		subject *target.Target
		ctx     context.Context
		set     bool
		want    int
	}{
		"a product":                 {with, t.Context(), true, 1},
		"a product, the control":    {with, target.Unprepared(t.Context()), true, 0},
		"no product":                {without, t.Context(), true, 1},
		"a product, nothing to ask": {with, t.Context(), false, 0},
		"no product, the control":   {without, target.Unprepared(t.Context()), true, 0},
	} {
		waited := 0
		c.subject.PrepareExports(nil)
		if c.set {
			c.subject.PrepareExports(func(context.Context) { waited++ })
		}
		before := d.requests()
		x := c.subject.StartExport(c.ctx, func() target.ExportCall {
			if waited != c.want {
				t.Errorf("%s: waited %d times before the request was made, want %d", name, waited, c.want)
			}
			return c.subject.Export("x", nil)
		})
		if x.Status != 202 || d.requests() != before+1 {
			t.Errorf("%s: %s", name, target.Describe(x))
		}
	}
}
