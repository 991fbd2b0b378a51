package compare

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/plan"
)

// Difference is a key of the plan that two runs of load have not in common.
type Difference struct {
	Key    string `json:"key"`    // dotted, as in the plan
	Before string `json:"before"` // empty: not there
	After  string `json:"after"`
}

// indifferent are keys of a plan that do not change what is sent, or that are compared in another way.
var indifferent = []string{
	"schema", "name", "seed", "run_id", "shards", "shard", "slo", "abort_on", "fail_on_misblock", "timeout_ns",
}

const mostDifferences = 50

// planDifferences lists by which keys two plans send another load, those that begin with one of these left aside.
func planDifferences(a, b json.RawMessage, aside ...string) (list []Difference) {
	for _, d := range plan.Differences(a, b) {
		top := d.Key[:strings.IndexAny(d.Key+".", ".[")]
		if slices.Contains(indifferent, top) || len(list) == mostDifferences || strings.HasSuffix(d.Key, "].name") ||
			slices.ContainsFunc(aside, func(key string) bool { return strings.HasPrefix(d.Key, key) }) {
			continue
		}
		list = append(list, Difference{d.Key, strings.Trim(d.Before, `"`), strings.Trim(d.After, `"`)})
	}
	return list
}

// otherLoad says why the load of two runs is not the same, and what to do: times under another load are not regressions.
func otherLoad(differences []Difference, again string) []string {
	if len(differences) == 0 {
		return nil
	}
	text := func(s string) string { return printable.Clean(printable.Clip(cmp.Or(s, "nothing"), 100)) }
	var list []string
	for _, d := range differences {
		list = append(list, text(d.Key)+" is "+text(d.Before)+" and "+text(d.After))
	}
	return []string{"the plans send different loads: " + few(list, ", ") + "; " + again}
}

// apart reports whether rates differ by more than a hundredth.
func apart(x, y float64) bool { return math.Abs(x-y) > 0.01*max(x, y) }
