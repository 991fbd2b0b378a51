package suites_test

import (
	"testing"

	"github.com/onsi/ginkgo/v2"

	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/suites"
)

// TestConformance tests the deployment of GATEASSAY_DEPLOYMENT, or the embedded reference gateway.
func TestConformance(t *testing.T) {
	suite, reporter := ginkgo.GinkgoConfiguration()
	suites.Test(t, suites.Options{Render: func(folder string) error { return reports.Write(folder) }},
		suite, reporter)
}
