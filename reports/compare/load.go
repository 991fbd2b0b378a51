package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	load "github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/reports/digest"
)

// Load is how two load runs differ.
type Load struct {
	Tolerance float64  `json:"tolerance"`
	Seed      uint64   `json:"seed"`
	Resamples int      `json:"resamples"`
	Blocks    [2]Block `json:"blocks"` // of both runs: how they were resampled
	Metrics   []Metric `json:"metrics"`
	// Violations are documented rules that answers broke, with how many did; the runs need not be alike for these.
	Violations []Violations `json:"violations,omitempty"`
	Curves     [2]Curve     `json:"curves"`
}

// Block says how a run was resampled.
type Block struct {
	Pieces  int     `json:"pieces"` // intervals, or joined ones
	Length  int     `json:"length"` // pieces that were kept together
	Seconds float64 `json:"seconds"`
}

// Metric is one figure of both runs.
type Metric struct {
	Name   string   `json:"name"`
	Unit   string   `json:"unit"` // ms | /s | share
	Before float64  `json:"before"`
	After  float64  `json:"after"`
	Change float64  `json:"change"`          // share of before; for a share the difference
	Noise  *float64 `json:"noise,omitempty"` // how large a change resampling explains, in the same measure; absent: not judged
	Judged Verdict  `json:"judged,omitempty"`
	Reason string   `json:"reason,omitempty"`
}

// Violations of a rule in both runs.
type Violations struct {
	Rule   string  `json:"rule"`
	Before int64   `json:"before"`
	After  int64   `json:"after"`
	Judged Verdict `json:"judged"`
}

// Curve is one run over time, for plots; and its distribution of response times.
type Curve struct {
	Seconds   []float64  `json:"seconds"` // end of each piece
	Rate      []float64  `json:"rate"`
	P50       []*float64 `json:"response_p50_ms"` // null: nothing was answered
	P99       []*float64 `json:"response_p99_ms"`
	Quantiles []float64  `json:"quantiles_ms"` // of response times, at the percentiles of the scale
}

// scale are the percentiles of Curve.Quantiles.
var scale = []float64{1, 5, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.75, 99.9}

func loads(before, after Subject, o Options) Result {
	a, b := before.Load, after.Load
	r := Result{Schema: Schema, Kind: OfLoad, Before: loadSide(before.Path, a), After: loadSide(after.Path, b)}
	l := &Load{Tolerance: o.Tolerance, Seed: o.Seed, Resamples: resamples, Metrics: plain(a, b), Violations: violations(a, b)}
	r.Load = l
	var why []string
	series := [2][]piece{}
	for i, s := range []Subject{before, after} {
		which := []string{"the first run", "the second run"}[i]
		pieces, err := readSeries(s.Dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			why = append(why, which+" has no "+load.IntervalsName+" to resample")
		case err != nil:
			why = append(why, which+" cannot be resampled: "+err.Error())
		case len(pieces) < fewest:
			why = append(why, fmt.Sprintf("%s recorded %s; its noise can be told from %d", which, digest.Quantity(len(pieces), "interval"), fewest))
		}
		series[i] = pieces
		l.Curves[i] = curve(pieces)
		switch run := s.Load; {
		case run.Run.Partial:
			why = append(why, which+" did not send its schedule to its end")
		case !run.Generator.Reliable:
			why = append(why, which+" describes its generator: "+run.Generator.Reason)
		}
	}
	if note := otherPlan(a, b); note != "" {
		why = append(why, note)
	}
	if len(why) == 0 {
		l.judge(series, o)
	}
	if note := l.blind(); note != "" {
		r.Notes = append(r.Notes, note)
	}
	r.Notes = append(r.Notes, otherDeployment(r.Before, r.After)...)
	r.Notes = append(r.Notes, thresholds(a, b)...)
	r.Verdict, r.Reason = l.conclude(why)
	return r
}

func loadSide(path string, run load.Run) Side {
	return Side{
		Path: path, ID: run.Run.ID, Deployment: run.Run.Deployment, BaseURL: run.Run.BaseURL, StartedAt: run.Run.StartedAt,
		Verdict: string(run.Verdict), Reason: run.Reason, Partial: run.Run.Partial,
	}
}

// otherPlan says why the load of two runs is not the same: times under another load are no regression.
func otherPlan(a, b load.Run) string {
	if ra, rb := a.Rate.Target, b.Rate.Target; math.Abs(ra-rb) > 0.01*max(ra, rb) {
		return fmt.Sprintf("the plans differ: %.5g/s and %.5g/s meant", ra, rb)
	}
	if len(a.Stages) != len(b.Stages) {
		return fmt.Sprintf("the plans differ: %s and %s", digest.Quantity(len(a.Stages), "stage"), digest.Quantity(len(b.Stages), "stage"))
	}
	for i := range a.Stages {
		if ra, rb := a.Stages[i].Rate.Target, b.Stages[i].Rate.Target; math.Abs(ra-rb) > 0.01*max(ra, rb) {
			return fmt.Sprintf("the plans differ: %.5g/s and %.5g/s meant in stage %d", ra, rb, i+1)
		}
	}
	return ""
}

// plain are the figures of both runs side by side, as recorded. The first ten are in the order of figures.vector.
func plain(a, b load.Run) []Metric {
	var list []Metric
	add := func(name, unit string, x, y float64) {
		m := Metric{Name: name, Unit: unit, Before: x, After: y, Change: y - x}
		if unit != "share" {
			if m.Change = 0; x > 0 {
				m.Change = y/x - 1
			}
		}
		list = append(list, m)
	}
	rest := []func(){}
	for _, t := range []struct {
		name string
		x, y load.Times
	}{{"service", a.Latency.Service, b.Latency.Service}, {"response", a.Latency.Response, b.Latency.Response}} {
		add(t.name+" p50", "ms", t.x.P50, t.y.P50)
		add(t.name+" p90", "ms", t.x.P90, t.y.P90)
		add(t.name+" p95", "ms", t.x.P95, t.y.P95)
		add(t.name+" p99", "ms", t.x.P99, t.y.P99)
		rest = append(rest, func() {
			add(t.name+" p99.9", "ms", t.x.P999, t.y.P999)
			add(t.name+" max", "ms", t.x.Max, t.y.Max)
			add(t.name+" mean", "ms", t.x.Mean, t.y.Mean)
		})
	}
	add("rate achieved", "/s", a.Rate.Achieved, b.Rate.Achieved)
	add("bad answers", "share", badShare(a.Requests), badShare(b.Requests))
	rest = append(rest, func() { add("rate meant", "/s", a.Rate.Target, b.Rate.Target) })
	for _, f := range rest {
		f()
	}
	return list
}

func badShare(r load.Requests) float64 {
	n := r.Accepted + r.Blocked + r.FalseBlocks + r.MissedBlocks + r.Throttled + r.ClientErrors + r.ServerErrors + r.TransportErrors + r.Timeouts + r.Malformed
	return ratio(n-r.Accepted-r.Blocked, n)
}

// judge tells differences from noise. A change of a time or the rate counts beyond the tolerance, one of the share of bad
// answers beyond a tenth of it: 5 % more time is little, 5 % of all answers is not.
func (l *Load) judge(series [2][]piece, o Options) {
	var f [2]figures
	var n [2]noise
	for i := range series {
		f[i], n[i] = measure(series[i], o.Seed)
		l.Blocks[i] = Block{Pieces: len(series[i]), Length: n[i].block, Seconds: series[i][len(series[i])-1].to}
	}
	was, is := f[0].vector(), f[1].vector()
	var answers [2]int64
	for i := range series {
		for _, p := range series[i] {
			answers[i] += p.answered
		}
	}
	for i := range was {
		m := &l.Metrics[i]
		least := int64(1)
		if i < 8 {
			least = int64(math.Ceil(10 / (1 - points[i%4]/100)))
		}
		if few := min(answers[0], answers[1]); few < least {
			m.Reason = fmt.Sprintf("%s are too few; this percentile needs %d", digest.Quantity(int(few), "answer"), least)
			continue
		}
		change, explained, limit := is[i]-was[i], spreadOf(n[0], n[1], i), math.Log1p(o.Tolerance)
		noise := math.Expm1(min(explained, 20)) // beyond that it is no number that anyone reads
		worse := change > 0
		switch m.Unit {
		case "share":
			limit, noise = o.Tolerance/10, explained
		case "/s":
			worse = change < 0
			limit = -math.Log1p(-min(o.Tolerance, 0.99))
		case "ms":
			if !worse {
				limit = -math.Log1p(-min(o.Tolerance, 0.99))
			}
		}
		m.Noise = &noise
		size := math.Abs(change)
		switch {
		case size <= explained:
			m.Judged, m.Reason = Same, "within noise"
		case size <= limit:
			m.Judged, m.Reason = Same, "within the tolerance"
		case worse:
			m.Judged, m.Reason = Regression, "worse by more than noise explains"
		default:
			m.Judged, m.Reason = Improvement, "better by more than noise explains"
		}
	}
}

func violations(a, b load.Run) []Violations {
	at := map[string]int{}
	var list []Violations
	find := func(rule string) *Violations {
		i, known := at[rule]
		if !known {
			i = len(list)
			at[rule] = i
			list = append(list, Violations{Rule: rule, Judged: Same})
		}
		return &list[i]
	}
	for _, v := range a.Violations {
		find(v.Rule).Before += v.Count
	}
	for _, v := range b.Violations {
		find(v.Rule).After += v.Count
	}
	for i := range list {
		switch v := &list[i]; {
		case v.Before == 0 && v.After > 0:
			v.Judged = Regression
		case v.Before > 0 && v.After == 0:
			v.Judged = Improvement
		}
	}
	return list
}

// thresholds says which thresholds of both runs changed sides. They judge one run and know no noise, so that is a note.
func thresholds(a, b load.Run) []string {
	held := map[string]bool{}
	for _, t := range a.Thresholds {
		held[t.Expr] = t.OK
	}
	var notes []string
	for _, t := range b.Thresholds {
		if was, known := held[t.Expr]; known && was != t.OK {
			word := map[bool]string{true: "held", false: "missed"}
			notes = append(notes, fmt.Sprintf("threshold %s: %s before, %s now (%s)", digest.Clean(t.Expr), word[was], word[t.OK], digest.Clean(t.Observed)))
		}
	}
	return notes
}

// blind says where noise hides changes of the size that the tolerance asks about.
func (l *Load) blind() string {
	var list []string
	for _, m := range l.Metrics {
		if m.Unit != "share" && m.Noise != nil && *m.Noise > l.Tolerance && m.Judged == Same {
			list = append(list, m.Name+" "+m.noise())
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("noise is larger than the tolerance of %.4g %% and can hide a change: %s; longer runs show smaller changes", 100*l.Tolerance, strings.Join(list, ", "))
}

func (l *Load) regressions() []string {
	var list []string
	for _, v := range l.Violations {
		if v.Judged == Regression {
			list = append(list, fmt.Sprintf("%s violated by %s, by none before", digest.Clean(v.Rule), digest.Quantity(int(v.After), "answer")))
		}
	}
	for _, m := range l.Metrics {
		if m.Judged == Regression {
			list = append(list, fmt.Sprintf("%s %s instead of %s (%s; noise explains %s)", m.Name, m.value(m.After), m.value(m.Before), m.change(), m.noise()))
		}
	}
	return list
}

func (l *Load) conclude(why []string) (Verdict, string) {
	worse := l.regressions()
	if len(worse) > 0 {
		return Regression, strings.Join(worse, "; ")
	}
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
	case len(why) > 0:
		return Inconclusive, strings.Join(why, "; ")
	case judged == 0:
		return Inconclusive, "too few answers to judge any figure"
	case len(better) > 0:
		return Improvement, "better: " + strings.Join(better, ", ")
	}
	return Same, fmt.Sprintf("no figure changed by more than %.4g %% and noise", 100*l.Tolerance)
}

func curve(pieces []piece) Curve {
	c := Curve{Seconds: []float64{}, Rate: []float64{}, P50: []*float64{}, P99: []*float64{}, Quantiles: []float64{}}
	all := spread{}
	for _, p := range pieces {
		c.Seconds = append(c.Seconds, p.to)
		c.Rate = append(c.Rate, float64(p.sent)/(p.to-p.from))
		for q, to := range map[float64]*[]*float64{50: &c.P50, 99: &c.P99} {
			if ms, ok := p.times[1].quantile(q); ok {
				*to = append(*to, &ms)
			} else {
				*to = append(*to, nil)
			}
		}
		for b, n := range p.times[1] {
			all[b] += n
		}
	}
	for _, q := range scale {
		if ms, ok := all.quantile(q); ok {
			c.Quantiles = append(c.Quantiles, ms)
		}
	}
	return c
}
