package reference

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

const (
	createPath    = "/v3/users/legal-representatives"
	documentsPath = "/users/legal-representatives/{id}/documents"
	exportPath    = "/v1/reports/quote-statement/exports"
	filePath      = "/v1/files/{file_id}"
	downloadPath  = "/downloads/{file_id}/{signature}/{name}"
)

// What a gateway bears at once, so that its memory is bounded whatever it is sent.
const (
	maxJSON        = 1 << 20          // bytes of a JSON body
	smallJSON      = 32 << 10         // a body up to this size needs no place among the large ones
	maxLarge       = 64               // large bodies, and bodies of unknown length, that are read at once
	maxParsed      = 4                // large bodies that are held parsed at once
	maxUpload      = 32 << 20         // bytes of an upload
	maxUploads     = 16               // uploads that are read at once
	maxHeader      = 64 << 10         // bytes of a request's headers
	maxConnections = 4096             // further ones are closed
	sendingTime    = 30 * time.Second // for a client to send a request
	readingTime    = time.Minute      // for a client to read its answer
)

// enter waits for a place, which the caller leaves again, and reports whether the client is still there.
func enter(r *http.Request, places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	case <-r.Context().Done():
		return false
	}
}

// object is a JSON object.
type object = map[string]any

func (g *Gateway) routes() *http.ServeMux {
	mux, base := http.NewServeMux(), g.choices.BasePath
	mux.HandleFunc("POST "+base+createPath, g.handle(creating, (*call).create))
	mux.HandleFunc("POST "+base+documentsPath, g.handle(documenting, (*call).uploadDocuments))
	mux.HandleFunc("POST "+base+exportPath, g.handle(exporting, (*call).export))
	mux.HandleFunc("GET "+base+filePath, g.handle(retrieving, (*call).retrieve))
	mux.HandleFunc("GET "+downloadPath, g.handle(downloading, (*call).download))
	mux.HandleFunc("/", g.handle("", func(q *call) { q.refuse(http.StatusNotFound, "not_found") }))
	return mux
}

// ServeHTTP answers one request of the API.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.choices.Latency > 0 && !pause(r, g.choices.Latency) {
		return
	}
	if g.flaky != nil && g.flaky.hits() {
		g.interrupt(w)
		return
	}
	if g.crashing.hits() {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if g.limiter != nil && !g.limiter.Allow() {
		w.Header().Set("Retry-After", "1")
		g.handle("", func(q *call) { q.refuse(http.StatusTooManyRequests, "too_many_requests") })(w, r)
		return
	}
	if g.sound != nil && !g.chance.hits() {
		g = g.sound
	}
	g.mux.ServeHTTP(w, r)
}

// pause waits, and reports whether the client is still there.
func pause(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// chance picks a share of requests.
type chance struct {
	share  float64
	mu     sync.Mutex
	random *rand.Rand
}

func newChance(seed int64, purpose uint64, share float64) *chance {
	return &chance{share: share, random: rand.New(rand.NewPCG(uint64(seed), purpose))}
}

func (c *chance) hits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.random.Float64() < c.share
}

// interrupt answers nothing of use, before anything is processed.
func (g *Gateway) interrupt(w http.ResponseWriter) {
	if g.resets.hits() {
		breakConnection(w)
		return
	}
	w.Header().Set("Retry-After", "0")
	w.WriteHeader(http.StatusServiceUnavailable)
}
