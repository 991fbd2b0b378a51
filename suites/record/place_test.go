package record_test

import (
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

func TestPlace(t *testing.T) {
	for in, want := range map[string]string{
		"/home/me/src/suites/create/records.go:132":                             "suites/create/records.go:132",
		"github.com/gateassay/gateassay/suites/create/records.go:132":           "suites/create/records.go:132",
		"suites/create/records.go:132":                                          "suites/create/records.go:132",
		"/home/suites/me/suites/export/compare.go:50":                           "suites/export/compare.go:50",
		"/home/me/go/pkg/mod/github.com/onsi/gomega@v1.2.3/internal/async.go:9": "internal/async.go:9",
		"": "", "x.go:1": "x.go:1",
	} {
		if got := record.Place(in); got != want {
			t.Errorf("Place(%q) = %q, want %q", in, got, want)
		}
	}
}
