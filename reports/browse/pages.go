package browse

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

// perPage is how many runs one page of the list holds.
const perPage = 100

type listPage struct {
	around
	Runs               []Run // of this page
	All                int
	A, B               string // chosen before, by their paths
	Page, Newer, Older int    // 0: there is no such page
	First, Last        int
}

// Away reports whether a run was chosen that this page does not show.
func (p listPage) Away(chosen string) bool {
	return chosen != "" && !slices.ContainsFunc(p.Runs, func(r Run) bool { return r.Path == chosen })
}

// list shows the runs, those written last first, a hundred at a time. What was chosen as A and B stays so on every page.
func (h *Handler) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	number, _ := strconv.Atoi(q.Get("page"))
	number = max(number, 1)
	runs, all, notes := h.shelf.runs((min(number, mostRuns)-1)*perPage, perPage)
	page := listPage{
		around: h.around("Runs", "runs", notes...), Runs: runs, All: all, Page: number, Newer: number - 1,
		First: (number-1)*perPage + 1, Last: (number-1)*perPage + len(runs),
	}
	if page.Last < all {
		page.Older = number + 1
	}
	for name, chosen := range map[string]*string{"a": &page.A, "b": &page.B} {
		if _, there := h.shelf.find(q.Get(name)); there {
			*chosen = q.Get(name)
		}
	}
	h.show(w, http.StatusOK, "list", page.around, page)
}

// report renders a run, or one probe of a search, from its record. Nothing that lies in the folder beside the record is
// handed out.
func (h *Handler) report(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	place, found := h.shelf.find(q.Get("run"))
	if !found {
		h.missing(w, "There is no such run in this folder; it may have been moved or removed.")
		return
	}
	form := derived.Format(q.Get("format"))
	if form == "" {
		form = derived.HTML
	}
	folder := ""
	if asked := q.Get("probe"); asked != "" {
		number, err := strconv.Atoi(asked)
		if err != nil || number < 1 {
			h.missing(w, "This run has no such probe.")
			return
		}
		folder = filepath.ToSlash(capacity.Name(number))
	}
	done, ok := h.turn(r)
	if !ok {
		return
	}
	defer done()
	run, err := h.shelf.open(place, folder)
	var data []byte
	if err == nil {
		defer run.Close()
		data, err = derived.Render(run, form)
	}
	switch {
	case err != nil:
		h.missing(w, "There is no report: "+brief(err)+".")
	case form != derived.HTML:
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(form.Name()))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	default:
		h.alone(w, r, linked(place.path, data), "back", struct {
			Path, Probe string
			Formats     []derived.Format
		}{place.path, q.Get("probe"), derived.Formats(run.Kind)})
	}
}

var probeLink = regexp.MustCompile(`href="probes/(\d+)/report\.html"`)

// linked lets the links of a search lead to the reports of its probes.
func linked(run string, page []byte) []byte {
	return probeLink.ReplaceAll(page, []byte(`href="/report?run=`+url.QueryEscape(run)+`&amp;probe=$1"`))
}

// compare shows how two runs differ, as report compare does: the one chosen as A is what was before.
func (h *Handler) compare(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	trouble := func(text string) {
		page := h.around("Compare", "", text)
		h.show(w, http.StatusBadRequest, "compare", page, page)
	}
	a, b := q.Get("a"), q.Get("b")
	if a == "" || b == "" || a == b {
		trouble("Choose two runs on the list: one as A (before) and another as B (after).")
		return
	}
	done, ok := h.turn(r)
	if !ok {
		return
	}
	defer done()
	var sides [2]recorded.Run
	for i, path := range []string{a, b} {
		place, found := h.shelf.find(path)
		if !found {
			h.missing(w, "There is no such run in this folder; it may have been moved or removed.")
			return
		}
		run, err := h.shelf.open(place, "")
		if err != nil {
			trouble(fmt.Sprintf("Run %c cannot be read: %s.", 'A'+i, brief(err)))
			return
		}
		defer run.Close()
		sides[i] = run
	}
	result, err := compare.Runs(sides[0], sides[1], compare.DefaultTolerance)
	if err != nil {
		trouble("The two cannot be compared: " + brief(err) + ".")
		return
	}
	result.Before.Report, result.After.Report = address(a), address(b)
	page, err := view.WritePage(compare.Report(result))
	if err != nil {
		trouble("The comparison cannot be shown: " + brief(err) + ".")
		return
	}
	h.alone(w, r, page, "above", struct{ A, B string }{a, b})
}

// address is that of the report of a run.
func address(path string) string { return "/report?run=" + url.QueryEscape(path) }
