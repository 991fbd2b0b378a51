package suites

import (
	"cmp"
	"slices"

	"github.com/gateassay/gateassay/suites/doctor"
)

// Forecast is how many rules a run would verify, by what the doctor found.
type Forecast struct {
	Verified, Of int
	Exact        bool // nothing found leaves it to the data how many there are
	Gaps         []Gap
}

// Gap is a key of the deployment file that leaves rules unverified.
type Gap struct {
	Key    string
	Absent bool   // to be added; otherwise to be corrected
	Why    string // what is wrong with it
	Rules  int
}

// NewForecast compares what a run needs with what the doctor found. Gaps come in the order of their rules, the most
// first.
func NewForecast(plans []RulePlan, found doctor.Report) Forecast {
	p := Forecast{Of: len(plans), Exact: true}
	leave := func(gap Gap) {
		at := slices.IndexFunc(p.Gaps, func(g Gap) bool { return g.Key == gap.Key && g.Absent == gap.Absent })
		if at < 0 {
			at, p.Gaps = len(p.Gaps), append(p.Gaps, gap)
		}
		p.Gaps[at].Rules++
	}
	for _, one := range plans {
		by := found.Blocked(one.Rule)
		switch {
		case one.Need != "":
			leave(Gap{Key: one.Need, Absent: true})
		case by != nil:
			leave(Gap{Key: by.Name, Why: by.Text})
		case found.Reachable:
			p.Verified++
		}
	}
	for _, f := range found.Findings {
		// A refused operation blocks all its rules; what else is broken may still leave some of a rule's requests.
		if (f.State == doctor.Warning || f.State == doctor.Broken && len(f.Operations) == 0) && f.Topic != "route" &&
			f.Topic != "clock" {
			p.Exact = false
		}
	}
	slices.SortStableFunc(p.Gaps, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(b.Rules, a.Rules), cmp.Compare(a.Key, b.Key))
	})
	return p
}
