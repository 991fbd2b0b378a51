package browse

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"unique"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/suites/record"
)

const (
	mostColumns = 20  // runs beside each other, the latest
	mostHistory = 200 // runs of one rule, the latest
	swings      = 2   // between passed and violated make a rule flaky: one alone is a regression, or a repair
)

// ruled is the verdict of a rule in one run. Runs share most of the texts.
type ruled struct {
	id, statement unique.Handle[string]
	verdict       unique.Handle[record.Verdict]
	reason        string
}

func followed(rule record.Rule) ruled {
	short := func(s string) unique.Handle[string] { return unique.Make(printable.Clip(s, 300)) }
	return ruled{short(rule.ID), short(rule.Statement), unique.Make(rule.Shown()), printable.Clip(rule.Reason, 300)}
}

// history is what became of a rule over the runs of one deployment.
type history struct {
	ID, Statement string
	Deployment    string
	Seen          []seen // the latest first
	Swings        int    // between passed and violated
}

// seen is a rule in one run; without a verdict it was not selected there.
type seen struct {
	Run     Run
	Verdict record.Verdict
	Reason  string
}

// Flaky reports whether the rule passed and failed by turns.
func (h history) Flaky() bool { return h.Swings >= swings }

// steady reports whether every run that judged the rule gave it one verdict, and that is none to look at.
func (h history) steady() bool {
	return !slices.ContainsFunc(h.Seen, func(s seen) bool {
		return s.Verdict != record.Pass && s.Verdict != record.Observed && s.Verdict != ""
	})
}

// place orders histories that are not steady: flaky rules first, then what is violated now, then what changed, then the
// rest.
func (h history) place() int {
	judged := slices.DeleteFunc(slices.Clone(h.Seen), func(s seen) bool { return s.Verdict == "" })
	last := judged[0].Verdict
	switch {
	case h.Flaky():
		return 0
	case last == record.Fail:
		return 1
	case last == record.Warned:
		return 2
	case slices.ContainsFunc(judged, func(s seen) bool { return s.Verdict != last }):
		return 3
	}
	return 4
}

// histories follows the rules over runs of one deployment, the latest first.
func histories(deployment string, runs []Run) []history {
	at := map[string]int{}
	var list []history
	for i, run := range runs {
		for _, r := range run.verdicts {
			id := r.id.Value()
			k, known := at[id]
			if !known {
				k = len(list)
				at[id] = k
				h := history{ID: id, Statement: r.statement.Value(), Deployment: deployment}
				for _, run := range runs {
					h.Seen = append(h.Seen, seen{Run: run})
				}
				list = append(list, h)
			}
			list[k].Seen[i].Verdict, list[k].Seen[i].Reason = r.verdict.Value(), r.reason
		}
	}
	for k := range list {
		last := record.Verdict("")
		for _, s := range list[k].Seen {
			v := s.Verdict
			if v == record.Warned {
				v = record.Fail
			}
			if v != record.Pass && v != record.Fail {
				continue
			}
			if last != "" && v != last {
				list[k].Swings++
			}
			last = v
		}
	}
	return list
}

// conformanceRuns are those of one deployment that came to their end, the latest first, and the names of all
// deployments.
func conformanceRuns(all []Run, deployment string) (runs []Run, chosen string, names []string) {
	for _, run := range all {
		if run.Kind != recorded.OfConformance || run.Partial || run.Unfinished {
			continue
		}
		names = append(names, label(run.Deployment))
		if deployment == "" {
			deployment = names[0] // the one that ran last
		}
		if label(run.Deployment) == deployment {
			runs = append(runs, run)
		}
	}
	return runs, deployment, names
}

type rulesPage struct {
	around
	Notes       []string
	Deployments []choice
	Deployment  string
	Runs        []Run // the columns
	Rules       []history
	Steady      int // rules that are left out: they passed in every run
	Flaky       int
}

// rules shows the rules of a deployment that did not pass in every run, over its latest runs.
func (h *Handler) rules(w http.ResponseWriter, r *http.Request) {
	all, notes := h.shelf.runs(r.Context(), h.o.Patience)
	runs, chosen, names := conformanceRuns(all, r.URL.Query().Get("deployment"))
	page := rulesPage{
		around: h.around("Rules over time", "rules"), Notes: notes,
		Deployment: chosen, Deployments: choices(names, chosen),
	}
	page.Runs = runs[:min(len(runs), mostColumns)]
	for _, rule := range histories(chosen, page.Runs) {
		if rule.steady() {
			page.Steady++
			continue
		}
		if rule.Flaky() {
			page.Flaky++
		}
		page.Rules = append(page.Rules, rule)
	}
	slices.SortStableFunc(page.Rules, func(a, b history) int {
		return cmp.Or(cmp.Compare(a.place(), b.place()), cmp.Compare(a.ID, b.ID))
	})
	h.page(w, http.StatusOK, "rules", page)
}

// rule shows one rule over all runs of a deployment.
func (h *Handler) rule(w http.ResponseWriter, r *http.Request) {
	all, notes := h.shelf.runs(r.Context(), h.o.Patience)
	runs, chosen, _ := conformanceRuns(all, r.URL.Query().Get("deployment"))
	id := r.URL.Query().Get("rule")
	list := histories(chosen, runs[:min(len(runs), mostHistory)])
	at := slices.IndexFunc(list, func(h history) bool { return h.ID == id })
	if at < 0 {
		h.missing(w, "No run of this deployment judged such a rule.")
		return
	}
	found := list[at]
	found.Seen = slices.DeleteFunc(found.Seen, func(s seen) bool { return s.Verdict == "" })
	h.page(w, http.StatusOK, "rule", struct {
		around
		Notes []string
		history
	}{h.around(fmt.Sprintf("Rule %s", printable.Clip(id, 100)), "rules"), notes, found})
}
