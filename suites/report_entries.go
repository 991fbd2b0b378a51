package suites

import (
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/suites/record"
)

// maxEntryBytes is how many bytes of a body a report entry quotes: every entry becomes a property
// of Ginkgo's JUnit.
const maxEntryBytes = 2 << 10

// addReportEntries adds to Ginkgo's report of a spec what shows its finding, or why there is none.
// The console has what was expected and seen in the message of the failure.
func (s *session) addReportEntries(
	c record.CheckResult, script reproscript.Script, repeatable bool,
) {
	if c.Verdict != record.VerdictFail && c.Verdict != record.VerdictInconclusive {
		return
	}
	add := func(name, value string) {
		if value != "" {
			ginkgo.AddReportEntry(name, value, ginkgo.ReportEntryVisibilityNever)
		}
	}
	ginkgo.AddReportEntry("sent", c.Sent, ginkgo.ReportEntryVisibilityFailureOrVerbose)
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
