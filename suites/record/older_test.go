package record_test

import (
	"encoding/json"
	"testing"

	"github.com/gateassay/gateassay/suites/record"
)

// A run of a version without counts.warn is judged by the levels of its rules, unless it contradicts itself.
func TestAnOlderRunIsJudgedByItsLevels(t *testing.T) {
	const failedShould = `"rules": [{"id": "a", "level": "must", "verdict": "pass"}, {"id": "b", "level": "should", "verdict": "fail"}]`
	for name, c := range map[string]struct {
		text string
		want record.Outcome
		n    record.Counts
	}{
		"a should rule failed": {
			`{"verdict": "violations", "counts": {"pass": 1, "fail": 1}, ` + failedShould + `}`,
			record.Conformant,
			record.Counts{Pass: 1, Warn: 1},
		},
		"a must rule failed": {`{"verdict": "violations", "counts": {"fail": 1}, "rules": [{"id": "a", "level": "must", "verdict": "fail"}]}`, record.Violations, record.Counts{Fail: 1}},
		"a must rule inconclusive": {
			`{"verdict": "partial", "counts": {"inconclusive": 1}, "rules": [{"id": "a", "level": "must", "verdict": "inconclusive"}]}`, record.NoVerdict, record.Counts{Inconclusive: 1},
		},
		"of this version": {`{"verdict": "violations", "counts": {"pass": 1, "fail": 1, "warn": 0}, ` + failedShould +
			`}`, record.Violations, record.Counts{Pass: 1, Fail: 1}},
		"other counts": {
			`{"verdict": "violations", "counts": {"pass": 2, "fail": 1}, ` + failedShould + `}`,
			record.Violations,
			record.Counts{Pass: 2, Fail: 1},
		},
		"another verdict": {`{"verdict": "conformant", "counts": {"fail": 1}, "rules": [{"id": "a", "level": "must", "verdict": "fail"}]}`, record.Conformant, record.Counts{Fail: 1}},
	} {
		var run record.Run
		if err := json.Unmarshal([]byte(c.text), &run); err != nil || run.Verdict != c.want || run.Counts != c.n {
			t.Errorf("%s: %v, %s, %+v", name, err, run.Verdict, run.Counts)
		}
	}
}
