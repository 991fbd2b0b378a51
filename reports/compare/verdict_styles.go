package compare

import "github.com/gateassay/gateassay/reports/view"

// verdictStyles are how verdicts are shown.
var verdictStyles = map[Verdict]struct {
	label, headline, title string
	tone                   view.Tone
}{
	VerdictRegression:   {"worse", "Regression", "Worse", view.ToneBad},
	VerdictInconclusive: {"inconclusive", "No verdict", "Inconclusive", view.ToneUnsure},
	VerdictChanged: {
		"changed", "Changed, nothing worse", "Changed, neither better nor worse", view.ToneUnsure,
	},
	VerdictImprovement: {"better", "Better", "Better", view.ToneGood},
	VerdictSame:        {"same", "No difference", "The same", view.ToneGood},
	"":                 {label: "not judged"},
}

func verdictBadge(v Verdict) view.Cell {
	return view.Badge(verdictStyles[v].tone, verdictStyles[v].label)
}
