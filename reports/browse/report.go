package browse

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/load/capacity"
	"github.com/gateassay/gateassay/reports/derived"
	"github.com/gateassay/gateassay/reports/recorded"
)

// largestReport bounds a report.html, in bytes.
const largestReport = 32 << 20

// report serves report.html of a run, or of one probe of a search. Where it is not there, or was written by another
// version, whose scripts would not work here, it is made from the record. Only the scripts of this version's own
// reports run in it.
func (h *Handler) report(w http.ResponseWriter, r *http.Request) {
	run, found := h.asked(w, r, "run")
	if !found {
		return
	}
	folder := "" // of the probe
	if asked := r.URL.Query().Get("probe"); asked != "" {
		number, err := strconv.Atoi(asked)
		if err != nil || number < 1 || run.Kind != recorded.OfCapacity {
			h.missing(w, "This run has no such probe.")
			return
		}
		folder = filepath.ToSlash(capacity.Name(number))
	}
	written, err := h.written(run, path.Join(folder, reportName))
	if err == nil && h.ours(written) {
		sealed(w, r, policy(h.scripts), h.linked(run, written))
		return
	}
	made, makeErr := h.make(r, run, folder, derived.HTML)
	switch {
	case makeErr == nil:
		sealed(w, r, policy(scriptsOf(made)), h.linked(run, made))
	case err == nil:
		sealed(w, r, policy(h.scripts), h.linked(run, written))
	default:
		h.missing(w, "There is no report: "+printable.Clean(printable.Clip(makeErr.Error(), 500))+".")
	}
}

var probeLink = regexp.MustCompile(`href="probes/(\d+)/report\.html"`)

// linked puts the way back at the top of a report, and lets the links of a search lead to the reports of its probes.
func (h *Handler) linked(run Run, data []byte) []byte {
	if run.Kind == recorded.OfCapacity {
		data = probeLink.ReplaceAll(data, []byte(`href="/report?run=`+url.QueryEscape(run.Path)+`&amp;probe=$1"`))
	}
	var back bytes.Buffer
	if err := h.pages.ExecuteTemplate(&back, "back", run); err != nil {
		return data // it can be read without
	}
	return under(data, back.Bytes())
}

// written reads a report of a run, by its name in the run's folder.
func (h *Handler) written(run Run, name string) ([]byte, error) {
	file, release, err := h.handle(run, name)
	if err != nil {
		return nil, err
	}
	defer release()
	return all(file, largestReport)
}

// make renders one form of a run, or of one of its probes by its folder, from its record.
func (h *Handler) make(r *http.Request, run Run, folder string, f derived.Format) ([]byte, error) {
	if run.Kind == "" {
		return nil, errors.New(run.Trouble)
	}
	done, ok := h.turn(r.Context())
	if !ok {
		return nil, r.Context().Err()
	}
	defer done()
	opened, release, err := h.shelf.open(run.place, folder)
	if err != nil {
		return nil, err
	}
	defer release()
	return derived.Render(opened, f)
}

// file serves another file of a run, to be saved: as it is, or made from the record where it is not there.
func (h *Handler) file(w http.ResponseWriter, r *http.Request) {
	run, found := h.asked(w, r, "run")
	if !found {
		return
	}
	name := r.URL.Query().Get("name")
	forms := derived.Formats(run.Kind)
	form := slices.IndexFunc(forms, func(f derived.Format) bool { return f.Name() == name && f != derived.HTML })
	head := w.Header()
	head.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	switch {
	case slices.Contains(run.Files, name): // these are names that this package knows
		h.send(w, r, run, name)
	case run.Kind != "" && form >= 0:
		data, err := h.make(r, run, "", forms[form])
		if err != nil {
			h.missing(w, "This file cannot be made: "+printable.Clean(printable.Clip(err.Error(), 500))+".")
			return
		}
		saved(head, name)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	default:
		h.missing(w, "This run has no such file.")
	}
}

func saved(head http.Header, name string) {
	head.Set("Content-Type", "application/octet-stream")
	head.Set("Content-Disposition", "attachment; filename="+strconv.Quote(name))
}

// send sends a file as it is.
func (h *Handler) send(w http.ResponseWriter, r *http.Request, run Run, name string) {
	file, release, err := h.handle(run, name)
	if err == nil {
		defer release()
		defer file.Close()
		var info os.FileInfo
		if info, err = file.Stat(); err == nil && info.Mode().IsRegular() {
			saved(w.Header(), name)
			http.ServeContent(w, r, "", time.Time{}, file)
			return
		}
	}
	h.missing(w, "This file cannot be read.")
}

// handle opens a file of a run.
func (h *Handler) handle(run Run, name string) (file *os.File, release func(), err error) {
	if !run.Archive {
		file, err = h.shelf.regular(path.Join(run.Path, name))
		return file, func() {}, err
	}
	dir, release, err := h.shelf.files(run.place)
	if err != nil {
		return nil, nil, err
	}
	if file, err = os.Open(filepath.Join(dir, name)); err != nil {
		release()
	}
	return file, release, err
}
