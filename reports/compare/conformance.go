package compare

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/rules"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

// Conformance is how two conformance runs differ.
type Conformance struct {
	Before       record.Counts `json:"before"`
	After        record.Counts `json:"after"`
	Changed      []Change      `json:"changed"` // rules of both runs whose verdict differs, the worst first
	New          []Change      `json:"new"`     // rules of the second run only
	Gone         []Change      `json:"gone"`    // rules of the first run only
	Observations []Drift       `json:"observations"`
}

// Change is a rule whose verdict differs.
type Change struct {
	ID        string         `json:"id"`
	Level     string         `json:"level"`
	Statement string         `json:"statement"`
	Before    record.Verdict `json:"before,omitempty"` // empty: the run did not select the rule
	After     record.Verdict `json:"after,omitempty"`
	Judged    Verdict        `json:"judged"` // what the change is
	Message   string         `json:"message,omitempty"`
}

// Drift is an observation that differs.
type Drift struct {
	ID      string   `json:"id"`
	Before  string   `json:"before,omitempty"`
	After   string   `json:"after,omitempty"`
	Missing []string `json:"missing,omitempty"` // parts of the text that were there before
	Added   []string `json:"added,omitempty"`   // and that are there now
}

func conformance(before, after Subject) Result {
	a, b := before.Conformance, after.Conformance
	c := &Conformance{Before: a.Counts, After: b.Counts, Changed: []Change{}, New: []Change{}, Gone: []Change{}, Observations: drifts(a.Observations, b.Observations)}
	old := map[string]record.Rule{}
	for _, r := range a.Rules {
		old[r.ID] = r
	}
	kept := map[string]bool{}
	for _, r := range b.Rules {
		was, known := old[r.ID]
		kept[r.ID] = true
		switch change := changed(was, r); {
		case !known:
			change.Before = ""
			if change.Judged = Changed; r.Verdict == record.Fail {
				change.Judged = Inconclusive
			}
			c.New = append(c.New, change)
		case was.Verdict != r.Verdict:
			c.Changed = append(c.Changed, change)
		}
	}
	for _, r := range a.Rules {
		if kept[r.ID] {
			continue
		}
		gone := Change{ID: r.ID, Level: r.Level, Statement: r.Statement, Before: r.Verdict, Judged: Changed}
		if r.Level != string(rules.Observe) && (r.Verdict == record.Pass || r.Verdict == record.Waived) {
			gone.Judged = Inconclusive
		}
		c.Gone = append(c.Gone, gone)
	}
	for _, list := range [][]Change{c.Changed, c.New, c.Gone} {
		slices.SortStableFunc(list, func(x, y Change) int {
			return cmp.Or(cmp.Compare(weight(x.Judged), weight(y.Judged)), cmp.Compare(x.ID, y.ID))
		})
	}
	r := Result{Schema: Schema, Kind: OfConformance, Before: side(before.Path, a), After: side(after.Path, b), Conformance: c}
	for _, s := range []struct {
		which string
		run   record.Run
	}{{"first", a}, {"second", b}} {
		if s.run.Run.Partial {
			r.Notes = append(r.Notes, "the "+s.which+" run was interrupted: rules that it did not reach are not verified")
		}
	}
	r.Verdict, r.Reason = c.conclude()
	return r
}

func side(path string, run record.Run) Side {
	return Side{
		Path: path, ID: run.Run.ID, Deployment: run.Run.Deployment, BaseURL: run.Run.BaseURL, StartedAt: run.Run.StartedAt,
		Verdict: string(run.Verdict), Reason: run.Reason, Partial: run.Run.Partial,
	}
}

func weight(v Verdict) int {
	return slices.Index([]Verdict{Regression, Inconclusive, Changed, Improvement, Same}, v)
}

// changed judges the step from one verdict to another.
func changed(was, is record.Rule) Change {
	c := Change{ID: is.ID, Level: is.Level, Statement: is.Statement, Before: was.Verdict, After: is.Verdict, Judged: Changed}
	held := func(v record.Verdict) bool { return v == record.Pass || v == record.Waived }
	open := func(v record.Verdict) bool { return v == record.NotVerified || v == record.Inconclusive }
	switch {
	case is.Verdict == record.Fail:
		c.Judged = Regression
	case is.Level != string(rules.Observe) && held(was.Verdict) && open(is.Verdict):
		c.Judged = Inconclusive // it may hold or not
	case is.Verdict == record.Pass:
		c.Judged = Improvement
	}
	if is.Verdict != record.Pass {
		c.Message = is.Reason
		for _, check := range digest.Deciding(is) {
			if check.Message != "" {
				c.Message = check.Message
				break
			}
		}
	}
	return c
}

func (c *Conformance) conclude() (Verdict, string) {
	count := func(list []Change, v Verdict) (n int) {
		for _, change := range list {
			if change.Judged == v {
				n++
			}
		}
		return n
	}
	worse, lost := count(c.Changed, Regression), count(c.Changed, Inconclusive)
	gone, fresh := count(c.Gone, Inconclusive), count(c.New, Inconclusive)
	better := count(c.Changed, Improvement)
	other := len(c.Changed) - better + len(c.New) + len(c.Gone) + len(c.Observations)
	switch {
	case worse > 0:
		return Regression, digest.Quantity(worse, "rule") + " violated that the first run did not find violated"
	case lost+gone+fresh > 0:
		var parts []string
		for _, p := range []struct {
			n    int
			text string
		}{{lost, "held before and not verified now"}, {gone, "held before and not in the second run"}, {fresh, "violated that the first run did not hold"}} {
			if p.n > 0 {
				parts = append(parts, digest.Quantity(p.n, "rule")+" "+p.text)
			}
		}
		return Inconclusive, strings.Join(parts, ", ")
	case better > 0:
		return Improvement, digest.Quantity(better, "rule") + " passed that did not before; none is worse"
	case other > 0:
		return Changed, fmt.Sprintf("no rule is worse; %s drifted", digest.Quantity(len(c.Observations), "observation"))
	}
	return Same, "every rule has the same verdict and nothing observed drifted"
}

// volatile matches what differs between any two runs: identifiers, moments and durations.
var volatile = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}` +
	`|\d{4}-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)?|\b\d+(\.\d+)? ?(ns|µs|ms|s|m)\b`)

func drifts(a, b []record.Observation) []Drift {
	before, after := texts(a), texts(b)
	var ids []string
	for id := range before {
		ids = append(ids, id)
	}
	for id := range after {
		if _, known := before[id]; !known {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	found := []Drift{}
	for _, id := range ids {
		was, is := before[id], after[id]
		if volatile.ReplaceAllString(was, "…") == volatile.ReplaceAllString(is, "…") {
			continue
		}
		d := Drift{ID: id, Before: was, After: is}
		if was != "" && is != "" {
			d.Missing, d.Added = parts(was, is), parts(is, was)
		}
		found = append(found, d)
	}
	return found
}

// texts are the observations by ID; several of one ID are one text, whatever their order.
func texts(list []record.Observation) map[string]string {
	all := map[string][]string{}
	for _, o := range list {
		all[o.ID] = append(all[o.ID], o.Observed)
	}
	joined := map[string]string{}
	for id, several := range all {
		slices.Sort(several)
		joined[id] = strings.Join(several, "; ")
	}
	return joined
}

// parts are the pieces of a text, such as a field of an object or one status of several, that another lacks.
func parts(of, other string) []string {
	pieces := func(s string) (list []string) {
		for _, p := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(";,{}[]", r) }) {
			if p = strings.TrimSpace(p); p != "" {
				list = append(list, p)
			}
		}
		return list
	}
	left := map[string]int{}
	for _, p := range pieces(other) {
		left[p]++
	}
	var found []string
	for _, p := range pieces(of) {
		if left[p]--; left[p] < 0 {
			found = append(found, p)
		}
	}
	return found
}
