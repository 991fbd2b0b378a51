package browse

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/reports/recorded"
)

// perPage is how many runs one page of the list holds.
const perPage = 100

// choice is one option of a filter.
type choice struct {
	Value    string
	Selected bool
}

func choices(values []string, chosen string) []choice {
	slices.Sort(values)
	var list []choice
	for _, v := range slices.Compact(values) {
		list = append(list, choice{v, v == chosen})
	}
	return list
}

// label is a text of a run as a filter names it.
func label(s string) string { return printable.Clean(printable.Clip(s, 200)) }

type listPage struct {
	around
	Runs        []Run // of this page
	All         int
	Matching    int
	Notes       []string
	Kinds       []choice
	Deployments []choice
	Verdicts    []choice
	Filtered    bool
	A, B        *Run // chosen before; nil: not yet
	Away        struct{ A, B bool }
	Page, Pages int
	First, Last int
}

// Newer is the page before this one, 0 where there is none.
func (p listPage) Newer() int { return p.Page - 1 }

// Older is the next page, 0 where there is none.
func (p listPage) Older() int { return (p.Page + 1) % (p.Pages + 1) }

// list shows the runs, the latest first, a hundred at a time. What was chosen as A and B stays so on every page.
func (h *Handler) list(w http.ResponseWriter, r *http.Request) {
	all, notes := h.shelf.runs(r.Context(), h.o.Patience)
	q := r.URL.Query()
	kind, deployment, verdict := recorded.Kind(q.Get("kind")), q.Get("deployment"), q.Get("verdict")
	page := listPage{
		around: h.around("Runs", "runs"), All: len(all), Notes: notes,
		Filtered: string(kind)+deployment+verdict != "",
	}
	var kinds, deployments, verdicts []string
	var matching []Run
	for i, run := range all {
		if run.Kind != "" {
			kinds, verdicts = append(kinds, string(run.Kind)), append(verdicts, label(run.Verdict))
			deployments = append(deployments, label(run.Deployment))
			if run.Path == q.Get("a") {
				page.A = &all[i]
			}
			if run.Path == q.Get("b") {
				page.B = &all[i]
			}
		}
		if (kind == "" || run.Kind == kind) && (deployment == "" || label(run.Deployment) == deployment) &&
			(verdict == "" || label(run.Verdict) == verdict) {
			matching = append(matching, run)
		}
	}
	page.Kinds, page.Verdicts = choices(kinds, string(kind)), choices(verdicts, verdict)
	page.Deployments = choices(deployments, deployment)
	page.cut(matching, q.Get("page"))
	page.Away.A, page.Away.B = !page.shows(page.A), !page.shows(page.B)
	h.page(w, http.StatusOK, "list", page)
}

// cut keeps the runs of one page.
func (p *listPage) cut(matching []Run, asked string) {
	p.Matching, p.Pages = len(matching), max(1, (len(matching)+perPage-1)/perPage)
	n, _ := strconv.Atoi(asked)
	p.Page = min(max(n, 1), p.Pages)
	from := (p.Page - 1) * perPage
	p.Runs = matching[from:min(from+perPage, len(matching))]
	p.First, p.Last = from+1, from+len(p.Runs)
}

func (p *listPage) shows(run *Run) bool {
	return run == nil || slices.ContainsFunc(p.Runs, func(r Run) bool { return r.Path == run.Path })
}

// run shows what is known of one run, with its files and with what to compare it.
func (h *Handler) run(w http.ResponseWriter, r *http.Request) {
	run, found := h.asked(w, r, "run")
	if !found {
		return
	}
	page := struct {
		around
		Run    Run
		Before *Run     // of the same kind and deployment
		Made   []string // files that are made from the record, as they are not there
	}{around: h.around("Run", ""), Run: run}
	all, _ := h.shelf.runs(r.Context(), h.o.Patience)
	for _, other := range all {
		if other.Path == run.Path && other.Merged {
			page.Run.Parts = other.Parts
		}
	}
	for i, other := range all { // the latest first
		if run.Kind != "" && other.Kind == run.Kind && other.Deployment == run.Deployment &&
			other.at().Before(run.at()) {
			page.Before = &all[i]
			break
		}
	}
	if run.Kind != "" {
		for _, f := range derived.Formats(run.Kind) {
			if f != derived.HTML && !slices.Contains(run.Files, f.Name()) {
				page.Made = append(page.Made, f.Name())
			}
		}
	}
	h.page(w, http.StatusOK, "run", page)
}
