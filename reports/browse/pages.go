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

	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports"
	"github.com/gateassay/gateassay/reports/compare"
	"github.com/gateassay/gateassay/reports/digest"
	"github.com/gateassay/gateassay/reports/recorded"
	"github.com/gateassay/gateassay/reports/view"
)

// finding narrows the list down to what holds the words of the search; without JavaScript all of it
// is shown.
//
//go:embed find.js
var finding string

const searchLayout = `{{define "search"}}<p hidden><label for="find">Find</label> <input type="search" id="find" value="{{clean .}}" ` +
	`placeholder="deployment, verdict, kind, date"> <span id="found" class="quiet" role="status"></span></p>{{end}}`

// list shows the runs, those written last first, with a link each to compare it: first with one to
// choose, then with the one that was chosen.
func (h *Handler) list(w http.ResponseWriter, r *http.Request) {
	runs, all, notes := h.shelf.runs()
	t := h.table(runs)
	t.Columns = append(t.Columns, view.Column{Name: "Compare"})
	first := r.URL.Query().Get("a")
	chosen := slices.IndexFunc(runs, func(r Run) bool { return r.Path == first && r.Kind != "" })
	for i, one := range runs {
		link := view.Cell{}
		switch {
		case one.Kind == "" || i == chosen:
		case chosen < 0:
			link = view.Cell{Text: "compare", Link: "/?" + url.Values{"a": {one.Path}}.Encode()}
		case one.Kind == runs[chosen].Kind:
			link = view.Cell{Text: "compare", Link: comparing(first, one.Path)}
		}
		t.Rows[i].Cells = append(t.Rows[i].Cells, link)
	}
	report := h.report(digest.Quantity(all, "run"), notes...)
	if chosen >= 0 {
		report.Why = append(report.Why,
			"Choose the run to compare with "+base(first)+", which was before.")
	}
	if all == 0 {
		report.Why = append(report.Why,
			"This folder holds no recorded run yet: gateassay conform and gateassay load run write "+
				"one each into reports/runs.")
	}
	for _, b := range digest.By(runs, func(r Run) string { return r.Verdict }) {
		if b.Key != "" {
			report.Tiles = append(report.Tiles, view.Tile{
				Value: strconv.Itoa(len(b.Items)), Text: b.Key, Tone: view.Tone(digest.Tone(b.Key)),
				Link: "/?" + url.Values{"q": {b.Key}}.Encode(),
			})
		}
	}
	search := view.Block{Own: &view.Filled{Template: "search", Data: r.URL.Query().Get("q")}}
	report.Own = view.Own{Script: finding, Layout: searchLayout}
	report.Parts = []view.Part{{Title: "Runs", Blocks: []view.Block{search, {Table: t}}}}
	h.show(w, http.StatusOK, report)
}

// table lists runs.
func (h *Handler) table(runs []Run) *view.Table {
	t := &view.Table{Label: "Runs", Columns: view.Columns("Run", "Verdict", "Started", "Deployment",
		"Kind", "*Result")}
	for _, r := range runs {
		name, verdict := view.Cell{
			Text: base(r.Path),
			Link: address(r.Path),
		}, view.Badge(view.Tone(digest.Tone(r.Verdict)), r.Verdict)
		verdict.Quiet = r.Extent()
		switch {
		case r.Kind == "":
			name.Link, verdict = "", view.Badge(view.Bad, "unreadable")
		case r.Unfinished:
			verdict.Quiet = "no end"
		case r.Partial:
			verdict.Quiet = "interrupted"
		}
		t.Add(name, verdict, view.UTC(r.Started), r.Deployment, r.Kind, r.Gist)
	}
	return t
}

// address is that of the report of a run.
func address(run string) string {
	return (&url.URL{Path: "/run/" + path.Join(run, "report.html")}).EscapedPath()
}

func comparing(a, b string) string { return "/compare?" + url.Values{"a": {a}, "b": {b}}.Encode() }

// base is what a run is called: the last part of its path.
func base(p string) string {
	if p == "." {
		return "this folder"
	}
	name := path.Base(p)
	if name == "merged" && path.Dir(p) != "." { // all merged runs are called that
		name = path.Join(path.Base(path.Dir(p)), name)
	}
	return name
}

// file renders a file of a run, or of one probe of a search, from its record. Nothing that lies in
// the folder next to the record is handed out.
func (h *Handler) file(w http.ResponseWriter, r *http.Request) {
	asked, name := path.Split(r.PathValue("path"))
	asked = path.Clean(asked)
	probe := ""
	if search, number, is := strings.Cut("/"+asked, "/"+capacity.ProbesFolder+"/"); is {
		if n, err := strconv.Atoi(number); err == nil && n > 0 {
			asked, probe = path.Clean(strings.TrimPrefix(search, "/")), capacity.ProbeFolderName(n)
		}
	}
	run, err := h.shelf.open(asked, probe)
	if err != nil {
		h.refuse(w, "There is no report: "+brief(err)+".")
		return
	}
	links, format := []view.Ref{
		{Text: "compare with another", Link: "/?" + url.Values{"a": {asked}}.Encode()},
	}, reports.Format("")
	for _, f := range reports.Formats(run.Kind) {
		if f.Name() == name {
			format = f
		}
		if f != reports.HTML {
			links = append(links, view.Ref{Text: f.Name(), Link: f.Name()})
		}
	}
	data, err := reports.Render(run, format)
	switch {
	case format == "":
		h.refuse(w, "This run has no such file.")
	case format == reports.HTML || err != nil:
		h.send(w, http.StatusOK, data, err, links...)
	default:
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(name))
		_, _ = w.Write(data)
	}
}

// compare shows how two runs differ, as report compare does: the one chosen as A is what was
// before.
func (h *Handler) compare(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var sides [2]recorded.Run
	for i, path := range []string{q.Get("a"), q.Get("b")} {
		run, err := h.shelf.open(path, "")
		if err != nil {
			h.refuse(w, fmt.Sprintf("Run %c cannot be read: %s.", 'A'+i, brief(err)))
			return
		}
		sides[i] = run
	}
	result, err := compare.Runs(sides[0], sides[1], compare.DefaultTolerance)
	if err != nil {
		h.refuse(w, "The two cannot be compared: "+brief(err)+".")
		return
	}
	result.Before.Report, result.After.Report = address(q.Get("a")), address(q.Get("b"))
	h.show(w, http.StatusOK, compare.Report(result),
		view.Ref{Text: "swap the two", Link: comparing(q.Get("b"), q.Get("a"))})
}
