package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/reports/digest"
	folders "github.com/gateassay/gateassay/reports/record"
)

// CapacitySchema names the version of run.json of a search for the capacity.
const CapacitySchema = "gateassay/load-capacity/v1"

// Search is a search for the highest rate that holds the thresholds of a plan, whose schedule is not used.
type Search struct {
	Options
	From, To  float64       // requests per second
	Step      time.Duration // how long each rate is tried
	CoolDown  time.Duration // after each
	Precision float64       // 0: 5 %
	Factor    float64       // of the climb; 0: 2
	OnRun     func(capacity.Run)
}

// Capacity is run.json of a search.
type Capacity struct {
	Schema     string          `json:"schema"`
	Run        record.Info     `json:"run"`
	Plan       *plan.Plan      `json:"plan"`
	Verdict    record.Verdict  `json:"verdict"`
	Reason     string          `json:"reason"`
	SLO        []string        `json:"slo"`
	From       float64         `json:"from"`
	To         float64         `json:"to"`
	StepMS     int64           `json:"step_ms"`
	Capacity   capacity.Result `json:"capacity"`
	Confidence Confidence      `json:"confidence"`
	Probes     []CapacityProbe `json:"probes"`
	Violations int64           `json:"violations"` // answers that broke a rule, in all probes
}

// Confidence says how sure the rate is: the runs at that rate, and the interval that the capacity lies in.
type Confidence struct {
	Held   int     `json:"held"`
	Missed int     `json:"missed"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Share  float64 `json:"share"` // of the runs at that rate that held
}

// CapacityProbe is one rate that was tried, with the folder of its run.
type CapacityProbe struct {
	capacity.Run
	Folder string `json:"folder"`
}

// ExitCode is that of the command: 0 when a rate was found, 1 when even the lowest misses a threshold or a rule was
// violated, 3 when no answer can be given, 130 after an interrupt.
func (c Capacity) ExitCode() int {
	switch {
	case c.Capacity.Limit == capacity.ByInterrupt:
		return 130
	case c.Verdict == record.Fail:
		return 1
	case c.Verdict == record.Pass:
		return 0
	}
	return 3
}

// Find searches. Errors are those of Run.
func Find(ctx context.Context, s Search) (Capacity, string, error) {
	if len(s.Plan.SLO) == 0 {
		return Capacity{}, "", &UsageError{errors.New("a capacity is the highest rate that holds thresholds: give at least one, such as --slo 'p99<300ms'")}
	}
	if s.View == nil {
		s.View = unseen{}
	}
	highest, err := s.at(s.To)
	if err == nil {
		err = highest.Permitted(s.Deployment)
	}
	if err == nil && s.From > s.To {
		err = fmt.Errorf("--from %g/s is above --to %g/s", s.From, s.To)
	}
	if err != nil {
		return Capacity{}, "", &UsageError{err}
	}
	first := s.Options
	first.Plan, first.verb = highest, "capacity"
	r, err := prepare(first)
	if err != nil {
		return Capacity{}, "", err
	}
	defer r.close()
	result := Capacity{Schema: CapacitySchema, Plan: highest, SLO: s.Plan.SLO, From: s.From, To: s.To, StepMS: s.Step.Milliseconds()}
	result.Run = r.recording(nil).Info
	result.Run.StartedAt = time.Now().UTC()
	found, err := r.preflight(ctx)
	if err != nil {
		result.Verdict, result.Reason = record.Inconclusive, r.client.Redactor().Text(err.Error())
		result.Capacity = capacity.Result{Limit: capacity.BySilence, Reason: result.Reason, Curve: []capacity.Point{}}
		if ctx.Err() != nil {
			result.Capacity.Limit = capacity.ByInterrupt
		}
		return s.finish(result, r.folder)
	}
	misblocked := int64(0)
	failure := error(nil)
	result.Capacity, failure = capacity.Find(ctx, capacity.Options{
		From: s.From, To: s.To, Precision: s.Precision, Factor: s.Factor, CoolDown: s.CoolDown,
		OnRun: func(run capacity.Run) {
			result.Probes = append(result.Probes, CapacityProbe{run, filepath.Join("probes", fmt.Sprintf("%03d", run.Number))})
			if s.OnRun != nil {
				s.OnRun(run)
			}
		},
	}, func(ctx context.Context, rate float64) (capacity.Outcome, error) {
		p, err := s.at(rate)
		if err != nil {
			return capacity.Outcome{}, err
		}
		o := s.Options
		o.Plan, o.ask, o.bare, o.Raw = p, found, true, false
		o.Out = filepath.Join(r.folder, "probes", fmt.Sprintf("%03d", len(result.Probes)+1))
		done, err := Run(ctx, o)
		if err != nil {
			return capacity.Outcome{}, err
		}
		result.Run.Requests += done.Run.Run.Requests
		for _, v := range done.Run.Violations {
			result.Violations += v.Count
		}
		misblocked += done.Run.Requests.FalseBlocks + done.Run.Requests.MissedBlocks
		if done.Run.Run.Partial && ctx.Err() != nil {
			return capacity.Outcome{}, ctx.Err()
		}
		return outcome(done.Run), nil
	})
	if failure != nil && !errors.Is(failure, context.Canceled) {
		result.Capacity.Reason = r.client.Redactor().Text(failure.Error())
	}
	result.conclude(failure, misblocked)
	return s.finish(result, r.folder)
}

// at is the plan of one probe.
func (s Search) at(rate float64) (*plan.Plan, error) {
	whole := *s.Plan
	whole.Name = "capacity"
	p, err := whole.WithStages(schedule.Stage{Name: "probe", Kind: schedule.Constant, Rate: rate, For: s.Step})
	if err == nil && !slices.ContainsFunc(p.SLO, func(expr string) bool { return strings.HasPrefix(expr, "file") }) {
		p.TrackFiles = 0 // nothing depends on it, and each probe would wait for its files
	}
	return p, err
}

func outcome(run record.Run) capacity.Outcome {
	q := run.Requests
	answered := q.Sent - q.TransportErrors - q.Timeouts - q.Canceled - q.Unknown
	o := capacity.Outcome{
		Holds: run.Verdict == record.Pass, Answering: answered > 0, Unreliable: run.Generator.Reason, Achieved: run.Rate.Achieved,
		P50: duration(run.Latency.Response.P50), P99: duration(run.Latency.Response.P99),
	}
	if !o.Holds {
		o.Reason = run.Reason
	}
	if q.Sent > 0 {
		o.Errors = float64(q.Sent-q.Accepted-q.Blocked) / float64(q.Sent)
	}
	return o
}

func duration(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

func (c *Capacity) conclude(failure error, misblocked int64) {
	found := c.Capacity
	c.Reason = found.Reason
	c.Confidence = Confidence{Held: found.Confirmations, Missed: found.Against, Low: found.Low, High: found.High}
	if n := found.Confirmations + found.Against; n > 0 {
		c.Confidence.Share = float64(found.Confirmations) / float64(n)
	}
	c.Run.Partial = found.Limit == capacity.ByInterrupt
	switch {
	case misblocked > 0 && c.Plan.FailOnMisblock:
		c.Verdict, c.Reason = record.Fail, fmt.Sprintf("%d answers violate replay protection; %s", misblocked, found.Reason)
	case found.Limit == capacity.ByFrom:
		c.Verdict = record.Fail
	case failure == nil && found.Rate > 0 && (found.Limit == capacity.ByThresholds || found.Limit == capacity.ByTo):
		c.Verdict = record.Pass
	default:
		c.Verdict = record.Inconclusive
	}
}

func (s Search) finish(c Capacity, folder string) (Capacity, string, error) {
	c.Run.FinishedAt = time.Now().UTC()
	if c.Probes == nil {
		c.Probes = []CapacityProbe{}
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err == nil {
		err = folders.WriteAtomic(folder, record.RunName, append(data, '\n'))
	}
	return c, folder, err
}

// PrintCapacity writes what a search found. The path of the folder is the last line.
func (t Table) PrintCapacity(w io.Writer, c Capacity) error {
	p := &printer{w: w, colour: t.Colour}
	p.line("")
	p.line(p.paint(bold, fmt.Sprintf("%10s %10s %10s %10s %8s  %s", "rate", "achieved", "p50", "p99", "errors", "runs")))
	for _, point := range c.Capacity.Curve {
		line := fmt.Sprintf("%8.5g/s %8.5g/s %10s %10s %7.2f%%  %d held, %d missed", point.Rate, point.Achieved, ms(point.P50MS), ms(point.P99MS), 100*point.Errors, point.Held, point.Failed)
		if point.Reason != "" {
			line += "  " + digest.Clip(digest.Clean(point.Reason), 70)
		}
		colour := ""
		if point.Failed > point.Held {
			colour = red
		}
		p.line(p.paint(colour, line))
	}
	p.line("")
	if c.Capacity.Rate > 0 {
		p.line(p.paint(bold, "capacity  ") + fmt.Sprintf("%.5g/s, held in %d of %d runs at that rate; it lies between %.5g/s and %s", c.Capacity.Rate,
			c.Confidence.Held, c.Confidence.Held+c.Confidence.Missed, c.Capacity.Low, above(c.Capacity.High)))
	}
	if k := c.Capacity.Knee; k != nil {
		p.line(fmt.Sprintf("bends     at %.5g/s, with a p99 of %s", k.Rate, ms(k.P99MS)))
	}
	for _, note := range c.Capacity.Unstable {
		p.line("unstable  " + digest.Clean(note))
	}
	p.line(p.paint(tone(c.Verdict), string(c.Verdict)) + "  " + digest.Clean(c.Reason))
	p.line(t.Folder)
	return p.err
}

func above(rate float64) string {
	if rate == 0 {
		return "an unknown rate"
	}
	return fmt.Sprintf("%.5g/s", rate)
}
