package target

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
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
// few minutes apart, in a span that deployments can be expected to accept.
func (t *Target) Unique() Fields {
	rng := fresh()
	from := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	span := 365 * 24 * time.Hour
	if w := t.Deployment.Fixtures.Window; w != nil && w.End.Sub(w.Start) > time.Hour {
		from, span = w.Start.UTC(), w.End.Sub(w.Start)-30*time.Minute
	}
	start := from.Add(time.Duration(rng.Int64N(span.Milliseconds())) * time.Millisecond)
	end := start.Add(time.Minute + time.Duration(rng.Int64N(25*60*1000))*time.Millisecond)
	const layout = "2006-01-02T15:04:05.000Z"
	return Fields{"date_start": start.Format(layout), "date_end": end.Format(layout)}
}

// Set returns the call with a further header.
func (c ExportCall) Set(name, value string) ExportCall {
	c.Header = c.Header.Clone()
	c.Header[name] = []string{value}
	return c
}

// StartExport sends an export. build is asked for the request of each attempt.
func (t *Target) StartExport(ctx context.Context, build func() ExportCall) *client.Exchange {
	t.Prepared(ctx)
	return t.Client.Send(ctx, func(int) *client.Request { return t.export(build()) })
}

// StartExportsTogether sends exports at one instant; fewer answers come back when the limits allow fewer in flight.
func (t *Target) StartExportsTogether(ctx context.Context, all []ExportCall) []*client.Exchange {
	return t.Client.Together(ctx, each(all, t.export))
}

func (t *Target) export(c ExportCall) *client.Request {
	r := c.request(client.Export, t.Deployment.Export.Path, map[string]string{
		HeaderNonce: c.Nonce, HeaderTransaction: c.Transaction, HeaderReplay: c.Mode,
	}, func() ([]byte, error) {
		if c.Fields == nil {
			return []byte("{}"), nil
		}
		return json.Marshal(c.Fields)
	})
	r.Fresh, r.MayBlock = []string{HeaderNonce, HeaderTransaction}, c.MayBlock
	return r
}

// FileID reads file_id of an accepted export.
func FileID(x *client.Exchange) (string, bool) {
	var answer struct {
		FileID string `json:"file_id"`
	}
	if json.Unmarshal(x.Body, &answer) != nil || answer.FileID == "" {
		return "", false
	}
	return answer.FileID, true
}
