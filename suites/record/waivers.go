package record

import (
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/gateway/rules"
)

const dateLayout = "2006-01-02"

// applyWaivers marks failures that a waiver covers and returns the state of every waiver, in the
// order of the deployment file.
func applyWaivers(judged []RuleResult, waivers []deployment.Waiver, now time.Time) []WaiverStatus {
	notes := make([]WaiverStatus, 0, len(waivers))
	failed := make([]bool, len(judged)) // before any waiver: overlapping waivers are both in use
	for i, r := range judged {
		failed[i] = r.Verdict == VerdictFail
	}
	for _, w := range waivers {
		note := WaiverStatus{newWaiver(w), WaiverUnknown}
		for i := range judged {
			r := &judged[i]
			switch {
			case !rules.MatchesPattern(w.Rule, r.ID):
			case isExpired(w, now):
				note.State = WaiverExpired
			case failed[i]:
				note.State = WaiverInUse
				if r.Waiver == nil {
					r.Verdict, r.Waiver = VerdictWaived, &note.Waiver
				}
			case note.State == WaiverInUse:
			case r.Verdict == VerdictNotVerified || r.Verdict == VerdictInconclusive:
				note.State = WaiverUndecided
			case note.State == WaiverUnknown:
				note.State = WaiverNotNeeded
			}
		}
		notes = append(notes, note)
	}
	return notes
}

// newWaiver returns the waiver as records have it.
func newWaiver(w deployment.Waiver) Waiver {
	return Waiver{Rule: w.Rule, Reason: w.Reason, Until: w.Until.Format(dateLayout)}
}

// WaiverCovers reports whether a waiver covers failures of the rule at the time now.
func WaiverCovers(w deployment.Waiver, rule string, now time.Time) bool {
	return rules.MatchesPattern(w.Rule, rule) && !isExpired(w, now)
}

// isExpired reports whether the last day of the waiver is over in UTC. A waiver without a day has
// expired.
func isExpired(w deployment.Waiver, now time.Time) bool {
	y, m, d := w.Until.Date()
	return !now.Before(time.Date(y, m, d+1, 0, 0, 0, 0, time.UTC))
}
