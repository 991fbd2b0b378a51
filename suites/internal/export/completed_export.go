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
	alien   error              // its columns do not fit the deployment file

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
	sh, err := o.Get(ctx)
	if err == nil {
		err = sh.unusableReason()
	}
	return sh, err
}

// inspectRows checks the rows read. It drops the last row of a file that was cut, which may be
// incomplete. Repeated quotes are observed separately; rows without an ID all stay, as two
// quotes may look the same.
func (sh *completedExport) inspectRows() {
	if sh.fetched.Cut && sh.csv != nil {
		if sh.broken == nil && sh.table != nil {
			sh.table.DropLast()
		}
		sh.broken = nil
	}
	if sh.isBlank() && keepsNothing(sh.query.asked) { // without rows, the titles may be missing, too
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

// repeatRequests returns the requests that show the file again.
func (sh *completedExport) repeatRequests() []spec.RepeatRequest {
	return []spec.RepeatRequest{{Exchange: sh.answer, FetchFile: true}}
}

// isPartial reports whether the file has more rows than are kept.
func (sh *completedExport) isPartial() bool {
	return sh.fetched.Cut || sh.table.QuoteCount() > sh.table.KeptCount()
}

// unusableReason returns why the export shows no rows, or nil if it does.
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

// undatedReason returns why the creation dates cannot be used, or nil if they can. The document
// does not say how a file writes dates, so an unknown notation is no fault.
func (sh *completedExport) undatedReason() error {
	const key = statement.ColumnCreatedAt
	if err := sh.unusableReason(); err != nil {
		return err
	}
	if sh.noData {
		return spec.NotVerifiedf("fixtures.window", "the deployment finds no quotes there")
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

// isBlank reports whether the file has neither rows nor titles.
func (sh *completedExport) isBlank() bool { return errors.Is(sh.broken, statement.ErrEmpty) }

// isDenied reports whether the export was refused with a client error.
func (sh *completedExport) isDenied() bool { return sh.refused && sh.answer.IsClientError() }
