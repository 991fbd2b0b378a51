package threshold_test

import (
	"testing"

	"github.com/gateassay/gateassay/load/threshold"
)

func TestMarginsAreSharesOfTheLimit(t *testing.T) {
	for _, c := range []struct{ expr, observed, want string }{
		{"p99<300ms", "150ms", "50% below the limit"},
		{"p99<300ms", "1.5s", "400% above the limit"},
		{"p99<300ms", "3.3s", "11 times the limit"},
		{"p99<300ms for \"for 2 in\"", "299.1ms", "0.30% below the limit"},
		{"errors<0.1%", "0%", "100% below the limit"},
		{"errors<10", "11", "10% above the limit"},
		{"achieved>=99%", "100%", "1% above the limit"},
		{"achieved>=200/s", "150/s", "25% below the limit"},
		{"missed_blocks==0", "3", ""},
		{"errors<=0", "3", ""},
		{"p99<300ms", threshold.NoData, ""},
		{"</script>", "1ms", ""},
	} {
		r := threshold.Result{Expr: c.expr, Observed: c.observed}
		if got := r.Margin(); got != c.want {
			t.Errorf("%s, observed %s: %q, want %q", c.expr, c.observed, got, c.want)
		}
	}
}
