package export_test

import (
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

// Of a window with more quotes than are compared, a part is: it shows the same defects, and accuses nobody.
func TestALargeWindowIsComparedInAPart(t *testing.T) {
	for fault, broken := range map[string][]string{"": nil, "export.range.end_inclusive": {"export.range.end_exclusive"}} {
		o := reference.Options{Quotes: 20_100}
		if fault != "" {
			o.Faults = []string{fault}
		}
		j := judge(t, o, nil)
		failOnly(t, j, broken...)
		if text := j.Explain(record.Inconclusive); text != "" && fault == "" {
			t.Error(text)
		}
	}
}
