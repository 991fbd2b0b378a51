// Package recordtest provides recorded runs for tests.
package recordtest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// HostileText is a text that tries to break out of every report format.
const HostileText = "</script><script>alert(1)</script> ]]> <img src=x onerror=alert(2)> | " +
	"`tick` ``` **bold** " +
	"[x](javascript:alert(3)) \x1b[31mred\x1b[0m\r\n::error title=fake::injected\n# heading\x00\x07" +
	"\u202Eesrever\xff\xfe %0A & \"quote\" 'single' 日本語 José O’Néill"

// StartTime is when the sample run started.
var StartTime = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

//go:embed sample.ndjson
var journalData []byte

// SampleJournal returns the journal of a run with every verdict, every waiver state and
// HostileText in every text.
func SampleJournal() []byte {
	hostile, err := json.Marshal(HostileText)
	if err != nil {
		panic(err)
	}
	return bytes.ReplaceAll(journalData, []byte("HOSTILE"), hostile[1:len(hostile)-1])
}

// SampleCollected returns the sample run before it is judged.
func SampleCollected() record.UnjudgedRun {
	f, err := record.ReadJournal(bytes.NewReader(SampleJournal()))
	if err != nil {
		panic(err)
	}
	return f
}

// SampleRun returns the sample run.
func SampleRun() record.Run { return record.Assemble(SampleCollected()) }

// CleanRun returns a run in which every rule passed, without hostile texts.
func CleanRun() record.Run {
	f := record.UnjudgedRun{Info: SampleCollected().Info}
	for _, r := range SampleCollected().Catalogue {
		verdict := record.VerdictPass
		if r.Level == rules.Observe {
			verdict = record.VerdictObserved
		}
		if r.ID != "auth.confidential" {
			f.Catalogue = append(f.Catalogue, r)
			f.Checks = append(
				f.Checks,
				record.CheckResult{
					Rule:       r.ID,
					Name:       "holds",
					Verdict:    verdict,
					Exchanges:  []int{1},
					DurationMS: 10,
				},
			)
		}
	}
	return record.Assemble(f)
}

// UnreachableRun returns a run of n rules against a deployment that refused every connection.
func UnreachableRun(n int) record.Run {
	return buildRun(n, func(i int) string {
		return fmt.Sprintf("%s.topic%d.detail%03d", []string{"create", "export", "replay", "auth"}[i%4],
			i%7, i)
	}, "Something holds.", record.CheckResult{
		Name: "holds", Verdict: record.VerdictInconclusive,
		Message: "no answer: connection refused: dial tcp 127.0.0.1:9: connect: connection refused",
	})
}

// LargeRun returns a run with n failed rules whose texts are size bytes long.
func LargeRun(n, size int) record.Run {
	text := strings.Repeat(HostileText, 1+size/len(HostileText))
	return buildRun(n, func(i int) string { return fmt.Sprintf("create.topic%d.detail%05d", i%9, i) },
		text, record.CheckResult{
			Name: text, Verdict: record.VerdictFail, Message: ". " + text,
			Finding: record.Finding{Expected: text, Actual: text}, Curl: text,
		})
}

// RunOf returns a run with one check for each rule, which has the verdict of the rule.
func RunOf(list ...record.RuleResult) record.Run {
	var f record.UnjudgedRun
	for _, r := range list {
		f.Catalogue = append(f.Catalogue,
			rules.Rule{ID: r.ID, Level: rules.Level(r.Level), Security: r.Security})
		f.Checks = append(f.Checks,
			record.CheckResult{Rule: r.ID, Name: "holds", Verdict: r.Verdict, Message: r.Reason})
	}
	return record.Assemble(f)
}

// buildRun returns a run of n rules with one check each. All checks are equal, but messages of
// failures begin with their number.
func buildRun(n int, id func(int) string, statement string, c record.CheckResult) record.Run {
	f := record.UnjudgedRun{Info: SampleCollected().Info}
	for i := range n {
		f.Catalogue = append(f.Catalogue,
			rules.Rule{ID: id(i), Level: rules.Must, Section: "Any", Statement: statement})
		one := c
		one.Rule, one.Exchanges = id(i), []int{i + 1}
		if c.Verdict == record.VerdictFail {
			one.Message = fmt.Sprint(i) + c.Message
		}
		f.Checks = append(f.Checks, one)
	}
	return record.Assemble(f)
}
