// Package loadreport says what recorded load runs and searches for the capacity found: on a page, as text and as
// Markdown.
package loadreport

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
	"github.com/gateassay/gateassay/reports/plot"
	"github.com/gateassay/gateassay/reports/view"
)

// mostRows bounds the rows of a table: a plan may have more stages than anybody reads.
const mostRows = 200

// Opened is the report of a recorded load run with what its folder holds beside run.json, also of a run that was
// killed: what its interval records hold is enough.
func Opened(dir string, run results.Run) view.Report {
	data, missing := Read(dir)
	if missing != nil {
		run.Notes = append(run.Notes, "some plots lack figures: "+missing.Error())
	}
	return Run(run, data)
}

// Run is the report of a load run.
func Run(run results.Run, data Data) view.Report {
	sent := run.Requests.Sent > 0
	if !sent {
		data.Seconds = nil // what was recorded is that nothing was sent
	}
	interrupted := run.Run.Partial && run.Run.Aborted == "" && !run.Run.Merged // what a merged run lacks is with its shards
	headline, tone := verdict(run.Verdict, interrupted)
	r := view.Report{
		Kind: "Load on", About: run.Run.Deployment, Address: run.Run.BaseURL, Headline: headline, Tone: tone,
		Why: []string{run.Reason}, Rests: rests(run),
	}
	if run.Run.Aborted != "" {
		r.Rests = append([]string{"An abort rule ended the run early: " + run.Run.Aborted}, r.Rests...)
	} else if interrupted {
		r.Rests = append([]string{"The run was interrupted before the whole schedule was sent"}, r.Rests...)
	}
	if sent {
		times := run.Latency.Response
		r.Tiles = []view.Tile{
			{Value: rate(run.Rate.Achieved), Text: "of " + rate(run.Meant())},
			{Value: ms(times.P50), Text: "p50"},
			{Value: ms(times.P99), Text: "p99"},
			{Value: ms(times.Max), Text: "max"},
		}
	}
	x := 0.0
	for _, class := range judge.Classes() {
		found, occurs := run.Classes[class.String()]
		if !occurs {
			continue
		}
		width, tone := 1000*float64(found.Count)/float64(max(run.Requests.Sent, 1)), view.Good
		tile := view.Tile{Value: number(found.Count), Text: word(class.String())}
		if class.Bad() {
			tone, tile.Tone = view.Bad, view.Bad
		} else if class == judge.Blocked {
			tone = view.Calm
		}
		r.Bar, r.Tiles = append(r.Bar, view.Slice{Tone: tone, X: round(x), W: round(width)}), append(r.Tiles, tile)
		x += width
	}
	charts := newFigures(run, data)
	r.Parts = []view.Part{
		violations(run), thresholds(run.Thresholds), latency(run, data, charts), answered(run, data, charts), stages(run),
		generator(run, data, charts), shards(run), files(run, charts), exchanges(data), about(run),
	}
	return r
}

// verdict is that of a run in capitals, and its tone.
func verdict(v results.Verdict, interrupted bool) (text string, tone view.Tone) {
	text = cmp.Or(strings.ToUpper(string(v)), "NO VERDICT")
	if interrupted {
		text += " (interrupted)"
	}
	return text, view.Tone(digest.Tone(string(v)))
}

// rests is what the verdict rests on, in short sentences.
func rests(run results.Run) []string {
	nothing := run.Requests.Sent == 0
	sent := fmt.Sprintf("%s of %s requests sent", number(run.Requests.Sent), number(run.Requests.Scheduled))
	if took := spoken(run.Run.StartedAt, run.Run.FinishedAt); took != "" {
		sent += " in " + took
	}
	if run.Meant() > 0 {
		sent += fmt.Sprintf(": target %s, achieved %s", rate(run.Meant()), rate(run.Rate.Achieved))
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
		if off, ok := t.Off(); ok && math.Abs(off) < least && !strings.HasPrefix(t.Expr, "achieved") {
			least, closest = math.Abs(off), "; closest to its limit: "+t.Expr+", "+t.Margin()
		}
	}
	if n := len(run.Thresholds); n == 0 {
		list = append(list, "No threshold was set: only violated rules could fail the run")
	} else {
		list = append(list, fmt.Sprintf("%d of %s held%s", held, digest.Quantity(n, "threshold"), closest))
	}
	switch {
	case nothing:
		list = []string{fmt.Sprintf("None of %s requests sent", number(run.Requests.Scheduled))}
	case run.Generator.Reliable:
		list = append(list, fmt.Sprintf("The figures describe the deployment: the generator sent 99 %% of the requests at "+
			"most %s late and used at most %s of its CPUs", short(run.Generator.LagP99MS), share(run.Generator.CPUPeak)))
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
		list = append(list, number(n)+" under way when the run was stopped: their outcome is not known")
	}
	if n := run.Requests.Unknown; n > 0 {
		list = append(list, number(n)+" sent without a recorded outcome")
	}
	return list
}

func violations(run results.Run) view.Part {
	t := view.Table{Label: "Violated rules", Columns: view.Columns("Rule", "#Answers", "*What it says")}
	for _, v := range run.Violations[:min(len(run.Violations), mostRows)] {
		t.Rows = append(t.Rows, view.Row{Cells: []view.Cell{
			{Text: v.Rule, Code: true}, {Text: number(v.Count), Tone: view.Bad}, {Text: judge.Statement(v.Rule)},
		}})
	}
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

func thresholds(list []threshold.Result) view.Part {
	t := view.Table{Label: "Thresholds", Columns: view.Columns("Threshold", "Verdict", "#Observed", "*Margin")}
	for _, r := range list {
		verdict, gauge := badge(view.Good, "held"), gaugeOf(r)
		switch {
		case r.Observed == threshold.NoData:
			verdict = badge(view.Unsure, "open")
		case !r.OK:
			verdict = badge(view.Bad, "missed")
			if gauge != nil {
				gauge.Tone = view.Bad
			}
		}
		t.Rows = append(t.Rows, view.Row{Cells: []view.Cell{
			{Text: r.Expr, Code: true}, verdict, {Text: r.Observed}, {Text: r.Margin(), Quiet: r.Reason, Gauge: gauge},
		}})
	}
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

func latency(run results.Run, data Data, charts figures) view.Part {
	part := view.Part{Title: "Rate and latency"}
	if data.Joined > 1 {
		part.Blocks = append(part.Blocks, view.Block{In: view.Page, Note: fmt.Sprintf(
			"Each point stands for %d intervals; its times are the worst among theirs.", data.Joined)})
	}
	if data.Seconds != nil {
		part.Blocks = append(part.Blocks,
			view.Block{Charts: []plot.Figure{charts.Rate, charts.Distribution, charts.Response, charts.Service}})
	}
	if run.Requests.Sent == 0 {
		part.Blocks = []view.Block{{Note: "There is nothing to draw: no request was sent.", In: view.Page}}
		return part
	}
	t := timesTable("Times of the whole run", "Time, whole run")
	t.Columns = append(t.Columns, view.Column{Name: "mean", Number: true})
	row := func(name, quiet string, times results.Times) {
		cells := append([]view.Cell{{Text: name, Quiet: quiet}}, timesCells(times)...)
		t.Rows = append(t.Rows, view.Row{Cells: append(cells, view.Cell{Text: ms(times.Mean)})})
	}
	row("response,", "from when the request was due", run.Latency.Response)
	row("service,", "from when it was sent", run.Latency.Service)
	if f := run.Files; f != nil && f.Ready > 0 {
		row("file,", "from acceptance until it can be fetched", f.TimeMS)
	}
	g := run.Generator
	row("send lag,", "how late it was sent", results.Times{P50: g.LagP50MS, P99: g.LagP99MS, Max: g.LagMaxMS})
	part.Blocks = append(part.Blocks, view.Block{Table: &t})
	return part
}

func timesTable(label, first string, more ...string) view.Table {
	names := append(append([]string{first}, more...), "#p50", "#p90", "#p99", "#p99.9", "#max")
	return view.Table{Label: label, Columns: view.Columns(names...)}
}

func timesCells(t results.Times) []view.Cell {
	return view.Cells(ms(t.P50), ms(t.P90), ms(t.P99), ms(t.P999), ms(t.Max))
}

func answered(run results.Run, data Data, charts figures) view.Part {
	part := view.Part{Title: "Answers"}
	if run.Requests.Sent == 0 {
		return part
	}
	if data.Seconds != nil {
		part.Blocks = append(part.Blocks, view.Block{Charts: []plot.Figure{charts.Answers}, Wide: true})
	}
	classes := timesTable("Answers by class", "Class", "#Requests", "#Share")
	for _, class := range judge.Classes() {
		found, occurs := run.Classes[class.String()]
		if !occurs {
			continue
		}
		name := view.Cell{Text: word(class.String())}
		if class.Bad() {
			name.Tone = view.Bad
		}
		classes.Rows = append(classes.Rows, view.Row{Cells: append([]view.Cell{
			name,
			{Text: number(found.Count)},
			{Text: share(float64(found.Count) / float64(run.Requests.Sent))},
		}, timesCells(found.Latency.Response)...)})
	}
	identities := timesTable("Answers by identity", "Identity", "Requests")
	for _, i := range run.Identities {
		identities.Rows = append(identities.Rows, view.Row{Cells: append([]view.Cell{
			{Text: i.Name, Code: true}, {Text: parts(i.Requests)},
		}, timesCells(i.Response)...)})
	}
	slowest := view.Table{Label: "The slowest requests", Columns: view.Columns("#Request", "#due at", "#response", "#service",
		"outcome", "traceparent or nonce")}
	for _, s := range run.Slowest {
		outcome := word(s.Class)
		if s.Status > 0 {
			outcome += fmt.Sprintf(" %d", s.Status)
		}
		slowest.Rows = append(slowest.Rows, view.Row{Cells: append(view.Cells(fmt.Sprint(s.K), plot.Clock(s.AtMS/1000),
			ms(s.ResponseMS), ms(s.ServiceMS), outcome), view.Cell{Text: cmp.Or(s.Trace, s.Nonce), Code: true})})
	}
	part.Blocks = append(part.Blocks, view.Block{Table: &classes},
		view.Block{Note: "Response times by class.", In: view.Page}, view.Block{Table: &identities},
		view.Block{Table: &slowest, Fold: slowest.Label, In: view.Page})
	return part
}

func stages(run results.Run) view.Part {
	t := timesTable("Stages", "Stage", "#From", "#To", "#Target", "#Achieved")
	t.Columns = append(t.Columns, view.Column{Name: "lag p99", Number: true})
	for _, s := range run.Stages[:min(len(run.Stages), mostRows)] {
		cells := view.Cells(strings.TrimSpace(fmt.Sprint(s.Number, " ", s.Name)), plot.Clock(float64(s.StartMS)/1000),
			plot.Clock(float64(s.EndMS)/1000), rate(s.Rate.Target), rate(s.Rate.Achieved))
		t.Rows = append(t.Rows, view.Row{Cells: append(append(cells, timesCells(s.Latency.Response)...), view.Cell{Text: ms(s.LagP99MS)})})
	}
	t.More, t.Where = len(run.Stages)-len(t.Rows), "run.json"
	in := view.Page
	if len(run.Stages) > 1 {
		in = 0
	}
	return view.Part{Title: t.Label, In: in, Blocks: []view.Block{{Table: &t}}}
}

func shards(run results.Run) view.Part {
	t := view.Table{Label: "Shards", Columns: view.Columns("Shard", "Record", "#Sent", "#of its share", "#Lag p99", "#CPU", "*Why")}
	if run.Merge == nil {
		return view.Part{}
	}
	for _, p := range run.Merge.Shards[:min(len(run.Merge.Shards), mostRows)] {
		state, sent := badge(view.Good, string(p.State)), number(p.Sent)
		switch p.State {
		case results.Complete:
		case results.Stopped: // by itself, which it recorded: no more was sent
			state = badge(view.Bad, string(p.State))
		case results.Missing:
			state, sent = badge(view.Bad, string(p.State)), "?"
		default:
			state, sent = badge(view.Bad, string(p.State)), sent+"+"
		}
		cells := append(view.Cells(fmt.Sprintf("shard %d", p.Shard)), state)
		cells = append(cells, view.Cells(sent, number(p.Scheduled), short(p.Generator.LagP99MS), share(p.Generator.CPUPeak),
			strings.TrimSpace(p.Reason+" "+p.Aborted))...)
		t.Rows = append(t.Rows, view.Row{Cells: cells})
	}
	t.More, t.Where = len(run.Merge.Shards)-len(t.Rows), "run.json"
	return view.Part{Title: t.Label, Blocks: []view.Block{{Table: &t}}}
}

func files(run results.Run, charts figures) view.Part {
	part := view.Part{Title: "Time to file"}
	f := run.Files
	if f == nil {
		if run.Requests.Sent > 0 {
			part.Blocks = []view.Block{{In: view.Page, Note: "No file was followed: track_files of the plan says of which share of " +
				"the accepted exports the file is awaited."}}
		}
		return part
	}
	text := fmt.Sprintf("%s accepted exports were sampled: the file of %s could be fetched", number(f.Sampled), number(f.Ready))
	for _, more := range []struct {
		n    int64
		what string
	}{{f.Failed, "failed"}, {f.Pending, "were still awaited at the end"}, {f.Dropped, "were not followed"}} {
		if more.n > 0 {
			text += ", " + number(more.n) + " " + more.what
		}
	}
	if f.Detail != "" {
		text += ". First failure: " + f.Detail
	}
	part.Blocks = []view.Block{{Note: text}, {Charts: []plot.Figure{charts.Files}, Wide: true}}
	return part
}

func exchanges(data Data) view.Part {
	part := view.Part{Title: "Kept exchanges", In: view.Page}
	for _, x := range data.Exchanges {
		title := fmt.Sprintf("request %d", x.K)
		if x.RepeatOf != nil {
			title += fmt.Sprintf(", a repeat of %d", *x.RepeatOf)
		}
		if x.Rule != "" {
			title += ": " + x.Rule
		}
		shown := view.Exchange{
			Role: word(x.Class), Status: x.Detail, Tone: view.Bad, Title: title + ", " + ms(x.ServiceMS), Line: x.Method + " " + x.URL,
			Sides: []view.Side{side("Request", x.Method+" "+x.URL, x.RequestHeader, x.RequestBody)},
		}
		if x.Status > 0 {
			shown.Status = fmt.Sprint(x.Status)
			shown.Sides = append(shown.Sides, side("Answer", shown.Status, x.ResponseHeader, x.ResponseBody))
		}
		part.Blocks = append(part.Blocks, view.Block{Exchanges: []view.Exchange{shown}})
	}
	if data.More > 0 {
		part.Blocks = append(part.Blocks, view.Block{Note: fmt.Sprintf("%d more are in exchanges.ndjson.", data.More)})
	}
	return part
}

// side is one half of an exchange.
func side(name, line string, head []results.Header, body string) view.Side {
	s := view.Side{Name: name, Line: line}
	for _, h := range head {
		s.Head = append(s.Head, view.Fact{Name: h.Name + ":", Value: h.Value})
	}
	if body != "" {
		s.Body = []view.Piece{{Text: body}}
	}
	return s
}

func about(run results.Run) view.Part {
	i := run.Run
	return view.Part{Title: "The run", Blocks: append([]view.Block{{List: run.Notes}},
		facts("Repeat the run", i.Command, []view.Fact{
			{Name: "Run", Value: i.ID},
			{Name: "Started", Value: i.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC")},
			{Name: "Took", Value: spoken(i.StartedAt, i.FinishedAt)},
			{Name: "Seed", Value: fmt.Sprint(i.Seed)},
			{Name: "Engine", Value: i.Engine},
			{Name: "Deployment file", Value: i.File},
			{Name: "gateassay", Value: i.Version},
			{Name: "Hash of the plan", Value: i.PlanHash},
		})...)}
}

// facts are those that are known, and the command that repeats all of it.
func facts(label, command string, list []view.Fact) []view.Block {
	var known []view.Fact
	for _, f := range list {
		if f.Value != "" {
			known = append(known, f)
		}
	}
	blocks := []view.Block{{Facts: known, In: view.Page}}
	if command != "" {
		blocks = append(blocks, view.Block{Copy: &view.Command{Label: label, Text: command}, In: view.Page})
	}
	return blocks
}

// gaugeOf draws what was observed beside its limit; nil where the two cannot be compared.
func gaugeOf(r threshold.Result) *view.Gauge {
	off, ok := r.Off()
	ratio := 1 + off/100
	if !ok || ratio < 0 {
		return nil
	}
	whole := 1.25 * max(1, ratio)
	return &view.Gauge{Bar: round(max(1, 100*ratio/whole)), Tick: round(100 / whole)}
}

func badge(tone view.Tone, text string) view.Cell {
	return view.Cell{Text: text, Tone: tone, Badge: true}
}

// parts lists how many requests there were of each class.
func parts(classes map[string]int64) string {
	var list []string
	for _, c := range judge.Classes() {
		if n := classes[c.String()]; n > 0 {
			list = append(list, number(n)+" "+word(c.String()))
		}
	}
	return strings.Join(list, ", ")
}

// spoken is how long something took, without digits that nobody needs; empty where that is not known.
func spoken(from, to time.Time) string {
	d := to.Sub(from)
	switch {
	case from.IsZero() || d <= 0:
		return ""
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

func ms(v float64) string    { return plot.Milliseconds.Say(v) }
func rate(v float64) string  { return plot.PerSecond.Say(v) }
func share(v float64) string { return fmt.Sprintf("%.3g %%", 100*v) }

// short writes a time, or 0 where it is too short to be measured.
func short(v float64) string {
	if v <= 0 {
		return "0 ms"
	}
	return ms(v)
}

func word(s string) string { return strings.ReplaceAll(s, "_", " ") }

// number groups the digits of a count.
func number(n int64) string { return digest.Grouped(n, ",") }

func round(f float64) float64              { return math.Round(f*100) / 100 }
func pow10(x float64) float64              { return math.Pow(10, x) }
func milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }
