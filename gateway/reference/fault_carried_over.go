package reference

import (
	"sync"
	"sync/atomic"
)

// carryOverFaults declares faults that reuse values of an earlier request.
func carryOverFaults() changes {
	var country atomic.Value
	var wallets, bodies, callers sync.Map // wallet by user, file by body, selection by user
	return changes{
		"create.default.country_of_before": func(q *request, record jsonObject) {
			document, _ := record["document"].(jsonObject)
			if fieldIs("document_country_of_issue", nil)(q) {
				if before := country.Load(); before != nil && document != nil {
					document["country_of_issue"] = before
				}
			} else if document != nil {
				country.Store(document["country_of_issue"])
			}
		},
		"create.repeat.ids_cut": combine(
			func(key *creationIdentity) {
				key.transaction = key.transaction[:min(len(key.transaction), 23)]
			}, answerWithRecord()),
		"export.range.wallet_of_before": during(opExport, func(q *request, _ *replayCandidate) {
			if q.selection.Named {
				wallets.Store(q.runsAs.id, q.selection.Wallet)
			} else if before, known := wallets.Load(q.runsAs.id); known {
				q.file.Selection.Wallet = before.(string)
			}
		}),
		"export.range.cached_by_body": during(opExport, func(q *request, _ *replayCandidate) {
			first, _ := bodies.LoadOrStore(string(q.raw), *q.file)
			q.file.Owner, q.file.Selection = first.(exportFile).Owner, first.(exportFile).Selection
		}),
		"export.range.cached_by_caller": during(opExport, func(q *request, _ *replayCandidate) {
			first, _ := callers.LoadOrStore(q.runsAs.id, q.file.Selection)
			q.file.Selection = first.(exportSelection)
		}),
	}
}
