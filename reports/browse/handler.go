// Package browse shows recorded runs as web pages: a list of those below a folder, each run
// rendered from its record, two of them compared, and trends. It only reads, keeps to the folder,
// answers only under the names it was given, and nothing that a run holds acts as markup.
package browse

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/reports/view"
)

// Options of a handler.
type Options struct {
	// the values of the Host header that are answered, such as 127.0.0.1:8090; none: nothing is
	Hosts []string
	Title string // what is shown, such as the path of the folder
}

// Handler serves the pages. It is safe for concurrent use.
type Handler struct {
	o     Options
	shelf *runIndex
	// holds one for each report or comparison that is made just now: each takes memory
	heavy chan struct{}
	mux   *http.ServeMux
}

// Open makes the pages of a folder. Close releases it.
func Open(folder string, o Options) (*Handler, error) {
	shelf, err := openRunIndex(folder)
	if err != nil {
		return nil, err
	}
	h := &Handler{o: o, shelf: shelf, heavy: make(chan struct{}, 2), mux: http.NewServeMux()}
	h.mux.HandleFunc("GET /{$}", h.serveList)
	h.mux.HandleFunc("GET /trends", h.serveTrends)
	h.mux.HandleFunc("GET /compare", h.limitConcurrency(h.serveComparison))
	h.mux.HandleFunc("GET /run/{path...}", h.limitConcurrency(h.serveFile))
	h.mux.HandleFunc("GET /",
		func(w http.ResponseWriter, _ *http.Request) { h.sendRefusal(w, "There is no such page.") })
	return h, nil
}

// Close releases the folder.
func (h *Handler) Close() error { return h.shelf.root.Close() }

// ServeHTTP answers requests that name an allowed host and that only read. A page of another site
// that had its name point here is thus refused, whatever it asks for.
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
	if !slices.ContainsFunc(h.o.Hosts,
		func(host string) bool { return strings.EqualFold(host, r.Host) }) {
		http.Error(w,
			"this address does not answer to that name; add the name with report serve --allow-host",
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

// limitConcurrency waits until a report or a comparison may be made.
func (h *Handler) limitConcurrency(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case h.heavy <- struct{}{}:
			defer func() { <-h.heavy }()
			serve(w, r)
		case <-r.Context().Done():
		}
	}
}

//go:embed frame.gohtml
var frameLayout string

var pageFrame = template.Must(template.New("").Parse(frameLayout))

func (h *Handler) sendReport(w http.ResponseWriter, status int, report view.Report,
	links ...view.Ref,
) {
	page, err := view.WritePage(report)
	h.sendPage(w, status, page, err, links...)
}

// sendPage sends a page with the way to the others above it. It runs in its own origin: it can
// reach neither these pages nor a host.
func (h *Handler) sendPage(w http.ResponseWriter, status int, page []byte, err error,
	links ...view.Ref,
) {
	var above bytes.Buffer
	if err == nil {
		err = pageFrame.Execute(&above,
			append([]view.Ref{{Text: "All runs", Link: "/"}, {Text: "Trends", Link: "/trends"}}, links...))
	}
	if err != nil {
		http.Error(w, "the page could not be made: "+errorSentence(err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Security-Policy",
		view.ContentSecurityPolicy(page)+
			"; frame-ancestors 'none'; sandbox allow-scripts allow-downloads")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(bytes.Replace(page, []byte("<body>\n"), above.Bytes(), 1))
}

// sendRefusal says why there is no page.
func (h *Handler) sendRefusal(w http.ResponseWriter, why string) {
	h.sendReport(w, http.StatusNotFound, h.messageReport("Not here", why))
}

// messageReport is a page about the folder.
func (h *Handler) messageReport(headline string, why ...string) view.Report {
	return view.Report{
		Kind: "Runs below", About: h.o.Title, Headline: headline, Tone: view.ToneCalm, Why: why,
	}
}

// errorSentence is an error in a sentence on a page.
func errorSentence(err error) string { return printable.Clip(err.Error(), 500) }
