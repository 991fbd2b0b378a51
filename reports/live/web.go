package live

import (
	"context"
	_ "embed"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gateassay/gateassay/load/results"
	"github.com/gateassay/gateassay/reports/loadreport"
	"github.com/gateassay/gateassay/reports/view"
)

// following is the script of the page.
//
//go:embed web.js
var following string

// Web shows a run on a page, too: the report of what was recorded so far, which follows the run by server-sent events.
type Web struct {
	*View
	Address string // of the page
	server  http.Server
	drawing sync.Mutex // held while a page is made

	mu     sync.Mutex
	folder string        // of the run; empty: it has not begun
	news   chan struct{} // closed when there are some
	next   time.Time     // no news before: making the page must not take the CPUs from the run
}

// NewWeb shows runs on a screen, and on a page at a loopback address.
func NewWeb(v *View, address string) (*Web, error) {
	w := &Web{View: v, news: make(chan struct{})}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if at, ok := listener.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		_ = listener.Close()
		return nil, fmt.Errorf("%s: the page is for this machine alone; leave the address out, or give 127.0.0.1:PORT", address)
	}
	w.Address = "http://" + listener.Addr().String() + "/"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", w.page)
	mux.HandleFunc("GET /events", w.events)
	w.server = http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Host != listener.Addr().String() { // a page of somebody's who has a name point here
			http.Error(out, "this page is at "+w.Address, http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(out, r)
	})}
	go func() { _ = w.server.Serve(listener) }()
	return w, nil
}

// Start begins to show a run, whose record is read from its folder.
func (w *Web) Start(title, folder string) {
	w.View.Start(title, folder)
	w.mu.Lock()
	w.folder = folder
	w.mu.Unlock()
	w.Note("the run as a page: " + w.Address)
}

// Update says where the run stands.
func (w *Web) Update(s results.Status) {
	w.View.Update(s)
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Now().After(w.next) {
		close(w.news)
		w.news = make(chan struct{})
	}
}

// Stop ends showing the run.
func (w *Web) Stop() {
	w.View.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	w.mu.Lock()
	w.folder = ""
	close(w.news)
	w.news = make(chan struct{})
	w.mu.Unlock()
	_ = w.server.Shutdown(ctx)
}

func (w *Web) state() (folder string, news chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.folder, w.news
}

// events tells the page of news until the run ends.
func (w *Web) events(out http.ResponseWriter, r *http.Request) {
	out.Header().Set("Content-Type", "text/event-stream")
	for flush := http.NewResponseController(out).Flush; ; {
		folder, news := w.state()
		if folder == "" {
			fmt.Fprint(out, "event: end\ndata: ENDED\n\n")
			return
		}
		if fmt.Fprint(out, "data: news\n\n"); flush() != nil {
			return
		}
		select {
		case <-news:
		case <-r.Context().Done():
			return
		}
	}
}

// page is the report of the run so far.
func (w *Web) page(out http.ResponseWriter, _ *http.Request) {
	w.drawing.Lock()
	defer w.drawing.Unlock()
	began, page := time.Now(), []byte(nil)
	folder, _ := w.state()
	run, err := results.Read(folder)
	if err == nil {
		run.Run.Partial, run.Notes = false, nil // it goes on
		report := loadreport.Opened(folder, run)
		report.Headline, report.Tone, report.Why = "RUNNING", view.Open, []string{"So far: " + run.Reason}
		report.Own = view.Own{Script: following, Asks: true}
		page, err = view.WritePage(report)
	}
	if err != nil {
		http.Error(out, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.mu.Lock()
	w.next = time.Now().Add(20 * time.Since(began))
	w.mu.Unlock()
	_, _ = out.Write(page)
}
