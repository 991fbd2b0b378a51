// Package browse shows recorded runs as web pages: a list of those below a folder, trends, each run with its report,
// and how two of them differ. It only reads, keeps to the folder, answers only under the names it was given, and
// nothing that a run holds acts as markup.
package browse

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/gateway/archive"
	"github.com/gateassay/gateassay/reports/frame"
)

//go:embed pages.gohtml
var layout string

//go:embed browse.css
var styles string

// Options of a handler.
type Options struct {
	Hosts    []string      // the values of the Host header that are answered, such as 127.0.0.1:8090; none: nothing is
	Title    string        // what is shown, such as the path of the folder
	Patience time.Duration // how long a page waits for runs that were not read yet; 0: 2 s
}

// madeAtOnce is how many reports and comparisons are made side by side.
const madeAtOnce = 2

// Handler serves the pages. It is safe for concurrent use.
type Handler struct {
	o       Options
	shelf   *shelf
	pages   *template.Template
	scripts []string      // hashes of those that this version's reports hold
	heavy   chan struct{} // holds one for each report or comparison that is made just now
	mux     *http.ServeMux
}

// Open makes the pages of a folder, or of one archive. Close releases it and removes what was unpacked.
func Open(folder string, o Options) (*Handler, error) {
	only := ""
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		if _, packed := archive.FormatOf(folder); !packed || !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is neither a folder of runs nor an archive of one", folder)
		}
		folder, only = filepath.Dir(folder), filepath.Base(folder)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("the folder of runs cannot be opened: %w", err)
	}
	pages, err := frame.Template(layout, 1000, functions())
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	if o.Patience == 0 {
		o.Patience = 2 * time.Second
	}
	h := &Handler{
		o: o, shelf: newShelf(root, folder, only), pages: pages, scripts: ownScripts(),
		heavy: make(chan struct{}, madeAtOnce), mux: http.NewServeMux(),
	}
	h.mux.HandleFunc("GET /{$}", h.list)
	h.mux.HandleFunc("GET /trends", h.trends)
	h.mux.HandleFunc("GET /rules", h.rules)
	h.mux.HandleFunc("GET /rule", h.rule)
	h.mux.HandleFunc("GET /compare", h.compare)
	h.mux.HandleFunc("GET /run", h.run)
	h.mux.HandleFunc("GET /report", h.report)
	h.mux.HandleFunc("GET /file", h.file)
	h.mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		_, _ = io.WriteString(w, frame.Styles+styles)
	})
	h.mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { h.missing(w, "There is no such page.") })
	return h, nil
}

// Close releases the folder and removes what was unpacked.
func (h *Handler) Close() error { return h.shelf.close() }

// pagePolicy lets a page load its style sheet and send its forms to where it came from, and nothing else.
const pagePolicy = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// ServeHTTP answers requests that name an allowed host and that only read. A page of another site that had its name
// point here is thus refused, whatever it asks for.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	for name, value := range map[string]string{
		"Content-Security-Policy": pagePolicy, "X-Content-Type-Options": "nosniff",
		"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
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

// sealed sends a page that stands on its own, in an origin of its own and under a policy of its own.
func sealed(w http.ResponseWriter, r *http.Request, policy string, data []byte) {
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// around is what every page shows around its content.
type around struct {
	Title  string // of the page
	Folder string
	At     string // which page of the navigation it is
}

func (h *Handler) around(title, at string) around {
	return around{Title: title, Folder: h.o.Title, At: at}
}

func (h *Handler) missing(w http.ResponseWriter, what string) {
	h.page(w, http.StatusNotFound, "missing", struct {
		around
		What string
	}{h.around("Not here", ""), what})
}

// asked returns the run that a request names.
func (h *Handler) asked(w http.ResponseWriter, r *http.Request, name string) (Run, bool) {
	run, found := h.shelf.find(r.Context(), r.URL.Query().Get(name))
	if !found {
		h.missing(w, "There is no such run in this folder; it may have been moved or removed.")
	}
	return run, found
}

// turn waits until a report or a comparison may be made; few are at once, as each takes memory. false: nobody waits any
// more.
func (h *Handler) turn(ctx context.Context) (done func(), ok bool) {
	select {
	case h.heavy <- struct{}{}:
		return func() { <-h.heavy }, true
	case <-ctx.Done():
		return nil, false
	}
}
