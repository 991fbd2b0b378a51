package conformance

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/reports/view"
)

//go:embed why.txt
var whyText string

// ruleReasons are the sentences of why.txt by what they stand behind.
var ruleReasons = sync.OnceValue(func() map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(whyText) {
		if id, reason, some := strings.Cut(strings.TrimSpace(line), " "); some && id != "#" {
			found[id] = reason
		}
	}
	return found
})

// reasonFor says why a rule matters; empty when there is no word on it.
func reasonFor(id string) string {
	if strings.HasPrefix(id, "replay.") {
		if reason, known := ruleReasons()["replay.*"+id[strings.LastIndexByte(id, '.'):]]; known {
			return reason
		}
	}
	for {
		if reason, known := ruleReasons()[id]; known {
			return reason
		}
		i := strings.LastIndexByte(id, '.')
		if i < 0 {
			return ""
		}
		id = id[:i]
	}
}

// ruleBackground are the statement of the API document that a rule verifies, and why the rule
// matters, as far as there are any.
func ruleBackground(rule string) (lines [][]view.Cell) {
	if s, known := docs.Of(rule); known {
		lines = append(lines, []view.Cell{
			{Quiet: "The API document,"}, {Text: "statement " + s.Number, Link: s.URL()}, {Quiet: s.Text},
		})
	}
	if text := reasonFor(rule); text != "" {
		lines = append(lines, []view.Cell{{Text: "Why it matters.", Tone: view.ToneCalm}, {Text: text}})
	}
	return lines
}
