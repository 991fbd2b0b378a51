package reference

import (
	"crypto/hmac"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// file is an export; its rows are only computed when they are fetched.
type file struct {
	id            string
	caller, owner *user
	wanted        selection
	created       time.Time
}

// shelf holds the files.
type shelf struct {
	mu    sync.RWMutex
	files map[string]*file
}

func newShelf() *shelf { return &shelf{files: map[string]*file{}} }

func (s *shelf) put(f *file) { s.alias(f, f.id) }

func (s *shelf) alias(f *file, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[id] = f
}

func (s *shelf) get(id string) *file {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.files[id]
}

// state is a step in the life of a file.
type state int

const (
	queued state = iota
	processing
	ready
	failed
)

// stateNames are the names of states in each shape.
var stateNames = map[FileState][4]string{
	PlainState:  {"PROCESSING", "PROCESSING", "READY", "ERROR"},
	NestedState: {"QUEUED", "RUNNING", "DONE", "ABORTED"},
	CodedState:  {"0", "1", "2", "9"},
}

// underWay is the state of a file that was just asked for.
func (g *Gateway) underWay() state { return queued }

func (g *Gateway) stateOf(f *file, now time.Time) state {
	switch at := g.readyAt(f); {
	case g.fault("export.file.never_ready"):
		return processing
	case g.fault("export.file.always_failed"):
		return failed
	case now.Before(f.created.Add(g.choices.FileDelay / 3)):
		return queued
	case now.Before(at):
		return processing
	}
	return ready
}

// stateObject is the file_state of a state.
func (g *Gateway) stateObject(s state) object {
	name := stateNames[g.choices.FileState][s]
	switch g.choices.FileState {
	case NestedState:
		return object{"status": object{"name": name, "final": s >= ready}}
	case CodedState:
		return object{"code": name, "final": s >= ready}
	}
	return object{"state": name}
}

// retrieve answers GET /v1/files/{file_id}.
func (g *Gateway) retrieve(w http.ResponseWriter, r *http.Request) {
	open := g.fault("export.file.readable_by_anyone")
	var caller *user
	if caller = g.authenticate(r); caller == nil && !open {
		g.authenticated(w, r, "file") // refuses
		return
	}
	if _, issues := headerID(r, "nonce", "header.nonce", true); len(issues) > 0 {
		g.refuseInvalid(w, r, "file", issues)
		return
	}
	f := g.shelf.get(strings.ToLower(r.PathValue("file_id")))
	mine := f != nil && (f.caller == caller || f.owner == caller)
	if f != nil && !mine && caller != nil && g.fault("export.file.redirects_others") {
		w.Header().Set("Location", g.downloadURL(r, f))
		w.WriteHeader(http.StatusFound)
		return
	}
	if f == nil || !mine && !g.fault("export.file.readable_by_others") && (!open || caller != nil) {
		g.refuse(w, r, http.StatusNotFound, "not_found")
		return
	}
	if g.fault("export.file.fetch_500") {
		g.refuse(w, r, http.StatusInternalServerError, "internal")
		return
	}
	s := g.stateOf(f, g.now())
	if s == ready && g.choices.Retrieval == Direct {
		g.sendFile(w, f)
		return
	}
	answer := object{"file_id": f.id}
	if g.choices.FileState == PlainState {
		answer["state"] = stateNames[PlainState][s]
	} else {
		answer["file_state"] = g.stateObject(s)
	}
	if s == ready {
		answer["url"] = g.downloadURL(r, f)
	}
	g.answer(w, http.StatusOK, answer)
}

// downloadURL is an address that carries its own permission.
func (g *Gateway) downloadURL(r *http.Request, f *file) string {
	origin := "http://" + r.Host
	if r.TLS != nil {
		origin = "https://" + r.Host
	}
	if foreign := g.downloads.Load(); foreign != nil && g.choices.Retrieval == ByForeignAddress {
		origin = *foreign
	}
	return origin + "/downloads/" + f.id + "/" + g.signature(f.id) + "/" + g.fileName()
}

func (g *Gateway) signature(id string) string {
	return hex.EncodeToString(derive(g.secret, "download "+id)[:16])
}

// download serves a download address. Where addresses are of another origin, a request that carries credentials is
// refused, as object stores do.
func (g *Gateway) download(w http.ResponseWriter, r *http.Request) {
	if g.choices.Retrieval == ByForeignAddress && (r.Header["Authorization"] != nil || r.Header["X-Api-Key"] != nil) {
		http.Error(w, "only one way to authenticate is allowed", http.StatusBadRequest)
		return
	}
	id := r.PathValue("file_id")
	f := g.shelf.get(id)
	if f == nil || !hmac.Equal([]byte(g.signature(id)), []byte(r.PathValue("signature"))) {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	g.sendFile(w, f)
}

func (g *Gateway) sendFile(w http.ResponseWriter, f *file) {
	data := g.render(g.rows(f))
	media := "text/csv; charset=utf-8"
	if g.choices.CSV.Gzip {
		media = "application/gzip"
	}
	if g.fault("export.file.html") {
		media, data = "text/html", []byte("<html><body><h1>It works, \"almost</h1></body></html>\n")
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Disposition", `attachment; filename="`+g.fileName()+`"`)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data)
}

func (g *Gateway) fileName() string {
	if g.choices.CSV.Gzip {
		return "quotes.csv.gz"
	}
	return "quotes.csv"
}

// rows are the quotes of a file in their order.
func (g *Gateway) rows(f *file) []quote {
	if len(g.broken.names) > 0 {
		return g.wrongRows(f)
	}
	return f.wanted.choose(f.owner.person.quotes)
}

// quotesOfOthers are the quotes of every other legal person.
func (g *Gateway) quotesOfOthers(owner *legalPerson) []quote {
	var people []*legalPerson
	var quotes []quote
	for _, u := range []*user{g.data.main, g.data.other} {
		if u.person != owner && !slices.Contains(people, u.person) {
			people = append(people, u.person)
			quotes = append(quotes, u.person.quotes...)
		}
	}
	return quotes
}
