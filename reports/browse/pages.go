package browse

import (
	_ "embed"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

// searchScript filters the list by the words of the search.
//
//go:embed find.js
var searchScript string

//go:embed search.gohtml
var searchLayout string

// serveList shows the runs, the latest first. Each has a link to compare it: first to choose it,
// then to compare it with the chosen run.
func (h *Handler) serveList(w http.ResponseWriter, r *http.Request) {
	runs, all, notes := h.shelf.newestRuns()
	t := h.runTable(runs)
	t.Columns = append(t.Columns, view.Column{Name: "Compare"})
	first := r.URL.Query().Get("a")
	chosen := slices.IndexFunc(runs, func(r listedRun) bool { return r.Path == first && r.Kind != "" })
	for i, one := range runs {
		link := view.Cell{}
		switch {
		case one.Kind == "" || i == chosen:
		case chosen < 0:
			link = view.Cell{Text: "compare", Link: "/?" + url.Values{"a": {one.Path}}.Encode()}
		case one.Kind == runs[chosen].Kind:
			link = view.Cell{Text: "compare", Link: comparisonURL(first, one.Path)}
		}
		t.Rows[i].Cells = append(t.Rows[i].Cells, link)
	}
	report := h.messageReport(printable.Quantity(all, "run"), notes...)
	if chosen >= 0 {
		report.Why = append(report.Why,
			"Choose the run to compare with "+shortName(first)+", the earlier one.")
	}
	if all == 0 {
		report.Why = append(report.Why,
			"This folder holds no recorded run yet: gateassay conform and gateassay load run write "+
				"one each into reports/runs.")
	}
	for _, b := range digest.GroupBy(runs, func(r listedRun) string { return r.Verdict }) {
		if b.Key != "" {
			report.Tiles = append(report.Tiles, view.Tile{
				Value: strconv.Itoa(len(b.Items)), Text: b.Key, Tone: digest.VerdictTone(b.Key),
				Link: "/?" + url.Values{"q": {b.Key}}.Encode(),
			})
		}
	}
	search := view.Block{Own: &view.CustomBlock{Template: "search", Data: r.URL.Query().Get("q")}}
	report.Own = view.PageExtras{Script: searchScript, Layout: searchLayout}
	report.Parts = []view.Part{{Title: "Runs", Blocks: []view.Block{search, {Table: t}}}}
	h.sendReport(w, http.StatusOK, report)
}

func (h *Handler) runTable(runs []listedRun) *view.Table {
	t := &view.Table{Label: "Runs", Columns: view.Columns("Run", "Verdict", "Started", "Deployment",
		"Kind", "*Result")}
	for _, r := range runs {
		name := view.Cell{Text: shortName(r.Path), Link: reportURL(r.Path)}
		verdict := view.Badge(digest.VerdictTone(r.Verdict), r.Verdict)
		verdict.Quiet = r.Extent()
		switch {
		case r.Kind == "":
			name.Link, verdict = "", view.Badge(view.ToneBad, "unreadable")
		case r.Unfinished:
			verdict.Quiet = "no end"
		case r.Partial:
			verdict.Quiet = "interrupted"
		}
		t.Add(name, verdict, view.FormatUTC(r.Started), r.Deployment, r.Kind, r.Gist)
	}
	return t
}

func reportURL(run string) string {
	return (&url.URL{Path: "/run/" + path.Join(run, "report.html")}).EscapedPath()
}

func comparisonURL(a, b string) string {
	return "/compare?" + url.Values{"a": {a}, "b": {b}}.Encode()
}

// shortName returns the short name of a run: the last part of its path.
func shortName(p string) string {
	if p == "." {
		return "this folder"
	}
	name := path.Base(p)
	if name == "merged" && path.Dir(p) != "." { // all merged runs have this name
		name = path.Join(path.Base(path.Dir(p)), name)
	}
	return name
}

// serveFile renders a file of a run, or of a probe of a search, from its record. It never sends
// other files of the folder.
func (h *Handler) serveFile(w http.ResponseWriter, r *http.Request) {
	asked, name := path.Split(r.PathValue("path"))
	asked = path.Clean(asked)
	probe := ""
	if search, number, is := strings.Cut("/"+asked, "/"+capacity.ProbesFolder+"/"); is {
		if n, err := strconv.Atoi(number); err == nil && n > 0 {
			asked, probe = path.Clean(strings.TrimPrefix(search, "/")), capacity.ProbeFolderName(n)
		}
	}
	run, err := h.shelf.openRun(asked, probe)
	if err != nil {
		h.sendRefusal(w, "There is no report: "+errorSentence(err)+".")
		return
	}
	var format reports.Format
	links := []view.Ref{
		{Text: "compare with another", Link: "/?" + url.Values{"a": {asked}}.Encode()},
	}
	for _, f := range reports.Formats(run.Kind) {
		if f.FileName() == name {
			format = f
		}
		if f != reports.FormatHTML {
			links = append(links, view.Ref{Text: f.FileName(), Link: f.FileName()})
		}
	}
	data, err := reports.Render(run, format)
	switch {
	case format == "":
		h.sendRefusal(w, "This run has no such file.")
	case format == reports.FormatHTML || err != nil:
		h.sendPage(w, http.StatusOK, data, err, links...)
	default:
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(name))
		_, _ = w.Write(data)
	}
}

// serveComparison compares two runs as report compare does; a is the earlier one.
func (h *Handler) serveComparison(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var sides [2]recorded.Run
	for i, path := range []string{q.Get("a"), q.Get("b")} {
		run, err := h.shelf.openRun(path, "")
		if err != nil {
			h.sendRefusal(w, fmt.Sprintf("Run %c cannot be read: %s.", 'A'+i, errorSentence(err)))
			return
		}
		sides[i] = run
	}
	result, err := compare.CompareRuns(sides[0], sides[1], compare.DefaultTolerance)
	if err != nil {
		h.sendRefusal(w, "The two cannot be compared: "+errorSentence(err)+".")
		return
	}
	result.Before.Report, result.After.Report = reportURL(q.Get("a")), reportURL(q.Get("b"))
	h.sendReport(w, http.StatusOK, compare.Report(result),
		view.Ref{Text: "swap the two", Link: comparisonURL(q.Get("b"), q.Get("a"))})
}
