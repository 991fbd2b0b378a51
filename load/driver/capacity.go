package driver

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/load/schedule"
	"github.com/gateassay/gateassay/load/threshold"
)

// Search is a search for the highest rate that holds the thresholds of a plan, whose schedule is not used.
type Search struct {
	Options
	From, To  float64       // requests per second
	Step      time.Duration // how long each rate is tried
	CoolDown  time.Duration // after each
	Precision float64       // 0: 5 %
	OnRun     func(capacity.Run)
}

// Find searches. Errors are those of Run.
func Find(ctx context.Context, s Search) (capacity.File, string, error) {
	if len(s.Plan.SLO) == 0 || len(s.Plan.Thresholds()) == 0 {
		return capacity.File{}, "", &UsageError{errors.New("no threshold: add at least one, such as --slo 'p99<300ms'")}
	}
	highest, err := s.at(s.To)
	if err == nil {
		err = highest.Permitted(s.Deployment)
	}
	if err == nil && s.From > s.To {
		err = fmt.Errorf("--from %g/s is above --to %g/s", s.From, s.To)
	}
	if err != nil {
		return capacity.File{}, "", &UsageError{err}
	}
	first := s.Options
	first.Plan, first.verb, first.Metrics, first.OTLP = highest, "capacity", "", ""
	r, err := prepare(ctx, first, all()...)
	if err != nil {
		return capacity.File{}, "", err
	}
	defer r.close()
	result := capacity.File{
		Schema: capacity.Schema, Plan: highest, SLO: s.Plan.Thresholds(), From: s.From, To: s.To,
		StepMS: s.Step.Milliseconds(), Probes: []capacity.Run{},
	}
	result.Run = r.info()
	result.Run.StartedAt = time.Now().UTC()
	found, err := r.preflight(ctx)
	if err != nil {
		result.Verdict, result.Reason = results.Inconclusive, r.client.Redactor().Text(err.Error())
		result.Capacity = capacity.Result{Limit: capacity.BySilence, Reason: result.Reason, Curve: []capacity.Point{}}
		if ctx.Err() != nil {
			result.Capacity.Limit = capacity.ByInterrupt
		}
		return r.conclude(result)
	}
	result.Notes = slices.Concat(r.notes, found.notes)
	var unwritten []error
	var failure error
	result.Capacity, failure = capacity.Find(ctx, capacity.Options{
		From: s.From, To: s.To, Precision: s.Precision, CoolDown: s.CoolDown,
		OnRun: func(run capacity.Run) {
			result.Probes = append(result.Probes, run)
			result.Run.FinishedAt = time.Now().UTC()
			unwritten = append(unwritten, keep(result.Unended(), r.folder)) // a search that is killed leaves what it found
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
		o.Plan, o.ask = p, found
		o.Out = filepath.Join(r.folder, capacity.Name(len(result.Probes)+1))
		done, err := Run(ctx, o)
		if err != nil {
			return capacity.Outcome{}, err
		}
		result.Add(done.Run)
		unwritten = append(unwritten, done.Err)
		if done.Run.Run.Partial && ctx.Err() != nil {
			return capacity.Outcome{}, ctx.Err()
		}
		return capacity.OutcomeOf(done.Run), nil
	})
	if failure != nil && !errors.Is(failure, context.Canceled) {
		result.Capacity.Reason = r.client.Redactor().Text(failure.Error())
	}
	result.Conclude(failure)
	return r.conclude(result, unwritten...)
}

// at is the plan of one probe.
func (s Search) at(rate float64) (*plan.Plan, error) {
	whole := *s.Plan
	whole.Name = "capacity"
	p, err := whole.WithStages(schedule.Stage{Name: "probe", Kind: schedule.Constant, Rate: rate, For: s.Step})
	if err == nil && !slices.ContainsFunc(p.SLO, threshold.OnFiles) {
		p.TrackFiles = 0 // nothing depends on it, and each probe would wait for its files
	}
	return p, err
}

// conclude writes run.json and has it rendered.
func (r *run) conclude(c capacity.File, unwritten ...error) (capacity.File, string, error) {
	c.Run.FinishedAt = time.Now().UTC()
	return c, r.folder, errors.Join(append(unwritten, keep(c, r.folder), r.o.Render(r.folder))...)
}

// keep writes run.json.
func keep(c capacity.File, folder string) error {
	data, err := printable.JSON(c)
	if err != nil {
		return err
	}
	return runfolder.WriteAtomic(folder, runfolder.RunName, data)
}
