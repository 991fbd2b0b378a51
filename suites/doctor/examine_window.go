package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/printable"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/target"
)

// examineWindow exports the window, fetches the file and counts the rows that the rules can use.
func (e *examiner) examineWindow(ctx context.Context) {
	if e.deployment.Export.File == nil {
		return
	}
	x := e.startExport(ctx, "export of the window", func(r *target.Request) {
		if w := e.deployment.Fixtures.Window; w != nil {
			r.Fields = target.ExportFields{"date_start": w.Start, "date_end": w.End}
		}
	})
	file, err := e.fetchFile(ctx, x)
	if err != nil {
		e.addFinding(e.unreadableExportFinding(err))
		return
	}
	e.addKeyFinding("export.file", StateOK,
		fmt.Sprintf("a file was ready after %.1f ms", 1000*file.duration.Seconds()), "")
	const window = "fixtures.window"
	serves := map[statement.ColumnKey][]string{
		statement.ColumnClientID: {"fixtures.client_id"}, statement.ColumnCreatedAt: {window},
		statement.ColumnSettledDate: {window},
	}
	for _, key := range requiredColumns() {
		if !file.HasColumn(key) {
			e.addKeyFinding("export.csv.columns."+string(key), StateWarning, "the file has no such column",
				"name the column's title, if it has another", serves[key]...)
		}
	}
	if file.NeedsZone() {
		e.addKeyFinding("export.csv.time_zone", StateWarning, "dates in the file carry no offset",
			"add the zone that they are in, such as America/Sao_Paulo", window)
	}
	if e.deployment.Fixtures.Window != nil {
		e.countQuotes(file)
	}
}

func (e *examiner) countQuotes(file exportFile) {
	count := file.QuoteCount()
	f := Finding{
		Name: "fixtures.window", State: StateOK, Text: "holds " + printable.Quantity(count, "quote"),
	}
	if count < minQuotes {
		f.State, f.Advice = StateWarning, fmt.Sprintf(
			"choose a window with at least %d: rules about ranges need them", minQuotes)
	}
	if count == 0 {
		f.BlockedKeys = []string{f.Name}
	}
	e.addFinding(f)
	if e.deployment.Fixtures.ClientID == "" || !file.HasColumn(statement.ColumnClientID) {
		return
	}
	quotes, own := file.Quotes(), 0
	for _, q := range quotes {
		if q.Client == e.deployment.Fixtures.ClientID {
			own++
		}
	}
	const key = "fixtures.client_id"
	text := fmt.Sprintf("has %d of %d quotes", own, len(quotes))
	const advice = "choose a client that has some of the window's quotes, and not all of them"
	switch own {
	case 0:
		e.addKeyFinding(key, StateWarning, text, advice)
	case len(quotes):
		e.addKeyFinding(key, StateWarning, text, advice, key)
	default:
		e.addKeyFinding(key, StateOK, text, "")
	}
}

// unreadableExportFinding returns the finding about a missing or unreadable file, with the text of
// the last answer if that refused.
func (e *examiner) unreadableExportFinding(err error) Finding {
	f := Finding{Name: "export.file", State: StateBroken, Text: err.Error()}
	for seq := e.target.Client.Stats().Sent; seq > 0; seq-- { // the last request for a file
		if x := e.target.Client.Exchange(seq); x != nil && x.Operation == client.OperationFile {
			if x.IsClientError() {
				f.Text += ": " + answers.DescribeWithMessage(x)
			}
			break
		}
	}
	var fault *client.FetchError
	var columnErr *statement.ParseError
	switch {
	case errors.As(err, &columnErr) && columnErr.Key != "":
		f.Name = "export.csv.columns." + string(columnErr.Key)
		f.Advice = "write the column's title as it is in the file"
		f.BlockedKeys = []string{"export.file"}
	case !errors.As(err, &fault):
		f.Advice = "check export.file and export.csv; gateassay conform --suite export records every " +
			"answer"
	case fault.Failure == client.FetchNotReady:
		f.Advice = "check export.file.request, and compare export.file.state with the state; or " +
			"raise export.file.timeout"
	default:
		f.Advice = "compare export.file with the answer: its request and headers, its state and url"
	}
	return f
}
