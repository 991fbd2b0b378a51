package compare

import (
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/suites/record"
)

// bundle is rules that took the same step for the same reason, such as all those that an interrupted run did not reach,
// or that one defect breaks.
type bundle struct {
	Change
	IDs   []string
	Rules []Change
}

// level is that of the rules, with the mark of what protects data or money.
func (c Change) level() string {
	return digest.Level(record.Rule{Level: c.Level, Security: c.Security})
}

// fewestBundled is how many rules are shown in one line; fewer stay apart.
const fewestBundled = 3

// bundles puts rules together, each where the first of them stood.
func bundles(list []Change) (found []bundle) {
	for _, b := range digest.By(list, func(c Change) Change {
		if c.Defect != "" {
			return Change{Defect: c.Defect, Judged: c.Judged, Before: c.Before, After: c.After}
		}
		c.ID, c.Statement = "", ""
		return c
	}) {
		one := bundle{Change: b.Items[0], Rules: b.Items}
		for _, c := range b.Items {
			one.IDs = append(one.IDs, c.ID)
		}
		switch {
		case one.Defect != "" && len(b.Items) > 1:
			one.Message = one.Defect
			found = append(found, one)
		case len(b.Items) >= fewestBundled:
			found = append(found, one)
		default:
			for i, c := range b.Items {
				found = append(found, bundle{c, one.IDs[i : i+1], b.Items[i : i+1]})
			}
		}
	}
	return found
}

// lack is observations that one of the runs did not make, for one reason.
type lack struct {
	Reason string
	IDs    []string
}

// lacks separates observations that one run did not make for one reason from those that are shown one by one.
func lacks(list []Drift) (bundled []lack, others []Drift) {
	for _, b := range digest.By(list, func(d Drift) string { return d.Reason }) {
		if b.Key == "" || len(b.Items) < fewestBundled {
			others = append(others, b.Items...)
			continue
		}
		one := lack{Reason: b.Key}
		for _, d := range b.Items {
			one.IDs = append(one.IDs, d.ID)
		}
		bundled = append(bundled, one)
	}
	return bundled, others
}
