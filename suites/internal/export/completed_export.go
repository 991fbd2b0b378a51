package export

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

// exportQuery is what an export is asked for.
type exportQuery struct {
	label string
	asked model.Query // what the model knows of it
	make  requestEdit
	as    *deployment.Credential
	most  int64 // bytes of the file that are enough; 0: all of it
}

// completedExport is one export seen to its end: started, fetched, read. What stopped it on the way
// is kept, because some rules are about just that.
type completedExport struct {
	query   exportQuery
	answer  *client.Exchange
	fileID  string
	fetched client.ExportFile

	refused bool               // the export was not accepted
	fault   *client.FetchError // the file could not be fetched
	broken  error              // the file is not CSV
	alien   error              // its columns do not fit the deployment file

	csv   *statement.Statement
	table *statement.Table
	rows  []statement.Quote // in the file's order; a quote that is repeated stands here once

	// of the first one: the range that exports are compared in; nil: there is no window
	extent *deployment.Window
}

// exportObservation is an export to be seen to its end.
type exportObservation = *spec.Observation[*completedExport]

// awaitUsable waits for an export, and returns why it shows no rows, nil when it does.
func awaitUsable(ctx context.Context, o exportObservation) (*completedExport, error) {
	sh, err := o.Get(ctx)
	if err == nil {
		err = sh.unusableReason()
	}
	return sh, err
}

// readFile parses the file as it arrives, from its beginning: what an earlier attempt read is
// forgotten.
func (sh *completedExport) readFile(r io.Reader, conf deployment.CSV) {
	var zone *time.Location
	if conf.TimeZone != "" {
		zone, _ = time.LoadLocation(conf.TimeZone) // the deployment file was refused if this failed
	}
	sh.csv, sh.table, sh.broken, sh.alien = statement.Read(r, conf.Columns, zone, maxKeptQuotes)
}

// inspectRows looks at what was read. The last row of a file that was cut may not be whole, or the
// cut goes through one. A quote that is repeated is observed by itself; rows without an ID all
// stay, because two quotes may look the same.
func (sh *completedExport) inspectRows() {
	if sh.fetched.Cut && sh.csv != nil {
		if sh.broken == nil && sh.table != nil {
			sh.table.DropLast()
		}
		sh.broken = nil
	}
	if sh.isBlank() && keepsNothing(sh.query.asked) { // without rows, it may go without titles, too
		sh.broken, sh.table = nil, &statement.Table{}
	}
	if sh.broken == nil && sh.alien == nil {
		known := map[string]bool{}
		sh.rows = slices.DeleteFunc(sh.table.Quotes(), func(q statement.Quote) bool {
			again := known[q.Identity]
			known[q.Identity] = true
			return again && !q.IdentityIsJoined
		})
	}
}

// repeatRequests is what shows the file again.
func (sh *completedExport) repeatRequests() []spec.RepeatRequest {
	return []spec.RepeatRequest{{Exchange: sh.answer, FetchFile: true}}
}

// isPartial reports a file that goes on beyond the rows that are kept of it.
func (sh *completedExport) isPartial() bool {
	return sh.fetched.Cut || sh.table.QuoteCount() > sh.table.KeptCount()
}

// unusableReason returns why the sheet shows no rows, nil when it does.
func (sh *completedExport) unusableReason() error {
	switch {
	case sh.isDenied() && sh.query.usesFieldsOnly():
		return spec.Inconclusivef("the export %q was not accepted: %s; see export.success",
			sh.query.label, answers.Describe(sh.answer))
	case sh.isDenied() && sh.query.asked.User == model.OwnerStranger:
		return spec.NotVerifiedf("credentials.other_user", "an export of this user was not accepted: %s",
			answers.Describe(sh.answer))
	case sh.refused:
		return spec.Inconclusivef("the export %q was not accepted: %s", sh.query.label,
			answers.Describe(sh.answer))
	case sh.fault != nil && sh.fault.Failure == client.FetchNotConfigured:
		return spec.NotVerifiedf("export.file", "")
	case sh.fault != nil:
		return spec.Inconclusivef(
			"the file of the export %q could not be fetched: %s; see export.file.retrievable",
			sh.query.label, sh.fault.Error())
	case sh.broken != nil:
		return spec.Inconclusivef("the file of the export %q cannot be read: %v; see export.file.csv",
			sh.query.label, sh.broken)
	case sh.alien != nil:
		return spec.NotVerifiedf("export.csv.columns", "%v", sh.alien)
	}
	return nil
}

// usesFieldsOnly reports a query that any user may send: there is nothing in its headers to refuse
// it for.
func (q exportQuery) usesFieldsOnly() bool {
	return q.asked.Wallet == model.WalletNone && !q.asked.Product && q.asked.Language == "" &&
		q.asked.User == model.OwnerCaller &&
		!q.asked.Key
}

// undatedReason returns why its creation dates cannot be used, nil when they can. How a file writes
// dates is not documented: another notation is not a fault, and no bound can be made of it.
func (sh *completedExport) undatedReason() error {
	const key = statement.ColumnCreatedAt
	if err := sh.unusableReason(); err != nil {
		return err
	}
	if !sh.table.HasColumn(key) {
		return spec.NotVerifiedf("export.csv.columns", "no column of the file is known to hold %s", key)
	}
	if sh.table.NeedsZone(key) {
		return spec.NotVerifiedf("export.csv.time_zone", "the dates of %s carry no offset", key)
	}
	if sample := sh.table.UnreadableDate(key); sample != "" {
		return spec.NotVerifiedf("",
			"the dates of %s, in the column %q, are in a notation that cannot be read, such as %q; "+
				"ISO 8601 can, DD/MM/YYYY, and seconds or milliseconds since 1970", key,
			sh.table.Title(key), sample)
	}
	return nil
}

// isBlank reports a file without a single byte that says anything: no row, but no titles either.
func (sh *completedExport) isBlank() bool { return errors.Is(sh.broken, statement.ErrEmpty) }

// isDenied reports a refusal that speaks about the request.
func (sh *completedExport) isDenied() bool { return sh.refused && sh.answer.IsClientError() }
