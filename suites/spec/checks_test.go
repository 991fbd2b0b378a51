package spec_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/deployment"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/testmust"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
)

// A check lists the exchanges of the observations it awaited and of their dependencies, and no
// others.
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
		"add k to the deployment file":        spec.NotVerifiedf("k", ""),
		"no rows":                             spec.NotVerifiedf("", "no %s", "rows"),
		"no rows (k)":                         spec.NotVerifiedf("k", "no rows"),
		"3 of 4":                              spec.Inconclusivef("%d of %d", 3, 4),
		"the deployment was unavailable: 503": spec.Transientf("503"),
	} {
		testmust.Equal(t, err.Error(), want)
	}
	if !errors.Is(spec.Transientf("x"), spec.ErrTransient) ||
		spec.NotVerifiedReason(spec.Inconclusivef("x")) != nil ||
		spec.NotVerifiedReason(spec.NotVerifiedf("k", "")) == nil {
		t.Error("reasons have no kind")
	}
}

// Outside Ginkgo, a case can use the functions of its context and the global Expect.
func TestACaseIsWrittenAsASpecIs(t *testing.T) {
	var order []string
	cleaned := false
	found, p := judge(t, spec.Options{}, func(p *spec.Plan) {
		p.Rule("a.b", Must, SectionLimits, "Something.", ginkgo.Label("mine"), ginkgo.Serial, func() {
			p.It("in words of its own", func(ctx spec.Context) {
				ctx.DeferCleanup(func() { order = append(order, "first registered") })
				ctx.DeferCleanup(func() { order = append(order, "last registered") })
				ctx.By("a step", func() { order = append(order, ctx.SpecReport().LeafNodeText) })
				ctx.AddReportEntry("note", 1)
			}, ginkgo.FlakeAttempts(2), ginkgo.SpecTimeout(time.Minute))
		})
		p.Rule("a.c", Must, SectionLimits, "Something.", func() {
			p.It("by gomega.Expect", func(spec.Context) { Expect(1).To(Equal(2)) })
			p.It("skipped", func(ctx spec.Context) { ctx.Skip("not today") })
			p.It("with a cleanup that fails", func(ctx spec.Context) {
				ctx.DeferCleanup(func() { cleaned = true })
				ctx.DeferCleanup(func() { ctx.Expect(1).To(Equal(2)) })
			})
			p.It("pending", func(spec.Context) { panic("it never runs") }, ginkgo.Pending)
		})
		p.SelectRules(func(Rule) bool { return true })
	})
	want := []string{"in words of its own", "last registered", "first registered"}
	if !slices.Equal(order, want) || !cleaned {
		t.Errorf("%v, cleaned %v", order, cleaned)
	}
	for name, want := range map[string]record.Verdict{
		"a.b in words of its own": record.VerdictPass, "a.c by gomega.Expect": record.VerdictFail,
		"a.c skipped": record.VerdictNotVerified, "a.c with a cleanup that fails": record.VerdictFail,
	} {
		if c := found[name]; c == nil || c.Verdict != want {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if len(found) != 4 || len(p.HarnessErrors()) > 0 ||
		!strings.Contains(found["a.c by gomega.Expect"].Message, "to equal") {
		t.Errorf("%d found, faults %v", len(found), p.HarnessErrors())
	}
}
