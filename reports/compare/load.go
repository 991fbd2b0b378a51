package compare

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/exactjson"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/recorded"
)

// LoadComparison compares two load runs.
type LoadComparison struct {
	Tolerance float64        `json:"tolerance"`
	Test      string         `json:"test"` // the test that separates changes from noise
	Metrics   []FigureChange `json:"metrics"`
	// Worse lists what is worse under the same load regardless of noise: documented rules that
	// answers newly broke and, for complete runs, newly missed thresholds and new bad answers.
	Worse  []string                  `json:"worse,omitempty"`
	Plan   []exactjson.KeyDifference `json:"plan,omitempty"`
	charts [2]map[string]plot.Figure // charts of each run
}

func (r *Comparison) compareLoads(before, after recorded.Run, tolerance float64) {
	a, b := before.Load, after.Load
	l := &LoadComparison{Tolerance: tolerance, Test: significanceTest, Metrics: unjudgedChanges(a, b)}
	r.Load = l
	var ignoredKeys []string
	// with one rate, a longer run only repeats more
	if len(a.Stages) == 1 && len(b.Stages) == 1 {
		ignoredKeys = append(ignoredKeys, "stages[0].for_ns")
	}
	// why the figures cannot be judged, and why the runs cannot be compared at all
	var notJudged, incomparable []string
	l.Plan, incomparable = planDifferences(a.Plan, b.Plan, ignoredKeys...)
	sameLoad := len(incomparable) == 0
	var series [2][]loadreport.IntervalPoint
	for i, run := range []recorded.Run{before, after} {
		data, err := loadreport.ReadRunData(run.Dir)
		series[i], l.charts[i] = data.Points, loadreport.Charts(run.Load, data)
		which := "the " + runOrdinals[i] + " run "
		if reason := notJudgedReason(run.Load, len(data.Points), err); reason != "" {
			notJudged = append(notJudged, which+reason)
		}
		if reason := incomparableReason(run.Load); reason != "" {
			incomparable = append(incomparable, which+reason)
		} else if g := run.Load.Generator; !g.Reliable {
			notJudged = append(notJudged, which+"describes its generator, not the deployment: "+
				g.Reason+"; send less, or from a machine with nothing else to do")
		}
	}
	if x, y := a.Rate.Target, b.Rate.Target; len(incomparable) == 0 &&
		math.Abs(x-y) > 0.01*max(x, y) {
		sameLoad = false
		incomparable = append(incomparable,
			fmt.Sprintf("the target of the first run was %.5g/s, that of the second %.5g/s; compare runs "+
				"of the same plan", x, y))
	}
	broken, missed := newlyBrokenRules(a, b), newlyMissedThresholds(a, b)
	switch {
	case !sameLoad: // another load shows no change of the deployment
		r.Notes = slices.Concat(r.Notes, broken, missed)
	case len(incomparable) > 0:
		l.Worse, r.Notes = broken, append(r.Notes, missed...)
	default:
		l.Worse = slices.Concat(broken, missed, newlyFrequentErrors(a, b, tolerance))
	}
	notJudged = append(notJudged, incomparable...)
	if len(notJudged) == 0 {
		l.judgeFigures(series)
	}
	r.setVerdict(l.regressions(), notJudged, l.conclude)
}

// notJudgedReason returns why the figures of a run cannot be judged by the intervals that were read
// of it, or the error of reading them; empty: they can, or incomparableReason says why not.
func notJudgedReason(r results.Run, intervals int, err error) string {
	switch {
	case r.Requests.Sent == 0:
		return ""
	case errors.Is(err, fs.ErrNotExist):
		return "has no " + runfolder.IntervalsName + ", from which it is judged; keep the whole " +
			"folder of a run"
	case err != nil:
		return "cannot be judged: " + err.Error()
	case intervals < minSamples:
		return fmt.Sprintf("recorded %s and needs %d to be judged; send load for longer",
			printable.Quantity(intervals, "interval"), minSamples)
	}
	return ""
}

// incomparableReason returns why a run cannot be compared with any other; empty: it can.
func incomparableReason(r results.Run) string {
	switch {
	case r.Requests.Sent == 0:
		return "sent nothing: " + r.Reason
	case r.Run.Partial:
		return "ended early; let it finish"
	}
	return ""
}

// newlyBrokenRules returns the documented rules that only answers of the second run broke.
func newlyBrokenRules(a, b results.Run) (list []string) {
	for _, v := range b.Violations {
		known := func(was results.Violation) bool { return was.Rule == v.Rule && was.Count > 0 }
		if v.Count > 0 && !slices.ContainsFunc(a.Violations, known) {
			list = append(list, fmt.Sprintf("%s violated by %s, by none before", printable.Clean(v.Rule),
				printable.Quantity(v.Count, "answer")))
		}
	}
	return list
}

func newlyMissedThresholds(a, b results.Run) (list []string) {
	for _, t := range b.Thresholds {
		held := func(was threshold.Result) bool { return was.Expr == t.Expr && was.OK }
		if !t.OK && !t.Late && slices.ContainsFunc(a.Thresholds, held) {
			list = append(list,
				fmt.Sprintf("threshold %s: held before, missed now (%s)", printable.Clean(t.Expr),
					printable.Clean(t.Observed)))
		}
	}
	return list
}

// newlyFrequentErrors returns the kinds of bad answers that only the second run had, if their
// share of its requests exceeds a tenth of the tolerance. A late generator may be their cause.
func newlyFrequentErrors(a, b results.Run, tolerance float64) []string {
	var list []string
	for _, c := range judge.Classes() {
		before, after := a.Classes[c.String()].Count, b.Classes[c.String()].Count
		if c.IsBad() && a.Requests.Sent > 0 && before == 0 && b.Generator.Reliable &&
			float64(after) > float64(b.Requests.Sent)*tolerance/10 {
			list = append(list, fmt.Sprintf("%s in %s, none before",
				printable.Quantity(after, c.Noun()), printable.Quantity(b.Requests.Sent, "request")))
		}
	}
	return list
}

func (l *LoadComparison) regressions() []string {
	list := slices.Clone(l.Worse)
	for _, m := range l.Metrics {
		if m.Judged == VerdictRegression {
			list = append(list, fmt.Sprintf("%s %s instead of %s (%s, p %s)",
				m.Name, m.formatValue(m.After), m.formatValue(m.Before), m.formatChange(), m.formatP()))
		}
	}
	return list
}

func (l *LoadComparison) conclude() (Verdict, string) {
	better, judged := []string{}, 0
	for _, m := range l.Metrics {
		if m.Judged != "" {
			judged++
		}
		if m.Judged == VerdictImprovement {
			better = append(better, fmt.Sprintf("%s %s", m.Name, m.formatChange()))
		}
	}
	switch {
	case judged == 0:
		return VerdictInconclusive, "too few answers to judge any figure"
	case len(better) > 0:
		return VerdictImprovement, "better: " + joinFirstFew(better)
	}
	return VerdictSame, fmt.Sprintf("no figure changed beyond noise and the tolerance of %.4g%%",
		100*l.Tolerance)
}

// ignoredPlanKeys do not change the load or are compared separately.
var ignoredPlanKeys = []string{
	"schema", "name", "seed", "run_id", "shards", "shard", "slo", "abort_on", "fail_on_misblock",
	"timeout_ns",
}

const maxListedDifferences = 50

// planDifferences returns the keys by which two plans differ in load, and why their times cannot
// be compared. It skips keys that begin with one of ignored.
func planDifferences(
	a, b json.RawMessage, ignored ...string,
) (list []exactjson.KeyDifference, why []string) {
	text := func(s string) string { return printable.Clip(cmp.Or(s, "nothing"), 100) }
	for _, d := range exactjson.Differences(a, b) {
		top := d.Key[:strings.IndexAny(d.Key+".", ".[")]
		if slices.Contains(ignoredPlanKeys, top) || len(list) == maxListedDifferences ||
			strings.HasSuffix(d.Key, "].name") ||
			slices.ContainsFunc(ignored, func(key string) bool { return strings.HasPrefix(d.Key, key) }) {
			continue
		}
		d.Before, d.After = strings.Trim(d.Before, `"`), strings.Trim(d.After, `"`)
		list, why = append(list, d), append(why, text(d.Key)+" is "+text(d.Before)+" and "+text(d.After))
	}
	if len(why) > 0 {
		why = []string{
			"the plans send different loads: " + joinFirstFew(why) + "; compare runs of the same plan",
		}
	}
	return list, why
}
