// Package browse shows a folder of recorded runs as web pages: a list, trends, and two runs side by side. It only reads,
// keeps to the folder, answers to the names it was told only, and nothing that a run holds acts as markup.
package browse

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gateassay/gateassay/reports/digest"
)

//go:embed pages.gohtml
var layout string

//go:embed browse.css
var styles []byte

// Options of a handler.
type Options struct {
	Hosts []string // the values of the Host header that are answered, such as 127.0.0.1:8090; none: nothing is
	Title string   // what is shown, such as the path of the folder
}

// Handler serves the pages. It is safe for concurrent use.
type Handler struct {
	o      Options
	folder string
	shelf  *shelf
	pages  *template.Template
	policy string // of a report
	mux    *http.ServeMux
}

// Open makes the pages of a folder. Close releases it.
func Open(folder string, o Options) (*Handler, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("the folder of runs cannot be opened: %w", err)
	}
	pages, err := template.New("pages").Funcs(functions()).Parse(layout)
	if err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("the pages' template: %w", err)
	}
	h := &Handler{o: o, folder: folder, shelf: &shelf{root: root}, pages: pages, policy: reportPolicy(), mux: http.NewServeMux()}
	h.mux.HandleFunc("GET /{$}", h.list)
	h.mux.HandleFunc("GET /trends", h.trends)
	h.mux.HandleFunc("GET /compare", h.compare)
	h.mux.HandleFunc("GET /comparison", h.comparison)
	h.mux.HandleFunc("GET /run", h.run)
	h.mux.HandleFunc("GET /report", h.report)
	h.mux.HandleFunc("GET /file", h.file)
	h.mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = w.Write(styles)
	})
	return h, nil
}

// Close releases the folder.
func (h *Handler) Close() error { return h.shelf.root.Close() }

// pagePolicy lets a page load its style sheet and send its forms to where it came from, and nothing else.
const pagePolicy = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP answers requests that name a host it was told and that only read. A page of another site that had its name
// point here is thus refused, whatever it asks for.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	for name, value := range map[string]string{
		"Content-Security-Policy": pagePolicy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store",
	} {
		head.Set(name, value)
	}
	if !slices.ContainsFunc(h.o.Hosts, func(host string) bool { return strings.EqualFold(host, r.Host) }) {
		http.Error(w, "this address is not served under that name; start report serve with --allow-host to add one", http.StatusMisdirectedRequest)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		http.Error(w, "these pages can only be read", http.StatusMethodNotAllowed)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// page renders a page as a whole before the first byte goes out.
func (h *Handler) page(w http.ResponseWriter, status int, name string, data any) {
	var out bytes.Buffer
	if err := h.pages.ExecuteTemplate(&out, name, data); err != nil {
		http.Error(w, "the page could not be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes())
}

// frame is what every page shows around its content.
type frame struct {
	Title  string // of the page
	Folder string
	At     string // which page of the navigation it is
}

func (h *Handler) frame(title, at string) frame {
	return frame{Title: title, Folder: h.o.Title, At: at}
}

func (h *Handler) missing(w http.ResponseWriter, what string) {
	h.page(w, http.StatusNotFound, "missing", struct {
		frame
		What string
	}{h.frame("Not here", ""), what})
}

// asked gives the run that a request names.
func (h *Handler) asked(w http.ResponseWriter, dir string) (Run, bool) {
	list, _ := h.shelf.runs()
	run, found := find(list, dir)
	if !found {
		h.missing(w, "There is no such run in this folder; it may have been moved or removed.")
	}
	return run, found
}

// report serves report.html of a run. Only the scripts of this version's own reports run in it, in an origin of their
// own; whatever else such a file holds stays inert.
func (h *Handler) report(w http.ResponseWriter, r *http.Request) {
	run, found := h.asked(w, r.URL.Query().Get("run"))
	if !found {
		return
	}
	if !run.Report {
		h.missing(w, "This run has no report.html.")
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", h.policy)
	head.Set("Content-Type", "text/html; charset=utf-8")
	h.send(w, r, path.Join(run.Path, reportName))
}

// file serves another file of a run, to be saved.
func (h *Handler) file(w http.ResponseWriter, r *http.Request) {
	run, found := h.asked(w, r.URL.Query().Get("run"))
	if !found {
		return
	}
	name := r.URL.Query().Get("name")
	if !slices.Contains(run.Files, name) { // these are names that this package knows
		h.missing(w, "This run has no such file.")
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	head.Set("Content-Type", "application/octet-stream")
	head.Set("Content-Disposition", "attachment; filename="+strconv.Quote(name))
	h.send(w, r, path.Join(run.Path, name))
}

func (h *Handler) send(w http.ResponseWriter, r *http.Request, name string) {
	info, err := h.shelf.root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		h.missing(w, "This file cannot be read.")
		return
	}
	file, err := h.shelf.root.Open(name)
	if err != nil {
		h.missing(w, "This file cannot be read.")
		return
	}
	defer file.Close()
	http.ServeContent(w, r, "", time.Time{}, file)
}

func functions() template.FuncMap {
	return template.FuncMap{
		"clean": func(s string) string { return digest.Clean(digest.Clip(s, 1000)) },
		"utc": func(t time.Time) string {
			if t.IsZero() {
				return "unknown"
			}
			return t.UTC().Format("2006-01-02 15:04 UTC")
		},
		"took": func(r Run) string {
			if d := r.Finished.Sub(r.Started); d > 0 && !r.Finished.IsZero() {
				return d.Round(time.Second).String()
			}
			return "unknown"
		},
		"tone": tone,
		"word": func(s string) string { return strings.ReplaceAll(digest.Clean(digest.Clip(s, 60)), "_", " ") },
		"ms":   milliseconds,
		"rate": func(v float64) string { return strconv.FormatFloat(v, 'g', 5, 64) + "/s" },
		"base": func(p string) string {
			if p == "." {
				return "this folder"
			}
			return digest.Clean(path.Base(p))
		},
	}
}

// tone is the colour of a verdict: ok, bad or unsure.
func tone(verdict string) string {
	switch verdict {
	case "conformant", "pass", "held":
		return "ok"
	case "violations", "fail":
		return "bad"
	}
	return "unsure"
}

func milliseconds(v float64) string {
	if v >= 10_000 {
		return strconv.FormatFloat(v/1000, 'f', 1, 64) + " s"
	}
	return strconv.FormatFloat(v, 'g', 4, 64) + " ms"
}
