package proof

import (
	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
)

// ChancesSchema names the form of Chances in JSON.
const ChancesSchema = "gateassay/proof-share/v1"

// Chances says which faults are caught that only a share of requests meets.
type Chances struct {
	Schema   string   `json:"schema"`            // gateassay/proof-share/v1
	Partial  bool     `json:"partial,omitempty"` // interrupted: some runs are missing
	Share    float64  `json:"share"`             // of requests
	Runs     int      `json:"runs"`              // against each fault
	Families []Family `json:"families"`
	Rows     []Chance `json:"faults"`
}

// Chance is one fault that comes and goes.
type Chance struct {
	Fault    string     `json:"fault"`
	Rule     string     `json:"rule"`
	First    bool       `json:"first"`    // the first run caught it
	Caught   int        `json:"caught"`   // runs in which its rule failed
	Attempts []Attempts `json:"attempts"` // of its rule, for each run that caught it
}

// Family sums up the faults of one operation and topic.
type Family struct {
	Name   string   `json:"family"` // the first two parts of the rule's ID
	Faults int      `json:"faults"`
	First  int      `json:"first"`  // caught by the first run
	Any    int      `json:"any"`    // caught by at least one run
	Failed Attempts `json:"failed"` // summed over the runs that caught one
}

// Intermittent makes a subject of each run against each fault; the runs differ in what is random.
func Intermittent(faults []reference.Fault, seed int64, share float64, runs int) []Subject {
	var list []Subject
	for run := range runs {
		for _, f := range faults {
			list = append(list, Subject{Fault: f, Seed: seed + int64(run), Share: share})
		}
	}
	return list
}

// NewChances sums up the findings about the subjects that Intermittent made.
func NewChances(findings []Finding, share float64, runs int) Chances {
	c := Chances{Schema: ChancesSchema, Share: share, Runs: runs, Families: []Family{}, Rows: []Chance{}}
	rows, families := map[string]int{}, map[string]int{}
	for _, f := range findings {
		fault := f.Subject.Fault
		i, known := rows[fault.Name]
		if !known {
			i = len(c.Rows)
			rows[fault.Name] = i
			c.Rows = append(c.Rows, Chance{
				Fault: fault.Name, Rule: fault.Rule, First: f.Killed(), Attempts: []Attempts{},
			})
		}
		if f.Killed() {
			c.Rows[i].Caught++
			c.Rows[i].Attempts = append(c.Rows[i].Attempts, f.Attempts[fault.Rule])
		}
	}
	for _, row := range c.Rows {
		rule := rules.Rule{ID: row.Rule}
		name := rule.Operation()
		if topic := rule.Topic(); topic != name {
			name += "." + topic
		}
		i, known := families[name]
		if !known {
			i = len(c.Families)
			families[name] = i
			c.Families = append(c.Families, Family{Name: name})
		}
		c.Families[i].add(row)
	}
	return c
}

func (f *Family) add(row Chance) {
	f.Faults++
	if row.First {
		f.First++
	}
	if row.Caught > 0 {
		f.Any++
	}
	for _, a := range row.Attempts {
		f.Failed.Failed += a.Failed
		f.Failed.Of += a.Of
	}
}

// Total sums up all families.
func (c Chances) Total() Family {
	all := Family{Name: "all"}
	for _, row := range c.Rows {
		all.add(row)
	}
	return all
}
