// Package loadreport builds the reports of recorded load runs and of searches for the capacity.
package loadreport

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

const embeddedNote = "The embedded gateway answered; it shares the CPUs with the generator"

// maxRows limits the rows of a table, because a plan may have very many stages.
const maxRows = 200

// ReadReport returns the report of a load run with the plots of its folder. The interval records
// are enough, so a killed run has a report too.
func ReadReport(dir string, run results.Run) view.Report {
	data, missing := ReadRunData(dir)
	if missing != nil {
		run.Notes = append(run.Notes[:len(run.Notes):len(run.Notes)],
			"some plots lack figures: "+missing.Error())
	}
	return RunReport(run, data)
}

// RunReport returns the report of a load run.
func RunReport(run results.Run, data RunData) view.Report {
	sent := run.Requests.Sent > 0
	if !sent {
		data.Points = nil
	}
	// A merged run was not interrupted itself: its shards name what is missing.
	interrupted := run.Run.Partial && run.Run.Aborted == "" && !run.Run.Merged
	headline, tone := verdictText(run.Verdict, interrupted)
	r := view.Report{
		Kind: "Load on", About: run.Run.Deployment, Address: run.Run.BaseURL,
		Headline: headline, Tone: tone, Why: []string{run.Reason}, Rests: verdictBasis(run),
	}
	if run.Run.Aborted != "" {
		r.Rests = append([]string{"An abort rule ended the run early: " + run.Run.Aborted}, r.Rests...)
	} else if interrupted {
		r.Rests = append([]string{"The run was interrupted before its end"}, r.Rests...)
	}
	if sent {
		times := run.Latency.Response
		r.Tiles = []view.Tile{
			{Value: formatRate(run.Rate.Achieved), Text: "of " + formatRate(run.Rate.Target)},
			{Value: formatMS(times.P50), Text: "p50"},
			{Value: formatMS(times.P99), Text: "p99"},
			{Value: formatMS(times.Max), Text: "max"},
		}
	}
	x := 0.0
	for _, class := range judge.Classes() {
		found, occurs := run.Classes[class.String()]
		if !occurs {
			continue
		}
		width, tone := 1000*float64(found.Count)/float64(max(run.Requests.Sent, 1)), view.ToneGood
		tile := view.Tile{Value: printable.Number(found.Count), Text: underscoresToSpaces(class.String())}
		if class.IsBad() {
			tone, tile.Tone = view.ToneBad, view.ToneBad
		} else if class == judge.ClassBlocked {
			tone = view.ToneCalm
		}
		r.Bar = append(r.Bar,
			view.Slice{Tone: tone, X: view.RoundTo2Decimals(x), W: view.RoundTo2Decimals(width)})
		r.Tiles = append(r.Tiles, tile)
		x += width
	}
	charts := Charts(run, data)
	r.Parts = []view.Part{violationsPart(run), thresholdsPart(run.Thresholds)}
	if sent {
		r.Parts = append(r.Parts, latencyPart(run, data, charts), answersPart(run, data, charts),
			stagesPart(run), generatorPart(run, data, charts), shardsPart(run), filesPart(run, charts))
	} else {
		nothing := view.Block{Note: "There is nothing to draw: no request was sent.", In: view.FormPage}
		r.Parts = append(r.Parts, view.Part{Title: latencyTitle, Blocks: []view.Block{nothing}},
			stagesPart(run), shardsPart(run))
	}
	r.Parts = append(r.Parts, exchangesPart(data), aboutPart("run", run.Run))
	return r
}

func verdictText(v results.Verdict, interrupted bool) (text string, tone view.Tone) {
	text = cmp.Or(strings.ToUpper(string(v)), "NO VERDICT")
	if interrupted {
		text += " (interrupted)"
	}
	return text, digest.VerdictTone(string(v))
}

// verdictBasis returns the basis of the verdict in short sentences.
func verdictBasis(run results.Run) []string {
	list := []string{
		fmt.Sprintf("None of %s requests sent", printable.Number(run.Requests.Scheduled)),
	}
	if run.Requests.Sent > 0 {
		list = sentBasis(run)
	}
	if m := run.Merge; m != nil {
		list = append(list, fmt.Sprintf("Merged from %s; the outcome of %s of the schedule is known",
			printable.Quantity(len(m.Shards), "shard"), view.FormatShare(m.Share)))
	}
	if run.Run.File == "" && run.Requests.Sent > 0 {
		list = append(list, embeddedNote)
	}
	if n := run.Requests.Canceled; n > 0 {
		list = append(list, printable.Number(n)+" not answered when the run was stopped")
	}
	if n := run.Requests.Unknown; n > 0 {
		list = append(list, printable.Number(n)+" sent, outcome not recorded")
	}
	return append(list, noteTexts(run.Notes)...)
}

// noteTexts returns notes as they stand beside a verdict.
func noteTexts(notes []string) (list []string) {
	for _, note := range notes[:min(len(notes), maxRows)] {
		list = append(list, "Note: "+note)
	}
	return list
}

// sentBasis returns what was sent, what went wrong, and what the figures describe.
func sentBasis(run results.Run) []string {
	sent := fmt.Sprintf("%s of %s requests sent", printable.Number(run.Requests.Sent),
		printable.Number(run.Requests.Scheduled))
	if rate := run.Rate.Achieved; rate > 0 {
		took := float64(run.Requests.Sent) / rate * float64(time.Second)
		sent += " in " + view.FormatDuration(time.Duration(took))
	}
	if run.Rate.Target > 0 {
		sent += fmt.Sprintf(": target %s, achieved %s", formatRate(run.Rate.Target),
			formatRate(run.Rate.Achieved))
	}
	list := []string{sent}
	for _, words := range run.DescribeStalls() {
		list = append(list, strings.ToUpper(words[:1])+words[1:])
	}
	if words := run.DescribeErrors(); words != "" {
		list = append(list, "Errors: "+words)
	}
	held := len(slices.DeleteFunc(slices.Clone(run.Thresholds),
		func(t threshold.Result) bool { return !t.OK }))
	if n := len(run.Thresholds); n == 0 {
		list = append(list, "No threshold was set: only a violated rule could fail the run")
	} else {
		list = append(list, fmt.Sprintf("%d of %s held", held, printable.Quantity(n, "threshold")))
	}
	if bound := run.Generator.Bound; bound != "" {
		list = append(list, "Our limit "+bound+"; "+run.Generator.Next)
	}
	switch {
	case run.Generator.Reliable:
		list = append(list, fmt.Sprintf("The figures describe the deployment: send lag p99 %s, CPU of "+
			"the generator at most %s", formatShortMS(run.Generator.LagP99MS),
			view.FormatShare(run.Generator.CPUPeak)))
	case run.Generator.Reason != "":
		list = append(list, unreliableText(run)+": "+run.Generator.Reason)
	}
	return list
}

// aboutPart returns how a run or a search was made and how to repeat it.
func aboutPart(what string, i results.RunInfo, more ...view.Fact) view.Part {
	facts := append([]view.Fact{
		{Name: "Run", Value: i.ID},
		{Name: "Started", Value: view.FormatUTC(i.StartedAt)},
		{Name: "Took", Value: view.FormatSpan(i.StartedAt, i.FinishedAt)},
		{Name: "Seed", Value: fmt.Sprint(i.Seed)},
		{Name: "Engine", Value: i.Engine},
		{Name: "Deployment file", Value: i.File},
		{Name: "gateassay", Value: i.Version},
		{Name: "Plan hash", Value: i.PlanHash},
	}, more...)
	return view.Part{Title: "The " + what, Blocks: []view.Block{
		{Facts: view.WithValues(facts), In: view.FormPage},
		{Copy: view.Command{Label: "Repeat the " + what, Text: i.Command}, In: view.FormPage},
	}}
}

func formatMS(v float64) string   { return plot.UnitMilliseconds.FormatValue(v) }
func formatRate(v float64) string { return plot.UnitPerSecond.FormatValue(v) }

// formatShortMS formats a time that may be too short to be measured.
func formatShortMS(v float64) string {
	if v <= 0 {
		return "0 ms"
	}
	return formatMS(v)
}

func underscoresToSpaces(s string) string { return strings.ReplaceAll(s, "_", " ") }

func milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }
