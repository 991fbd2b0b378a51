package conformance

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/gateassay/gateassay/docs"
	"github.com/gateassay/gateassay/reports/view"
)

//go:embed why.txt
var importanceText string

// importanceByRule returns the sentences of why.txt by rule ID or pattern.
var importanceByRule = sync.OnceValue(func() map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(importanceText) {
		if id, reason, some := strings.Cut(strings.TrimSpace(line), " "); some && id != "#" {
			found[id] = reason
		}
	}
	return found
})

// importanceOf returns why a rule matters; empty: why.txt has no entry.
func importanceOf(id string) string {
	if strings.HasPrefix(id, "replay.") {
		if reason, known := importanceByRule()["replay.*"+id[strings.LastIndexByte(id, '.'):]]; known {
			return reason
		}
	}
	for {
		if reason, known := importanceByRule()[id]; known {
			return reason
		}
		i := strings.LastIndexByte(id, '.')
		if i < 0 {
			return ""
		}
		id = id[:i]
	}
}

// ruleBackground returns the statement that a rule verifies and why it matters, as far as they are
// known.
func ruleBackground(rule string) (lines [][]view.Cell) {
	if s, known := docs.RequirementOf(rule); known {
		lines = append(lines, []view.Cell{
			{Quiet: "The API document,"}, {Text: "statement " + s.Number, Link: s.URL()}, {Quiet: s.Text},
		})
	}
	if text := importanceOf(rule); text != "" {
		lines = append(lines, []view.Cell{{Text: "Why it matters.", Tone: view.ToneCalm}, {Text: text}})
	}
	return lines
}
