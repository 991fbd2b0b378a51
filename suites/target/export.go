package target

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/repeat"
	"github.com/gateassay/gateassay/internal/representative"
)

// Replay protection headers of the export operation, as the document names them.
const (
	HeaderReplay      = "x-include-replay-protection-schema"
	HeaderTransaction = "x-transaction-uuid"
	HeaderNonce       = "nonce"
	HeaderWallet      = "x-wallet-uuid"
	HeaderLanguage    = "x-lang"
	HeaderProduct     = "x-product-uuid"
	HeaderTarget      = "x-product-target-user-uuid"
)

// Fields is the body of an export.
type Fields map[string]any

// With returns the fields with one more.
func (f Fields) With(name string, value any) Fields {
	f = maps.Clone(f)
	f[name] = value
	return f
}

// Without returns the fields without some of them.
func (f Fields) Without(names ...string) Fields {
	f = maps.Clone(f)
	for _, name := range names {
		delete(f, name)
	}
	return f
}

// ExportCall is one request to start an export.
type ExportCall struct {
	Request
	Fields   Fields
	Mode     string // replay protection value; empty: the header is left out
	MayBlock bool   // a 429 may be a block: it is not waited out
}

// Export returns a valid request with a fresh nonce. It asks for the nonce to be compared, so that it passes whatever
// ran before it.
func (t *Target) Export(label string, fields Fields) ExportCall {
	call := ExportCall{Request: t.request(label), Fields: fields, Mode: "nonce"}
	set(call.Header, HeaderProduct, t.Product())
	return call
}

// Unique returns bounds that no other request shares, in this run or any other: two instants to the millisecond, a
// few minutes apart, in a span that deployments can be expected to accept. Their minutes are up to the run's seed and
// the label, their seconds to chance.
func (t *Target) Unique(label string) Fields {
	rng, own := t.drawn("bounds of "+label), fresh()
	from := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	span := 365 * 24 * time.Hour
	if w := t.Deployment.Fixtures.Window; w != nil && w.End.Sub(w.Start) > time.Hour {
		from, span = w.Start.UTC(), w.End.Sub(w.Start)-30*time.Minute
	}
	second := func() time.Duration { return 2*time.Second + time.Duration(own.Int64N(55_000))*time.Millisecond }
	begin := from.Truncate(time.Minute).Add(time.Duration(1+rng.Int64N(int64(span/time.Minute)-2)) * time.Minute)
	start, end := begin.Add(second()), begin.Add(time.Duration(2+rng.Int64N(23))*time.Minute+second())
	f := Fields{"date_start": t.Instant(start), "date_end": t.Instant(end)}
	for _, bound := range f {
		t.bounds.Store(bound, true)
	}
	if t.Exports.Load().Extension {
		f["type_extension"] = "CSV"
	}
	return f
}

// ExportSpelling is what exports need on a deployment that refuses the plain ones.
type ExportSpelling struct {
	Whole     bool // bounds without a fraction
	Extension bool // a type_extension
	Product   bool // that of the fixtures, which every creation names as well
	Language  bool // a preferred language, unless one is given or left out on purpose
}

// String says what exports are sent with; nothing for plain ones.
func (s ExportSpelling) String() string {
	var parts []string
	if s.Product {
		parts = append(parts, "a product named")
	}
	if s.Whole {
		parts = append(parts, "bounds in whole seconds")
	}
	if s.Extension {
		parts = append(parts, "type_extension")
	}
	if s.Language {
		parts = append(parts, HeaderLanguage)
	}
	return strings.Join(parts, ", ")
}

// Instant writes a bound.
func (t *Target) Instant(at time.Time) string {
	if t.Exports.Load().Whole {
		return at.UTC().Format(time.RFC3339)
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}

// Set returns the call with a further header; with no value it goes without that one, whatever the other exports need.
func (c ExportCall) Set(name string, value ...string) ExportCall {
	c.Header = c.Header.Clone()
	c.Header[name] = value
	return c
}

// StartExport sends an export. build is asked for the request of each attempt.
func (t *Target) StartExport(ctx context.Context, build func() ExportCall) *client.Exchange {
	t.Prepared(ctx)
	return t.SendExport(ctx, build)
}

// SendExport is StartExport for the control itself, which waits for nothing.
func (t *Target) SendExport(ctx context.Context, build func() ExportCall) *client.Exchange {
	return t.Client.Send(ctx, func(int) *client.Request { return t.export(build()) })
}

// StartExportsTogether sends exports at one instant; fewer answers come back when the limits allow fewer in flight.
func (t *Target) StartExportsTogether(ctx context.Context, all []ExportCall) []*client.Exchange {
	return t.Client.Together(ctx, each(all, t.export))
}

func (t *Target) export(c ExportCall) *client.Request {
	switch values, decided := c.Header[HeaderLanguage]; { //nolint:staticcheck // it goes out as it is written
	case decided && values == nil:
		c.Header = c.Header.Clone()
		delete(c.Header, HeaderLanguage)
	case !decided && t.Exports.Load().Language:
		c = c.Set(HeaderLanguage, "pt-BR")
	}
	r := t.spell(c.Request, client.Export, t.Deployment.Export.Path, map[string]string{
		HeaderNonce: c.Nonce, HeaderTransaction: c.Transaction, HeaderReplay: c.Mode,
	}, func() ([]byte, error) {
		if c.Fields == nil {
			return []byte("{}"), nil
		}
		return json.Marshal(c.Fields)
	})
	for _, name := range slices.SortedFunc(maps.Keys(c.Fields), inDocumentOrder) {
		text, _ := c.Fields[name].(string)
		if _, own := t.bounds.Load(text); own {
			r.Drawn = append(r.Drawn, repeat.Drawn{Text: text, Kind: repeat.Instant})
		}
		r.Matters = append(r.Matters, name)
	}
	r.Fresh, r.MayBlock = []string{HeaderNonce, HeaderTransaction}, c.MayBlock
	return r
}

// inDocumentOrder compares names of export fields by their place in the document.
func inDocumentOrder(a, b string) int {
	order := []string{"sort", "order", "filter_type", "filter_text", "date_start", "date_end", "type_extension"}
	return cmp.Or(cmp.Compare(uint(slices.Index(order, a)), uint(slices.Index(order, b))), strings.Compare(a, b))
}

// FileOf gives the members of the answer to an export. Where a member of the body holds what the document describes,
// envelope is its name.
func FileOf(x *client.Exchange) (members map[string]any, envelope string, ok bool) {
	doc, _ := Document(x.Body) // a number is the wrong type for an ID, and an ID all the same
	if members, ok = doc.(map[string]any); ok {
		members, envelope = representative.Unwrap(members, "file_id", "file_state")
	}
	return members, envelope, ok
}

// Document reads a body that is one JSON value, with its numbers as they are written.
func Document(body []byte) (doc any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&doc) != nil || d.More() {
		return nil, false
	}
	return doc, true
}

// Shape names what a JSON object holds by its paths, without any value: two runs show the same shape when the deployment
// answers alike. A body that is not an object is named by its kind.
func Shape(x *client.Exchange) string {
	doc, _ := Document(x.Body)
	switch _, isObject := doc.(map[string]any); {
	case len(x.Body) == 0:
		return "no body"
	case !isObject:
		return "no JSON object"
	}
	var paths []string
	Leaves(doc, func(path string, _ any) { paths = append(paths, path) })
	slices.Sort(paths)
	return "{" + strings.Join(slices.Compact(paths), ", ") + "}"
}

// Leaves visits every value inside a document that is neither an object nor an array, by the names of the objects
// around it, with dots between them.
func Leaves(doc any, visit func(path string, leaf any)) {
	switch v := doc.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) { // so that each run sends the same
			Leaves(v[name], func(path string, leaf any) { visit(strings.TrimSuffix(name+"."+path, "."), leaf) })
		}
	case []any:
		for _, inner := range v {
			Leaves(inner, visit)
		}
	default:
		visit("", v)
	}
}

// FileID reads file_id of an accepted export.
func FileID(x *client.Exchange) (string, bool) {
	members, _, _ := FileOf(x)
	switch id := members["file_id"].(type) {
	case string:
		return id, id != ""
	case json.Number:
		return id.String(), true
	}
	return "", false
}
