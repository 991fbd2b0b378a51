package export_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

// Rows that are there in one file and not in the next are not quotes that change: the reason says so.
func TestADeploymentThatAnswersTheSameExportDifferently(t *testing.T) {
	t.Parallel()
	sometimes := func(n int, text string) string {
		if n%2 == 0 {
			return text
		}
		lines := strings.SplitAfter(text, "\n")
		return strings.Join(lines[:max(1, len(lines)-1-n%7)], "")
	}
	unquoted := strings.NewReplacer("\"two\nlines\"", "x").Replace
	j := judgeRewritten(t, reference.Options{}, func(n int, text string) string { return sometimes(n, unquoted(text)) },
		nil)
	if text := j.Explain(record.Inconclusive); !strings.Contains(text,
		"the deployment answers the same export differently, so exports cannot be compared") {
		t.Error(text)
	}
	late := judgeRewritten(t, reference.Options{}, func(n int, text string) string {
		if text = unquoted(text); n > 8 {
			lines := strings.SplitAfter(text, "\n")
			text = strings.Join(lines[:max(1, len(lines)-3)], "")
		}
		return text
	}, nil)
	if text := late.Explain(record.Inconclusive); !strings.Contains(text,
		"changed during the run, or the deployment answers the same export differently, so") {
		t.Error(text)
	}
}

// A default wallet that holds nothing is blamed where the wallet that should be the default has quotes; the
// deployment file's window is not.
func TestADefaultWalletWithoutQuotes(t *testing.T) {
	t.Parallel()
	j := judge(t, reference.Options{Faults: []string{"export.wallet.default_is_none"}}, nil)
	failOnly(t, j, "export.default.wallet")
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
