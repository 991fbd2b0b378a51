package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/control"
	"github.com/gateassay/gateassay/suites/plan"
	"github.com/gateassay/gateassay/suites/target"
)

// headers tries the fixtures that travel in headers of an export.
func (e *examiner) headers(ctx context.Context) {
	fx := e.dep.Fixtures
	for _, h := range []struct{ key, header, value, product string }{
		{"fixtures.product_id", target.HeaderProduct, fx.ProductID, ""},
		{"fixtures.target_user_id", target.HeaderTarget, fx.TargetUserID, fx.ProductID},
		{"fixtures.default_wallet_id", target.HeaderWallet, fx.DefaultWalletID, ""},
		{"fixtures.other_wallet_id", target.HeaderWallet, fx.OtherWalletID, ""},
	} {
		if h.value == "" {
			continue
		}
		x := e.export(ctx, "export with "+h.header, func(call *target.ExportCall) {
			*call = call.Set(h.header, h.value)
			if h.product != "" {
				*call = call.Set(target.HeaderProduct, h.product)
			}
		})
		e.accepted("fixtures", h.key, x, "check that it belongs to the main credential's user")
	}
}

// creation creates one representative, which shows whether names, types and the shareholder are right.
func (e *examiner) creation(ctx context.Context) {
	if e.dep.Fixtures.ShareholderID == "" {
		return
	}
	// A target of its own: what the control finds out must not change the other examinations while they go on.
	own := target.New(e.dep, e.t.Client, 1)
	valid, err := control.New(plan.New(), own).Creation.Get(ctx)
	if err == nil {
		text := "accepted"
		if spelling := own.Spelling(); spelling != "" {
			text += " with " + spelling
		}
		e.add(Finding{"fixtures", "fixtures.shareholder_id", OK, text, ""})
		return
	}
	x := valid.Exchange
	if x == nil {
		x = e.t.Create(ctx, func() target.Creation { return e.t.Creation("valid creation") })
	}
	e.accepted("fixtures", "fixtures.shareholder_id", x,
		"check the ID, and legal_representative.headers, .fields and .field_types against the body of the answer")
}

func (e *examiner) accepted(topic, name string, x *client.Exchange, advice string) {
	if x.Success() {
		e.add(Finding{topic, name, OK, "accepted", ""})
		return
	}
	text := "got " + target.Describe(x)
	if body := x.Recorded.ResponseBody; len(body) > 0 {
		text += ": " + string(body[:min(len(body), 300)])
	}
	e.add(Finding{topic, name, Broken, text, advice})
}

// files exports the window, fetches its file and reads it.
func (e *examiner) files(ctx context.Context) {
	if e.dep.Export.File == nil {
		return
	}
	table, took, err := e.statement(ctx)
	if err != nil {
		e.add(Finding{"retrieval", "export.file", Broken, err.Error(), e.fileAdvice(err)})
		return
	}
	e.add(Finding{"retrieval", "export.file", OK, "a file was ready after " + brief(took), ""})
	for key, column := range map[statement.Key]string{
		statement.ID: "id", statement.ClientID: "client_id", statement.WalletID: "wallet_id",
		statement.CreatedAt: "quote_created_at", statement.SettledDate: "settled_date",
	} {
		if !table.Has(key) {
			e.add(Finding{"retrieval", "export.csv.columns." + column, Warning, "the file has no such column", "name the column's title, if it has another"})
		}
	}
	if table.NeedsZone() {
		e.add(Finding{"retrieval", "export.csv.time_zone", Warning, "dates in the file carry no offset", "say which zone they are in"})
	}
	e.window(ctx, table)
}

// window counts what the data rules have to work with.
func (e *examiner) window(_ context.Context, table *statement.Table) {
	if e.dep.Fixtures.Window == nil {
		return
	}
	quotes := table.Quotes()
	f := Finding{"fixtures", "fixtures.window", OK, fmt.Sprintf("holds %d quotes", len(quotes)), ""}
	if len(quotes) < 20 {
		f.State, f.Do = Warning, "choose a window that holds at least 20 quotes: rules about ranges and order need them"
	}
	e.add(f)
	client := e.dep.Fixtures.ClientID
	if client == "" || !table.Has(statement.ClientID) {
		return
	}
	of := 0
	for _, q := range quotes {
		if q.Client == client {
			of++
		}
	}
	f = Finding{"fixtures", "fixtures.client_id", OK, fmt.Sprintf("has %d of the %d quotes", of, len(quotes)), ""}
	if of == 0 || of == len(quotes) {
		f.State, f.Do = Warning, "choose a client that has some of the window's quotes, and not all of them"
	}
	e.add(f)
}

func (e *examiner) statement(ctx context.Context) (*statement.Table, time.Duration, error) {
	x := e.export(ctx, "export of the window", func(call *target.ExportCall) {
		if w := e.dep.Fixtures.Window; w != nil {
			call.Fields = target.Fields{"date_start": w.Start.Format(time.RFC3339Nano), "date_end": w.End.Format(time.RFC3339Nano)}
		}
	})
	id, ok := target.FileID(x)
	if !x.Success() || !ok {
		return nil, 0, fmt.Errorf("an export of the window got %s without a file_id", target.Describe(x))
	}
	file, err := e.t.Client.Fetch(ctx, id, e.dep.Credentials.Main())
	if err != nil {
		return nil, 0, err
	}
	parsed, err := statement.Parse(file.Bytes)
	if err != nil {
		return nil, 0, fmt.Errorf("the file is no strict CSV: %w", err)
	}
	var zone *time.Location
	if name := e.dep.Export.CSV.TimeZone; name != "" {
		if zone, err = time.LoadLocation(name); err != nil {
			return nil, 0, err
		}
	}
	table, err := parsed.Bind(e.dep.Export.CSV.Columns, zone)
	return table, file.Took, err
}

func (e *examiner) fileAdvice(err error) string {
	var fault *client.FetchError
	if errors.As(err, &fault) {
		switch fault.Fault {
		case client.NotReady:
			return "raise export.file.timeout, or check export.file.state.ready"
		case client.Denied:
			return "check export.file.request and export.file.headers"
		case client.FailedState, client.Unusable:
			return "check export.file.state and export.file.url against the answer"
		}
	}
	return "check export.file and export.csv against the answers in the recorded exchanges"
}
