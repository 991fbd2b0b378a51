package export_test

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
)

// Only a part of a very large window is compared. It shows the same defects, and no others.
func TestALargeWindowIsComparedInAPart(t *testing.T) {
	j := judge(t, reference.Options{Quotes: 20_100, Faults: []string{"export.range.end_inclusive"}},
		nil)
	failOnly(t, j, "export.range.end_exclusive")
}
