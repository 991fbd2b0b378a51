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

// state is a step in the life of a file.
type state int

const (
	queued state = iota
	processing
	ready
	failed
)

// stateNames are the names of states, in their order.
func (g *Gateway) stateNames() [4]string {
	if g.choices.NestedState {
		return [4]string{"QUEUED", "RUNNING", "DONE", "ABORTED"}
	}
	return [4]string{"PROCESSING", "PROCESSING", "READY", "ERROR"}
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
	name := g.stateNames()[s]
	if g.choices.NestedState {
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
	allowed := access(f != nil && (f.Caller == q.caller.id || f.Owner == q.caller.id))
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
	if !q.g.choices.NestedState {
		answer = object{"file_id": f.ID, "state": q.g.stateNames()[s]}
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
	path := "downloads/" + q.file.ID + "/" + q.g.signature(q.file.ID) + "/quotes.csv"
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
	q.w.Header().Set("Content-Disposition", `attachment; filename="quotes.csv"`)
	q.answer("file", http.StatusOK, q.render())
}

// owner is the legal person whose quotes the file of a request holds.
func (q *call) owner() *legalPerson { return q.g.data.users[q.file.Owner].person }

// defaultTitles are the titles of the columns that rules need.
var defaultTitles = [5]string{"id", "client_id", "wallet_id", "quote_created_at", "settled_date"}

// saoPaulo has kept this offset since 2019, so that no zone data is needed.
var saoPaulo = time.FixedZone("America/Sao_Paulo", -3*60*60)

// render returns the file of a request.
func (q *call) render() []byte {
	chosen := selected{choice: q.file.Selection.choose(q.owner().quotes)}
	q.g.pass(q, chosen.choice)
	chosen.quotes = chosen.choice.quotes()
	q.g.pass(q, &chosen)
	rows := q.rows(chosen.quotes)
	q.g.pass(q, &rows)
	text := content(q.g.choices.CSV.text(rows))
	q.g.pass(q, &text)
	if !q.g.choices.CSV.Gzip {
		return text
	}
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	_, _ = zip.Write(text) // a buffer takes everything
	_ = zip.Close()
	return zipped.Bytes()
}

// rows are the titles, and a row for each quote.
func (q *call) rows(quotes []*quote) table {
	look := q.g.choices.CSV
	rows := make(table, 1, len(quotes)+1)
	rows[0] = append(look.Titles[:len(look.Titles):len(look.Titles)], "amount", "currency", "note")
	for _, row := range quotes {
		rows = append(rows, []string{
			row.id, row.client, row.wallet, look.Dates.text(row.created), look.Dates.text(row.settled), row.amount(),
			"USD", row.note,
		})
	}
	return rows
}

// text writes rows as the choice is.
func (look CSV) text(rows table) []byte {
	var out bytes.Buffer
	writer := csv.NewWriter(&out)
	if look.Excel {
		out.WriteString("\uFEFF")
		writer.Comma, writer.UseCRLF = ';', true
	}
	_ = writer.WriteAll(rows) // a buffer takes everything
	return out.Bytes()
}

func (d Dates) text(t time.Time) string {
	switch {
	case t.IsZero() && d == YearOne:
		return t.Format(time.RFC3339)
	case t.IsZero():
		return ""
	case d == Offset:
		return t.In(saoPaulo).Format(dateTimeMillis)
	case d == Zoneless:
		return t.In(saoPaulo).Format("2006-01-02 15:04:05.000")
	}
	return t.UTC().Format(dateTimeMillis)
}
