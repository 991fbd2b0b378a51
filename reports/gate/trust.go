package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/gateway/runfolder"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// trustConformance finds what a conformance run says otherwise than its checks and its journal do.
func (r *Run) trustConformance() error {
	run := r.conformance
	if err := agrees(run); err != nil {
		return err
	}
	journal := filepath.Join(r.dir, runfolder.JournalName)
	if _, err := os.Stat(journal); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	again, err := record.Load(journal)
	if err != nil {
		return fmt.Errorf("its journal cannot be read: expected the lines of a run, found other: %w", err)
	}
	if again.Run.ID != run.Run.ID {
		return fmt.Errorf("run.id: expected that of the journal beside it, %s, found %s",
			cited(again.Run.ID), cited(run.Run.ID))
	}
	if differs := r.same(recorded.Run{Kind: r.Kind, Conformance: again}.Head()); differs != "" {
		return fmt.Errorf("it is not what its journal comes to: %s", differs)
	}
	return sameRules(run.Rules, again.Rules)
}

// sameRules finds a rule whose verdict or level is not that of the journal.
func sameRules(list, journal []record.Rule) error {
	found := map[string]record.Rule{}
	for _, r := range list {
		found[r.ID] = r
	}
	for _, r := range journal {
		now, id := found[r.ID], printable.Clip(printable.Clean(r.ID), 100)
		if now.Verdict != r.Verdict {
			return fmt.Errorf("it is not what its journal comes to: %s: expected %s, found %s",
				id, said(r.Verdict), said(now.Verdict))
		}
		if now.Level != r.Level || now.Security != r.Security {
			return fmt.Errorf("it is not what its journal comes to: %s: level: expected %s, found %s",
				id, cited(digest.Level(r)), cited(digest.Level(now)))
		}
	}
	if len(list) != len(journal) {
		return fmt.Errorf("it is not what its journal comes to: expected %s, found %d",
			digest.Quantity(len(journal), "rule"), len(list))
	}
	return nil
}

// said is a verdict within a message.
func said(v record.Verdict) string {
	switch v {
	case record.Pass, record.Fail, record.Waived, record.NotVerified, record.Inconclusive, record.Observed:
		return digest.Word(v)
	case "":
		return "nothing"
	}
	return cited(string(v))
}

// agrees judges the checks of a run once more, and compares verdicts, counts and outcome with what they come to.
func agrees(run record.Run) error {
	if len(run.Rules) == 0 {
		return errors.New("rules: expected at least one, found none")
	}
	var catalogue []rules.Rule
	var checks []record.Check
	var counts record.Counts
	seen := map[string]bool{}
	for _, r := range run.Rules {
		if r.ID == "" || seen[r.ID] {
			return fmt.Errorf("rules: expected each rule once and with its ID, found %s twice or without", cited(r.ID))
		}
		seen[r.ID] = true
		counts.Add(r)
		catalogue = append(catalogue, rules.Rule{ID: r.ID, Level: rules.Level(r.Level), Security: r.Security})
		for _, c := range r.Checks {
			c.Rule = r.ID
			checks = append(checks, c)
		}
	}
	judged, _, _ := record.Judge(catalogue, checks, nil, run.Run.StartedAt)
	for i, r := range run.Rules {
		if err := follows(r, judged[i].Verdict, run.Run.StartedAt); err != nil {
			return err
		}
	}
	if counts != run.Counts {
		return fmt.Errorf("counts: expected those of its rules, %s, found %s", all(counts), all(run.Counts))
	}
	if outcome, why := record.Conclude(run.Rules, run.Run.Partial); outcome != run.Verdict {
		return fmt.Errorf("verdict: expected %s, which its rules come to (%s), found %s",
			outcome, why, cited(string(run.Verdict)))
	}
	return nil
}

// follows reports whether the verdict of a rule is the one that its checks come to.
func follows(r record.Rule, again record.Verdict, started time.Time) error {
	id := printable.Clip(printable.Clean(r.ID), 100)
	switch rules.Level(r.Level) {
	case rules.Must, rules.Should, rules.Observe:
	default:
		return fmt.Errorf("%s: level: expected must, should or observe, found %s", id, cited(r.Level))
	}
	if r.Verdict != record.Waived {
		if r.Verdict != again {
			return fmt.Errorf("%s: verdict: expected %s, which its checks come to, found %s",
				id, said(again), said(r.Verdict))
		}
		return nil
	}
	switch until, err := time.Parse(time.DateOnly, waivedUntil(r)); {
	case again != record.Fail:
		return fmt.Errorf("%s: verdict: expected %s, which its checks come to, found waived", id, said(again))
	case r.Waiver == nil:
		return fmt.Errorf("%s: waiver: expected the one that covers it, found none", id)
	case !rules.Match(r.Waiver.Rule, r.ID):
		return fmt.Errorf("%s: waiver.rule: expected a pattern that covers it, found %s", id, cited(r.Waiver.Rule))
	case err != nil:
		return fmt.Errorf("%s: waiver.until: expected a day such as 2026-12-31, found %s", id, cited(r.Waiver.Until))
	case !started.Before(until.AddDate(0, 0, 1)):
		return fmt.Errorf("%s: waiver.until: expected no day before the run, found %s", id, r.Waiver.Until)
	}
	return nil
}

func waivedUntil(r record.Rule) string {
	if r.Waiver == nil {
		return ""
	}
	return r.Waiver.Until
}

// all are counts in words, also those that are 0.
func all(c record.Counts) string {
	parts := []string{fmt.Sprint(c.Pass, " passed")}
	for _, t := range digest.Tallies(c) {
		if t.Verdict != record.Pass {
			parts = append(parts, t.String())
		}
	}
	return strings.Join(parts, ", ")
}
