package reference

import (
	"bytes"
	"compress/gzip"
	"crypto/hmac"
	"encoding/csv"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

// fileState is a stage of a file's preparation.
type fileState int

const (
	fileQueued fileState = iota
	fileProcessing
	fileReady
	fileFailed
	fileEmpty // there are no rows, so no file is made
)

// fileStateNames returns the names of the states, indexed by fileState.
func (g *Gateway) fileStateNames() [5]string {
	if g.choices.NestedState {
		return [5]string{"QUEUED", "RUNNING", "DONE", "ABORTED", "EMPTY"}
	}
	return [5]string{"PROCESSING", "PROCESSING", "READY", "ERROR", "NO_DATA"}
}

// fileState returns the state of a request's file, based on its age.
func (q *request) fileState() (s fileState) {
	switch age := q.gateway.now().Sub(q.file.Created); {
	case age < q.gateway.choices.FileDelay/3:
		s = fileQueued
	case age < q.gateway.choices.FileDelay:
		s = fileProcessing
	default:
		s = fileReady
	}
	q.gateway.applyEffects(q, &s)
	return s
}

// hasNoRows reports whether the request's file has no rows.
func (q *request) hasNoRows() bool {
	return q.file != nil && len(q.file.Selection.newQuoteSelection(q.fileOwner().quotes).quotes()) == 0
}

// fileStateObject returns the JSON of a state.
func (g *Gateway) fileStateObject(s fileState) jsonObject {
	name := g.fileStateNames()[s]
	if g.choices.NestedState {
		return jsonObject{"status": jsonObject{"name": name, "final": s >= fileReady}}
	}
	return jsonObject{"state": name}
}

// handleRetrieval answers GET /v1/files/{file_id}.
func (q *request) handleRetrieval() {
	if !q.requireCaller() {
		return
	}
	q.readUUIDHeader("nonce", "header.nonce", true)
	if q.refuseIfDefective() {
		return
	}
	f := q.gateway.findFile(strings.ToLower(q.r.PathValue("file_id")))
	q.file = f
	allowed := fileAccess(f != nil && (f.Caller == q.caller.id || f.Owner == q.caller.id))
	if q.gateway.applyEffects(q, &allowed); f == nil || !bool(allowed) {
		q.respondRefusal(http.StatusNotFound, "not_found")
		return
	}
	s := q.fileState()
	if s == fileReady && q.gateway.choices.Retrieval == RetrievalDirect {
		q.sendFile()
		return
	}
	answer := jsonObject{"file_id": f.ID, "file_state": q.gateway.fileStateObject(s)}
	if !q.gateway.choices.NestedState {
		answer = jsonObject{"file_id": f.ID, "state": q.gateway.fileStateNames()[s]}
	}
	if s == fileReady {
		answer["url"] = q.downloadURL()
	}
	q.respond("state", http.StatusOK, answer)
}

// downloadURL returns a signed address that needs no credentials.
func (q *request) downloadURL() string {
	origin := "http://" + q.r.Host
	if q.r.TLS != nil {
		origin = "https://" + q.r.Host
	}
	if foreign := q.gateway.downloads.Load(); foreign != nil &&
		q.gateway.choices.Retrieval == RetrievalByForeignURL {
		origin = *foreign
	}
	path := "downloads/" + q.file.ID + "/" + q.gateway.downloadSignature(q.file.ID) + "/quotes.csv"
	if q.gateway.choices.Retrieval == RetrievalByRelativeURL {
		return "../../" + path
	}
	return origin + "/" + path
}

func (g *Gateway) downloadSignature(id string) string {
	return hex.EncodeToString(deriveKey(g.secret, "download "+id)[:16])
}

// handleDownload serves a download address. On a foreign origin it refuses requests that carry
// credentials, as object stores do.
func (q *request) handleDownload() {
	if q.gateway.choices.Retrieval == RetrievalByForeignURL &&
		(q.r.Header["Authorization"] != nil || q.r.Header["X-Api-Key"] != nil) {
		http.Error(q.w, "only one way to authenticate is allowed", http.StatusBadRequest)
		return
	}
	id := q.r.PathValue("file_id")
	f := q.gateway.findFile(id)
	if f == nil ||
		!hmac.Equal([]byte(q.gateway.downloadSignature(id)), []byte(q.r.PathValue("signature"))) {
		http.Error(q.w, "no such file", http.StatusNotFound)
		return
	}
	q.file = f
	q.sendFile()
}

func (q *request) sendFile() {
	media := "text/csv; charset=utf-8"
	if q.gateway.choices.CSV.Gzip {
		media = "application/gzip"
	}
	q.w.Header().Set("Content-Type", media)
	q.w.Header().Set("Content-Disposition", `attachment; filename="quotes.csv"`)
	q.respond("file", http.StatusOK, q.renderFile())
}

// fileOwner returns the legal person whose quotes a request's file holds.
func (q *request) fileOwner() *legalPerson { return q.gateway.data.users[q.file.Owner].person }

// defaultColumnTitles are the titles of the columns that the rules need.
var defaultColumnTitles = [5]string{
	"id", "client_id", "wallet_id", "quote_created_at", "settled_date",
}

// saoPaulo has had this offset since 2019, so that no time zone data is needed.
var saoPaulo = time.FixedZone("America/Sao_Paulo", -3*60*60)

// renderFile returns the contents of a request's file.
func (q *request) renderFile() []byte {
	chosen := filteredQuotes{quoteSelection: q.file.Selection.newQuoteSelection(q.fileOwner().quotes)}
	q.gateway.applyEffects(q, chosen.quoteSelection)
	chosen.quotes = chosen.quoteSelection.quotes()
	q.gateway.applyEffects(q, &chosen)
	rows := q.csvRows(chosen.quotes)
	q.gateway.applyEffects(q, &rows)
	text := fileContent(q.gateway.choices.CSV.render(rows))
	q.gateway.applyEffects(q, &text)
	if !q.gateway.choices.CSV.Gzip {
		return text
	}
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	_, _ = zip.Write(text) // a buffer never fails
	_ = zip.Close()
	return zipped.Bytes()
}

// csvRows returns the titles and one row for each quote.
func (q *request) csvRows(quotes []*quote) csvTable {
	look := q.gateway.choices.CSV
	rows := make(csvTable, 1, len(quotes)+1)
	rows[0] = append(look.Titles[:len(look.Titles):len(look.Titles)], "amount", "currency", "note")
	for _, row := range quotes {
		rows = append(rows, []string{
			row.id, row.client, row.wallet, look.Dates.format(row.created), look.Dates.format(row.settled),
			row.amount(),
			"USD", row.note,
		})
	}
	return rows
}

// render writes rows as CSV.
func (look CSV) render(rows csvTable) []byte {
	var out bytes.Buffer
	writer := csv.NewWriter(&out)
	if look.Excel {
		out.WriteString("\uFEFF")
		writer.Comma, writer.UseCRLF = ';', true
	}
	_ = writer.WriteAll(rows) // a buffer never fails
	return out.Bytes()
}

func (d DateStyle) format(t time.Time) string {
	switch {
	case t.IsZero() && d == EmptyDatesAsYearOne:
		return t.Format(time.RFC3339)
	case t.IsZero():
		return ""
	case d == DatesWithOffset:
		return t.In(saoPaulo).Format(dateTimeMillis)
	case d == DatesWithoutZone:
		return t.In(saoPaulo).Format("2006-01-02 15:04:05.000")
	}
	return t.UTC().Format(dateTimeMillis)
}
