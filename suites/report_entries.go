package suites

import (
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/record"
)

// maxEntryBytes limits the bytes of a body in a report entry, because every entry becomes a
// property in Ginkgo's JUnit file.
const maxEntryBytes = 2 << 10

// addReportEntries adds the evidence of a failed or inconclusive check to Ginkgo's report. The
// console shows expected and actual in the failure message.
func (s *session) addReportEntries(
	c record.CheckResult, script reproscript.Script, repeatable bool,
) {
	if c.Verdict != record.VerdictFail && c.Verdict != record.VerdictInconclusive {
		return
	}
	addShown := func(name, value string, shown ginkgo.ReportEntryVisibility) {
		if value != "" {
			ginkgo.AddReportEntry(name, value, shown)
		}
	}
	add := func(name, value string) { addShown(name, value, ginkgo.ReportEntryVisibilityNever) }
	addShown("sent", c.Sent, ginkgo.ReportEntryVisibilityFailureOrVerbose)
	add("expected", c.Expected)
	add("actual", c.Actual)
	shown := c.Repeat
	if len(shown) == 0 {
		shown = c.Exchanges[:min(1, len(c.Exchanges))]
	}
	for _, seq := range shown {
		if x := s.client.Exchange(seq); x != nil {
			r := x.Recorded
			add(fmt.Sprintf("exchange %d", seq), fmt.Sprintf("%s %s\n%s\n\n%d\n%s",
				r.Method, r.URL, truncateBody(r.RequestBody), x.Status, truncateBody(r.ResponseBody)))
		}
	}
	if repeatable {
		add("script", script.Text())
	}
}

func truncateBody(body []byte) string {
	return strings.ToValidUTF8(string(body[:min(maxEntryBytes, len(body))]), "�")
}
