// Package compare compares two recorded runs: their verdicts and observations, or their times,
// rates and capacities, and whether these differ by more than noise.
package compare

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/recorded"
)

// Schema names the version of the JSON form of a comparison.
const Schema = "gateassay/comparison/v1"

// Verdict of a comparison, and of each difference in it.
type Verdict string

// The verdicts.
const (
	VerdictSame        Verdict = "same"
	VerdictChanged     Verdict = "changed"     // differs, neither better nor worse
	VerdictImprovement Verdict = "improvement" // something is better, nothing worse
	VerdictRegression  Verdict = "regression"  // something is worse
	// nothing is shown to be worse, but something is inconclusive
	VerdictInconclusive Verdict = "inconclusive"
)

var verdictsWorstFirst = []Verdict{
	VerdictRegression, VerdictInconclusive, VerdictChanged, VerdictImprovement, VerdictSame,
}

// Names of the two runs in sentences, tables and charts.
var (
	runOrdinals = [2]string{"first", "second"}
	runNames    = [2]string{"before", "after"}
)

// ComparedRun is one of the two runs. Its verdict includes its extent.
type ComparedRun struct {
	Path string `json:"path"`
	recorded.RunHead
	Report string `json:"report,omitempty"` // URL of its page, for links; empty: unknown
}

func newComparedRun(r recorded.Run) ComparedRun {
	r.Verdict = r.VerdictText()
	return ComparedRun{Path: r.Path, RunHead: r.RunHead}
}

// Comparison is the comparison of two runs.
type Comparison struct {
	Schema  string        `json:"schema"`
	Kind    recorded.Kind `json:"kind"`
	Before  ComparedRun   `json:"before"`
	After   ComparedRun   `json:"after"`
	Verdict Verdict       `json:"verdict"`
	Reason  string        `json:"reason"` // in one sentence
	// reasons why the figures were not judged, each with what to do
	Why         []string               `json:"why,omitempty"`
	Notes       []string               `json:"notes,omitempty"`
	Conformance *ConformanceComparison `json:"conformance,omitempty"`
	Load        *LoadComparison        `json:"load,omitempty"`
	Capacity    *CapacityComparison    `json:"capacity,omitempty"`
	// figures by which the second run is worse, regardless of noise and tolerance
	Worse []string `json:"worse,omitempty"`
}

// DefaultTolerance is the relative change of a figure that is ignored by default.
const DefaultTolerance = 0.05

// CompareRuns compares two runs of one kind. Figures that change by less than the tolerance, a
// share from 0 to 10, are no regressions.
func CompareRuns(before, after recorded.Run, tolerance float64) (Comparison, error) {
	if !(tolerance >= 0 && tolerance <= 10) {
		return Comparison{}, fmt.Errorf("the tolerance is a share from 0 to 10, found %g", tolerance)
	}
	r := Comparison{
		Schema: Schema, Kind: before.Kind, Before: newComparedRun(before), After: newComparedRun(after),
	}
	switch {
	case before.Kind != after.Kind:
		return Comparison{}, fmt.Errorf("%s is %s and %s is %s; only runs of the same kind can be "+
			"compared", before.Path, before.Kind.WithArticle(), after.Path, after.Kind.WithArticle())
	case before.Kind == recorded.KindConformance:
		r.compareConformance(before, after)
	case before.Kind == recorded.KindCapacity:
		r.compareCapacities(before, after, tolerance)
	default:
		r.compareLoads(before, after, tolerance)
	}
	if a, b := r.Before.Deployment, r.After.Deployment; a != b {
		r.Notes = append(r.Notes,
			fmt.Sprintf("the deployments differ: %s and %s", printable.Clean(a), printable.Clean(b)))
	}
	// shards of one run share its ID
	if r.Before.ID != "" && r.Before.ID == r.After.ID && reflect.DeepEqual(before.Load, after.Load) {
		r.Notes = append([]string{"both are the same run: name another to compare it with"}, r.Notes...)
	}
	return r, nil
}

// setVerdict sets the verdict on figures: a regression if worse is not empty, inconclusive if why
// is not empty, otherwise what shown returns. With a regression, why becomes a note.
func (r *Comparison) setVerdict(worse, why []string, shown func() (Verdict, string)) {
	r.Worse, r.Why = worse, why
	switch {
	case len(worse) > 0:
		r.Verdict, r.Reason = VerdictRegression, printable.JoinFirst(worse, 3, "; ")
		for _, reason := range why {
			r.Notes = append(r.Notes, "the figures are not judged: "+reason)
		}
	case len(why) > 0:
		r.Verdict, r.Reason = VerdictInconclusive, strings.Join(why, "; ")
	default:
		r.Verdict, r.Reason = shown()
	}
}

// ExitCode returns 1 for a regression, 3 if that is inconclusive, otherwise 0.
func (r Comparison) ExitCode() int {
	switch r.Verdict {
	case VerdictRegression:
		return 1
	case VerdictInconclusive:
		return 3
	}
	return 0
}
