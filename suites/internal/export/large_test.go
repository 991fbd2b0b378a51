package export_test

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
)

// Of a window with more quotes than are compared, a part is: it shows the same defects, and accuses
// of nothing else.
func TestALargeWindowIsComparedInAPart(t *testing.T) {
	j := judge(t, reference.Options{Quotes: 20_100, Faults: []string{"export.range.end_inclusive"}},
		nil)
	failOnly(t, j, "export.range.end_exclusive")
}
