// Package recordtest makes recorded runs for the tests of whatever reads one.
package recordtest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/suites/record"
)

// Hostile is a text that tries to break out of every report format.
const Hostile = "</script><script>alert(1)</script> ]]> <img src=x onerror=alert(2)> | `tick` ``` **bold** " +
	"[x](javascript:alert(3)) \x1b[31mred\x1b[0m\r\n::error title=fake::injected\n# heading\x00\x07" +
	"\u202Eesrever\xff\xfe %0A & \"quote\" 'single' 日本語 José O’Néill"

// Start is when the sample run started.
var Start = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)

//go:embed sample.ndjson
var journal []byte

// Journal is that of a run with every verdict, waivers in every state and hostile texts wherever a text can be: in use,
// expired, not needed, and one that names no rule.
func Journal() []byte {
	hostile, err := json.Marshal(Hostile)
	if err != nil {
		panic(err)
	}
	return bytes.ReplaceAll(journal, []byte("HOSTILE"), hostile[1:len(hostile)-1])
}

// Found is what the run of the journal found.
func Found() record.Found {
	f, err := record.ReadJournal(bytes.NewReader(Journal()))
	if err != nil {
		panic(err)
	}
	return f
}

// Run is that run.
func Run() record.Run { return record.Assemble(Found()) }

// Clean is a run in which every rule passed.
func Clean() record.Run {
	f := record.Found{Info: Found().Info}
	for _, r := range Found().Catalogue {
		if r.Statement == Hostile {
			continue
		}
		v := record.Pass
		if r.Level == rules.Observe {
			v = record.Observed
		}
		f.Catalogue = append(f.Catalogue, r)
		f.Checks = append(f.Checks, record.Check{
			Rule: r.ID, Name: "holds", Verdict: v, Exchanges: []int{1},
			DurationMS: 10,
		})
	}
	return record.Assemble(f)
}

// Unreachable is a run against a deployment that refused every connection, over n rules.
func Unreachable(n int) record.Run {
	f := record.Found{Info: Found().Info}
	for i := range n {
		id := fmt.Sprintf("%s.topic%d.detail%03d", []string{"create", "export", "replay", "auth"}[i%4], i%7, i)
		f.Catalogue = append(f.Catalogue, rules.Rule{
			ID: id, Level: rules.Must, Section: "Any",
			Statement: "Something holds.",
		})
		f.Checks = append(f.Checks, record.Check{
			Rule: id, Name: "holds", Verdict: record.Inconclusive,
			Message:   "no answer: connection refused: dial tcp 127.0.0.1:9: connect: connection refused",
			Exchanges: []int{i + 1},
		})
	}
	return record.Assemble(f)
}

// Large is a run with n failing rules whose texts are size bytes long.
func Large(n, size int) record.Run {
	f := record.Found{Info: Found().Info}
	text := ""
	for len(text) < size {
		text += Hostile
	}
	for i := range n {
		id := fmt.Sprintf("create.topic%d.detail%05d", i%9, i)
		f.Catalogue = append(f.Catalogue, rules.Rule{ID: id, Level: rules.Must, Section: "Any", Statement: text})
		f.Checks = append(f.Checks, record.Check{
			Rule: id, Name: text, Verdict: record.Fail, Message: fmt.Sprint(i) + ". " + text,
			Finding: record.Finding{Expected: text, Actual: text}, Curl: text, Exchanges: []int{i + 1},
		})
	}
	return record.Assemble(f)
}
