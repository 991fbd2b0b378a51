package suites_test

import (
	"testing"

	"github.com/gateassay/gateassay/suites"
)

// TestConformance tests the deployment of GATEASSAY_DEPLOYMENT, or the embedded reference gateway.
func TestConformance(t *testing.T) { suites.Test(t, suites.Options{}) }
