package compare

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/plan"
	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/digest"
)

// Difference is a key of the plan that two runs of load have not in common.
type Difference struct {
	Key    string `json:"key"`    // dotted, as in the plan
	Before string `json:"before"` // empty: not there
	After  string `json:"after"`
}

func (d Difference) String() string {
	or := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return printable.Clean(printable.Clip(s, 100))
	}
	return printable.Clean(printable.Clip(d.Key, 100)) + " is " + or(d.Before) + " and " + or(d.After)
}

// indifferent are keys of a plan that do not change what is sent, or that are compared in another way.
var indifferent = []string{
	"schema", "name", "seed", "run_id", "shards", "shard",
	"slo", "abort_on", "stages", "fail_on_misblock", "timeout_ns",
}

const mostDifferences = 50

// planDifferences lists by which keys two plans send another load, their stages left aside.
func planDifferences(a, b json.RawMessage) (list []Difference) {
	for _, d := range plan.Differences(a, b) {
		top, _, _ := strings.Cut(d.Key, ".")
		top, _, _ = strings.Cut(top, "[")
		if !slices.Contains(indifferent, top) && len(list) < mostDifferences {
			list = append(list, Difference{d.Key, strings.Trim(d.Before, `"`), strings.Trim(d.After, `"`)})
		}
	}
	return list
}

// otherPlan says why the load of two runs is not the same, and what to do: times under another load are not
// regressions.
func otherPlan(a, b results.Run, differences []Difference) []string {
	const again = "compare runs of the same plan"
	var why []string
	switch {
	case apart(a.Rate.Target, b.Rate.Target):
		why = append(why, fmt.Sprintf("the target of the first run was %.5g/s, that of the second %.5g/s; %s",
			a.Rate.Target, b.Rate.Target, again))
	case len(a.Stages) != len(b.Stages):
		why = append(why, fmt.Sprintf("the first run has %s, the second %d; %s",
			digest.Quantity(len(a.Stages), "stage"), len(b.Stages), again))
	default:
		for i := range a.Stages {
			x, y := a.Stages[i], b.Stages[i]
			if apart(x.Rate.Target, y.Rate.Target) {
				why = append(why, fmt.Sprintf("in stage %d the target of the first run was %.5g/s, that of the "+
					"second %.5g/s; %s", i+1, x.Rate.Target, y.Rate.Target, again))
				break
			}
			// Of a plan with one rate, a longer run is more of the same. Of several stages it changes their shares.
			if lx, ly := float64(x.EndMS-x.StartMS), float64(y.EndMS-y.StartMS); len(a.Stages) > 1 &&
				apart(lx, ly) && math.Abs(lx-ly) > 1000 {
				why = append(why, fmt.Sprintf("stage %d lasted %.4g s in the first run and %.4g s in the second; %s",
					i+1, lx/1000, ly/1000, again))
				break
			}
		}
	}
	return append(why, otherTraffic(differences, again)...)
}

func otherTraffic(differences []Difference, again string) []string {
	if len(differences) == 0 {
		return nil
	}
	var list []string
	for _, d := range differences {
		list = append(list, d.String())
	}
	return []string{"the plans send different loads: " + few(list, ", ") + "; " + again}
}

// apart reports whether rates differ by more than a hundredth.
func apart(x, y float64) bool { return math.Abs(x-y) > 0.01*max(x, y) }
