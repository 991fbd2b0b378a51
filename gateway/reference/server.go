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

// What a gateway bears.
const (
	maxJSON     = 1 << 20          // bytes of a JSON body
	maxUpload   = 32 << 20         // bytes of an upload
	maxHeader   = 64 << 10         // bytes of a request's headers
	sendingTime = 30 * time.Second // for a client to send a request
	readingTime = time.Minute      // for a client to read its answer
)

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
	if g.choices.Latency > 0 {
		select {
		case <-time.After(g.choices.Latency):
		case <-r.Context().Done():
			return
		}
	}
	if err := g.store.failed(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	switch {
	case g.flaky.hits(): // before anything is processed
		if g.resets.hits() {
			breakConnection(w)
			return
		}
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
	case g.crashing.hits():
		w.WriteHeader(http.StatusInternalServerError)
	case g.limiter != nil && !g.limiter.Allow():
		w.Header().Set("Retry-After", "1")
		g.handle("", func(q *call) { q.refuse(http.StatusTooManyRequests, "too_many_requests") })(w, r)
	default:
		g.mux.ServeHTTP(w, r)
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
	return c.share > 0 && c.random.Float64() < c.share
}
