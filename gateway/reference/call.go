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
	names              CreateHeaders // of the headers that the operation has its own names for
	caller, runsAs     *user         // who authenticated, and the user that it is done for
	transaction, nonce string
	issues             defects // what is wrong with it
	raw                []byte  // the body as it came
	body               object  // nil: none that could be read
	values             object  // what the body says, by field
	earlier            *legalRepresentative
	selection          selection
	mode               spelling
	sighting           sighting
	file               *file
}

// handle makes a handler of a method of call.
func (g *Gateway) handle(operation operation, do func(*call)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := &call{g: g, w: w, r: r, operation: operation, names: CreateHeaders{}.withDefaults()}
		if operation == creating {
			q.names = g.choices.CreateHeaders
		}
		do(q)
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
	if q.g.choices.Gzip { // and so it is chunked: its length is not known before
		_ = http.NewResponseController(q.w).Flush()
	}
}

// titles are the messages of refusals: Brazilian Portuguese, English.
var titles = map[string][2]string{
	"invalid_request":   {"A requisição não é válida.", "The request is not valid."},
	"unauthenticated":   {"A autenticação falhou.", "Authentication failed."},
	"forbidden":         {"Permissão negada.", "Permission denied."},
	"not_found":         {"Não encontrado.", "Not found."},
	"conflict":          {"O ID da transação já foi utilizado.", "The transaction ID was used before."},
	"replayed":          {"A requisição repete uma anterior.", "The request repeats an earlier one."},
	"too_many_requests": {"Requisições em excesso.", "Too many requests."},
	"internal":          {"Erro interno.", "Internal error."},
}

// issue is one defect of a request. Its key says what is wrong; what was sent is never answered.
type issue struct {
	Key     string `json:"code"`
	Field   string `json:"field"`
	Message string `json:"message"`
	value   any    // what was sent
	status  int    // of the refusal; 0: that of an invalid request
}

// wrong notes a defect, for which a status other than 0 is that of the refusal.
func (q *call) wrong(status int, key, field string, value any, message string) {
	q.issues = append(q.issues, issue{key, field, message, value, status})
}

func (q *call) refuse(status int, code string, issues ...issue) {
	body := q.failure(code)
	if len(issues) > 0 {
		body["error"].(object)["fields"] = issues
	}
	q.answer(code, status, body)
}

// failure is the body of a refusal, in the preferred language.
func (q *call) failure(code string) object {
	language := 0
	if q.preferred() == "en-US" {
		language = 1
	}
	return object{"error": object{"code": code, "message": titles[code][language]}}
}

// refused refuses a request that has defects, and reports whether it did. The first that has a status decides.
func (q *call) refused() bool {
	q.g.pass(q, &q.issues)
	if len(q.issues) == 0 {
		return false
	}
	first := slices.IndexFunc(q.issues, func(i issue) bool { return i.status != 0 })
	status := q.g.choices.InvalidStatus
	if first >= 0 {
		status = q.issues[first].status
	}
	q.refuse(status, "invalid_request", q.issues...)
	return true
}

// readObject reads the body, which must be one JSON object.
func (q *call) readObject() {
	raw, err := io.ReadAll(http.MaxBytesReader(q.w, q.r.Body, maxJSON))
	if over := (*http.MaxBytesError)(nil); errors.As(err, &over) {
		q.wrong(http.StatusRequestEntityTooLarge, "body.size", "", nil, "the body is larger than 1 MiB")
		return
	} else if err != nil { // left alone, the answer would be 200
		q.wrong(http.StatusRequestTimeout, "body.unfinished", "", nil, "the body is incomplete")
		return
	}
	q.raw = raw
	q.isMedia("application/json")
	body, key, message := parseObject(raw)
	if q.body = body; body == nil {
		q.wrong(0, key, "", string(raw), message)
	}
}

// parseObject reads a body that must be one JSON object. Numbers stay as they were written. Without one it says why.
func parseObject(body []byte) (o object, key, message string) {
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
	parsed, ok := value.(object)
	if !ok {
		return nil, "body.shape", "expected a JSON object, found " + kindOf(value)
	}
	return parsed, "", ""
}

// kinds are those of JSON but for objects.
var kinds = map[reflect.Type]string{
	nil: "null", reflect.TypeFor[string](): "text", reflect.TypeFor[json.Number](): "number",
	reflect.TypeFor[bool](): "boolean", reflect.TypeFor[[]any](): "array",
}

func kindOf(value any) string { return cmp.Or(kinds[reflect.TypeOf(value)], "object") }
