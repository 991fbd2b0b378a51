package summary_test

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gateassay/gateassay/reports/summary"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	recordtest.Golden(t, *update, "summary.md", summary.Markdown(recordtest.Run()))
	recordtest.Golden(t, *update, "clean.md", summary.Markdown(recordtest.Clean()))
}

func TestItFitsAStepSummaryAndSaysWhatIsLeftOut(t *testing.T) {
	const limit = 1<<20 - 65_000 // the decision of a gate fits beside it
	noted := recordtest.Large(300, 2_000)
	text := noted.Rules[0].Statement
	for i := range 1500 {
		noted.Notes = append(noted.Notes, text)
		noted.Waivers = append(noted.Waivers,
			record.WaiverNote{Waiver: record.Waiver{Rule: text, Reason: text}, State: text})
		noted.Observations = append(noted.Observations, record.Observation{ID: text, Observed: text})
		noted.Rules = append(noted.Rules, record.Rule{
			ID: fmt.Sprintf("%d.%s", i, text), Verdict: record.Inconclusive, Reason: fmt.Sprint(i, text),
		},
			record.Rule{ID: fmt.Sprint("x.", i), Verdict: record.NotVerified, Reason: fmt.Sprint(i, text)})
	}
	for name, run := range map[string]record.Run{
		"everything": noted,
		"many":       recordtest.Large(5000, 100), "huge texts": recordtest.Large(300, 50_000),
		"both": recordtest.Large(3000, 5_000), "unreachable": recordtest.Unreachable(3000),
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

// Beyond the first few a violation is one line until it is opened: that line says what was seen.
func TestAFoldedViolationSaysWhatWasSeen(t *testing.T) {
	var run record.Run
	for i := range 8 {
		said := fmt.Sprintf("X%d accepted: 201", i)
		run.Rules = append(run.Rules, record.Rule{
			ID: fmt.Sprintf("create.topic_%d.x", i), Level: "must", Verdict: record.Fail, Reason: said,
			Checks: []record.Check{{
				Verdict: record.Fail, Message: said, Finding: record.Finding{Actual: "201 Created\n{}"}, Exchanges: []int{i},
			}},
		})
	}
	folded := regexp.MustCompile(`<summary><strong>X\d accepted: 201</strong> <code>create.topic_`)
	if out := string(summary.Markdown(run)); len(folded.FindAllString(out, -1)) != 3 {
		t.Error(out)
	}
}
