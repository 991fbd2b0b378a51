// Package browse serves recorded runs as web pages: a list of the runs below a folder, a report of
// each run, comparisons and trends. It only reads, stays inside the folder, answers only under the
// given host names, and never renders texts of a run as markup.
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

// Options configure a Handler.
type Options struct {
	// accepted values of the Host header, such as 127.0.0.1:8090; none: every request is refused
	Hosts []string
	Title string // title of the pages, such as the path of the folder
}

// Handler serves the pages. It is safe for concurrent use.
type Handler struct {
	o     Options
	shelf *runIndex
	mux   *http.ServeMux
}

// Open returns the handler for the runs of a folder. Close releases it.
func Open(folder string, o Options) (*Handler, error) {
	shelf, err := openRunIndex(folder)
	if err != nil {
		return nil, err
	}
	h := &Handler{o: o, shelf: shelf, mux: http.NewServeMux()}
	h.mux.HandleFunc("GET /{$}", h.serveList)
	h.mux.HandleFunc("GET /trends", h.serveTrends)
	h.mux.HandleFunc("GET /compare", h.serveComparison)
	h.mux.HandleFunc("GET /run/{path...}", h.serveFile)
	h.mux.HandleFunc("GET /",
		func(w http.ResponseWriter, _ *http.Request) { h.sendRefusal(w, "There is no such page.") })
	return h, nil
}

// Close releases the folder.
func (h *Handler) Close() error { return h.shelf.root.Close() }

// ServeHTTP answers requests for an allowed host: this refuses pages of other sites whose name
// resolves to this server. The mux has patterns for GET and HEAD only.
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
	h.mux.ServeHTTP(w, r)
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

// sendPage sends a page with navigation above it. It runs in an opaque origin: it can reach
// neither these pages nor any host.
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

// sendRefusal sends a page that says why there is no other.
func (h *Handler) sendRefusal(w http.ResponseWriter, why string) {
	h.sendReport(w, http.StatusNotFound, h.messageReport("Not here", why))
}

// messageReport returns a page about the folder.
func (h *Handler) messageReport(headline string, why ...string) view.Report {
	return view.Report{
		Kind: "Runs below", About: h.o.Title, Headline: headline, Tone: view.ToneCalm, Why: why,
	}
}

// errorSentence returns the text of an error for a page.
func errorSentence(err error) string { return printable.Clip(err.Error(), 500) }
