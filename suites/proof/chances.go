package proof

import (
	"fmt"
	"io"
	"strings"

	"github.com/gateassay/gateassay/gateway/reference"
	"github.com/gateassay/gateassay/gateway/rules"
)

const chancesSchema = "gateassay/proof-share/v1"

// Chances says which faults are caught that only a share of requests meets.
type Chances struct {
	Schema   string   `json:"schema"` // gateassay/proof-share/v1
	Share    float64  `json:"share"`  // of requests
	Runs     int      `json:"runs"`   // against each fault
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
	c := Chances{Schema: chancesSchema, Share: share, Runs: runs, Families: []Family{}, Rows: []Chance{}}
	rows, families := map[string]int{}, map[string]int{}
	for _, f := range findings {
		fault := f.Subject.Fault
		i, known := rows[fault.Name]
		if !known {
			i = len(c.Rows)
			rows[fault.Name] = i
			c.Rows = append(c.Rows, Chance{Fault: fault.Name, Rule: fault.Rule, First: f.Killed(), Attempts: []Attempts{}})
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

func (c Chances) total() Family {
	all := Family{Name: "all"}
	for _, row := range c.Rows {
		all.add(row)
	}
	return all
}

// String is the result in one line.
func (c Chances) String() string {
	all := c.total()
	text := fmt.Sprintf("faults that %g %% of requests meet: one run caught %s", 100*c.Share, shareOf(all.First, all.Faults))
	if c.Runs > 1 {
		text += fmt.Sprintf(", at least one of %d runs %s", c.Runs, shareOf(all.Any, all.Faults))
	}
	return text
}

// WriteJSON prints the chances for programs.
func (c Chances) WriteJSON(w io.Writer) error { return writeJSON(w, c) }

// WriteTable prints the chances for a terminal: each fault that was caught with how it showed, then the families.
func (c Chances) WriteTable(w io.Writer) error {
	var b strings.Builder
	for _, r := range c.Rows {
		if r.Caught == 0 {
			continue
		}
		var how []string
		for _, a := range r.Attempts {
			how = append(how, fmt.Sprintf("%d of %d", a.Failed, a.Of))
		}
		fmt.Fprintf(&b, "%d/%d %-58s %s failed on %s attempts\n", r.Caught, c.Runs, r.Fault, r.Rule, strings.Join(how, ", "))
	}
	fmt.Fprintf(&b, "\n%-26s %6s %9s %9s\n", "family", "faults", "one run", fmt.Sprintf("%d runs", c.Runs))
	for _, f := range append(c.Families, c.total()) {
		fmt.Fprintf(&b, "%-26s %6d %9s %9s\n", f.Name, f.Faults, percent(f.First, f.Faults), percent(f.Any, f.Faults))
	}
	fmt.Fprintf(&b, "\n%s\n", c)
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown prints the chances as a section of a page.
func (c Chances) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	several, times := "", "" // columns and words about more runs than one
	if c.Runs > 1 {
		several, times = fmt.Sprintf(" by %d runs |", c.Runs), fmt.Sprintf(" --runs %d", c.Runs)
	}
	fmt.Fprintf(&b, strings.ReplaceAll(`
## Faults that come and go

Here only a share of requests meets the fault, as if one instance of several were broken:
§gateassay serve --fault NAME --fault-share %[1]g§, §gateassay prove --share %[1]g%[2]s§.

**%[3]s.**

What is judged on many answers is caught by one run: reports then say on how many of them the rule failed. A rule that
one request of a run decides is caught as often as that request meets the fault; only more runs help.

| family | faults | caught by one run |%[4]s the rule then failed on |
|---|---:|---:|%[5]s---|
`, "§", "`"), c.Share, times, c, several, strings.Repeat("---:|", min(c.Runs-1, 1)))
	for _, f := range append(c.Families, c.total()) {
		how, more := "", ""
		if f.Failed.Of > 0 {
			how = fmt.Sprintf("%d of %d attempts", f.Failed.Failed, f.Failed.Of)
		}
		if c.Runs > 1 {
			more = " " + percent(f.Any, f.Faults) + " |"
		}
		fmt.Fprintf(&b, "| %s | %d | %s |%s %s |\n", f.Name, f.Faults, percent(f.First, f.Faults), more, how)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func percent(n, of int) string {
	if of == 0 {
		return "none"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of))
}

func shareOf(n, of int) string {
	if of == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", n, of, 100*float64(n)/float64(of))
}
