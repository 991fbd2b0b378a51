package target

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/creationfields"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/redact"
	"github.com/gateassay/gateassay/internal/reproscript"
)

// Send sends a request and returns the exchange, whatever the answer is. It calls build for each
// attempt, so that a retry after throttling can have fresh identifiers.
func (t *Target) Send(ctx context.Context, build func() Request) *client.Exchange {
	return t.Client.Send(ctx, func(int) *client.Request { return t.BuildRequest(build()) })
}

// SendConcurrently sends n equal requests at the same moment. It returns fewer exchanges if the
// limits allow fewer in flight.
func (t *Target) SendConcurrently(ctx context.Context, r Request, n int) []*client.Exchange {
	all := make([]*client.Request, n)
	for i := range all {
		all[i] = t.BuildRequest(r)
	}
	return t.Client.SendConcurrently(ctx, all)
}

// BuildRequest converts a request to the paths, headers and fields of the deployment. Headers
// without a name or a value are left out.
func (t *Target) BuildRequest(r Request) *client.Request {
	lr, path := t.Deployment.LegalRepresentative, t.Deployment.Export.Path
	headers := map[string]string{
		HeaderNonce: r.Nonce, HeaderTransaction: r.Transaction, HeaderReplay: r.Mode,
		HeaderProduct:    r.Product,
		HeaderTargetUser: r.OnBehalfOf, HeaderLanguage: r.Language,
	}
	switch {
	case r.Operation == client.OperationCreate:
		path, headers = lr.Path, map[string]string{
			lr.Headers.TransactionID: r.Transaction, lr.Headers.Nonce: r.Nonce,
			lr.Headers.Language: r.Language,
			HeaderProduct:       r.Product, lr.Headers.OnBehalfOf: r.OnBehalfOf,
		}
	case r.Language == "" && t.ExportSpelling.Load().Language:
		headers[HeaderLanguage] = "pt-BR"
	}
	maps.DeleteFunc(headers, func(name, _ string) bool { _, given := r.Header[name]; return given })
	out := &client.Request{
		Label: r.Label, HeaderSummary: t.describeHeaders(&r, headers), Operation: r.Operation,
		Method: http.MethodPost,
		Path:   path, Query: r.Query, Header: r.Header.Clone(), Credential: r.Credential, Body: r.Body,
		Late: r.Invalid, MayBlock: r.MayBlock, Repeats: r.RepeatsExport,
	}
	if r.RewritePath != nil {
		out.Path = r.RewritePath(path)
	}
	if out.Header == nil {
		out.Header = http.Header{}
	}
	maps.DeleteFunc(out.Header, func(_ string, values []string) bool { return len(values) == 0 })
	headers["Content-Type"] = r.ContentType
	for name, value := range headers {
		if name != "" && value != "" {
			out.Header[name] = []string{value}
		}
	}
	if r.Operation == client.OperationCreate {
		t.writeCreation(r, out)
	} else {
		t.writeExport(r, out)
	}
	return out
}

// scarceCreateLimit is the largest limits.max_creates that leaves nothing to reserve.
const scarceCreateLimit = 20

const cpfField = "document_number"

// writeCreation writes the parts that only a creation has.
func (t *Target) writeCreation(r Request, out *client.Request) {
	lr := t.Deployment.LegalRepresentative
	if r.Body == nil {
		t.Client.Redactor().AddPersonal(r.Draft.PersonalValues()...)
		body, err := r.Draft.Body(lr)
		out.Body = mustBody(body, err)
		if r.CorruptBody != nil {
			out.Body = r.CorruptBody(slices.Clone(body))
			shown := printable.TruncateToWidth(changedPart(out.Body, body), maxShownBodyChars)
			out.HeaderSummary = strings.TrimPrefix(out.HeaderSummary+", body "+shown, ", ")
		}
	}
	paths := creationfields.RequestPaths(lr.Fields)
	for _, name := range r.Draft.ChangedFields(r.unmodifiedDraft) {
		out.RelevantFields = append(out.RelevantFields, cmp.Or(paths[name], name))
	}
	for _, unique := range []struct {
		field string
		kind  reproscript.DrawnKind
	}{
		{cpfField, reproscript.DrawnCPF},
		{"email", reproscript.DrawnEmail},
		// set by the service alone; one that it takes from a request is in use from then on
		{"id", reproscript.DrawnUUID},
		{"document.id", reproscript.DrawnUUID},
	} {
		text, plain := r.Draft.Get(unique.field).(string)
		if plain && (unique.kind == reproscript.DrawnUUID || r.UnmodifiedField(unique.field) == text) &&
			(unique.kind != reproscript.DrawnCPF || len(text) == 11) {
			out.Drawn = append(out.Drawn, reproscript.DrawnText{Text: text, Kind: unique.kind})
		}
	}
	out.Creates, out.FreshHeaders = !r.RepeatsCreation, []string{
		lr.Headers.TransactionID,
		lr.Headers.Nonce,
	}
	if t.Deployment.Limits.MaxCreates > scarceCreateLimit {
		out.CreateReserve = r.CreateReserve
	}
}

// changedPart returns the part of a body that differs from the original, from the key before it to
// the end of the value. Of a key that is given twice it has both.
func changedPart(body, original []byte) string {
	same := commonPrefix(body, original)
	end := len(body) - commonSuffix(body[same:], original[same:])
	start := memberStart(body[:same])
	key, _, _ := bytes.Cut(body[start:], []byte(":"))
	before := memberStart(body[:max(start-1, 0)])
	if bytes.HasPrefix(body[before:], key) { // the key is given twice
		start = before
	}
	shown := string(body[start:])
	if next := bytes.IndexAny(body[end:], ",}"); next >= 0 {
		shown = string(body[start:end+next]) + "…"
	}
	if start > 1 {
		shown = "…" + shown
	}
	return shown
}

// commonPrefix returns how many bytes two texts have in common at the beginning.
func commonPrefix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// commonSuffix returns how many bytes two texts have in common at the end.
func commonSuffix(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// memberStart returns where the last member of a JSON object begins that may have been cut.
func memberStart(object []byte) int { return bytes.LastIndexAny(object, ",{") + 1 }

// writeExport writes the parts that only an export has.
func (t *Target) writeExport(r Request, out *client.Request) {
	if r.Body == nil {
		if r.Fields == nil {
			r.Fields = ExportFields{}
		}
		out.Body = mustBody(json.Marshal(r.Fields))
	}
	for _, name := range slices.SortedFunc(maps.Keys(r.Fields), inDocumentOrder) {
		text, _ := r.Fields[name].(string)
		if _, own := t.bounds.Load(text); own {
			out.Drawn = append(out.Drawn, reproscript.DrawnText{Text: text, Kind: reproscript.DrawnInstant})
		}
		out.RelevantFields = append(out.RelevantFields, name)
	}
	out.FreshHeaders = []string{HeaderNonce, HeaderTransaction}
}

// inDocumentOrder compares names of export fields by their position in the document; unknown names
// come last.
func inDocumentOrder(a, b string) int {
	order := []string{
		"sort",
		"order",
		"filter_type",
		"filter_text",
		"date_start",
		"date_end",
		"type_extension",
	}
	return cmp.Or(cmp.Compare(uint(slices.Index(order, a)), uint(slices.Index(order, b))),
		strings.Compare(a, b))
}

// mustBody returns body and panics on an error, which fixed values cannot cause.
func mustBody(body []byte, err error) []byte {
	if err != nil {
		panic("a body of our own cannot be written: " + err.Error())
	}
	return body
}

// maxShownBodyChars limits the characters shown of a body.
const maxShownBodyChars = 80

// describeHeaders describes a request beyond its fields: unusual headers, identifiers of an
// earlier request, the query, and a replaced body.
func (t *Target) describeHeaders(r *Request, headers map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		value := headers[name]
		_, again := t.identifiers.LoadOrStore(value, true)
		switch {
		case again && value != "" && (value == r.Nonce || value == r.Transaction):
			parts = append(parts, name+" "+value+" again")
		case r.isOrdinaryHeader(name, value):
		case name != "" && value != "":
			parts = append(parts, name+" "+value)
		case name == HeaderNonce:
			parts = append(parts, "no "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		value := strings.Join(r.Header[name], ", ")
		isSecret := redact.IsSecretHeader(name) && value != "" && value != "Bearer"
		if !isSecret && len(r.Header[name]) > 0 {
			parts = append(parts, name+" "+cmp.Or(value, "empty"))
		}
	}
	if len(r.Query) > 0 {
		parts = append(parts, "query "+r.Query.Encode())
	}
	if r.Body != nil {
		parts = append(parts,
			"body "+cmp.Or(printable.TruncateToWidth(string(r.Body), maxShownBodyChars), "empty"))
	}
	if r.ContentType != "application/json" {
		parts = append(parts, "Content-Type "+r.ContentType)
	}
	return strings.Join(parts, ", ")
}

// isOrdinaryHeader reports whether an ordinary request has this header too: a fresh identifier, or
// the nonce mode of an export.
func (r *Request) isOrdinaryHeader(name, value string) bool {
	id, err := uuid.Parse(value)
	fresh := err == nil && id.Version() == 4 && len(value) == 36 &&
		(value == r.Nonce || value == r.Transaction)
	compared := r.Mode == HeaderNonce && r.Transaction == ""
	return fresh && (r.Mode == "" || compared) ||
		name == HeaderReplay && value == HeaderNonce && compared
}
