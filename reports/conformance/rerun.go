package conformance

import (
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record"
)

// UnresolvedRuleIDs lists the rules of a recorded run that failed or stayed inconclusive: those
// that conform --failed runs again.
func UnresolvedRuleIDs(run record.Run) (ids []string) {
	for _, r := range run.Rules {
		if r.Verdict == record.VerdictFail || r.Verdict == record.VerdictInconclusive {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// rerunPart says what became of the rules that failed or stayed inconclusive in an earlier run.
func rerunPart(before, now record.Run) view.Part {
	verdicts := digest.RulesByID(now.Rules)
	var list [3][]string
	titles := [...]string{"still violated", "not decided", "repaired"}
	for _, id := range UnresolvedRuleIDs(before) {
		at := 1
		switch r := verdicts[id]; r.Verdict {
		case record.VerdictFail:
			at = 0
		case record.VerdictPass:
			at = 2
		}
		list[at] = append(list[at], id)
	}
	var blocks []view.Block
	for i, ids := range list {
		if len(ids) > 0 {
			blocks = append(blocks,
				view.Block{Note: printable.Quantity(len(ids), "rule") + " " + titles[i], List: ids})
		}
	}
	return view.Part{Title: "Since " + view.FormatUTC(before.Run.StartedAt), Blocks: blocks}
}
