package gate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/runfolder"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// openRun reads a run and checks that it has ended and conforms to its schema.
func openRun(path string) (recorded.Run, error) {
	run, err := recorded.Open(path)
	if err != nil {
		return recorded.Run{}, fmt.Errorf("expected a recorded run, found none: %w", err)
	}
	if err = run.Rebuilt; errors.Is(err, fs.ErrNotExist) {
		return recorded.Run{}, fmt.Errorf("expected %s, found only the records written during the "+
			"run: it did not end: run it again", runfolder.RunName)
	}
	if err = cmp.Or(err, checkIntegrity(run)); err != nil {
		return recorded.Run{}, fmt.Errorf("expected a run, found a damaged %s: %w",
			runfolder.RunName, err)
	}
	return run, nil
}

// checkIntegrity returns an error for contents that gateassay never writes. It does not detect a
// forged run.json; a hash of the file kept elsewhere does.
func checkIntegrity(r recorded.Run) error {
	verdicts := []string{
		string(results.VerdictPass), string(results.VerdictFail), string(results.VerdictInconclusive),
	}
	if r.Kind == recorded.KindConformance {
		verdicts = []string{
			string(record.RunConformant), string(record.RunSelectionPassed), string(record.RunViolations),
			string(record.RunPartlyVerified), string(record.RunNoVerdict),
		}
	}
	switch {
	case r.ID == "":
		return errors.New("run.id: expected the ID of the run, found nothing")
	case r.Deployment == "":
		return errors.New("run.deployment: expected the name of a deployment, found nothing")
	case r.Started.IsZero() || r.Finished.Before(r.Started):
		return errors.New("run.finished_at: expected a time after run.started_at, found none")
	case !slices.Contains(verdicts, r.Verdict):
		return fmt.Errorf("verdict: expected %s, found %s", strings.Join(verdicts, " or "),
			printable.Quote(r.Verdict))
	case r.Kind == recorded.KindLoad && r.Verdict == string(results.VerdictPass) &&
		r.Load.Requests.Sent <= 0:
		return errors.New("verdict: expected fail or inconclusive, as requests.sent is 0, found pass")
	}
	return nil
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// readBaseline reads the run of a baseline, of any age.
func (d *decider) readBaseline(path string, kind recorded.Kind) (recorded.Run, error) {
	run, err := openRun(path)
	unusable := func(format string, args ...any) (recorded.Run, error) {
		return recorded.Run{}, fmt.Errorf("the baseline %s cannot be used: %s", path,
			fmt.Sprintf(format, args...))
	}
	switch {
	case err != nil:
		return unusable("%s", err)
	case run.Kind != kind:
		return unusable("expected a %s run, found a %s run", kind, run.Kind)
	case run.ShardText() != "" || run.Partial:
		return unusable("expected a complete run, found %s",
			cmp.Or(run.ShardText(), "one that was interrupted"))
	// load runs and searches use the same word
	case run.Verdict == string(record.RunNoVerdict):
		return unusable("expected a run with a verdict, found none: %s", reasonOrNone(run.Reason))
	case kind == recorded.KindCapacity && run.Verdict != string(results.VerdictPass):
		return unusable("expected a search that found a rate, found one that did not: %s",
			reasonOrNone(run.Reason))
	}
	if itself, twice := d.read[run.ID]; twice {
		return unusable("expected an earlier run, found %s itself: nothing would be compared", itself)
	}
	return run, nil
}

// checkRegression compares runs with a baseline as report compare does. What held before and is
// not judged now is undecided.
func (d *decider) checkRegression(name string, now recorded.Run, baseline string,
	tolerance float64,
) {
	check, subject := string(now.Kind)+".regression", shownPath(now.Path)
	limit := shownPath(baseline)
	if now.Kind != recorded.KindConformance {
		limit += fmt.Sprintf(" by more than %.4g%%", 100*tolerance)
	}
	var worse, open []string
	earlier, err := d.readBaseline(baseline, now.Kind)
	if err == nil {
		worse, open, err = regressions(earlier, now, tolerance)
	}
	if err != nil {
		open = append(open, err.Error())
	}
	state, found := StateUndecided, "no answer"
	if len(worse) > 0 {
		state, found = StateBlocked, "that it is"
	}
	d.addRequirement(name, check, state, fmt.Sprintf("%s is not worse than %s", subject, limit),
		fmt.Sprintf("expected %s not to be worse than %s, found %s", subject, limit, found),
		append(worse, open...))
}

// regressions returns what got worse, and what held before and is not shown to hold now.
func regressions(before, after recorded.Run, tolerance float64) (worse, open []string, err error) {
	result, err := compare.CompareRuns(before, after, tolerance)
	if err != nil {
		return nil, nil, err
	}
	if result.Conformance != nil {
		return worsenedRules(result.Conformance)
	}
	worse = result.Worse
	least, rate := before.Capacity.Capacity.Rate*(1-tolerance), after.Capacity.Capacity.Rate
	switch {
	case result.Verdict == compare.VerdictInconclusive:
		err = fmt.Errorf("inconclusive: %s", result.Reason)
	case after.Kind == recorded.KindCapacity && len(worse) == 0 && !(rate >= least):
		err = fmt.Errorf("expected at least %.6g/s, found %.6g/s, which may be noise: search again with "+
			"a higher --to or a longer --step-duration", least, rate)
	}
	return worse, nil, err
}

// worsenedRules returns the rules that got worse, and those that held and are not judged now.
func worsenedRules(c *compare.ConformanceComparison) (worse, open []string, err error) {
	if c.Before.Judged() == 0 || c.Compared == 0 {
		err = errors.New("there is no rule that both judge: nothing was compared")
	}
	for _, change := range c.Changes {
		text := change.ID + ": " + digest.VerdictChange(change.Before, change.After)
		switch {
		case change.Before == "":
		case change.Judged == compare.VerdictRegression:
			worse = append(worse, text)
		case change.Judged == compare.VerdictInconclusive:
			open = append(open, text)
		}
	}
	return worse, open, err
}
