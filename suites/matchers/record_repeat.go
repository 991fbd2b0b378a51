package matchers

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/outcome"
	"github.com/gateassay/gateassay/internal/representative"
	"github.com/gateassay/gateassay/internal/reproscript"
	"github.com/gateassay/gateassay/internal/schema"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/record"
	"github.com/gateassay/gateassay/suites/spec"
	"github.com/gateassay/gateassay/suites/target"
)

// CompareRecordIDs reports whether the answer to a creation carries the ID of the record of the
// first creation, which is the first of Preceding, or another ID. Both are false unless both
// answers are successes with an ID.
func CompareRecordIDs(again target.Answer) (same, other bool) {
	first, ok := answers.RecordID(again.Preceding[0])
	second, too := answers.RecordID(again.Exchange)
	return ok && too && first == second, ok && too && first != second
}

// ChangedFields returns the documented fields that the answer to a creation and that to the first
// of Preceding show with different values, and the document and address parts that a repeat with
// a name leaves out. It returns nil unless both show the same record: other rules judge that.
func ChangedFields(again target.Answer) (changed []string) {
	first, broken := representative.Parse(again.Preceding[0].Body)
	second, brokenToo := representative.Parse(again.Body)
	if same, _ := CompareRecordIDs(again); !same || broken != nil || brokenToo != nil {
		return nil
	}
	for _, f := range schema.RecordFields() {
		before, _ := first.Get(f.Path)
		after, _ := second.Get(f.Path)
		// 50 and 50.00 are equal, and other rules judge values of the wrong type.
		both := schema.EchoedValue{Field: f, Sent: before, Got: after}
		if same, comparable := both.CompareValues(); before != nil && after != nil && comparable &&
			!same {
			changed = append(changed, f.Path)
		}
	}
	name, _ := second.Get("name")
	for _, part := range []string{"document", "address"} {
		before, _ := first.Get(part)
		if after, _ := second.Get(part); name != nil && before != nil && after == nil {
			changed = append(changed, part)
		}
	}
	return changed
}

func repeatMatcher(
	want string, sign reproscript.Expectation, right func(target.Answer) bool,
) Matcher {
	return newMatcher(right, func(again target.Answer) (record.Finding, spec.Evidence) {
		f, shown := answerFinding(again, "", want, sign)
		switch same, other := CompareRecordIDs(again); {
		case other && again.GivesOtherCreation:
			f.Outcome = outcome.OthersRecord
		case other:
			f.Outcome = outcome.SecondRecord
		case again.IsSuccess() && !same:
			f.Got += " without the id of the record"
		}
		return f, shown
	})
}

func showsOtherRecord(again target.Answer) bool {
	_, other := CompareRecordIDs(again)
	return other
}

// MakeNoSecondRecord holds for a repeat that got 409, or a success with the existing record.
func MakeNoSecondRecord() Matcher {
	return repeatMatcher("409 or the record that exists", reproscript.ExpectOneRecord{},
		func(again target.Answer) bool {
			same, _ := CompareRecordIDs(again)
			return again.Status == http.StatusConflict || same
		})
}

// MakeNoOtherRecord holds for a repeat whose answer shows no ID of another record, whatever its
// status.
func MakeNoOtherRecord() Matcher {
	return repeatMatcher("none", reproscript.ExpectOneRecord{Other: true},
		func(again target.Answer) bool { return !showsOtherRecord(again) })
}

// GetNoServerError holds for a repeat that got no 5xx.
func GetNoServerError() Matcher {
	return repeatMatcher("2xx or 4xx", expectAnswered,
		func(again target.Answer) bool { return !again.IsServerError() })
}

// MakeAnotherRecord holds for two different creations that got two IDs.
func MakeAnotherRecord() Matcher {
	return newMatcher(showsOtherRecord, func(a target.Answer) (record.Finding, spec.Evidence) {
		f, shown := answerFinding(a, "", "two records", reproscript.ExpectOneRecord{Two: true})
		f.Outcome, f.Got = "", f.Got+" with the same id"
		return f, shown
	})
}

// GiveTheRecordThatExists holds for a repeat that shows the first record without changes. It also
// holds for an answer without the first record's ID.
func GiveTheRecordThatExists() Matcher {
	return newMatcher(func(again target.Answer) bool { return len(ChangedFields(again)) == 0 },
		func(again target.Answer) (record.Finding, spec.Evidence) {
			changed := ChangedFields(again)
			f, shown := answerFinding(again, "", "the record as it was",
				reproscript.ExpectUnchanged{Paths: changed})
			f.Subject, f.Outcome = "a repeated record", outcome.Changed
			f.Got = strings.Join(changed, ", ")
			return f, shown
		})
}

// MakeOneRecord holds for the answers to identical concurrent creations if all successes carry one
// ID and all other answers are a 4xx. Throttled requests and missing answers do not count.
func MakeOneRecord() Matcher {
	return newMatcher(func(all []*client.Exchange) bool { return raceViolation(all) == "" },
		func(all []*client.Exchange) (record.Finding, spec.Evidence) {
			found := record.Finding{
				Subject: fmt.Sprintf("%d identical creations at once", len(all)), Got: raceViolation(all),
				Want:     "one record and refusals",
				Expected: "one id among all successes, a 4xx for the rest", Actual: answers.CountStatuses(all),
			}
			return found, spec.Evidence{
				Repeat: []spec.RepeatRequest{{Exchange: all[0], Concurrent: len(all)}},
				Sign:   reproscript.ExpectAtMostOne{Records: true},
			}
		})
}

// raceViolation returns what breaks the rule of MakeOneRecord; empty: nothing.
func raceViolation(all []*client.Exchange) (fault string) {
	ids := map[string]bool{}
	for _, x := range all {
		id, named := answers.RecordID(x)
		switch {
		case named:
			ids[id] = true
		case x.IsSuccess():
			fault = cmp.Or(fault, "successes without an id")
		case !x.IsClientError() && !x.IsTransient():
			fault = cmp.Or(fault, answers.Describe(x))
		}
	}
	if len(ids) > 1 {
		return fmt.Sprintf("%d records", len(ids))
	}
	return fault
}
