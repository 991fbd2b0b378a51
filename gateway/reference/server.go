package reference

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	createPath    = "/v3/users/legal-representatives"
	documentsPath = "/users/legal-representatives/{id}/documents"
	exportPath    = "/v1/reports/quote-statement/exports"
	filePath      = "/v1/files/{file_id}"
	downloadPath  = "/downloads/{file_id}/{signature}/{name}"

	maxJSON   = 1 << 20  // bytes of a JSON body
	maxUpload = 32 << 20 // bytes of an upload
)

func (g *Gateway) routes() *http.ServeMux {
	mux, base := http.NewServeMux(), g.choices.BasePath
	mux.HandleFunc("POST "+base+createPath, g.create)
	mux.HandleFunc("POST "+base+documentsPath, g.uploadDocuments)
	mux.HandleFunc("POST "+base+exportPath, g.export)
	mux.HandleFunc("GET "+base+filePath, g.retrieve)
	mux.HandleFunc("GET "+downloadPath, g.download)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		g.refuse(w, r, http.StatusNotFound, "not_found")
	})
	return mux
}

// ServeHTTP answers one request of the API.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.choices.Latency > 0 && !pause(r, g.choices.Latency) {
		return
	}
	if g.flaky != nil && g.flaky.interrupts(w) {
		return
	}
	if g.limiter != nil && !g.limiter.Allow() {
		w.Header().Set("Retry-After", "1")
		g.refuse(w, r, http.StatusTooManyRequests, "too_many_requests")
		return
	}
	if g.sound != nil && !g.chance.hits() {
		g.sound.mux.ServeHTTP(w, r)
		return
	}
	if g.fault("auth.secret_in_header") {
		w.Header().Set("X-Debug-Credential", r.Header.Get("Authorization")+r.Header.Get("x-api-key"))
	}
	g.mux.ServeHTTP(w, r)
}

// pause waits, and tells whether the client is still there.
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

func newChance(seed int64, share float64) *chance {
	return &chance{share: share, random: rand.New(rand.NewPCG(uint64(seed), 0x6368616e6365))}
}

func (c *chance) hits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.random.Float64() < c.share
}

// flaky interrupts a share of requests before anything is processed.
type flaky struct {
	share  float64
	mu     sync.Mutex
	random *rand.Rand
}

func newFlaky(seed int64, share float64) *flaky {
	return &flaky{share: share, random: rand.New(rand.NewPCG(uint64(seed), 0x666c616b79))}
}

func (f *flaky) interrupts(w http.ResponseWriter) bool {
	f.mu.Lock()
	hit, reset := f.random.Float64() < f.share, f.random.IntN(2) == 0
	f.mu.Unlock()
	if !hit {
		return false
	}
	if reset {
		breakConnection(w)
		return true
	}
	w.Header().Set("Retry-After", "0")
	w.WriteHeader(http.StatusServiceUnavailable)
	return true
}

// breakConnection ends the connection without an answer, by a TCP reset where that is possible.
func breakConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the server's own way to drop a connection that cannot be taken over
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// object is a JSON object.
type object = map[string]any

func (g *Gateway) answer(w http.ResponseWriter, status int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		http.Error(w, "answer cannot be written as JSON", http.StatusInternalServerError)
		return
	}
	g.answerBytes(w, status, data)
}

func (g *Gateway) answerBytes(w http.ResponseWriter, status int, data []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// titles are the messages of refusals: English, Brazilian Portuguese.
var titles = map[string][2]string{
	"invalid_request":        {"The request is not valid.", "A requisição não é válida."},
	"unsupported_media_type": {"The content type is not supported.", "O tipo de conteúdo não é suportado."},
	"unauthenticated":        {"Authentication failed.", "A autenticação falhou."},
	"forbidden":              {"Permission denied.", "Permissão negada."},
	"not_found":              {"Not found.", "Não encontrado."},
	"conflict":               {"The transaction ID was used before.", "O ID da transação já foi utilizado."},
	"nonce_used":             {"The nonce was used before.", "O nonce já foi utilizado."},
	"replayed":               {"The request repeats an earlier one.", "A requisição repete uma anterior."},
	"too_many_requests":      {"Too many requests.", "Requisições em excesso."},
	"too_large":              {"The body is too large.", "O corpo é grande demais."},
	"internal":               {"Internal error.", "Erro interno."},
}

// issue is one defect of a request. Its key says what is wrong and never what was sent.
type issue struct {
	Key     string `json:"code"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (g *Gateway) refuse(w http.ResponseWriter, r *http.Request, status int, code string, issues ...issue) {
	language := 1
	if r.Header.Get(g.choices.CreateHeaders.Language) == "en-US" || r.Header.Get("x-lang") == "en-US" {
		language = 0
	}
	body := object{"code": code, "message": titles[code][language]}
	if len(issues) > 0 {
		body["fields"] = issues
	}
	if g.fault("auth.secret_in_refusal") {
		body["received"] = r.Header.Get("Authorization") + r.Header.Get("x-api-key")
	}
	g.answer(w, status, object{"error": body})
}

// refuseInvalid answers a request that has defects.
func (g *Gateway) refuseInvalid(w http.ResponseWriter, r *http.Request, operation string, issues []issue) {
	status, code := g.choices.InvalidStatus, "invalid_request"
	for _, i := range issues {
		switch {
		case g.broken.crashes.holds(operation + ":" + i.Key):
			g.refuse(w, r, http.StatusInternalServerError, "internal")
			return
		case g.broken.hides.holds(operation + ":" + i.Key):
			g.refuse(w, r, http.StatusOK, code, issues...)
			return
		case strings.HasPrefix(i.Key, "body.media"):
			status, code = http.StatusUnsupportedMediaType, "unsupported_media_type"
		case i.Key == "body.size":
			status, code = http.StatusRequestEntityTooLarge, "too_large"
		}
	}
	g.refuse(w, r, status, code, issues...)
}

// forgiven leaves out the defects that a fault overlooks.
func (g *Gateway) forgiven(operation string, issues []issue) []issue {
	if len(g.broken.forgives) == 0 {
		return issues
	}
	kept := issues[:0]
	for _, i := range issues {
		if !g.broken.forgives.holds(operation + ":" + i.Key) {
			kept = append(kept, i)
		}
	}
	return kept
}

// readBody returns the whole body; tooLarge tells that it exceeds the limit.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, tooLarge bool, err error) {
	body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var over *http.MaxBytesError
	return body, errors.As(err, &over), err
}
