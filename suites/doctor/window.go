package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/target"
)

// window exports the window, fetches its file, and counts what the rules about rows have to work with.
func (e *examiner) window(ctx context.Context) {
	if e.dep.Export.File == nil {
		return
	}
	x := e.export(ctx, "export of the window", func(r *target.Request) {
		if w := e.dep.Fixtures.Window; w != nil {
			r.Fields = target.ExportFields{"date_start": w.Start, "date_end": w.End}
		}
	})
	file, err := e.file(ctx, x)
	if err != nil {
		e.add(e.unread(err))
		return
	}
	e.found("export.file", OK, fmt.Sprintf("a file was ready after %.1f ms", 1000*file.took.Seconds()), "")
	const window = "fixtures.window"
	serves := map[statement.Key][]string{
		statement.ClientID: {"fixtures.client_id"}, statement.CreatedAt: {window}, statement.SettledDate: {window},
	}
	for _, key := range columns() {
		if !file.Has(key) {
			e.found("export.csv.columns."+string(key), Warning, "the file has no such column",
				"name the column's title, if it has another", serves[key]...)
		}
	}
	if file.NeedsZone() {
		e.found("export.csv.time_zone", Warning, "dates in the file carry no offset",
			"add the zone that they are in, such as America/Sao_Paulo", window)
	}
	if e.dep.Fixtures.Window != nil {
		e.quotes(file)
	}
}

// quotes counts those of the window, and those of the client among them.
func (e *examiner) quotes(file file) {
	f := Finding{Name: "fixtures.window", State: OK, Text: "holds " + printable.Quantity(file.Count(), "quote")}
	if file.Count() < fewestQuotes {
		f.State, f.Do = Warning, fmt.Sprintf("choose a window with at least %d: rules about ranges need them", fewestQuotes)
	}
	if file.Count() == 0 {
		f.Blocks = []string{f.Name}
	}
	e.add(f)
	if e.dep.Fixtures.ClientID == "" || !file.Has(statement.ClientID) {
		return
	}
	quotes, of := file.Quotes(), 0
	for _, q := range quotes {
		if q.Client == e.dep.Fixtures.ClientID {
			of++
		}
	}
	f = Finding{Name: "fixtures.client_id", State: OK, Text: fmt.Sprintf("has %d of %d quotes", of, len(quotes))}
	if of == 0 || of == len(quotes) {
		f.State = Warning
		if of > 0 {
			f.Blocks = []string{f.Name}
		}
		f.Do = "choose a client that has some of the window's quotes, and not all of them"
	}
	e.add(f)
}

// unread is the finding where there is no file, or one that cannot be read, with the words of the last answer where it refused.
func (e *examiner) unread(err error) Finding {
	f := Finding{Name: "export.file", State: Broken, Text: err.Error()}
	for seq := e.t.Client.Stats().Sent; seq > 0; seq-- { // the last of them
		if x := e.t.Client.Exchange(seq); x != nil && x.Operation == client.File {
			if x.Refusal() {
				f.Text += ": " + target.DescribeWithMessage(x)
			}
			break
		}
	}
	var fault *client.FetchError
	var alien *statement.ParseError
	switch {
	case errors.As(err, &alien) && alien.Key != "":
		f.Name, f.Do = "export.csv.columns."+string(alien.Key), "write the title that the column has in the file"
		f.Blocks = []string{"export.file"}
	case !errors.As(err, &fault):
		f.Do = "check export.file and export.csv; gateassay conform --suite export records every answer"
	case fault.Fault == client.NotReady:
		f.Do = "check export.file.request, and export.file.state against the state; or raise export.file.timeout"
	default:
		f.Do = "check export.file against the answer: its request and headers, its state and url"
	}
	return f
}
