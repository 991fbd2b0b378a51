package gate

import (
	"cmp"
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
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

// trust finds what a run says otherwise than what it holds comes to, and than the record beside it does that it was
// made from.
func (r *Run) trust() error {
	name, lines := runfolder.IntervalsName, "its intervals"
	beside, itself := name, name+" beside it" // what messages call the record
	switch r.Kind {
	case recorded.OfCapacity:
		return r.trustCapacity()
	case recorded.OfLoad:
		if err := loadAgrees(r.Load); err != nil {
			return err
		}
	default:
		name, lines, beside, itself = runfolder.JournalName, "its journal", "the journal", "its journal"
		if err := agrees(r.Conformance); err != nil {
			return err
		}
	}
	path := filepath.Join(r.Dir, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	again, err := recorded.Open(path)
	if err != nil {
		return fmt.Errorf("%s cannot be read: expected the lines of a run, found something else: %w", lines, err)
	}
	defer again.Close()
	head := again.Head()
	if head.ID != r.ID {
		return fmt.Errorf("run.id: expected that of %s beside it, %s, found %s", beside, cited(head.ID), cited(r.ID))
	}
	differs := r.same(head)
	if differs == "" && r.Kind == recorded.OfLoad {
		differs = sameFigures(r.Load, again.Load)
	} else if differs == "" {
		differs = sameRules(r.Conformance.Rules, again.Conformance.Rules)
	}
	if differs != "" {
		return fmt.Errorf("it is not what %s comes to: %s", itself, differs)
	}
	return nil
}

// same returns the fact in which a run differs from the record beside it that it was made from; "" in none.
func (r *Run) same(other recorded.Head) string {
	for _, f := range []struct{ name, mine, other string }{
		{"run.partial", fmt.Sprint(r.Partial), fmt.Sprint(other.Partial)},
		{"verdict", r.Verdict, other.Verdict},
		{"run.deployment", r.Deployment, other.Deployment},
		{"run.base_url", r.BaseURL, other.BaseURL},
		{"run.started_at", moment(r.Started), moment(other.Started)},
		{"run.finished_at", moment(r.Finished), moment(other.Finished)},
	} {
		if f.mine != f.other {
			return fmt.Sprintf("%s: expected %s, found %s", f.name, cited(f.other), cited(f.mine))
		}
	}
	return ""
}

// sameRules names a rule whose verdict or level is not that of the journal; "" where there is none.
func sameRules(list, journal []record.Rule) string {
	found := map[string]record.Rule{}
	for _, r := range list {
		found[r.ID] = r
	}
	for _, r := range journal {
		now, id := found[r.ID], printable.Clip(printable.Clean(r.ID), 100)
		if now.Verdict != r.Verdict {
			return fmt.Sprintf("%s: expected %s, found %s", id, said(r.Verdict), said(now.Verdict))
		}
		if now.Level != r.Level || now.Security != r.Security {
			return fmt.Sprintf("%s: level: expected %s, found %s", id, cited(digest.Level(r)), cited(digest.Level(now)))
		}
	}
	if len(list) != len(journal) {
		return fmt.Sprintf("expected %s, found %d", digest.Quantity(len(journal), "rule"), len(list))
	}
	return ""
}

// sameFigures says in which figures a load run is not what its intervals come to; "" in none.
func sameFigures(run, again results.Run) string {
	if again.Requests == run.Requests && again.Latency == run.Latency {
		return ""
	}
	return fmt.Sprintf("expected %d requests with a p99 of %gms, found %d with %gms", again.Requests.Sent,
		again.Latency.Response.P99, run.Requests.Sent, run.Latency.Response.P99)
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
	waiver := cmp.Or(r.Waiver, &record.Waiver{})
	switch until, err := time.Parse(time.DateOnly, waiver.Until); {
	case again != record.Fail:
		return fmt.Errorf("%s: verdict: expected %s, which its checks come to, found waived", id, said(again))
	case r.Waiver == nil:
		return fmt.Errorf("%s: waiver: expected the one that covers it, found none", id)
	case !rules.Match(waiver.Rule, r.ID):
		return fmt.Errorf("%s: waiver.rule: expected a pattern that covers it, found %s", id, cited(waiver.Rule))
	case err != nil:
		return fmt.Errorf("%s: waiver.until: expected a day such as 2026-12-31, found %s", id, cited(waiver.Until))
	case !started.Before(until.AddDate(0, 0, 1)):
		return fmt.Errorf("%s: waiver.until: expected no day before the run, found %s", id, waiver.Until)
	}
	return nil
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
