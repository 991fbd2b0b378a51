// Package reference is an in-memory gateway that implements the whole API. Runs without a
// deployment use it as their target, and integrators as a server to try clients against. With
// faults switched on, it proves that every rule can fail.
package reference

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"golang.org/x/time/rate"
)

// Options configure a gateway. The zero value is a conformant one.
type Options struct {
	Seed    int64            // decides fixtures, credentials and quotes
	Faults  []string         // names of the faults to switch on
	Choices Choices          // decisions that the document leaves to a deployment
	Now     func() time.Time // nil: time.Now
	// folder of a log that keeps the state across restarts; empty: in memory only
	Data   string
	Quotes int // in the window of the default wallet; 0: as few as the rules need
}

// Gateway is the reference gateway, an http.Handler that is safe for concurrent use.
type Gateway struct {
	choices Choices
	effects []effect // of readings and faults
	now     func() time.Time
	secret  []byte
	data    *dataset
	paths   map[string][]string // logical field -> steps in the create request

	tokens    *issuedCredentials
	store     *store
	limiter   *rate.Limiter
	handler   http.Handler
	downloads atomic.Pointer[string] // origin of downloads; nil: that of the request
}

// New returns a gateway. It fails if a fault or a reading is unknown, or if the data folder is
// unusable.
func New(opts Options) (*Gateway, error) {
	choices := opts.Choices.withDefaults()
	effects, err := resolveEffects(choices.Readings, opts.Faults)
	if err != nil {
		return nil, err
	}
	g := &Gateway{
		choices: choices, effects: effects, now: opts.Now,
		secret: deriveKey([]byte(fmt.Sprint(opts.Seed)), "gateassay reference gateway"),
		data:   generateDataset(opts.Seed, choices, opts.Quotes),
		paths:  requestFieldPaths(choices.Fields), store: &store{maxEntries: minStoredEntries},
	}
	if g.now == nil {
		g.now = time.Now
	}
	g.tokens = g.issueCredentials()
	if choices.RateLimit > 0 {
		g.limiter = rate.NewLimiter(rate.Limit(choices.RateLimit), max(1, int(choices.RateLimit/4)))
	}
	if opts.Data != "" {
		if err := g.store.open(opts.Data, opts.Seed); err != nil {
			return nil, err
		}
	}
	g.handler = g.routes()
	if choices.Gzip {
		zipped, err := gzhttp.NewWrapper(gzhttp.MinSize(0))
		if err != nil {
			return nil, err
		}
		g.handler = zipped(g.handler)
	}
	return g, nil
}

// deriveKey derives a key for one purpose from a secret.
func deriveKey(secret []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

const (
	createPath    = "/v3/users/legal-representatives"
	documentsPath = "/users/legal-representatives/{id}/documents"
	exportPath    = "/v1/reports/quote-statement/exports"
	filePath      = "/v1/files/{file_id}"
	downloadPath  = "/downloads/{file_id}/{signature}/{name}"
)

// Limits of a gateway.
const (
	maxJSONBytes   = 1 << 20          // bytes of a JSON body
	maxUploadBytes = 32 << 20         // bytes of an upload
	maxHeaderBytes = 64 << 10         // bytes of a request's headers
	requestTimeout = 30 * time.Second // for the client to send a request
	answerTimeout  = time.Minute      // for the client to read its answer
)

// jsonObject is a JSON object.
type jsonObject = map[string]any

func (g *Gateway) routes() *http.ServeMux {
	mux, base := http.NewServeMux(), g.choices.BasePath
	export := g.newHandler(opExport, (*request).handleExport)
	slashed := export
	if g.choices.SlashRedirect {
		slashed = func(w http.ResponseWriter, r *http.Request) {
			//nolint:gosec // the route is fixed
			http.Redirect(w, r, strings.TrimSuffix(r.URL.Path, "/"), http.StatusPermanentRedirect)
		}
		mux.HandleFunc("POST "+base+createPath+"/{$}", slashed)
	}
	mux.HandleFunc("POST "+base+createPath, g.newHandler(opCreate, (*request).handleCreate))
	mux.HandleFunc("POST "+base+documentsPath, g.newHandler(opUpload, (*request).handleUpload))
	mux.HandleFunc("POST "+base+exportPath, export)
	mux.HandleFunc("POST "+base+exportPath+"/{$}", slashed)
	mux.HandleFunc("GET "+base+filePath, g.newHandler(opFile, (*request).handleRetrieval))
	mux.HandleFunc("GET "+downloadPath, g.newHandler(opDownload, (*request).handleDownload))
	mux.HandleFunc("/", g.refuse(http.StatusNotFound, "not_found"))
	return mux
}

// refuse returns a handler that refuses every request.
func (g *Gateway) refuse(status int, code string) http.HandlerFunc {
	return g.newHandler("", func(q *request) { q.respondRefusal(status, code) })
}

// ServeHTTP answers one request of the API.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	time.Sleep(g.choices.Latency)
	if err := g.store.writeError(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	switch luck, c := rand.Float64(), g.choices; {
	case luck < c.FailingShare/4: // before anything is processed
		panic(http.ErrAbortHandler) // the server's own way to drop a connection
	case luck < c.FailingShare/2:
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(http.StatusServiceUnavailable)
	case luck < c.FailingShare:
		w.WriteHeader(http.StatusInternalServerError)
	case g.limiter != nil && !g.limiter.Allow():
		w.Header().Set("Retry-After", "1")
		g.refuse(http.StatusTooManyRequests, "too_many_requests")(w, r)
	default:
		g.handler.ServeHTTP(w, r)
	}
}
