package loadreport_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/view"
	"github.com/gateassay/gateassay/suites/record/recordtest"
)

func TestAMergedRunShowsItsShards(t *testing.T) {
	html, err := view.WritePage(loadreport.Run(results.Run{
		Verdict: results.Inconclusive, Reason: "shard 1 is missing", Run: results.Info{Merged: true, Partial: true},
		Merge: &results.Composition{
			Known: 50, Unknown: 50, Share: 0.5, Shards: []results.Part{
				{Shard: 0, State: results.Complete, Scheduled: 50, Sent: 50},
				{Shard: 1, State: results.Missing, Scheduled: 50, Reason: recordtest.Hostile},
			},
		},
	}, loadreport.Data{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"INCONCLUSIVE</h1>", "Merged from 2 shards; the outcome of 50 % of the schedule", ">missing<",
	} {
		if !strings.Contains(string(html), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(html), "<script>alert") {
		t.Error("a reason became markup")
	}
}
