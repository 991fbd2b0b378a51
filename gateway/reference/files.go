package reference

import (
	"crypto/hmac"
	"encoding/hex"
	"net/http"
	"strings"
)

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
}

// state returns how far the file of a request is.
func (q *call) state() (s state) {
	switch age := q.g.now().Sub(q.file.Created); {
	case age < q.g.choices.FileDelay/3:
		s = queued
	case age < q.g.choices.FileDelay:
		s = processing
	default:
		s = ready
	}
	q.g.pass(q, &s)
	return s
}

// stateObject is the file_state of a state.
func (g *Gateway) stateObject(s state) object {
	name := stateNames[g.choices.FileState][s]
	if g.choices.FileState == NestedState {
		return object{"status": object{"name": name, "final": s >= ready}}
	}
	return object{"state": name}
}

// retrieve answers GET /v1/files/{file_id}.
func (q *call) retrieve() {
	if !q.authenticated() {
		return
	}
	q.headerID("nonce", "header.nonce", true)
	if q.refused() {
		return
	}
	f := q.g.fileOf(strings.ToLower(q.r.PathValue("file_id")))
	q.file = f
	allowed := access(f != nil && (f.Caller == q.caller || f.Owner == q.caller))
	if q.g.pass(q, &allowed); f == nil || !bool(allowed) {
		q.refuse(http.StatusNotFound, "not_found")
		return
	}
	s := q.state()
	if s == ready && q.g.choices.Retrieval == Direct {
		q.sendFile()
		return
	}
	answer := object{"file_id": f.ID, "file_state": q.g.stateObject(s)}
	if q.g.choices.FileState == PlainState {
		answer = object{"file_id": f.ID, "state": stateNames[PlainState][s]}
	}
	if s == ready {
		answer["url"] = q.downloadURL()
	}
	q.answer("state", http.StatusOK, answer)
}

// downloadURL is an address that carries its own permission.
func (q *call) downloadURL() string {
	origin := "http://" + q.r.Host
	if q.r.TLS != nil {
		origin = "https://" + q.r.Host
	}
	if foreign := q.g.downloads.Load(); foreign != nil && q.g.choices.Retrieval == ByForeignAddress {
		origin = *foreign
	}
	path := "downloads/" + q.file.ID + "/" + q.g.signature(q.file.ID) + "/" + q.g.fileName()
	if q.g.choices.Retrieval == ByReference {
		return "../../" + path
	}
	return origin + "/" + path
}

func (g *Gateway) signature(id string) string {
	return hex.EncodeToString(derive(g.secret, "download "+id)[:16])
}

// download serves a download address. Where addresses are of another origin, a request that carries credentials is
// refused, as object stores do.
func (q *call) download() {
	if q.g.choices.Retrieval == ByForeignAddress &&
		(q.r.Header["Authorization"] != nil || q.r.Header["X-Api-Key"] != nil) {
		http.Error(q.w, "only one way to authenticate is allowed", http.StatusBadRequest)
		return
	}
	id := q.r.PathValue("file_id")
	f := q.g.fileOf(id)
	if f == nil || !hmac.Equal([]byte(q.g.signature(id)), []byte(q.r.PathValue("signature"))) {
		http.Error(q.w, "no such file", http.StatusNotFound)
		return
	}
	q.file = f
	q.sendFile()
}

func (q *call) sendFile() {
	media := "text/csv; charset=utf-8"
	if q.g.choices.CSV.Gzip {
		media = "application/gzip"
	}
	q.w.Header().Set("Content-Type", media)
	q.w.Header().Set("Content-Disposition", `attachment; filename="`+q.g.fileName()+`"`)
	q.answer("file", http.StatusOK, q.render())
}

func (g *Gateway) fileName() string {
	if g.choices.CSV.Gzip {
		return "quotes.csv.gz"
	}
	return "quotes.csv"
}

// owner is the legal person whose quotes the file of a request holds.
func (q *call) owner() *legalPerson { return q.file.Owner.person }
