package loadpage

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/reports/plot"
)

// mostRows bounds the rows of a table: a plan may have more stages than anybody reads.
const mostRows = 200

// view is what the template shows.
type view struct {
	Run      results.Run
	Data     Data
	Headline string
	Tone     string // ok, bad or unsure
	Took     string
	Rests    []string // what the verdict rests on
	Counts   []count
	Stages   []results.Stage
	More     int // stages that are not shown
	Health   []check
	Shards   []results.Part
	Violated []results.Violation
	Plots    figures
	frame.Sealed
}

// gauge shows an observed value beside its limit, both as shares of its width in percent.
type gauge struct{ Bar, Tick float64 }

// count is the answers of a class, with their piece of the bar.
type count struct {
	Name  string
	N     int64
	Share string
	Bad   bool
	Times results.Latency
	Tone  string
	X, W  float64
}

// parts lists how many requests there were of each class.
func parts(classes map[string]int64) string {
	var list []string
	for _, c := range judge.Classes() {
		if n := classes[c.String()]; n > 0 {
			list = append(list, thousands(n)+" "+word(c.String()))
		}
	}
	return strings.Join(list, ", ")
}

// check is one thing that the generator's health depends on.
type check struct {
	Name, Seen, Limit string
	OK                bool
}

func newView(run results.Run, data Data) (view, error) {
	if run.Requests.Sent == 0 {
		data.Seconds = nil // what was recorded is that nothing was sent
	}
	v := view{
		Run: run, Data: data, Health: health(run), Stages: run.Stages,
		Violated: run.Violations[:min(len(run.Violations), mostRows)],
	}
	v.Headline, v.Tone = headline(run.Verdict, v.Interrupted())
	if took := run.Run.FinishedAt.Sub(run.Run.StartedAt); took > 0 {
		v.Took = spoken(took)
	}
	if len(v.Stages) > mostRows {
		v.Stages, v.More = v.Stages[:mostRows], len(v.Stages)-mostRows
	}
	if run.Merge != nil {
		v.Shards = run.Merge.Shards[:min(len(run.Merge.Shards), mostRows)]
	}
	x := 0.0
	for _, class := range judge.Classes() {
		found, occurs := run.Classes[class.String()]
		if !occurs {
			continue
		}
		share := 100 * float64(found.Count) / float64(max(run.Requests.Sent, 1))
		tone := "pass"
		if class.Bad() {
			tone = "fail"
		} else if class == judge.Blocked {
			tone = "waived"
		}
		v.Counts = append(v.Counts, count{
			Name: word(class.String()), N: found.Count, Bad: class.Bad(), Times: found.Latency,
			Share: fmt.Sprintf("%.3g %%", share), Tone: tone, X: round(x), W: round(share * 10),
		})
		x += share * 10
	}
	v.Rests = v.rests()
	v.Plots = newFigures(run, data)
	var err error
	v.Sealed, err = plot.Seal(v.Plots.list(), styles, frame.Copying)
	return v, err
}

// Interrupted reports whether a run did not get to its end by itself. What a merged run lacks is shown with its shards.
func (v view) Interrupted() bool {
	return v.Run.Run.Partial && v.Run.Run.Aborted == "" && !v.Run.Run.Merged
}

// headline is the verdict in capitals, as the terminal shows it, and its tone.
func headline(v results.Verdict, interrupted bool) (text, tone string) {
	text = cmp.Or(strings.ToUpper(string(v)), "NO VERDICT")
	if interrupted {
		text += " (interrupted)"
	}
	return text, digest.Tone(string(v))
}

// rests is what the verdict rests on, in short sentences.
func (v view) rests() []string {
	run := v.Run
	nothing := run.Requests.Sent == 0
	sent := fmt.Sprintf("%s of %s requests sent", thousands(run.Requests.Sent), thousands(run.Requests.Scheduled))
	if v.Took != "" {
		sent += " in " + v.Took
	}
	if run.Meant() > 0 {
		sent += fmt.Sprintf(": target %s, achieved %s", plot.PerSecond.Say(run.Meant()),
			plot.PerSecond.Say(run.Rate.Achieved))
	}
	list := []string{sent}
	for _, remark := range run.Remarks() {
		list = append(list, strings.ToUpper(remark.Text[:1])+remark.Text[1:])
	}
	held, closest, least := 0, "", math.Inf(1)
	for _, t := range run.Thresholds {
		if !t.OK {
			continue
		}
		held++
		if strings.HasPrefix(t.Expr, "achieved") {
			continue // no more than all can be sent: its margin says little
		}
		if off, ok := t.Off(); ok && math.Abs(off) < least {
			least, closest = math.Abs(off), t.Expr+", "+t.Margin()
		}
	}
	switch n := len(run.Thresholds); {
	case n == 0:
		list = append(list, "No threshold was set: only violated rules could fail the run")
	case n == 1 && held == 0:
		list = append(list, "The threshold did not hold: "+run.Thresholds[0].Expr)
	case n == 1:
		list = append(list, "The threshold held: "+cmp.Or(closest, run.Thresholds[0].Expr))
	case closest != "":
		list = append(list, fmt.Sprintf("%d of %d thresholds held; closest to its limit: %s", held, n, closest))
	default:
		list = append(list, fmt.Sprintf("%d of %d thresholds held", held, n))
	}
	switch {
	case nothing:
		list = []string{fmt.Sprintf("None of %s requests sent", thousands(run.Requests.Scheduled))}
	case run.Generator.Reliable:
		list = append(list, fmt.Sprintf("The figures describe the deployment: the generator sent 99 %% of the "+
			"requests at most %s late and used at most %s of its CPUs", orNone(run.Generator.LagP99MS),
			share(run.Generator.CPUPeak)))
	case run.Generator.Reason != "":
		list = append(list, "The figures describe the load generator, not the deployment: "+run.Generator.Reason)
	}
	if m := run.Merge; m != nil {
		list = append(list, fmt.Sprintf("Merged from %s; the outcome of %s of the schedule is known",
			digest.Quantity(len(m.Shards), "shard"), share(m.Share)))
	}
	if run.Run.File == "" && !nothing {
		list = append(list, "The embedded gateway answered; it shares the CPUs with the generator")
	}
	if n := run.Requests.Canceled; n > 0 {
		list = append(list, thousands(n)+" under way when the run was stopped: their outcome is not known")
	}
	if n := run.Requests.Unknown; n > 0 {
		list = append(list, thousands(n)+" sent without a recorded outcome")
	}
	return list
}

// health lists what the generator's own state is judged by.
func health(run results.Run) []check {
	g := run.Generator
	if run.Requests.Sent == 0 {
		return nil
	}
	list := []check{
		{"Send lag, p99", orNone(g.LagP99MS), "at most " + plot.Milliseconds.Say(g.LagLimit), g.LagP99MS <= g.LagLimit},
		{
			"CPU", fmt.Sprintf("%s of %d CPUs on average, %s in the busiest second",
				share(g.CPU), g.CPUs, share(g.CPUPeak)), "not above " + share(results.Saturated) + " for long",
			g.Reliable || g.CPUPeak <= results.Saturated,
		},
	}
	for _, f := range []struct {
		kind judge.Failure
		name string
	}{{judge.NoFiles, "File descriptors"}, {judge.NoPorts, "Local ports"}} {
		seen, n := "never short of them", run.Failures[f.kind.String()]
		if n > 0 {
			seen = thousands(n) + " requests could not be sent for lack of them"
		}
		list = append(list, check{f.name, seen, "never short", n == 0})
	}
	for _, words := range run.Lacked() {
		list = append(list, check{"CPU time", words, "never short for a tenth of the run", g.Reliable})
	}
	if g.Clamped > 0 {
		list = append(list, check{"Clock", thousands(g.Clamped) +
			" times were below 0 or above 10 min and were counted as the nearest of these", "none", false})
	}
	return list
}

// gaugeOf draws what was observed beside its limit; nil where the two cannot be compared.
func gaugeOf(r threshold.Result) *gauge {
	off, ok := r.Off()
	ratio := 1 + off/100
	if !ok || ratio < 0 {
		return nil
	}
	whole := 1.25 * max(1, ratio)
	return &gauge{Bar: round(max(1, 100*ratio/whole)), Tick: round(100 / whole)}
}

// spoken writes how long something took, without digits that nobody needs.
func spoken(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

func share(v float64) string { return fmt.Sprintf("%.3g %%", 100*v) }

// orNone writes a time, or 0 where it is too short to be measured.
func orNone(ms float64) string {
	if ms <= 0 {
		return "0 ms"
	}
	return plot.Milliseconds.Say(ms)
}

func word(s string) string { return strings.ReplaceAll(s, "_", " ") }
