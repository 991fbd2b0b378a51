package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
)

// operation is an operation of the API.
type operation string

const (
	opCreate   operation = "create"
	opUpload   operation = "documents"
	opExport   operation = "export"
	opFile     operation = "file"
	opDownload operation = "download"
)

// request is the state of one request.
type request struct {
	gateway            *Gateway
	w                  http.ResponseWriter
	r                  *http.Request
	operation          operation
	names              CreateHeaders // names of the operation's headers
	caller, runsAs     *user         // who authenticated, and on whose behalf
	transaction, nonce string
	issues             defects    // what is wrong with it
	raw                []byte     // the body as received
	body               jsonObject // nil: not a JSON object
	values             jsonObject // values of the body by field
	earlier            *legalRepresentative
	selection          exportSelection
	mode               replayMode
	sighting           replayCandidate
	file               *exportFile
}

// newHandler returns a handler for an operation that calls do.
func (g *Gateway) newHandler(operation operation, do func(*request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := &request{
			gateway: g, w: w, r: r, operation: operation, names: CreateHeaders{}.withDefaults(),
		}
		if operation == opCreate {
			q.names = g.choices.CreateHeaders
		}
		do(q)
	}
}

// response is an answer before it is written.
type response struct {
	kind   string // created, repeated, uploaded, exported, state, file, or the code of a refusal
	status int    // 0: the connection is dropped
	header http.Header
	body   any // written as JSON, or as is if it is []byte
}

func (q *request) respond(kind string, status int, body any) {
	a := &response{kind, status, q.w.Header(), body}
	q.gateway.applyEffects(q, a)
	if a.status == 0 {
		panic(http.ErrAbortHandler)
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
	if q.gateway.choices.Gzip { // flushing before the end makes the answer chunked
		_ = http.NewResponseController(q.w).Flush()
	}
}

// refusalTitles are the messages of refusals in Brazilian Portuguese and English.
var refusalTitles = map[string][2]string{
	"invalid_request": {"A requisição não é válida.", "The request is not valid."},
	"unauthenticated": {"A autenticação falhou.", "Authentication failed."},
	"forbidden":       {"Permissão negada.", "Permission denied."},
	"not_found":       {"Não encontrado.", "Not found."},
	"conflict": {
		"O ID da transação já foi utilizado.", "The transaction ID was used before.",
	},
	"replayed":          {"A requisição repete uma anterior.", "The request repeats an earlier one."},
	"too_many_requests": {"Requisições em excesso.", "Too many requests."},
	"internal":          {"Erro interno.", "Internal error."},
}

// defect is one defect of a request. Key says what is wrong. The value is never answered.
type defect struct {
	Key     string `json:"code"`
	Field   string `json:"field"`
	Message string `json:"message"`
	value   any    // what was sent
	status  int    // of the refusal; 0: InvalidStatus
}

// addDefect adds a defect. A status other than 0 becomes that of the refusal.
func (q *request) addDefect(status int, key, field string, value any, message string) {
	q.issues = append(q.issues, defect{key, field, message, value, status})
}

func (q *request) respondRefusal(status int, code string, issues ...defect) {
	body := q.refusalBody(code)
	if len(issues) > 0 {
		body["error"].(jsonObject)["fields"] = issues
	}
	q.respond(code, status, body)
}

// refusalBody returns the body of a refusal in the preferred language.
func (q *request) refusalBody(code string) jsonObject {
	language := 0
	if q.preferredLanguage() == "en-US" {
		language = 1
	}
	return jsonObject{"error": jsonObject{"code": code, "message": refusalTitles[code][language]}}
}

// refuseIfDefective refuses a request that has defects and reports whether it did. The first
// defect with a status decides the status.
func (q *request) refuseIfDefective() bool {
	q.gateway.applyEffects(q, &q.issues)
	if len(q.issues) == 0 {
		return false
	}
	first := slices.IndexFunc(q.issues, func(i defect) bool { return i.status != 0 })
	status := q.gateway.choices.InvalidStatus
	if first >= 0 {
		status = q.issues[first].status
	}
	q.respondRefusal(status, "invalid_request", q.issues...)
	return true
}

// readJSONBody reads the body, which must be one JSON object.
func (q *request) readJSONBody() {
	raw, err := io.ReadAll(http.MaxBytesReader(q.w, q.r.Body, maxJSONBytes))
	if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
		q.addDefect(http.StatusRequestEntityTooLarge, "body.size", "", nil,
			"the body is larger than 1 MiB")
		return
	} else if err != nil { // without a defect, the answer would be a success
		q.addDefect(http.StatusRequestTimeout, "body.unfinished", "", nil, "the body is incomplete")
		return
	}
	q.raw = raw
	q.requireMediaType("application/json")
	body, key, message := parseJSONObject(raw)
	if q.body = body; body == nil {
		q.addDefect(0, key, "", string(raw), message)
	}
}

// parseJSONObject parses a body that must be one JSON object. Numbers stay as written. If it is
// not one, key and message say why.
func parseJSONObject(body []byte) (o jsonObject, key, message string) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, "body.absent", "a JSON object is required"
	}
	if !utf8.Valid(body) {
		return nil, "body.encoding", "the body is not UTF-8"
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, "body.truncated", "the body is not JSON"
	} else if err != nil {
		return nil, "body.syntax", "the body is not JSON"
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, "body.trailing", "there is extra text after the JSON value"
	}
	parsed, ok := value.(jsonObject)
	if !ok {
		return nil, "body.shape", "expected a JSON object, found " + jsonKindOf(value)
	}
	return parsed, "", ""
}

// jsonKinds are the names of JSON's types except for objects.
var jsonKinds = map[reflect.Type]string{
	nil: "null", reflect.TypeFor[string](): "text", reflect.TypeFor[json.Number](): "number",
	reflect.TypeFor[bool](): "boolean", reflect.TypeFor[[]any](): "array",
}

func jsonKindOf(value any) string { return cmp.Or(jsonKinds[reflect.TypeOf(value)], "object") }
