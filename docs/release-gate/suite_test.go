package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/reference"
	. "github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites"
	"github.com/gateassay/gateassay/suites/spec"
)

// The other form of a gate is a Ginkgo suite with its own BeforeSuite and specs, to which
// Register adds the rules. Here the suite starts the gateway that it tests.
//
//	ginkgo --label-filter='must || security || house' .
var server *httptest.Server

var _ = BeforeSuite(func() {
	gateway, err := reference.New(reference.Options{Seed: 1})
	Expect(err).NotTo(HaveOccurred())
	server = httptest.NewServer(gateway)
	DeferCleanup(server.Close)
})

var _ = Describe("the deployment", Label("house"), func() {
	It("was started", func() { Expect(server.URL).To(HavePrefix("http://127.0.0.1:")) })
})

func TestSuite(t *testing.T) {
	RegisterFailHandler(Fail)
	suites.Register(
		suites.Options{
			ProvideDeployment: started,
			DeclareRules:      func(g *suites.RuleDeclarer) { declareHouseRules(g); declareGinkgoRule(g) },
		},
	)
	RunSpecs(t, "release gate")
}

// started is called when the first rule's spec begins, after BeforeSuite.
func started(context.Context) (*deployment.File, error) {
	gateway, err := reference.New(reference.Options{Seed: 1})
	if err != nil {
		return nil, err
	}
	return deployment.Parse("started", ".", gateway.DeploymentYAML(server.URL), nil)
}

// declareGinkgoRule declares a rule that uses Ginkgo's functions and decorators.
func declareGinkgoRule(g *suites.RuleDeclarer) {
	g.Rule("house.ginkgo.words", Should, "House rules", "A case is written as a spec of Ginkgo's is.",
		Label("house"), Serial, func() {
			g.It("uses By, DeferCleanup and a global Expect", func(ctx spec.Context) {
				By("naming a step", func() { Expect(ctx.SpecReport().LeafNodeText).To(HavePrefix("uses By")) })
				DeferCleanup(func() { fmt.Fprintln(GinkgoWriter, "cleaned up") })
				AddReportEntry("note", "kept")
				ctx.Expect(ctx.Err()).To(Succeed())
			}, FlakeAttempts(2))
			g.It("is skipped by Skip", func(spec.Context) { Skip("not today") })
			g.It("is pending", func(spec.Context) { Fail("it never runs") }, Pending)
		})
}
