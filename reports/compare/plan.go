package compare

import (
	"cmp"
	"encoding/json"
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

// planDifferences lists by which keys two plans send another load, those that begin with one of these left aside; and says
// why that is no ground to compare times.
func planDifferences(a, b json.RawMessage, aside ...string) (list []Difference, why []string) {
	text := func(s string) string { return printable.Clean(printable.Clip(cmp.Or(s, "nothing"), 100)) }
	for _, d := range plan.Differences(a, b) {
		top := d.Key[:strings.IndexAny(d.Key+".", ".[")]
		if slices.Contains(indifferent, top) || len(list) == mostDifferences || strings.HasSuffix(d.Key, "].name") ||
			slices.ContainsFunc(aside, func(key string) bool { return strings.HasPrefix(d.Key, key) }) {
			continue
		}
		one := Difference{d.Key, strings.Trim(d.Before, `"`), strings.Trim(d.After, `"`)}
		list, why = append(list, one), append(why, text(one.Key)+" is "+text(one.Before)+" and "+text(one.After))
	}
	if len(why) > 0 {
		why = []string{"the plans send different loads: " + few(why) + "; compare runs of the same plan"}
	}
	return list, why
}
