package spec_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/spec"
)

// A check names the exchanges of what it awaits and of what that used, and no more.
func TestChecksNameTheirExchanges(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
		*http.Request,
	) {
		time.Sleep(5 * time.Millisecond)
	}))
	defer server.Close()
	c := testmust.Get(client.New(&deployment.File{Name: "t", BaseURL: server.URL}, client.Options{}))(
		t,
	)
	defer c.Close()
	send := func(ctx context.Context) int {
		return c.SendOnce(ctx, &client.Request{Method: http.MethodGet, Path: "/"}).Seq
	}
	found, _ := judge(t, spec.Options{}, func(p *spec.Plan) {
		deepest := func() *spec.Observation[int] {
			return spec.Observe(p, "deepest",
				func(ctx context.Context) (int, error) { return send(ctx), nil })
		}
		deep := func() *spec.Observation[int] {
			return spec.Observe(p, "deep", func(ctx context.Context) (int, error) {
				_, err := deepest().Get(ctx)
				return send(ctx), err
			})
		}
		p.Rule("a.b", Must, SectionLimits, "Something.", func() {
			top := spec.Observe(p, "top", func(ctx context.Context) (int, error) {
				_, err := deep().Get(ctx)
				return send(ctx), err
			})
			silent := one(p, "silent")
			p.It("is at the top", func(ctx spec.Context) { silent.Await(ctx); top.Await(ctx) })
			p.It("is silent", func(ctx spec.Context) { silent.Await(ctx) })
		})
	})
	top, silent := found["a.b is at the top"], found["a.b is silent"]
	if !slices.Equal(top.Exchanges, []int{3, 2}) {
		t.Errorf("exchanges %v", top.Exchanges)
	}
	if silent.Exchanges == nil || len(silent.Exchanges) > 0 {
		t.Errorf("silent: %+v", silent.CheckResult)
	}
}

func TestReasonsInWords(t *testing.T) {
	for want, err := range map[string]error{
		"add k to the deployment file":         spec.NotVerifiedf("k", ""),
		"no rows":                              spec.NotVerifiedf("", "no %s", "rows"),
		"no rows (k)":                          spec.NotVerifiedf("k", "no rows"),
		"3 of 4":                               spec.Inconclusivef("%d of %d", 3, 4),
		"the deployment was out of order: 503": spec.Transientf("503"),
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	if !errors.Is(spec.Transientf("x"), spec.ErrTransient) ||
		spec.NotVerifiedReason(spec.Inconclusivef("x")) != nil ||
		spec.NotVerifiedReason(spec.NotVerifiedf("k",
			"")) == nil {
		t.Error("reasons have no kind")
	}
}
