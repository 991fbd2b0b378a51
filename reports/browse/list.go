package browse

import (
	"net/http"
	"slices"

	"github.com/gateassay/gateassay/reports/digest"
)

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
func label(s string) string { return digest.Clean(digest.Clip(s, 200)) }

type listPage struct {
	frame
	Runs        []Run
	All         int
	Notes       []string
	Kinds       []choice
	Deployments []choice
	Verdicts    []choice
	Filtered    bool
}

// list shows the runs, the latest first.
func (h *Handler) list(w http.ResponseWriter, r *http.Request) {
	all, notes := h.shelf.runs()
	q := r.URL.Query()
	kind, deployment, verdict := q.Get("kind"), q.Get("deployment"), q.Get("verdict")
	page := listPage{frame: h.frame("Runs", "runs"), All: len(all), Notes: notes, Filtered: kind+deployment+verdict != ""}
	var kinds, deployments, verdicts []string
	for _, run := range all {
		if run.Kind != "" {
			kinds, deployments, verdicts = append(kinds, run.Kind), append(deployments, label(run.Deployment)), append(verdicts, label(run.Verdict))
		}
		if (kind == "" || run.Kind == kind) && (deployment == "" || label(run.Deployment) == deployment) && (verdict == "" || label(run.Verdict) == verdict) {
			page.Runs = append(page.Runs, run)
		}
	}
	page.Kinds, page.Deployments, page.Verdicts = choices(kinds, kind), choices(deployments, deployment), choices(verdicts, verdict)
	h.page(w, http.StatusOK, "list", page)
}

// run shows what is known of one run, with its files.
func (h *Handler) run(w http.ResponseWriter, r *http.Request) {
	run, found := h.asked(w, r.URL.Query().Get("run"))
	if !found {
		return
	}
	h.page(w, http.StatusOK, "run", struct {
		frame
		Run Run
	}{h.frame("Run", ""), run})
}
