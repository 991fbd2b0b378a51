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

// reasons are the sentences of why.txt by what they stand behind.
var reasons = sync.OnceValue(func() map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(whyText) {
		if id, reason, some := strings.Cut(strings.TrimSpace(line), " "); some && id != "#" {
			found[id] = reason
		}
	}
	return found
})

// why says why a rule matters; empty when there is no word on it.
func why(id string) string {
	if strings.HasPrefix(id, "replay.") {
		if reason, known := reasons()["replay.*"+id[strings.LastIndexByte(id, '.'):]]; known {
			return reason
		}
	}
	for {
		if reason, known := reasons()[id]; known {
			return reason
		}
		i := strings.LastIndexByte(id, '.')
		if i < 0 {
			return ""
		}
		id = id[:i]
	}
}

// matters are the statement of the API document that a rule verifies, and why the rule matters, as
// far as there are any.
func matters(rule string) (lines [][]view.Cell) {
	if s, known := docs.Of(rule); known {
		lines = append(lines, []view.Cell{
			{Quiet: "The API document,"}, {Text: "statement " + s.Number, Link: s.URL()}, {Quiet: s.Text},
		})
	}
	if text := why(rule); text != "" {
		lines = append(lines, []view.Cell{{Text: "Why it matters.", Tone: view.Calm}, {Text: text}})
	}
	return lines
}
