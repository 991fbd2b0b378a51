package loadreport

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/judge"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/threshold"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

func violationsPart(run results.Run) view.Part {
	t := view.Table{Label: "Violated rules", Columns: view.Columns("Rule", "#Answers", "*Statement")}
	for _, v := range run.Violations[:min(len(run.Violations), maxRows)] {
		t.Add(view.Code(v.Rule), view.Cell{Text: printable.Number(v.Count), Tone: view.ToneBad},
			digest.RuleStatement(v.Rule))
	}
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

func thresholdsPart(list []threshold.Result) view.Part {
	t := view.Table{
		Label: "Thresholds", Columns: view.Columns("Threshold", "Verdict", "#Observed", "*Margin"),
	}
	for _, r := range list {
		verdict, gauge := view.Badge(view.ToneGood, "held"), gaugeOf(r)
		switch {
		case r.Observed == threshold.NoData:
			verdict = view.Badge(view.ToneUnsure, "open")
		case r.Late:
			verdict = view.Badge(view.ToneUnsure, "not judged")
		case !r.OK:
			verdict = view.Badge(view.ToneBad, "missed")
			if gauge != nil {
				gauge.Tone = view.ToneBad
			}
		}
		t.Add(view.Code(r.Expr), verdict, r.Describe(),
			view.Cell{Text: r.Margin(), Quiet: cmp.Or(r.Reason, r.Note), Gauge: gauge})
	}
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

const latencyTitle = "Rate and latency"

func latencyPart(run results.Run, data RunData, charts map[string]plot.Figure) view.Part {
	part := view.Part{Title: latencyTitle}
	if len(data.Points) > 0 {
		part.Blocks = append(part.Blocks, view.Block{Charts: []plot.Figure{
			charts["rate"], charts["distribution"],
			charts["response"], charts["service"],
		}})
	}
	t := latencyTable("Times of the whole run", "Time, whole run")
	t.Columns = append(t.Columns, view.Column{Name: "mean", Number: true})
	row := func(name, quiet string, times results.DurationStats) {
		t.Add(view.Cell{Text: name, Quiet: quiet}, latencyCells(times), formatMS(times.Mean))
	}
	row("response,", "from when it was due", run.Latency.Response)
	row("service,", "from when it was sent", run.Latency.Service)
	if f := run.Files; f != nil && f.Ready > 0 {
		row("file,", "until it can be fetched", f.TimeMS)
	}
	g := run.Generator
	row("send lag,", "how late it was sent",
		results.DurationStats{P50: g.LagP50MS, P99: g.LagP99MS, Max: g.LagMaxMS})
	part.Blocks = append(part.Blocks, view.Block{Table: &t})
	return part
}

func latencyTable(label, first string, more ...string) view.Table {
	names := append(append([]string{first}, more...), "#p50", "#p90", "#p99", "#p99.9", "#max")
	return view.Table{Label: label, Columns: view.Columns(names...)}
}

func latencyCells(t results.DurationStats) []view.Cell {
	return view.Cells(formatMS(t.P50), formatMS(t.P90), formatMS(t.P99), formatMS(t.P999),
		formatMS(t.Max))
}

func answersPart(run results.Run, data RunData, charts map[string]plot.Figure) view.Part {
	part := view.Part{Title: "Answers"}
	if len(data.Points) > 0 {
		part.Blocks = append(part.Blocks,
			view.Block{Charts: []plot.Figure{charts["answers"]}, Wide: true})
	}
	classes := latencyTable("Answers by class", "Class", "#Requests", "#Share")
	for _, class := range judge.Classes() {
		found, occurs := run.Classes[class.String()]
		if !occurs {
			continue
		}
		name := view.Cell{Text: underscoresToSpaces(class.String())}
		if class.IsBad() {
			name.Tone = view.ToneBad
		}
		classes.Add(name, printable.Number(found.Count),
			view.FormatShare(float64(found.Count)/float64(run.Requests.Sent)),
			latencyCells(found.Latency.Response))
	}
	part.Blocks = append(part.Blocks, view.Block{Table: &classes},
		view.Block{Note: "Response times by class.", In: view.FormPage})
	statuses := view.Table{Label: "Answers by status", Columns: view.Columns("Status", "#Answers",
		"#Share")}
	for _, status := range slices.Sorted(maps.Keys(run.Codes)) {
		n := run.Codes[status]
		statuses.Add(strings.TrimSpace(fmt.Sprint(status, " ", http.StatusText(status))),
			printable.Number(n), view.FormatShare(float64(n)/float64(run.Requests.Sent)))
	}
	if len(run.Codes) > 0 {
		text := fmt.Sprintf("Bodies: %s bytes in, %s bytes out, %s and %s on average.",
			printable.Number(run.Bytes.In), printable.Number(run.Bytes.Out),
			printable.Number(run.Bytes.In/run.Requests.Sent),
			printable.Number(run.Bytes.Out/run.Requests.Sent))
		part.Blocks = append(part.Blocks, view.Block{Table: &statuses}, view.Block{Note: text})
	}
	return part
}

func stagesPart(run results.Run) view.Part {
	t := latencyTable("Stages", "Stage", "#From", "#To", "#Target", "#Achieved")
	t.Columns = append(t.Columns, view.Column{Name: "lag p99", Number: true})
	for _, s := range run.Stages[:min(len(run.Stages), maxRows)] {
		t.Add(strings.TrimSpace(fmt.Sprint(s.Number, " ", s.Name)),
			plot.FormatElapsed(float64(s.StartMS)/1000), plot.FormatElapsed(float64(s.EndMS)/1000),
			formatRate(s.Rate.Target), formatRate(s.Rate.Achieved), latencyCells(s.Latency.Response),
			formatMS(s.LagP99MS))
	}
	t.More = len(run.Stages) - len(t.Rows)
	in := view.FormPage
	if len(run.Stages) > 1 {
		in = 0
	}
	return view.Part{Title: t.Label, In: in, Blocks: []view.Block{{Table: &t}}}
}

func shardsPart(run results.Run) view.Part {
	t := view.Table{Label: "Shards", Columns: view.Columns("Shard", "Record", "#Sent",
		"#Scheduled", "#Lag p99", "#CPU", "*Why")}
	if run.Merge == nil {
		return view.Part{}
	}
	for _, p := range run.Merge.Shards[:min(len(run.Merge.Shards), maxRows)] {
		state := view.Badge(view.ToneGood, "complete")
		sent, of := printable.Number(p.Sent), printable.Number(p.Scheduled)
		if p.Reason != "" {
			state = view.Badge(view.ToneBad, "incomplete")
		}
		if p.Scheduled == 0 { // not recorded
			sent, of = "?", "?"
		}
		t.Add(fmt.Sprintf("shard %d", p.Shard), state, sent, of, formatShortMS(p.Generator.LagP99MS),
			view.FormatShare(p.Generator.CPUPeak), p.Reason)
	}
	t.More = len(run.Merge.Shards) - len(t.Rows)
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

func filesPart(run results.Run, charts map[string]plot.Figure) view.Part {
	part := view.Part{Title: "Time to file"}
	f := run.Files
	if f == nil || f.Sampled == 0 {
		part.Blocks = []view.Block{{
			In: view.FormPage,
			Note: "No file was followed: track_files in the plan sets the share of accepted exports " +
				"whose file is followed.",
		}}
		return part
	}
	text := fmt.Sprintf("%s followed: %s could be fetched", printable.Quantity(f.Sampled, "file"),
		printable.Number(f.Ready))
	for _, more := range []struct {
		n    int64
		what string
	}{{f.Failed, "failed"}, {f.Pending, "still awaited at the end"}, {f.Dropped, "not followed"}} {
		if more.n > 0 {
			text += ", " + printable.Number(more.n) + " " + more.what
		}
	}
	if f.Detail != "" {
		text += ". First failure: " + f.Detail
	}
	part.Blocks = []view.Block{{Note: text}, {Charts: []plot.Figure{charts["files"]}, Wide: true}}
	return part
}

func exchangesPart(data RunData) view.Part {
	part := view.Part{Title: "Kept exchanges", In: view.FormPage}
	for _, x := range data.Exchanges {
		title := fmt.Sprintf("request %d", x.K)
		if x.RepeatOf != nil {
			title += fmt.Sprintf(", a repeat of %d", *x.RepeatOf)
		}
		if x.Identity != "" {
			title += " as " + x.Identity
		}
		if x.Rule != "" {
			title += ": " + x.Rule
		}
		line := x.Method + " " + x.URL
		shown := view.Exchange{
			Role: underscoresToSpaces(x.Class), Status: x.Detail, Class: string(view.ToneBad),
			Title: title + ", " + formatMS(x.ServiceMS), Line: line,
			Sides: []view.Side{newSide("Request", line, x.RequestHeader, x.RequestBody)},
		}
		if x.Status > 0 {
			shown.Status = fmt.Sprint(x.Status)
			shown.Sides = append(shown.Sides,
				newSide("Answer", shown.Status, x.ResponseHeader, x.ResponseBody))
		}
		part.Blocks = append(part.Blocks, view.Block{Exchanges: []view.Exchange{shown}})
	}
	if data.More > 0 {
		part.Blocks = append(part.Blocks,
			view.Block{Note: fmt.Sprintf("%d more are in exchanges.ndjson.", data.More)})
	}
	return part
}

func newSide(name, line string, head []results.Header, body string) view.Side {
	s := view.Side{Name: name, Line: line}
	for _, h := range head {
		s.Head = append(s.Head, view.Fact{Name: h.Name + ":", Value: h.Value})
	}
	if body != "" {
		s.Body = []view.Piece{{Text: body}}
	}
	return s
}

// gaugeOf returns a gauge of the observed value and its limit; nil: they cannot be compared.
func gaugeOf(r threshold.Result) *view.Gauge {
	excess, ok := r.Excess()
	ratio := 1 + excess
	if !ok || ratio < 0 {
		return nil
	}
	whole := 1.25 * max(1, ratio)
	return &view.Gauge{
		Bar: view.RoundTo2Decimals(max(1, 100*ratio/whole)), Tick: view.RoundTo2Decimals(100 / whole),
	}
}
