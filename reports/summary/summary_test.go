package summary_test

import (
	"flag"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gateassay/gateassay/reports/record"
	"github.com/gateassay/gateassay/reports/record/recordtest"
	"github.com/gateassay/gateassay/reports/summary"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	recordtest.Golden(t, *update, "summary.md", summary.Markdown(recordtest.Run()))
	recordtest.Golden(t, *update, "clean.md", summary.Markdown(recordtest.Clean()))
}

func TestItFitsAStepSummaryAndSaysWhatIsLeftOut(t *testing.T) {
	const limit = 1 << 20
	for name, run := range map[string]record.Run{
		"many": recordtest.Large(5000, 100), "huge texts": recordtest.Large(300, 50_000), "both": recordtest.Large(3000, 5_000), "unreachable": recordtest.Unreachable(3000),
	} {
		out := summary.Markdown(run)
		if len(out) > limit || !utf8.Valid(out) {
			t.Errorf("%s: %d bytes, valid %v", name, len(out), utf8.Valid(out))
		}
		if !strings.Contains(string(out), "How to repeat") {
			t.Errorf("%s: the last section is missing", name)
		}
		if run.Verdict == record.Violations && !strings.Contains(string(out), "are left out here") {
			t.Errorf("%s: nothing says that violations are left out", name)
		}
	}
}
