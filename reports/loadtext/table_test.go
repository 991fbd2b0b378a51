package loadtext_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/loadtext"
)

// The closed model is labelled on a terminal and in summary.md, and no rate is said to have been meant.
func TestTheClosedModelIsLabelled(t *testing.T) {
	run := results.Run{
		Closed: 4, Requests: results.Requests{Scheduled: 100, Sent: 100},
		Rate: results.Rate{Achieved: 50},
	}
	var text strings.Builder
	if err := (loadtext.Table{}).Print(&text, run); err != nil || strings.Contains(text.String(), "target") {
		t.Errorf("%v\n%s", err, text.String())
	}
	for _, shown := range []string{text.String(), string(loadtext.Markdown(run))} {
		if !strings.Contains(shown, "closed model: each of 4 connections") {
			t.Errorf("no label in\n%s", shown)
		}
	}
}
