package export_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/suites/record"
)

// Rows that are there in one file and not in the next are no quotes that change: the reason says so.
func TestADeploymentThatAnswersTheSameExportDifferently(t *testing.T) {
	t.Parallel()
	sometimes := func(n int, text string) string {
		if n%2 == 0 {
			return text
		}
		lines := strings.SplitAfter(text, "\n")
		return strings.Join(lines[:max(1, len(lines)-1-n%7)], "")
	}
	unquoted := strings.NewReplacer("\"two\nlines\"", "x").Replace
	j := judgeRewritten(t, reference.Options{}, func(n int, text string) string { return sometimes(n, unquoted(text)) },
		nil)
	if text := j.Explain(record.Inconclusive); !strings.Contains(text,
		"the deployment answers the same export differently, so exports cannot be compared") {
		t.Error(text)
	}
	late := judgeRewritten(t, reference.Options{}, func(n int, text string) string {
		if text = unquoted(text); n > 8 {
			lines := strings.SplitAfter(text, "\n")
			text = strings.Join(lines[:max(1, len(lines)-3)], "")
		}
		return text
	}, nil)
	if text := late.Explain(record.Inconclusive); !strings.Contains(text,
		"changed during the run, or the deployment answers the same export differently, so") {
		t.Error(text)
	}
}
