package compare

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/plan"
)

// ignoredPlanKeys are keys of a plan that do not change what is sent, or that are compared in
// another way.
var ignoredPlanKeys = []string{
	"schema", "name", "seed", "run_id", "shards", "shard", "slo", "abort_on", "fail_on_misblock",
	"timeout_ns",
}

const maxListedDifferences = 50

// planDifferences lists by which keys two plans send another load, those that begin with one of
// these left aside; and says why that is no ground to compare times.
func planDifferences(a, b json.RawMessage,
	aside ...string) (list []plan.KeyDifference, why []string) {
	text := func(s string) string {
		return printable.Clean(printable.Truncate(cmp.Or(s, "nothing"), 100))
	}
	for _, d := range plan.Differences(a, b) {
		top := d.Key[:strings.IndexAny(d.Key+".", ".[")]
		if slices.Contains(ignoredPlanKeys, top) || len(list) == maxListedDifferences ||
			strings.HasSuffix(d.Key, "].name") ||
			slices.ContainsFunc(aside, func(key string) bool { return strings.HasPrefix(d.Key, key) }) {
			continue
		}
		d.Before, d.After = strings.Trim(d.Before, `"`), strings.Trim(d.After, `"`)
		list, why = append(list, d), append(why, text(d.Key)+" is "+text(d.Before)+" and "+text(d.After))
	}
	if len(why) > 0 {
		why = []string{
			"the plans send different loads: " + joinFirstFew(why) + "; compare runs of the same plan",
		}
	}
	return list, why
}
