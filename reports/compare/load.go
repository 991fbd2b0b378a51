package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/recorded"
)

// Load is how two load runs differ.
type Load struct {
	Tolerance float64  `json:"tolerance"`
	Test      string   `json:"test"` // tells changes from noise
	Metrics   []Metric `json:"metrics"`
	// Violations are documented rules that answers broke, with how many did; the runs need not be alike for these.
	Violations []Violations `json:"violations,omitempty"`
	// Worse is, of runs that are alike, what is worse whatever the noise: thresholds that are newly missed, and kinds
	// of bad answers that are new.
	Worse  []string                  `json:"worse,omitempty"`
	Plan   []Difference              `json:"plan,omitempty"`
	charts [2]map[string]plot.Figure // of each run
}

// Violations of a rule in both runs.
type Violations struct {
	Rule   string  `json:"rule"`
	Before int64   `json:"before"`
	After  int64   `json:"after"`
	Judged Verdict `json:"judged"`
}

func (r *Result) loads(before, after recorded.Run, o Options) {
	a, b := before.Load, after.Load
	l := &Load{
		Tolerance: o.Tolerance, Test: Test, Metrics: plain(a, b), Violations: violations(a, b),
	}
	r.Load = l
	var why, unalike []string // why their figures cannot be judged, and why the runs cannot be compared at all
	series := [2][]loadreport.Point{}
	for i, s := range []recorded.Run{before, after} {
		which := "the " + ordinals[i] + " run"
		data, err := loadreport.Read(s.Dir)
		series[i], l.charts[i] = data.Points, loadreport.Charts(s.Load, data)
		switch {
		case s.Load.Requests.Sent == 0:
			unalike = append(unalike, which+" sent nothing: "+s.Load.Reason)
		case errors.Is(err, fs.ErrNotExist):
			why = append(why, which+" has no "+runfolder.IntervalsName+", from which it is judged; keep "+
				"the whole folder of a run, or pack it")
		case err != nil:
			why = append(why, which+" cannot be judged: "+err.Error())
		default:
			if n := len(data.Points); n < fewest {
				why = append(why, fmt.Sprintf("%s recorded %s and needs %d to be judged; send load for longer",
					which, digest.Quantity(n, "interval"), fewest))
			}
		}
		switch run := s.Load; {
		case run.Requests.Sent == 0:
		case run.Run.Partial:
			unalike = append(unalike, which+" did not send its whole schedule; let it finish")
		case !run.Generator.Reliable:
			unalike = append(unalike,
				which+" describes its generator, not the deployment: "+run.Generator.Reason+"; send less, or from a "+
					"machine with nothing else to do")
		}
	}
	aside := []string{}
	if len(a.Stages) == 1 && len(b.Stages) == 1 { // of a plan with one rate, a longer run is more of the same
		aside = append(aside, "stages[0].for_ns")
	}
	const again = "compare runs of the same plan"
	l.Plan = planDifferences(a.Plan, b.Plan, aside...)
	unalike = append(unalike, otherLoad(l.Plan, again)...)
	if x, y := a.Rate.Target, b.Rate.Target; len(unalike) == 0 && apart(x, y) {
		unalike = append(unalike, fmt.Sprintf("the target of the first run was %.5g/s, that of the second %.5g/s; %s", x, y, again))
	}
	missed := crossed(a, b, true, "held before, missed now")
	if len(unalike) == 0 {
		l.Worse, missed = slices.Concat(missed, newErrors(a, b, o.Tolerance)), nil
	}
	why = append(why, unalike...)
	if len(why) == 0 {
		l.judge(series, o)
	}
	r.Notes = append(r.Notes, otherDeployment(r.Before, r.After)...)
	r.Notes = append(append(r.Notes, missed...), crossed(a, b, false, "missed before, held now")...)
	r.conclude(l.regressions(), why, l.conclude)
}

func violations(a, b results.Run) (list []Violations) {
	counts := map[string]*[2]int64{}
	var names []string
	for side, run := range []results.Run{a, b} {
		for _, v := range run.Violations {
			if counts[v.Rule] == nil {
				counts[v.Rule] = &[2]int64{}
				names = append(names, v.Rule)
			}
			counts[v.Rule][side] += v.Count
		}
	}
	for _, name := range names {
		v := Violations{name, counts[name][0], counts[name][1], Same}
		switch {
		case v.Before == 0 && v.After > 0:
			v.Judged = Regression
		case v.Before > 0 && v.After == 0:
			v.Judged = Improvement
		}
		list = append(list, v)
	}
	return list
}

// crossed names the thresholds that held before and are missed now, or, from false, the other way round.
func crossed(a, b results.Run, from bool, what string) []string {
	before := map[string]bool{}
	for _, t := range a.Thresholds {
		before[t.Expr] = t.OK
	}
	var list []string
	for _, t := range b.Thresholds {
		if was, known := before[t.Expr]; known && was == from && t.OK != from {
			list = append(list, fmt.Sprintf("threshold %s: %s (%s)", printable.Clean(t.Expr),
				what, printable.Clean(t.Observed)))
		}
	}
	return list
}

// newErrors names the kinds of bad answers that the first run had none of and the second has more of than a tenth of
// the tolerance, as a share of what it sent.
func newErrors(a, b results.Run, tolerance float64) []string {
	var list []string
	before, after := a.Requests.Classes(), b.Requests.Classes()
	for _, c := range judge.Classes() {
		if c.Bad() && a.Requests.Sent > 0 && before[c] == 0 &&
			float64(after[c]) > float64(b.Requests.Sent)*tolerance/10 {
			list = append(list, fmt.Sprintf("%s in %s, none before",
				digest.Quantity(int(after[c]), c.Noun()), digest.Quantity(int(b.Requests.Sent), "request")))
		}
	}
	return list
}

func (l *Load) regressions() []string {
	var list []string
	for _, v := range l.Violations {
		if v.Judged == Regression {
			list = append(list, fmt.Sprintf("%s violated by %s, by none before",
				printable.Clean(v.Rule), digest.Quantity(int(v.After), "answer")))
		}
	}
	list = append(list, l.Worse...)
	for _, m := range l.Metrics {
		if m.Judged == Regression {
			list = append(list, fmt.Sprintf("%s %s instead of %s (%s, p %s)",
				m.Name, m.value(m.After), m.value(m.Before), m.change(), m.p()))
		}
	}
	return list
}

func (l *Load) conclude() (Verdict, string) {
	better, judged := []string{}, 0
	for _, m := range l.Metrics {
		if m.Judged != "" {
			judged++
		}
		if m.Judged == Improvement {
			better = append(better, fmt.Sprintf("%s %s", m.Name, m.change()))
		}
	}
	switch {
	case judged == 0:
		return Inconclusive, "too few answers to judge any figure"
	case len(better) > 0:
		return Improvement, "better: " + few(better, ", ")
	}
	return Same, fmt.Sprintf("no figure changed by more than noise and the tolerance of %.4g %% explain",
		100*l.Tolerance)
}
