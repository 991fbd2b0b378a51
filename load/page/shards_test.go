package page_test

import (
	"strings"
	"testing"

	"github.com/gateassay/gateassay/load/page"
	"github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/reports/record/recordtest"
)

func TestAMergedRunShowsItsShards(t *testing.T) {
	skew, first := 12.5, 3.25
	html, err := page.Write(record.Run{
		Verdict: record.Inconclusive, Reason: "shard 1 is missing", Run: record.Info{Merged: true, Partial: true},
		Merge: &record.Merged{Known: 50, Unknown: 50, Share: 0.5, SkewMS: &skew, Crossing: record.Crossed{Groups: 3, Judged: 2}, Shards: []record.Part{
			{Shard: 0, State: record.Complete, Scheduled: 50, Sent: 50, FirstMS: &first}, {Shard: 1, State: record.Missing, Scheduled: 50, Reason: recordtest.Hostile},
		}},
	}, page.Data{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"INCONCLUSIVE</h1>", "Merged of 2 shards; of 50 % of the schedule", "12.5 ms apart", ">missing<", "3.25 ms", "3 groups of repeats"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(html), "<script>alert") {
		t.Error("a reason became markup")
	}
}
