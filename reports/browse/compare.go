package browse

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/compare"
)

// tolerances are those that a comparison of load or of capacity can be looked at with.
var tolerances = []float64{0.02, compare.DefaultTolerance, 0.1, 0.2}

type comparePage struct {
	around
	A, B    *Run
	Trouble string
}

// compare shows how two runs differ, as report compare does: the one chosen as A is what was before.
func (h *Handler) compare(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	page := comparePage{around: h.around("Compare", "")}
	for _, side := range []struct {
		name string
		at   **Run
	}{{"a", &page.A}, {"b", &page.B}} {
		if q.Get(side.name) == "" {
			continue
		}
		run, found := h.asked(w, r, side.name)
		if !found {
			return
		}
		*side.at = &run
	}
	tolerance := compare.DefaultTolerance
	if asked := q.Get("tolerance"); asked != "" {
		var err error
		if tolerance, err = strconv.ParseFloat(asked, 64); err != nil || !(tolerance >= 0 && tolerance <= 10) {
			page.Trouble = "The tolerance is a share from 0 to 10, such as 0.05."
		}
	}
	if page.Trouble == "" {
		page.Trouble = apart(page.A, page.B)
	}
	if page.Trouble != "" {
		h.page(w, http.StatusBadRequest, "compare", page)
		return
	}
	data, err := h.comparison(r, *page.A, *page.B, tolerance)
	if err != nil {
		page.Trouble = "The two cannot be compared: " + printable.Clean(printable.Clip(err.Error(), 500)) + "."
		h.page(w, http.StatusBadRequest, "compare", page)
		return
	}
	sealed(w, r, policy(scriptsOf(data)), data)
}

// apart says why two runs are not to be compared; empty: they are.
func apart(a, b *Run) string {
	switch {
	case a == nil && b == nil:
		return "Choose two runs on the list: one as A (before) and one as B (after)."
	case a == nil:
		return "Choose the run to compare with as A (before)."
	case b == nil:
		return "Choose the run to compare with as B (after)."
	case a.Path == b.Path:
		return "A and B are the same run: choose another for one of them."
	case a.Kind == "":
		return "A cannot be read: " + gist(*a) + "."
	case b.Kind == "":
		return "B cannot be read: " + gist(*b) + "."
	case a.Kind != b.Kind:
		return fmt.Sprintf("A is a %s run and B a %s run. They answer different questions and cannot be compared: "+
			"choose two of the same kind.", a.Kind, b.Kind)
	}
	return ""
}

// comparison is the page of report compare, with the way back above it.
func (h *Handler) comparison(r *http.Request, a, b Run, tolerance float64) ([]byte, error) {
	done, ok := h.turn(r.Context())
	if !ok {
		return nil, r.Context().Err()
	}
	defer done()
	before, release, err := h.shelf.open(a.place, "")
	if err != nil {
		return nil, fmt.Errorf("run A: %w", err)
	}
	defer release()
	after, release, err := h.shelf.open(b.place, "")
	if err != nil {
		return nil, fmt.Errorf("run B: %w", err)
	}
	defer release()
	result, err := compare.Runs(before, after, compare.Options{Tolerance: tolerance, Seed: 1})
	if err != nil {
		return nil, err
	}
	for side, run := range map[*compare.Side]Run{&result.Before: a, &result.After: b} {
		if run.Readable() {
			side.Report = "/report?run=" + url.QueryEscape(run.Path)
		}
	}
	data, err := compare.HTML(result)
	if err != nil {
		return nil, err
	}
	var above bytes.Buffer
	err = h.pages.ExecuteTemplate(&above, "above", struct {
		A, B       Run
		Tolerance  float64
		Tolerances []float64
	}{a, b, tolerance, tolerances})
	return under(data, above.Bytes()), err
}

var (
	header = regexp.MustCompile(`(?i)<header[^>]*>`)
	body   = regexp.MustCompile(`(?i)<body[^>]*>`)
)

// under puts more at the top of a page, in its header where it has one.
func under(page, more []byte) []byte {
	at := header.FindIndex(page)
	if at == nil {
		at = body.FindIndex(page)
	}
	if at == nil {
		return page
	}
	return append(append(bytes.Clone(page[:at[1]]), more...), page[at[1]:]...)
}
