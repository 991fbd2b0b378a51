package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"time"

	"github.com/gateassay/gateassay/gateway/client"
	"github.com/gateassay/gateassay/gateway/printable"
	"github.com/gateassay/gateassay/gateway/statement"
	"github.com/gateassay/gateassay/suites/target"
)

// headers tries the fixtures that travel in headers of an export.
func (e *examiner) headers(ctx context.Context) {
	fx := e.dep.Fixtures
	refused := map[string]bool{}
	for _, h := range []struct{ key, header, value, beside string }{
		{"fixtures.product_id", target.HeaderProduct, fx.ProductID, ""},
		{"fixtures.target_user_id", target.HeaderTarget, fx.TargetUserID, "fixtures.product_id"},
		{"fixtures.default_wallet_id", target.HeaderWallet, fx.DefaultWalletID, ""},
		{"fixtures.other_wallet_id", target.HeaderWallet, fx.OtherWalletID, ""},
	} {
		switch {
		case h.value == "":
			continue
		case refused[h.beside]:
			e.found(h.key, Broken, "not tried: it needs "+h.beside+", which was refused",
				"correct "+h.beside+" first")
			continue
		}
		x := e.export(ctx, "export with "+h.header, func(call *target.ExportCall) {
			*call = call.Set(h.header, h.value)
			if h.beside != "" && fx.ProductID != "" {
				*call = call.Set(target.HeaderProduct, fx.ProductID)
			}
		})
		if refused[h.key] = !x.Success(); refused[h.key] {
			e.found(h.key, Broken, "refused: "+target.Quoted(x),
				"check that it belongs to the user of credentials."+e.dep.Credentials.Main().Name)
			continue
		}
		e.found(h.key, OK, "accepted", "")
	}
}

// namedColumn is the key of a column in why a file cannot be read.
var namedColumn = regexp.MustCompile(`export\.csv\.columns\.\w+`)

// withoutRows are rules about files that look at no row.
func withoutRows() []string {
	return []string{
		"export.file.retrievable", "export.file.csv", "export.file.private", "export.file.authenticated",
		"export.observed.transitions", "export.observed.file_name", "export.observed.dialect", "export.observed.columns",
	}
}

// blockedBy lists which keys serve nothing when the file lacks a column.
var blockedBy = map[statement.Key][]string{
	statement.ClientID: {"fixtures.client_id"}, statement.CreatedAt: {"fixtures.window"},
	statement.SettledDate: {"fixtures.window"},
}

// files exports the window, fetches its file and reads it.
func (e *examiner) files(ctx context.Context) {
	if e.dep.Export.File == nil {
		return
	}
	table, took, err := e.statement(ctx)
	if err != nil {
		f := Finding{Name: "export.file", State: Broken, Text: err.Error(), Do: e.fileAdvice(err)}
		if column := namedColumn.FindString(f.Text); column != "" {
			f.Name, f.Do, f.Blocks = column, "write the title that the column has in the file", []string{"export.file"}
			f.Rules, f.Spares = []string{"export.header.wallet.empty"}, withoutRows()
		}
		e.add(f)
		return
	}
	e.found("export.file", OK, "a file was ready after "+brief(took), "")
	for _, key := range columns() {
		if !table.Has(key) {
			e.add(Finding{
				Name: "export.csv.columns." + string(key), State: Warning,
				Text: "the file has no such column",
				Do:   "name the column's title, if it has another", Blocks: blockedBy[key],
			})
		}
	}
	if table.NeedsZone() {
		e.add(Finding{
			Name: "export.csv.time_zone", State: Warning,
			Text: "dates in the file carry no offset", Do: "add the zone that they are in, such as America/Sao_Paulo",
			Blocks: []string{"fixtures.window"},
		})
	}
	e.window(table)
}

// columns lists the columns of a file that rules need, by their keys in the deployment file.
func columns() []statement.Key {
	return []statement.Key{
		statement.ID, statement.ClientID, statement.WalletID, statement.CreatedAt, statement.SettledDate,
	}
}

// fewestQuotes is how many quotes a window has to hold.
const fewestQuotes = 20

// window counts what the data rules have to work with.
func (e *examiner) window(table *statement.Table) {
	if e.dep.Fixtures.Window == nil {
		return
	}
	quotes := table.Count()
	f := Finding{
		Name: "fixtures.window", State: OK, Text: "holds " + printable.Quantity(quotes, "quote"),
	}
	if quotes < fewestQuotes {
		f.State = Warning
		f.Do = fmt.Sprintf("choose a window that holds at least %d quotes: rules about ranges and order need them",
			fewestQuotes)
	}
	if quotes == 0 {
		f.Blocks = []string{f.Name}
	}
	e.add(f)
	client := e.dep.Fixtures.ClientID
	if client == "" || !table.Has(statement.ClientID) {
		return
	}
	of := table.Digest().Marked()
	f = Finding{
		Name: "fixtures.client_id", State: OK,
		Text: fmt.Sprintf("has %d of %s", of, printable.Quantity(quotes, "quote")),
	}
	if of == 0 || of == quotes {
		f.State, f.Blocks = Warning, []string{f.Name}
		f.Rules = []string{"export.order.asc", "export.order.desc", "export.default.sort", "export.default.order"}
		f.Do = "choose a client that has some of the window's quotes, and not all of them"
	}
	e.add(f)
}

func (e *examiner) statement(ctx context.Context) (*statement.Table, time.Duration, error) {
	x := e.export(ctx, "export of the window", func(call *target.ExportCall) {
		if w := e.dep.Fixtures.Window; w != nil {
			call.Fields = target.Fields{
				"date_start": w.Start.Format(time.RFC3339Nano),
				"date_end":   w.End.Format(time.RFC3339Nano),
			}
		}
	})
	id, ok := target.FileID(x)
	if !x.Success() || !ok {
		return nil, 0, fmt.Errorf("an export of the window got %s without a file_id", target.Describe(x))
	}
	var zone *time.Location
	var err error
	if name := e.dep.Export.CSV.TimeZone; name != "" {
		if zone, err = time.LoadLocation(name); err != nil {
			return nil, 0, err
		}
	}
	var table *statement.Table
	var broken, alien error
	keep := statement.Keep{
		Most: 1, Brief: true, Marks: func(q *statement.Quote) bool { return q.Client == e.dep.Fixtures.ClientID },
	}
	file, err := e.t.Client.FetchWith(ctx, id, e.dep.Credentials.Main(),
		client.FetchOptions{Read: func(r io.Reader) error {
			_, table, broken, alien = statement.Read(r, e.dep.Export.CSV.Columns, zone, keep)
			return nil
		}})
	switch {
	case err != nil:
		return nil, 0, err
	case broken != nil:
		return nil, 0, fmt.Errorf("the file is not strict CSV: %w", broken)
	}
	return table, file.Took, alien
}

func (e *examiner) fileAdvice(err error) string {
	var fault *client.FetchError
	errors.As(err, &fault)
	switch {
	case fault == nil:
		return "check export.file and export.csv; gateassay conform --suite export records every answer"
	case fault.Fault == client.NotReady && fault.Status == http.StatusNotFound:
		return "check export.file.request: no file is served there; or raise export.file.timeout"
	case fault.Fault == client.NotReady && e.dep.Export.File.State != nil:
		return "check export.file.state.ready against the state; or raise export.file.timeout"
	case fault.Fault == client.NotReady:
		return "raise export.file.timeout"
	case fault.Fault == client.Denied:
		return "check export.file.request and export.file.headers"
	}
	return "check export.file.state and export.file.url against the answer"
}
