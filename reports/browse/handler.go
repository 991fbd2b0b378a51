// Package browse shows recorded runs as web pages: a list of those below a folder, each run rendered from its record,
// two of them compared, and trends. It only reads, keeps to the folder, answers only under the names it was given, and
// nothing that a run holds acts as markup.
package browse

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/reports/frame"
	"github.com/gateassay/gateassay/reports/plot"
)

//go:embed pages.gohtml
var layout string

//go:embed browse.css
var styles string

// Options of a handler.
type Options struct {
	Hosts []string // the values of the Host header that are answered, such as 127.0.0.1:8090; none: nothing is
	Title string   // what is shown, such as the path of the folder
}

// Handler serves the pages. It is safe for concurrent use.
type Handler struct {
	o     Options
	shelf *shelf
	pages *template.Template
	heavy chan struct{} // holds one for each report or comparison that is made just now: each takes memory
	mux   *http.ServeMux
}

// Open makes the pages of a folder. Close releases it.
func Open(folder string, o Options) (*Handler, error) {
	shelf, err := openShelf(folder)
	if err != nil {
		return nil, err
	}
	pages, err := frame.Template(layout, 1000, functions())
	if err != nil {
		return nil, err
	}
	h := &Handler{o: o, shelf: shelf, pages: pages, heavy: make(chan struct{}, 2), mux: http.NewServeMux()}
	h.mux.HandleFunc("GET /{$}", h.list)
	h.mux.HandleFunc("GET /trends", h.trends)
	h.mux.HandleFunc("GET /compare", h.compare)
	h.mux.HandleFunc("GET /report", h.report)
	h.mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { h.missing(w, "There is no such page.") })
	return h, nil
}

// Close releases the folder.
func (h *Handler) Close() error { return h.shelf.root.Close() }

// ServeHTTP answers requests that name an allowed host and that only read. A page of another site that had its name
// point here is thus refused, whatever it asks for.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	for name, value := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
		"X-Content-Type-Options":  "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
		"Cache-Control": "no-store",
	} {
		head.Set(name, value)
	}
	if !slices.ContainsFunc(h.o.Hosts, func(host string) bool { return strings.EqualFold(host, r.Host) }) {
		http.Error(w, "this address does not answer to that name; add the name with report serve --allow-host",
			http.StatusMisdirectedRequest)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		http.Error(w, "these pages are read-only", http.StatusMethodNotAllowed)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// around is what every page shows around its content.
type around struct {
	Title  string // of the page
	Folder string
	At     string // which page of the navigation it is
	Notes  []string
	frame.Sealed
}

func (h *Handler) around(title, at string, notes ...string) around {
	return around{
		Title: title, Folder: h.o.Title, At: at, Notes: notes,
		Sealed: frame.Seal(styles, ""),
	}
}

// drawn lets a page hold figures.
func (a *around) drawn(figures []plot.Figure) (err error) {
	a.Sealed, err = plot.Seal(figures, styles)
	return err
}

// show renders a page as a whole before the first byte goes out. It may send its forms to where it came from, and
// nothing else.
func (h *Handler) show(w http.ResponseWriter, status int, name string, a around, data any) {
	var out bytes.Buffer
	if err := h.pages.ExecuteTemplate(&out, name, data); err != nil {
		http.Error(w, "the page could not be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	policy := strings.Replace(a.Policy, "form-action 'none'", "form-action 'self'", 1)
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes())
}

// alone sends a page that stands on its own, in an origin of its own: it can reach neither these pages nor a host. Above
// it stands the way back, made by the named template.
func (h *Handler) alone(w http.ResponseWriter, r *http.Request, page []byte, name string, data any) {
	var above bytes.Buffer
	if err := h.pages.ExecuteTemplate(&above, name, data); err != nil {
		h.missing(w, "The page could not be made: "+err.Error())
		return
	}
	policy := frame.PolicyOf(page)
	box := "sandbox"
	if strings.Contains(policy, "script-src") {
		box += " allow-scripts"
	}
	page = bytes.Replace(page, []byte("<body>\n"), append([]byte("<body>\n"), above.Bytes()...), 1)
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'none'; "+box)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(page))
}

func (h *Handler) missing(w http.ResponseWriter, what string) {
	page := h.around("Not here", "")
	h.show(w, http.StatusNotFound, "missing", page, struct {
		around
		What string
	}{page, what})
}

// turn waits until a report or a comparison may be made. false: nobody waits any more.
func (h *Handler) turn(r *http.Request) (done func(), ok bool) {
	select {
	case h.heavy <- struct{}{}:
		return func() { <-h.heavy }, true
	case <-r.Context().Done():
		return nil, false
	}
}

// brief is an error in a sentence on a page.
func brief(err error) string { return printable.Clean(printable.Clip(err.Error(), 500)) }
