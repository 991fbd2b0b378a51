package live

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/view"
)

//go:embed web.js
var followScript string

// WebView also shows a run on a page: its report so far, which the page asks for again and again.
type WebView struct {
	*TerminalView
	server  http.Server // serves the page
	drawing sync.Mutex  // held while a page is made; guards what is below
	folder  string
	ended   bool          // its record is complete
	asked   time.Time     // when the page was last asked for
	shown   chan struct{} // takes one value when a page was shown after the end
}

// NewWebView returns a view that shows runs on a screen and on a page at a loopback address.
func NewWebView(v *TerminalView, address string) (*WebView, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	at, _ := listener.Addr().(*net.TCPAddr)
	if !at.IP.IsLoopback() {
		return nil, errors.Join(errors.New("the page is only for this machine; leave the "+
			"address out, or give 127.0.0.1:PORT"), listener.Close())
	}
	w := &WebView{TerminalView: v, shown: make(chan struct{}, 1)}
	w.server = http.Server{
		Addr: at.String(), Handler: http.HandlerFunc(w.serve), ReadHeaderTimeout: 5 * time.Second,
	}
	go func() { _ = w.server.Serve(listener) }()
	return w, nil
}

// Start shows a run whose record is in folder.
func (w *WebView) Start(title, folder string) {
	w.TerminalView.Start(title, folder)
	w.drawing.Lock()
	w.folder = folder
	w.drawing.Unlock()
	w.Note("the run as a page: http://" + w.server.Addr + "/")
}

// Time in which a page that is open asks again, and shows the verdict.
const (
	openPagePause = 15 * time.Second
	verdictWait   = 5 * time.Second
)

// Stop ends showing the run. Before, it lets a page that is open show the verdict.
func (w *WebView) Stop() {
	w.TerminalView.Stop()
	w.drawing.Lock()
	w.ended = true
	open := time.Since(w.asked) < openPagePause
	w.drawing.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), verdictWait)
	defer cancel()
	if open {
		select {
		case <-w.shown:
		case <-ctx.Done():
		}
	}
	_ = w.server.Shutdown(ctx)
	_ = w.server.Close()
}

func (w *WebView) serve(out http.ResponseWriter, r *http.Request) {
	switch {
	case r.Host != w.server.Addr: // another site whose name resolves to this server
		http.Error(out, "the page is at http://"+w.server.Addr, http.StatusMisdirectedRequest)
	case r.URL.Path != "/":
		http.NotFound(out, r)
	default:
		w.serveReport(out)
	}
}

func (w *WebView) serveReport(out http.ResponseWriter) {
	w.drawing.Lock()
	defer w.drawing.Unlock()
	began, page := time.Now(), []byte(nil)
	w.asked = began
	run, err := results.ReadRun(w.folder)
	if err == nil {
		if !w.ended { // requests without an outcome are in flight
			run.Run.Partial, run.Notes, run.Requests.Unknown = false, nil, 0
		}
		report := loadreport.ReadReport(w.folder, run)
		if !w.ended {
			report.Headline, report.Tone, report.Why = "RUNNING", view.ToneOpen,
				[]string{"What was recorded so far."}
		}
		report.Own = view.PageExtras{Script: followScript, Asks: true}
		page, err = view.WritePage(report)
	}
	pause := max(time.Second, 20*time.Since(began)) // pages must not take CPU time from the run
	if w.ended {                                    // nothing will change
		select {
		case w.shown <- struct{}{}:
		default:
		}
	} else {
		out.Header().Set("Retry-After", fmt.Sprintf("%.0f", pause.Seconds()))
	}
	if err != nil {
		http.Error(out, err.Error(), http.StatusServiceUnavailable)
		return
	}
	_, _ = out.Write(page)
}
