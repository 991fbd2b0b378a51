package reference

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
)

// operation is what a request asks for.
type operation string

const (
	creating    operation = "create"
	documenting operation = "documents"
	exporting   operation = "export"
	retrieving  operation = "file"
	downloading operation = "download"
)

// call is one request on its way through the gateway.
type call struct {
	g                  *Gateway
	w                  http.ResponseWriter
	r                  *http.Request
	operation          operation
	caller, runsAs     *user // who authenticated, and the user that it is done for
	transaction, nonce string
	issues             defects         // what is wrong with it
	body               object          // nil: none that could be read
	values             object          // what the body says, by field
	earlier            *representative // that a creation repeats
	selection          selection
	mode               spelling
	sighting           sighting
	file               *file
	parsing            bool // holds a place among the large bodies that were parsed
}

// leave gives the places of a request back when it has ended.
func (q *call) leave() {
	if q.parsing {
		<-q.g.parsing
	}
}

// handle makes a handler of a method of call.
func (g *Gateway) handle(operation operation, do func(*call)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := &call{g: g, w: w, r: r, operation: operation}
		defer q.leave()
		run := work(func() { do(q) })
		g.pass(q, &run)
		run()
	}
}

// reply is an answer before it is written.
type reply struct {
	kind   string // created, repeated, uploaded, exported, state, file, or the code of a refusal
	status int    // 0: the connection is dropped
	header http.Header
	body   any // written as JSON; bytes are written as they are
}

func (q *call) answer(kind string, status int, body any) {
	a := &reply{kind, status, q.w.Header(), body}
	q.g.pass(q, a)
	if a.status == 0 {
		breakConnection(q.w)
		return
	}
	data, raw := a.body.([]byte)
	if !raw {
		var err error
		if data, err = json.Marshal(a.body); err != nil {
			http.Error(q.w, "the answer cannot be written as JSON", http.StatusInternalServerError)
			return
		}
	}
	if a.header.Get("Content-Type") == "" {
		a.header.Set("Content-Type", "application/json; charset=utf-8")
	}
	a.header.Set("Content-Length", strconv.Itoa(len(data)))
	q.w.WriteHeader(a.status)
	_, _ = q.w.Write(data)
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

// titles are the messages of refusals: Brazilian Portuguese, English.
var titles = map[string][2]string{
	"invalid_request":        {"A requisição não é válida.", "The request is not valid."},
	"unsupported_media_type": {"O tipo de conteúdo não é suportado.", "The content type is not supported."},
	"unauthenticated":        {"A autenticação falhou.", "Authentication failed."},
	"forbidden":              {"Permissão negada.", "Permission denied."},
	"not_found":              {"Não encontrado.", "Not found."},
	"conflict":               {"O ID da transação já foi utilizado.", "The transaction ID was used before."},
	"nonce_used":             {"O nonce já foi utilizado.", "The nonce was used before."},
	"replayed":               {"A requisição repete uma anterior.", "The request repeats an earlier one."},
	"too_many_requests":      {"Requisições em excesso.", "Too many requests."},
	"too_large":              {"O corpo é grande demais.", "The body is too large."},
	"internal":               {"Erro interno.", "Internal error."},
}

// issue is one defect of a request. Its key says what is wrong and never what was sent.
type issue struct {
	Key     string `json:"code"`
	Field   string `json:"field"`
	Message string `json:"message"`
	status  int    // of the refusal; 0: that of an invalid request
}

// wrong notes a defect.
func (q *call) wrong(key, field, message string) { q.wrongly(0, key, field, message) }

// wrongly notes one that has a status of its own.
func (q *call) wrongly(status int, key, field, message string) {
	q.issues = append(q.issues, issue{key, field, message, status})
}

// broken refuses a request whose work failed, and reports whether it did.
func (q *call) broken(err error) bool {
	if err != nil {
		q.refuse(http.StatusInternalServerError, "internal")
	}
	return err != nil
}

func (q *call) refuse(status int, code string, issues ...issue) {
	body := q.failure(code)
	if len(issues) > 0 {
		body["error"].(object)["fields"] = issues
	}
	q.answer(code, status, body)
}

// failure is the body of a refusal.
func (q *call) failure(code string) object {
	return object{"error": object{"code": code, "message": titles[code][q.language()]}}
}

// language is the place of the preferred language in titles.
func (q *call) language() int {
	if q.r.Header.Get(q.g.choices.CreateHeaders.Language) == "en-US" || q.r.Header.Get("x-lang") == "en-US" {
		return 1
	}
	return 0
}

// refused refuses a request that has defects, and reports whether it did. The first that has a status decides.
func (q *call) refused() bool {
	q.g.pass(q, &q.issues)
	if len(q.issues) == 0 {
		return false
	}
	first := slices.IndexFunc(q.issues, func(i issue) bool { return i.status != 0 })
	if first < 0 {
		q.refuse(q.g.choices.InvalidStatus, "invalid_request", q.issues...)
		return true
	}
	switch status := q.issues[first].status; status {
	case http.StatusUnsupportedMediaType:
		q.refuse(status, "unsupported_media_type", q.issues...)
	case http.StatusRequestEntityTooLarge:
		q.refuse(status, "too_large", q.issues...)
	case http.StatusInternalServerError:
		q.refuse(status, "internal")
	default:
		q.refuse(status, "invalid_request", q.issues...)
	}
	return true
}

// readObject reads the body, which must be one JSON object, and reports whether the client is still there.
func (q *call) readObject() (there bool) {
	if q.r.ContentLength < 0 || q.r.ContentLength > smallJSON {
		if !enter(q.r, q.g.large) {
			return false
		}
		defer func() { <-q.g.large }()
	}
	raw, err := io.ReadAll(http.MaxBytesReader(q.w, q.r.Body, maxJSON))
	if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
		q.wrongly(http.StatusRequestEntityTooLarge, "body.size", "", "the body is larger than 1 MiB")
		return true
	}
	if err != nil { // left alone, the answer would be 200
		q.wrongly(http.StatusRequestTimeout, "body.unfinished", "", "the body is incomplete")
		return true
	}
	if len(raw) > smallJSON {
		if q.parsing = enter(q.r, q.g.parsing); !q.parsing {
			return false
		}
	}
	q.sighting.body = string(raw)
	q.isMedia("application/json")
	body, key, message := parseObject(raw)
	if q.body = body; body == nil {
		q.wrong(key, "", message)
	}
	return true
}
