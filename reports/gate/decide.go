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

// State is what became of one requirement of a policy.
type State string

// The states. Only a decision whose every finding held lets a release pass.
const (
	Held      State = "held"
	Blocked   State = "blocked"   // it was shown not to hold
	Undecided State = "undecided" // it could not be shown to hold
)

// Finding is what one requirement came to. Its texts are free of characters that act on a terminal.
type Finding struct {
	Subject string // what it is about: a deployment, or the path of a run that could not be used
	Check   string // stable name, such as conformance.verified
	State   State
	Message string // one sentence
	Details []string
}

// name names the requirement, as in "conformance.verified of staging".
func (f Finding) name() string {
	if f.Subject == "" {
		return f.Check
	}
	return f.Check + " of " + f.Subject
}

// text is the message with its details, each on a line.
func (f Finding) text() string { return strings.Join(append([]string{f.Message}, f.Details...), "\n") }

// Decision is what a policy says about runs.
type Decision struct {
	Policy   *Policy
	At       time.Time
	Verdict  State
	Runs     []Run     // those that could be read, in the order given
	Findings []Finding // what speaks against the release first
}

// ExitCode is that of the contract: 0 when all held, 1 when something was shown not to hold, else 3.
func (d Decision) ExitCode() int { return map[State]int{Blocked: 1, Undecided: 3}[d.Verdict] }

// decider collects findings.
type decider struct {
	policy *Policy
	now    time.Time
	d      Decision
	read   map[string]string // paths of runs, by ID
}

// Decide checks runs, by path, by a policy. It never fails: what cannot be read is a finding that blocks.
func Decide(p *Policy, paths []string, now time.Time) Decision {
	d := &decider{policy: p, now: now, d: Decision{Policy: p, At: now, Verdict: Undecided}, read: map[string]string{}}
	for _, path := range paths {
		d.take(path)
	}
	names := p.Deployments
	if len(names) == 0 {
		for _, b := range digest.By(d.d.Runs, func(r Run) string { return r.Deployment }) {
			names = append(names, b.Key)
		}
		slices.Sort(names)
	}
	for _, name := range names {
		d.deployment(name)
	}
	if len(d.d.Findings) == 0 {
		d.add("", "runs", Undecided, "expected a run, found none: nothing was shown to hold")
	}
	order := []State{Blocked, Undecided, Held}
	slices.SortStableFunc(d.d.Findings, func(a, b Finding) int {
		return cmp.Compare(slices.Index(order, a.State), slices.Index(order, b.State))
	})
	if len(d.d.Findings) > 0 { // the worst
		d.d.Verdict = d.d.Findings[0].State
	}
	return d.d
}

func (d *decider) add(subject, check string, state State, message string, details ...string) {
	for i := range details {
		details[i] = printable.Clean(printable.Truncate(details[i], 400))
	}
	d.d.Findings = append(d.d.Findings, Finding{
		Subject: printable.Clean(printable.Truncate(subject, 300)), Check: check,
		State: state, Message: printable.Clean(printable.Truncate(message, 1000)), Details: details,
	})
}

// judge adds a finding that holds when there are no details against it.
func (d *decider) judge(subject, check string, otherwise State, held, not string, against []string) {
	if len(against) == 0 {
		otherwise, not = Held, held
	}
	d.add(subject, check, otherwise, not, against...)
}

// take reads a run and checks what every run must be: named once, whole, of a deployment of the policy, and recent.
func (d *decider) take(path string) {
	run, err := open(path)
	if err != nil {
		d.add(path, "run", Undecided, err.Error())
		return
	}
	if first, twice := d.read[run.ID]; twice {
		d.add(path, "run", Undecided, fmt.Sprintf("expected each run once, found the run %s again, which is %s: name "+
			"another run, or leave it out", cited(run.ID), first))
		return
	}
	d.read[run.ID] = path
	check, message := d.elsewhere(run)
	if message != "" {
		d.add(path, check, Undecided, message)
		return
	}
	check = "run"
	switch age := d.now.Sub(run.Finished); {
	case run.shard() != "":
		message = "expected a complete run, found " + run.shard() + ": name the run that gateassay load merge makes of all shards"
	case run.Partial:
		message = "expected a complete run, found an interrupted one (" + orNone(run.Reason) + "): run it again"
	case age > d.policy.MaxAge:
		check, message = "max_age", fmt.Sprintf("expected a run that finished at most %s ago, found one that finished %s ago, at %s: "+
			"run it again", view.Lasted(d.policy.MaxAge), view.Lasted(age), moment(run.Finished))
	case age < -5*time.Minute: // by so much the clocks of two machines may differ
		check, message = "max_age", fmt.Sprintf("expected a run that finished before now, %s, found one that finishes in the "+
			"future, at %s: correct the clock and run it again", moment(d.now), moment(run.Finished))
	default:
		d.add(path, "run", Held, fmt.Sprintf("%s run of %s, complete, finished %s ago", run.Kind, run.Deployment, view.Lasted(max(0, age))))
		d.d.Runs = append(d.d.Runs, run)
		return
	}
	d.add(path, check, Undecided, message)
	d.wrong(path, run)
}

// wrong is what a run shows that is no evidence of what holds: what is wrong is wrong still.
func (d *decider) wrong(path string, run Run) {
	if run.Kind == recorded.OfConformance {
		d.failures(path, []Run{run}, true)
	} else {
		d.outcome(path, run, true)
	}
}

// elsewhere says why a run is not of what the policy is about; both are empty where it is.
func (d *decider) elsewhere(run Run) (check, message string) {
	if run.Embedded {
		return "run", "expected a run of a deployment, found one of the embedded gateway: name yours with --deployment FILE"
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
			return of.check, fmt.Sprintf("expected a run of %s, found one of %s", either(of.allowed), cited(of.found))
		}
	}
	return "", ""
}

// apart says in what the runs of one name differ, so that they are not evidence of one deployment; empty: in nothing.
func apart(runs []Run) (differences []string) {
	var depths []Run
	for _, r := range runs {
		if r.Kind == recorded.OfConformance {
			depths = append(depths, r)
		}
	}
	for _, by := range []struct {
		what string
		runs []Run
		of   func(Run) string
	}{
		{"base_url", runs, func(r Run) string { return r.BaseURL }},
		{"fingerprint", runs, func(r Run) string { return r.Fingerprint }},
		{"depth", depths, func(r Run) string { return r.Depth }},
	} {
		if same := digest.By(by.runs, by.of); len(same) > 1 {
			for _, b := range same {
				var paths []string
				for _, r := range b.Items {
					paths = append(paths, short(r.Path))
				}
				differences = append(differences, by.what+" "+cited(b.Key)+": "+some(paths))
			}
		}
	}
	return differences
}

func either(names []string) string {
	var quoted []string
	for _, n := range names {
		quoted = append(quoted, cited(n))
	}
	return strings.Join(quoted, " or ")
}

// deployment checks the runs of one deployment.
func (d *decider) deployment(name string) {
	of := slices.DeleteFunc(slices.Clone(d.d.Runs), func(r Run) bool { return r.Deployment != name })
	if differences := apart(of); len(differences) > 0 {
		d.add(name, "deployment", Undecided, "expected runs of one deployment, found runs that differ: give each deployment a name of "+
			"its own, and leave out runs of others", differences...)
		for _, r := range of {
			d.wrong(r.Path, r)
		}
		return
	}
	for _, k := range []struct {
		kind          recorded.Kind
		asked         bool
		what, command string
	}{
		{recorded.OfConformance, d.policy.Conformance != nil, "conformance run of", "conform"},
		{recorded.OfLoad, d.policy.Load != nil, "load run of", "load run"},
		{recorded.OfCapacity, d.policy.Capacity != nil, "search for the capacity of", "load capacity"},
	} {
		runs := slices.DeleteFunc(slices.Clone(of), func(r Run) bool { return r.Kind != k.kind })
		if len(runs) == 0 && k.asked {
			d.add(name, string(k.kind), Undecided, fmt.Sprintf("expected a %s this deployment, found none that can be "+
				"used: make one with gateassay %s", k.what, k.command))
		}
		if len(runs) > 0 && k.kind == recorded.OfConformance {
			d.conformance(name, runs)
			continue
		}
		for _, r := range runs {
			if k.kind == recorded.OfLoad {
				d.load(name, r)
			} else {
				d.capacity(name, r)
			}
		}
	}
}

// short is a path as messages of a deployment name it.
func short(path string) string { return filepath.Base(filepath.Clean(path)) }

func orNone(reason string) string { return cmp.Or(strings.TrimSpace(reason), "no reason is recorded") }

// some names the first of a list.
func some(list []string) string { return printable.JoinFirst(list, 8, ", ") }
