package load

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

// CapacitySearch looks for the highest rate that holds the thresholds of a plan. It ignores the
// schedule of the plan.
type CapacitySearch struct {
	Options
	From, To  float64       // requests per second
	Step      time.Duration // duration of each probe
	CoolDown  time.Duration // pause after each probe
	Precision float64       // share of the rate, such as 0.05; 0: 5 %
	OnProbe   func(capacity.Probe)
}

// FindCapacity searches and returns run.json of the search with its folder. It returns the same
// errors as Run.
func FindCapacity(ctx context.Context, s CapacitySearch) (capacity.SearchRun, string, error) {
	if len(s.Plan.SLO) == 0 || len(s.Plan.Thresholds()) == 0 {
		return capacity.SearchRun{}, "", &UsageError{errors.New("no threshold: add at least one, such " +
			"as --slo 'p99<300ms'")}
	}
	highest, err := s.planAtRate(s.To)
	if err == nil {
		err = highest.CheckPermitted(s.Deployment)
	}
	if err == nil && s.From > s.To {
		err = fmt.Errorf("--from %g/s is above --to %g/s", s.From, s.To)
	}
	if err != nil {
		return capacity.SearchRun{}, "", &UsageError{err}
	}
	first := s.Options
	first.Plan, first.verb, first.Metrics, first.OTLP = highest, "capacity", "", ""
	r, err := newRun(ctx, first)
	if err != nil {
		return capacity.SearchRun{}, "", err
	}
	defer r.close()
	if err := r.openOutputs(); err != nil {
		return capacity.SearchRun{}, "", err
	}
	file := capacity.SearchRun{
		Schema: capacity.Schema, Run: r.runInfo(), Plan: highest, SLO: s.Plan.Thresholds(),
		From: s.From, To: s.To, StepMS: s.Step.Milliseconds(), Probes: []capacity.Probe{},
	}
	file.Run.StartedAt = time.Now().UTC()
	found, err := r.preflight(ctx)
	if err != nil {
		file.Verdict, file.Reason = results.VerdictInconclusive, r.client.Redactor().Text(err.Error())
		file.Capacity = capacity.Estimate{
			Limit: capacity.LimitedBySilence, Reason: file.Reason, Curve: []capacity.CurvePoint{},
		}
		if ctx.Err() != nil {
			file.Capacity.Limit = capacity.LimitedByInterrupt
		}
		return r.conclude(file)
	}
	file.Notes = slices.Concat(r.notes, found.notes)
	var unwritten []error
	probe := func(ctx context.Context, rate float64) (capacity.ProbeOutcome, error) {
		o := s.Options
		o.Plan, err = s.planAtRate(rate)
		if err != nil {
			return capacity.ProbeOutcome{}, err
		}
		o.ask, o.Out = found, filepath.Join(r.folder, capacity.ProbeFolderName(len(file.Probes)+1))
		done, err := Run(ctx, o)
		if err != nil {
			return capacity.ProbeOutcome{}, err
		}
		file.AddProbe(done.Run)
		unwritten = append(unwritten, done.Err)
		return capacity.OutcomeOf(done.Run), nil
	}
	var failure error
	file.Capacity, failure = capacity.Find(ctx, capacity.Search{
		From: s.From, To: s.To, Precision: s.Precision, CoolDown: s.CoolDown,
		OnProbe: func(p capacity.Probe) {
			file.Probes = append(file.Probes, p)
			file.Run.FinishedAt = time.Now().UTC()
			unwritten = append(unwritten, writeRunFile(file.Partial(), r.folder))
			if s.OnProbe != nil {
				s.OnProbe(p)
			}
		},
	}, probe)
	if failure != nil && !errors.Is(failure, context.Canceled) {
		file.Capacity.Reason = r.client.Redactor().Text(failure.Error())
	}
	file.Conclude(failure)
	return r.conclude(file, unwritten...)
}

func (s CapacitySearch) planAtRate(rate float64) (*plan.Plan, error) {
	p := *s.Plan
	p.Name = "capacity"
	p.Stages = []schedule.Stage{{Name: "probe", From: rate, To: rate, For: s.Step}}
	if !slices.ContainsFunc(p.SLO, threshold.LimitsFiles) {
		p.TrackFiles = 0 // no threshold needs files, and each probe would wait for them
	}
	_, err := p.Schedule()
	return &p, err
}

func (r *loadRun) conclude(
	c capacity.SearchRun, unwritten ...error,
) (capacity.SearchRun, string, error) {
	c.Run.FinishedAt = time.Now().UTC()
	return c, r.folder, errors.Join(append(unwritten, writeRunFile(c, r.folder), r.renderReports())...)
}

func writeRunFile(c capacity.SearchRun, folder string) error {
	data, err := printable.JSON(c)
	if err != nil {
		return err
	}
	return runfolder.WriteAtomic(folder, runfolder.RunName, data)
}
