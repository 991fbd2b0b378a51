package export

import (
	"context"
	"errors"
	"slices"

	"github.com/gateassay/gateassay/gateway/deployment"
	"github.com/gateassay/gateassay/internal/client"
	"github.com/gateassay/gateassay/internal/statement"
	"github.com/gateassay/gateassay/suites/internal/answers"
	"github.com/gateassay/gateassay/suites/internal/export/model"
	"github.com/gateassay/gateassay/suites/spec"
)

// completedExport is an export that was started, fetched and read. It keeps what stopped it, as
// some rules are about that.
type completedExport struct {
	query   exportQuery
	answer  *client.Exchange
	fileID  string
	fetched client.ExportFile

	refused bool               // the export was not accepted
	fault   *client.FetchError // the file could not be fetched
	noData  bool               // the deployment says that there is nothing to put into a file
	broken  error              // the file is not CSV
	// the file was not CSV when it was fetched first
	brokenAtFirst error
	alien         error // its columns do not fit the deployment file

	csv   *statement.Statement
	table *statement.Table
	rows  []statement.Quote // in the order of the file, without repetitions

	// extent is the range that other exports are compared in, set for the first export; nil: there
	// is no window.
	extent *deployment.Window
}

// exportObservation is an export that runs to completion.
type exportObservation = *spec.Observation[*completedExport]

// awaitUsable waits for an export. The error says why it shows no rows.
func awaitUsable(ctx context.Context, o exportObservation) (*completedExport, error) {
	done, err := o.Get(ctx)
	if err == nil {
		err = done.unusableReason()
	}
	return done, err
}

// inspectRows checks the rows read. It drops the last row of a file that was cut, which may be
// incomplete. Repeated quotes are observed separately; rows without an ID all stay, as two
// quotes may look the same.
func (e *completedExport) inspectRows() {
	if e.fetched.Cut && e.csv != nil {
		if e.broken == nil && e.table != nil {
			e.table.DropLast()
		}
		e.broken = nil
	}
	if e.isBlank() && keepsNothing(e.query.asked) { // without rows, the titles may be missing, too
		e.broken, e.table = nil, &statement.Table{}
	}
	if e.broken == nil && e.alien == nil {
		known := map[string]bool{}
		e.rows = slices.DeleteFunc(e.table.Quotes(), func(q statement.Quote) bool {
			again := known[q.Identity]
			known[q.Identity] = true
			return again && !q.IdentityIsJoined
		})
	}
}

// repeatRequests returns the requests that show the file again.
func (e *completedExport) repeatRequests() []spec.RepeatRequest {
	return []spec.RepeatRequest{{Exchange: e.answer, FetchFile: true}}
}

// isPartial reports whether the file has more rows than are kept.
func (e *completedExport) isPartial() bool {
	return e.fetched.Cut || e.table.QuoteCount() > e.table.KeptCount()
}

// unusableReason returns why the export shows no rows, or nil if it does.
func (e *completedExport) unusableReason() error {
	switch {
	case e.isDenied() && e.query.usesFieldsOnly():
		return spec.Inconclusivef("the export %q was not accepted: %s; see export.success",
			e.query.label, answers.Describe(e.answer))
	case e.isDenied() && e.query.asked.User == model.OwnerStranger:
		return spec.NotVerifiedf("credentials.other_user", "an export of this user was not accepted: %s",
			answers.Describe(e.answer))
	case e.refused:
		return spec.Inconclusivef("the export %q was not accepted: %s", e.query.label,
			answers.Describe(e.answer))
	case e.fault != nil && e.fault.Failure == client.FetchNotConfigured:
		return spec.NotVerifiedf("export.file", "")
	case e.fault != nil:
		return spec.Inconclusivef(
			"the file of the export %q could not be fetched: %s; see export.file.retrievable",
			e.query.label, e.fault.Error())
	case e.broken != nil:
		return spec.Inconclusivef("the file of the export %q cannot be read: %v; see export.file.csv",
			e.query.label, e.broken)
	case e.alien != nil:
		return spec.NotVerifiedf("export.csv.columns", "%v", e.alien)
	}
	return nil
}

// undatedReason returns why the creation dates cannot be used, or nil if they can. The document
// does not say how a file writes dates, so an unknown notation is no fault.
func (e *completedExport) undatedReason() error {
	const key = statement.ColumnCreatedAt
	if err := e.unusableReason(); err != nil {
		return err
	}
	if e.noData {
		return spec.NotVerifiedf("fixtures.window", "the deployment finds no quotes there")
	}
	if !e.table.HasColumn(key) {
		return spec.NotVerifiedf("export.csv.columns", "no column of the file is known to hold %s", key)
	}
	if e.table.NeedsZone(key) {
		return spec.NotVerifiedf("export.csv.time_zone", "the dates of %s carry no offset", key)
	}
	if sample := e.table.UnreadableDate(key); sample != "" {
		return spec.NotVerifiedf("",
			"the dates of %s, in the column %q, are in a notation that cannot be read, such as %q; "+
				"ISO 8601 can, DD/MM/YYYY, and seconds or milliseconds since 1970", key,
			e.table.Title(key), sample)
	}
	return nil
}

// isBlank reports whether the file has neither rows nor titles.
func (e *completedExport) isBlank() bool { return errors.Is(e.broken, statement.ErrEmpty) }

// isDenied reports whether the export was refused with a client error.
func (e *completedExport) isDenied() bool { return e.refused && e.answer.IsClientError() }
