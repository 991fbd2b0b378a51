package gate

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

type decider struct {
	policy *Policy
	now    time.Time
	d      Decision
	read   map[string]string // paths of runs, by ID
}

// Decide checks the runs at the paths against a policy. An unreadable run is undecided.
func Decide(p *Policy, paths []string, now time.Time) Decision {
	d := &decider{
		policy: p, now: now, d: Decision{Policy: p, At: now, Verdict: StateUndecided},
		read: map[string]string{},
	}
	for _, path := range paths {
		d.addRun(path)
	}
	names := p.Deployments
	if len(names) == 0 {
		for _, b := range digest.GroupBy(d.d.Runs, func(r recorded.Run) string { return r.Deployment }) {
			names = append(names, b.Key)
		}
		slices.Sort(names)
	}
	for _, name := range names {
		d.checkDeployment(name)
	}
	if len(d.d.Findings) == 0 {
		d.addFinding("", "runs", StateUndecided, "expected a run, found none: nothing was shown to hold")
	}
	order := []RequirementState{StateBlocked, StateUndecided, StateHeld}
	slices.SortStableFunc(d.d.Findings, func(a, b RequirementFinding) int {
		return cmp.Compare(slices.Index(order, a.State), slices.Index(order, b.State))
	})
	if len(d.d.Findings) > 0 { // findings are sorted, the worst first
		d.d.Verdict = d.d.Findings[0].State
	}
	return d.d
}

func (d *decider) addFinding(subject, check string, state RequirementState, format string,
	args ...any,
) {
	d.addDetailed(subject, check, state, fmt.Sprintf(format, args...), nil)
}

// addDetailed adds a finding with a list of details.
func (d *decider) addDetailed(subject, check string, state RequirementState, message string,
	details []string,
) {
	d.d.Findings = append(d.d.Findings, RequirementFinding{subject, check, state, message, details})
}

// addRequirement adds a finding that holds if there are no details.
func (d *decider) addRequirement(subject, check string, otherwise RequirementState,
	held, not string, against []string,
) {
	if len(against) == 0 {
		otherwise, not = StateHeld, held
	}
	d.addDetailed(subject, check, otherwise, not, against)
}

// addRun reads a run and checks that it is named once, complete, recent, and of a deployment of
// the policy.
func (d *decider) addRun(path string) {
	run, err := openRun(path)
	if err != nil {
		d.addFinding(path, "run", StateUndecided, "%s", err)
		return
	}
	if first, twice := d.read[run.ID]; twice {
		d.addFinding(path, "run", StateUndecided,
			"expected each run once, found the run %s again, after %s: name another run, or leave it out",
			printable.Quote(run.ID), first)
		return
	}
	d.read[run.ID] = path
	check, message := d.wrongTargetMessage(run)
	if message != "" {
		d.addFinding(path, check, StateUndecided, "%s", message)
		return
	}
	check = "run"
	switch age := d.now.Sub(run.Finished); {
	case run.ShardText() != "":
		message = "expected a complete run, found " + run.ShardText() + ": name the run that gateassay " +
			"load merge makes of all shards"
	case run.Partial:
		message = "expected a complete run, found an interrupted one (" + reasonOrNone(run.Reason) +
			"): run it again"
	case age > d.policy.MaxAge:
		check = "max_age"
		message = fmt.Sprintf("expected a run that finished at most %s ago, found "+
			"one that finished %s ago, at %s: run it again", view.FormatDuration(d.policy.MaxAge),
			view.FormatDuration(age), formatTime(run.Finished))
	case age < -5*time.Minute: // tolerance for different clocks
		check = "max_age"
		message = fmt.Sprintf("expected a run that finished before now, %s, found "+
			"one that finishes in the future, at %s: correct the clock and run it again", formatTime(d.now),
			formatTime(run.Finished))
	default:
		d.addFinding(path, "run", StateHeld, "%s run of %s, complete, finished %s ago", run.Kind,
			run.Deployment, view.FormatDuration(max(0, age)))
		d.d.Runs = append(d.d.Runs, run)
		return
	}
	d.addFinding(path, check, StateUndecided, "%s", message)
	d.addViolations(path, run)
}

// addViolations reports the violations of a run that cannot show that anything holds.
func (d *decider) addViolations(path string, run recorded.Run) {
	if run.Kind == recorded.KindConformance {
		d.checkFailures(path, []recorded.Run{run}, true)
	} else {
		d.checkOutcome(path, run, true)
	}
}

// wrongTargetMessage returns why a run is not of a deployment of the policy; both are empty if it
// is.
func (d *decider) wrongTargetMessage(run recorded.Run) (check, message string) {
	if run.Embedded {
		return "run", "expected a run of a deployment, found one of the embedded gateway: name yours " +
			"with --deployment FILE"
	}
	for _, of := range []struct {
		check, found string
		allowed      []string
	}{
		{"deployments", run.Deployment, d.policy.Deployments},
		{"base_urls", run.BaseURL, d.policy.BaseURLs},
		{"fingerprints", run.Fingerprint, d.policy.Fingerprints},
	} {
		if len(of.allowed) > 0 && !slices.Contains(of.allowed, of.found) {
			return of.check, fmt.Sprintf("expected a run of %s, found one of %s",
				joinAlternatives(of.allowed), printable.Quote(of.found))
		}
	}
	return "", ""
}

// runDifferences returns the differences that show that runs of one name are of several
// deployments.
func runDifferences(runs []recorded.Run) (differences []string) {
	var depths []recorded.Run
	for _, r := range runs {
		if r.Kind == recorded.KindConformance {
			depths = append(depths, r)
		}
	}
	for _, by := range []struct {
		what string
		runs []recorded.Run
		of   func(recorded.Run) string
	}{
		{"base_url", runs, func(r recorded.Run) string { return r.BaseURL }},
		{"fingerprint", runs, func(r recorded.Run) string { return r.Fingerprint }},
		{"depth", depths, func(r recorded.Run) string { return r.Depth }},
	} {
		if same := digest.GroupBy(by.runs, by.of); len(same) > 1 {
			for _, b := range same {
				var paths []string
				for _, r := range b.Items {
					paths = append(paths, shownPath(r.Path))
				}
				differences = append(differences, by.what+" "+printable.Quote(b.Key)+": "+joinFirstFew(paths))
			}
		}
	}
	return differences
}

func joinAlternatives(names []string) string {
	var quoted []string
	for _, n := range names {
		quoted = append(quoted, printable.Quote(n))
	}
	return strings.Join(quoted, " or ")
}

func (d *decider) checkDeployment(name string) {
	of := slices.DeleteFunc(slices.Clone(d.d.Runs),
		func(r recorded.Run) bool { return r.Deployment != name })
	if differences := runDifferences(of); len(differences) > 0 {
		d.addDetailed(name, "deployment", StateUndecided,
			"expected runs of one deployment, found runs that differ: give each deployment its own name, "+
				"and leave out runs of others", differences)
		for _, r := range of {
			d.addViolations(r.Path, r)
		}
		return
	}
	for _, k := range []struct {
		kind          recorded.Kind
		asked         bool
		what, command string
	}{
		{recorded.KindConformance, d.policy.Conformance != nil, "conformance run of", "conform"},
		{recorded.KindLoad, d.policy.Load != nil, "load run of", "load run"},
		{recorded.KindCapacity, d.policy.Capacity != nil, "search for the capacity of", "load capacity"},
	} {
		runs := slices.DeleteFunc(slices.Clone(of), func(r recorded.Run) bool { return r.Kind != k.kind })
		if len(runs) == 0 && k.asked {
			d.addFinding(name, string(k.kind), StateUndecided,
				"expected a %s this deployment, found none that can be used: make one with gateassay %s",
				k.what, k.command)
		}
		if len(runs) > 0 && k.kind == recorded.KindConformance {
			d.checkConformance(name, runs)
			continue
		}
		for _, r := range runs {
			d.checkMeasurement(name, r)
		}
	}
}

// shownPath returns a path as messages show it.
func shownPath(path string) string { return filepath.Base(filepath.Clean(path)) }

func reasonOrNone(reason string) string {
	return cmp.Or(strings.TrimSpace(reason), "no reason is recorded")
}

func joinFirstFew(list []string) string { return printable.JoinFirst(list, 8, ", ") }
