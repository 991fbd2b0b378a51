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
	highest, err := s.highestPlan()
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
	p := &probing{search: s, run: r, file: capacity.SearchRun{
		Schema: capacity.Schema, Run: r.runInfo(), Plan: highest, SLO: s.Plan.Thresholds(),
		From: s.From, To: s.To, StepMS: s.Step.Milliseconds(), Probes: []capacity.Probe{},
	}}
	p.file.Run.StartedAt = time.Now().UTC()
	if p.preflight, err = r.preflight(ctx); err != nil {
		return p.concludeUnsent(err, ctx.Err() != nil)
	}
	p.file.Notes = slices.Concat(r.notes, p.preflight.notes)
	p.file.AddViolated(p.preflight.violated)
	var failure error
	p.file.Capacity, failure = capacity.Find(ctx, capacity.Search{
		From: s.From, To: s.To, Precision: s.Precision, CoolDown: s.CoolDown, OnProbe: p.record,
	}, p.probe)
	if failure != nil && !errors.Is(failure, context.Canceled) {
		p.file.Capacity.Reason = r.client.Redactor().Text(failure.Error())
	}
	p.file.Conclude(failure)
	return p.conclude()
}

// highestPlan returns the plan at the highest rate, or why the search cannot be carried out.
func (s CapacitySearch) highestPlan() (*plan.Plan, error) {
	if len(s.Plan.SLO) == 0 || len(s.Plan.Thresholds()) == 0 {
		return nil, errors.New("no threshold: add at least one, such as --slo 'p99<300ms'")
	}
	highest, err := s.planAtRate(s.To)
	if err == nil {
		err = highest.CheckPermitted(s.Deployment)
	}
	if err == nil && s.From > s.To {
		err = fmt.Errorf("--from %g/s is above --to %g/s", s.From, s.To)
	}
	return highest, err
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

// probing carries out the probes of a search and keeps its run.json.
type probing struct {
	search    CapacitySearch
	run       *loadRun // of the search as a whole
	preflight *preflightResult
	file      capacity.SearchRun
	unwritten []error // files that could not be written
}

// probe runs the plan at one rate.
func (p *probing) probe(ctx context.Context, rate float64) (capacity.ProbeOutcome, error) {
	atRate, err := p.search.planAtRate(rate)
	if err != nil {
		return capacity.ProbeOutcome{}, err
	}
	o := p.search.Options
	o.Plan, o.ask = atRate, p.preflight
	o.Out = filepath.Join(p.run.folder, capacity.ProbeFolderName(len(p.file.Probes)+1))
	done, err := Run(ctx, o)
	if err != nil {
		return capacity.ProbeOutcome{}, err
	}
	p.file.AddProbe(done.Run)
	p.unwritten = append(p.unwritten, done.Err)
	return capacity.OutcomeOf(done.Run), nil
}

// record writes a finished probe into run.json.
func (p *probing) record(probe capacity.Probe) {
	p.file.Probes = append(p.file.Probes, probe)
	p.file.Run.FinishedAt = time.Now().UTC()
	p.unwritten = append(p.unwritten, writeRunFile(p.file.Partial(), p.run.folder))
	if p.search.OnProbe != nil {
		p.search.OnProbe(probe)
	}
}

// concludeUnsent concludes a search whose preflight failed.
func (p *probing) concludeUnsent(
	failure error, interrupted bool,
) (capacity.SearchRun, string, error) {
	f := &p.file
	f.Verdict, f.Reason = results.VerdictInconclusive, p.run.client.Redactor().Text(failure.Error())
	if errors.As(failure, new(failingError)) {
		f.Verdict = results.VerdictFail
	}
	f.Capacity = capacity.Estimate{
		Limit: capacity.LimitedBySilence, Reason: f.Reason, Curve: []capacity.CurvePoint{},
	}
	if interrupted {
		f.Capacity.Limit = capacity.LimitedByInterrupt
	}
	return p.conclude()
}

func (p *probing) conclude() (capacity.SearchRun, string, error) {
	p.file.Run.FinishedAt = time.Now().UTC()
	p.unwritten = append(p.unwritten, writeRunFile(p.file, p.run.folder), p.run.renderReports())
	return p.file, p.run.folder, errors.Join(p.unwritten...)
}

func writeRunFile(c capacity.SearchRun, folder string) error {
	data, err := printable.JSON(c)
	if err != nil {
		return err
	}
	return runfolder.WriteAtomic(folder, runfolder.RunName, data)
}
