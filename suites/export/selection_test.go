package export_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

// A default wallet that holds nothing is blamed where the wallet that should be the default has quotes; the
// deployment file's window is not.
func TestADefaultWalletWithoutQuotes(t *testing.T) {
	t.Parallel()
	j := judge(t, reference.Options{Faults: []string{"export.wallet.default_is_none"}}, nil)
	if failed := j.Failed(); !slices.Equal(failed, []string{"export.default.wallet"}) {
		t.Errorf("failed: %v%s", failed, j.Explain(record.Fail))
	}
	j.None(t, record.Inconclusive)
	for _, r := range j.Results() {
		if r.Verdict == record.NotVerified && !strings.Contains(r.Message, "see export.default.wallet") {
			t.Errorf("%s, %s: %s", r.Rule, r.Name, r.Message)
		}
	}
}

// A window without quotes in either wallet is the deployment file's.
func TestAWindowWithoutQuotes(t *testing.T) {
	t.Parallel()
	j := judge(t, reference.Options{}, func(yaml string) string {
		return rewritten(`"2025-01-01`, `"2015-01-01`, `"2025-02-01`, `"2015-02-01`, ` 2025-01-01`, ` 2015-01-01`,
			` 2025-02-01`, ` 2015-02-01`)(yaml)
	})
	j.None(t, record.Fail, record.Inconclusive)
	if v := slices.Compact(j.Of("export.default.wallet")); !slices.Equal(v, []record.Verdict{record.NotVerified}) ||
		!strings.Contains(
			j.Explain(record.NotVerified),
			"export.default.wallet: the rows of the default wallet: the window holds no quote") {
		t.Errorf("%v%s", v, j.Explain(record.NotVerified))
	}
}
