package browse

import (
	"fmt"
	"math"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	load "github.com/gateassay/gateassay/load/record"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/record"
)

type comparePage struct {
	frame
	A, B     Run
	Trouble  string
	Worse    int // rules with a worse verdict
	Same     int // rules with the same verdict
	Rules    []ruleChange
	Drift    []drift
	Figures  []figure
	Compared bool
}

type ruleChange struct {
	ID, Level, Before, After, Reason string
	Worse                            bool
}

type drift struct{ ID, Before, After string }

type figure struct {
	Name, A, B, Change string
}

// compare shows two runs side by side, the one chosen as A as what was before.
func (h *Handler) compare(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("a") == "" || q.Get("b") == "" {
		h.page(w, http.StatusBadRequest, "compare", comparePage{frame: h.frame("Compare", ""), Trouble: "Choose two runs on the list: one as A, the other as B."})
		return
	}
	a, found := h.asked(w, q.Get("a"))
	if !found {
		return
	}
	b, found := h.asked(w, q.Get("b"))
	if !found {
		return
	}
	page := comparePage{frame: h.frame("Compare", ""), A: a, B: b}
	status := http.StatusBadRequest
	switch {
	case a.Path == b.Path:
		page.Trouble = "A and B are the same run."
	case a.Trouble != "" || b.Trouble != "":
		page.Trouble = "One of the two cannot be read: " + digest.Clean(digest.Clip(a.Trouble+b.Trouble, 500))
	case a.Kind != b.Kind:
		page.Trouble = fmt.Sprintf("A is a %s run and B a %s run: there is nothing to compare.", a.Kind, b.Kind)
	case a.Kind == conformanceKind:
		if err := h.changes(&page); err != nil {
			page.Trouble = "One of the two cannot be read: " + digest.Clean(err.Error())
		} else {
			status, page.Compared = http.StatusOK, true
		}
	default:
		status, page.Compared, page.Figures = http.StatusOK, true, figures(a, b)
	}
	h.page(w, status, "compare", page)
}

// comparison shows all that report compare says of two runs, which for load takes noise into account.
func (h *Handler) comparison(w http.ResponseWriter, r *http.Request) {
	var both [2]compare.Subject
	for i, name := range []string{"a", "b"} {
		run, found := h.asked(w, r.URL.Query().Get(name))
		if !found {
			return
		}
		if run.Trouble != "" || run.Kind == capacityKind {
			h.missing(w, "Two conformance runs or two load runs that can be read have a comparison.")
			return
		}
		subject, err := h.subject(run)
		if err != nil {
			h.missing(w, "A run cannot be read: "+digest.Clean(digest.Clip(err.Error(), 500)))
			return
		}
		defer subject.Close()
		both[i] = subject
	}
	result, err := compare.Runs(both[0], both[1], compare.Options{Tolerance: compare.DefaultTolerance, Seed: 1})
	var page []byte
	if err == nil {
		result.Before.Path, result.After.Path = r.URL.Query().Get("a"), r.URL.Query().Get("b")
		page, err = compare.HTML(result)
	}
	if err != nil {
		h.missing(w, "The two cannot be compared: "+digest.Clean(digest.Clip(err.Error(), 500)))
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'")
	head.Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page)
}

// subject opens a listed run for comparing. What is read of it must not be a link, which could lead out of the folder.
func (h *Handler) subject(run Run) (compare.Subject, error) {
	for _, name := range []string{record.RunName, record.JournalName, load.IntervalsName} {
		info, err := h.shelf.root.Lstat(path.Join(run.Path, name))
		if err == nil && !info.Mode().IsRegular() {
			return compare.Subject{}, fmt.Errorf("%s is no regular file", name)
		}
	}
	return compare.Open(filepath.Join(h.folder, filepath.FromSlash(run.Path)))
}

// changes lists what differs between two conformance runs.
func (h *Handler) changes(page *comparePage) error {
	a, err := h.shelf.conformance(page.A.Path)
	if err != nil {
		return err
	}
	b, err := h.shelf.conformance(page.B.Path)
	if err != nil {
		return err
	}
	before := map[string]record.Rule{}
	for _, rule := range a.Rules {
		before[rule.ID] = rule
	}
	for _, rule := range b.Rules {
		earlier, known := before[rule.ID]
		delete(before, rule.ID)
		switch {
		case !known:
			page.Rules = append(page.Rules, ruleChange{rule.ID, rule.Level, "", string(rule.Verdict), rule.Reason, rule.Verdict == record.Fail})
		case earlier.Verdict == rule.Verdict:
			page.Same++
		default:
			worse, why := rank(rule.Verdict) < rank(earlier.Verdict), rule.Reason
			if why == "" { // it passes by now: why it did not
				why = earlier.Reason
			}
			page.Rules = append(page.Rules, ruleChange{rule.ID, rule.Level, string(earlier.Verdict), string(rule.Verdict), why, worse})
		}
	}
	for _, rule := range a.Rules {
		if _, gone := before[rule.ID]; gone {
			page.Rules = append(page.Rules, ruleChange{rule.ID, rule.Level, string(rule.Verdict), "", "", true})
		}
	}
	slices.SortStableFunc(page.Rules, func(x, y ruleChange) int { return place(x) - place(y) })
	for _, rule := range page.Rules {
		if rule.Worse {
			page.Worse++
		}
	}
	page.Drift = drifted(a.Observations, b.Observations)
	return nil
}

func place(r ruleChange) int {
	if r.Worse {
		return 0
	}
	return 1
}

// rank orders verdicts, the better the higher.
func rank(v record.Verdict) int {
	switch v {
	case record.Pass, record.Observed:
		return 3
	case record.Waived:
		return 2
	case record.Fail:
		return 0
	}
	return 1
}

// drifted lists the observations that differ, in the order of B, then those that only A has.
func drifted(a, b []record.Observation) []drift {
	before := map[string]string{}
	for _, o := range a {
		before[o.ID] = o.Observed
	}
	var list []drift
	for _, o := range b {
		if earlier, known := before[o.ID]; !known || earlier != o.Observed {
			list = append(list, drift{o.ID, earlier, o.Observed})
		}
		delete(before, o.ID)
	}
	for _, o := range a {
		if earlier, gone := before[o.ID]; gone {
			list = append(list, drift{o.ID, earlier, ""})
			delete(before, o.ID)
		}
	}
	return list
}

// figures sets those of two load runs, or two searches, side by side. They are single figures: whether a difference is
// more than noise is for comparison to say.
func figures(a, b Run) []figure {
	if a.Kind == capacityKind {
		return []figure{{"capacity, requests/s", number(a.Capacity), number(b.Capacity), change(a.Capacity, b.Capacity)}}
	}
	errors := func(r Run) float64 { return float64(r.Requests.Sent - r.Requests.Accepted - r.Requests.Blocked) }
	var list []figure
	for _, f := range []struct {
		name string
		of   func(Run) float64
	}{
		{"rate meant, requests/s", func(r Run) float64 { return r.Rate.Target }},
		{"rate achieved, requests/s", func(r Run) float64 { return r.Rate.Achieved }},
		{"response p50, ms", func(r Run) float64 { return r.Latency.Response.P50 }},
		{"response p90, ms", func(r Run) float64 { return r.Latency.Response.P90 }},
		{"response p99, ms", func(r Run) float64 { return r.Latency.Response.P99 }},
		{"response p99.9, ms", func(r Run) float64 { return r.Latency.Response.P999 }},
		{"response maximum, ms", func(r Run) float64 { return r.Latency.Response.Max }},
		{"service p50, ms", func(r Run) float64 { return r.Latency.Service.P50 }},
		{"service p99, ms", func(r Run) float64 { return r.Latency.Service.P99 }},
		{"requests sent", func(r Run) float64 { return float64(r.Requests.Sent) }},
		{"neither accepted nor blocked as meant", errors},
		{"fresh requests blocked", func(r Run) float64 { return float64(r.Requests.FalseBlocks) }},
		{"repeats accepted", func(r Run) float64 { return float64(r.Requests.MissedBlocks) }},
	} {
		list = append(list, figure{f.name, number(f.of(a)), number(f.of(b)), change(f.of(a), f.of(b))})
	}
	return list
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func change(a, b float64) string {
	switch {
	case a == b:
		return "="
	case a == 0:
		return "new"
	}
	percent := 100 * (b - a) / math.Abs(a)
	if math.Abs(percent) >= 1000 {
		return fmt.Sprintf("×%.3g", b/a)
	}
	return fmt.Sprintf("%+.1f %%", percent)
}
